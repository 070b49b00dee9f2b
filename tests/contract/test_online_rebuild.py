"""A rebuild during which lookups go on: at no moment is a document missed."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import pytest

from dupdex import Document, Grouping, Index, Outcome, Session, Status
from dupdex.rebuild import rebuild
from indexer.meta_watch import MetaWatch
from indexer.stores.elastic.elastic_writer import ElasticWriter
from indexer.stores.embedded.embedded_writer import CHUNK, EmbeddedWriter
from mappings.errors import PlanMismatch
from mappings.plan import CHARACTERS, STANDARD, Plan
from tests.contract.stores import Store, real
from tests.service.elastic_data import chinese

DOCUMENTS: Final = 60
AT_ONCE: Final = 7
GOAL: Final = replace(
    CHARACTERS, name="other", schemes=("exact", "simhash", "minhash", "sentences")
)
assert GOAL.id != CHARACTERS.id


@pytest.fixture
def filled(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Every lookup looks at the meta, so no time has to pass, and few documents move together."""
    elastic: Any = ElasticWriter.__init__
    embedded: Any = vars(EmbeddedWriter)["open"].__func__
    monkeypatch.setitem(elastic.__kwdefaults__, "chunk_documents", AT_ONCE)
    defaults = [AT_ONCE if each == CHUNK else each for each in embedded.__defaults__]
    assert AT_ONCE in defaults
    monkeypatch.setattr(embedded, "__defaults__", tuple(defaults))
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    monkeypatch.setattr("dupdex.rebuild.GRACE_SECONDS", 0.0)
    store.write(*(real(f"d{at}", chinese(at)) for at in range(DOCUMENTS)))
    store.close_writer()
    return store


def half_way(store: Store, goal: Plan = GOAL) -> Generator[Outcome]:
    """A rebuild that has moved a few documents, and goes on when asked to."""
    steps = rebuild(store.opener.location, goal, online=True)
    assert isinstance(steps, Generator)
    next(steps)
    return steps


def found(index: Index, at: int) -> list[str]:
    return [match.id for match in index.lookup(chinese(at)[:-7]).matches]


def plans_in(index: Index) -> set[str]:
    return {stored.plan_id for stored in index.scan()}


def test_every_document_is_found_at_every_step(filled: Store) -> None:
    with Index.open(filled.opener.location) as index:
        steps = rebuild(filled.opener.location, GOAL, online=True)
        for number, outcome in enumerate(steps):
            assert outcome.status is Status.UPDATED
            if number % 6 == 0:
                assert [found(index, at) for at in range(0, DOCUMENTS, 9)] == [
                    [f"d{at}"] for at in range(0, DOCUMENTS, 9)
                ]
        assert found(index, 7) == ["d7"]
        assert index.plan == GOAL
        assert plans_in(index) == {GOAL.id}


def test_lookups_beside_it_miss_nothing(filled: Store) -> None:
    """As fast as they can, in a thread, while the rebuild goes on; nothing waits for anything."""
    stop, missed, asked = threading.Event(), [], []

    def ask() -> None:
        with Index.open(filled.opener.location) as index:
            at = 0
            while not stop.is_set():
                at = (at + 7) % DOCUMENTS
                asked.append(at)
                if found(index, at) != [f"d{at}"]:
                    missed.append(at)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        while len(asked) < 3:
            time.sleep(0.01)
        for goal in (GOAL, CHARACTERS, GOAL):
            assert len(list(rebuild(filled.opener.location, goal, online=True))) == DOCUMENTS
    finally:
        stop.set()
        asking.join()
    assert not missed
    assert len(asked) > 3


def test_an_answer_says_what_both_searches_covered(filled: Store) -> None:
    with Index.open(filled.opener.location) as index, closing(half_way(filled)):
        assert index.meta.plan == CHARACTERS
        answer = index.lookup(chinese(3))
        assert index.meta.goal == GOAL
        assert [match.id for match in answer.matches] == ["d3"]
        assert answer.completeness.candidates >= 1
        of_id = index.lookup_id("d3")
        assert of_id.matches == ()
        assert of_id.left_out == "d3"
        with pytest.raises(PlanMismatch, match="needs all documents under one plan"):
            list(index.sweep())


def test_interrupted_it_answers_and_goes_on(filled: Store) -> None:
    half_way(filled).close()
    location = filled.opener.location
    with Index.open(location) as index:  # also one that is opened now
        assert index.meta.goal == GOAL
        assert [found(index, at) for at in (1, 50)] == [["d1"], ["d50"]]
    with Index.create(location) as index:
        new = Document("new", chinese("new"))
        assert [each.status for each in index.add([new])] == [Status.CREATED]
        index.refresh()
        assert index.get(["new"])["new"].plan_id == GOAL.id
        assert [match.id for match in index.lookup(chinese("new")).matches] == ["new"]
    list(rebuild(location))  # without saying so again
    with Index.open(location) as index:
        assert index.plan == GOAL
        assert plans_in(index) == {GOAL.id}


def test_a_copy_joins_the_group_of_a_document_under_either_plan(filled: Store) -> None:
    location = filled.opener.location
    with Index.create(location, grouping=Grouping(live=True)) as index:
        index.group()
    half_way(filled).close()
    with Index.create(location) as index:
        copies = [Document(f"copy{at}", chinese(at)) for at in range(DOCUMENTS)]
        assert {each.status for each in index.add(copies)} == {Status.CREATED}
        index.refresh()
        assert plans_in(index) == {GOAL.id, CHARACTERS.id}
    with Session(location) as session:
        reader = session.reader()
        groups = {ref.id: standing.group for ref, standing in reader.all_standings()}
    assert all(groups[f"copy{at}"] == groups[f"d{at}"] for at in range(DOCUMENTS))


def test_who_did_not_look_meanwhile_goes_on(filled: Store) -> None:
    with Index.open(filled.opener.location) as index:
        list(rebuild(filled.opener.location, GOAL, online=True))
        assert found(index, 5) == ["d5"]
        list(rebuild(filled.opener.location, CHARACTERS))
        with pytest.raises(PlanMismatch, match="moved the index"):
            found(index, 5)  # as ever, after a rebuild that lookups were to be stopped by


def test_three_plans_are_too_many(filled: Store) -> None:
    half_way(filled).close()
    remarks: list[str] = []
    location = filled.opener.location
    steps = rebuild(location, replace(STANDARD, name="third"), remark=remarks.append, online=True)
    next(steps)
    with pytest.raises(PlanMismatch, match="was not finished"):
        Index.open(location)
    list(steps)
    assert "lookups are refused until" in remarks[0]


def test_only_thresholds(filled: Store) -> None:
    goal = replace(CHARACTERS, thresholds=replace(CHARACTERS.thresholds, near=0.2))
    with Index.open(filled.opener.location) as index:
        list(rebuild(filled.opener.location, goal, online=True))
        assert found(index, 5) == ["d5"]
        assert index.plan.thresholds.near == 0.2
