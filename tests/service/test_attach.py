"""An index that dupdex did not make answers, and is afterwards what it was before."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from dataclasses import replace
from typing import Any, Final

import pytest
from elasticsearch import Elasticsearch

from dupdex import Attachment, Index, Session
from dupdex.attach import attaching, detaching
from dupdex.location import Location
from dupdex.rebuild import rebuild
from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import Document
from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import OBJECT_FIELD
from mappings.errors import InputRefused, PlanMismatch, StoreRefused
from mappings.plan import CHARACTERS
from mappings.records import RUNS
from tests.service.elastic_data import chinese
from tests.service.foreign_data import (
    BODY,
    MAPPINGS,
    made,
    not_current,
    place,
    put,
    sources,
    text_in,
    theirs,
    without_ours,
)

DOCUMENTS: Final = 300


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)


def attach(where: Location, **options: Any) -> int:
    report = Index.attach(where, BODY, plan=CHARACTERS, **options)
    assert not report.edited
    assert not report.refused
    return report.written


def test_it_answers_and_is_left_as_it_was(settings: ElasticSettings, raw: Elasticsearch) -> None:
    documents = made(raw, settings.index, DOCUMENTS)
    where = place(settings)
    assert attach(where) == DOCUMENTS
    stored = sources(raw, settings.index)
    assert without_ours(stored) == documents
    assert {each[OBJECT_FIELD]["group"] for each in stored.values()} == set(documents)
    with Index.open(where) as index:
        answer = index.lookup(text_in(7))
        assert [match.id for match in answer.matches] == ["d7"]
        assert answer.matches[0].verdict == "exact"
        facts = index.describe()
        assert facts["attached"] == "done"
        assert facts["covered"] == facts["documents"] == DOCUMENTS
        assert "next_step" not in facts
    with Session(where) as session:
        session.collection(RUNS).put("1", {"job": "a", "state": "done", "started": MOMENT})
    report = Index.detach(where)
    assert (report.cleaned, report.refused) == (DOCUMENTS, {})
    assert report.collections == [f"{settings.index}-dupdex-runs"]
    assert not raw.indices.exists(index=report.collections[0])
    assert "keeps the empty field 'dupdex'" in report.stays[0]
    assert sources(raw, settings.index) == documents
    mapping = raw.indices.get_mapping(index=settings.index)[settings.index]["mappings"]
    assert mapping["_meta"] == {"theirs": {"a": 1}}
    assert mapping["dynamic"] == "strict"


MOMENT: Final = "2026-01-31T23:59:59.000Z"


def test_again_and_again(settings: ElasticSettings, raw: Elasticsearch) -> None:
    """What other programs write meanwhile is taken by the next run."""
    made(raw, settings.index, 20)
    where = place(settings)
    assert attach(where) == 20
    with Index.open(where) as index:
        revision = index.meta.revision
    assert attach(where) == 0
    put(raw, settings.index, [("new", theirs("new")), ("d3", theirs("edited"))])
    changed = {"doc": {"content": {"body": ["一段完全不同的文字，后来才写进去的。"]}}}
    raw.update(index=settings.index, id="d4", body=changed, refresh=True)
    assert set(not_current(sources(raw, settings.index))) == {"d3", "d4", "new"}
    with Index.open(where) as index:
        assert index.describe()["covered"] == 19
        assert "'dupdex attach'" in str(index.describe()["next_step"])
        assert index.meta.revision == revision  # no change of the meta takes room in the mapping
    assert attach(where) == 3
    stored = sources(raw, settings.index)
    assert not_current(stored) == []
    assert stored["d4"][OBJECT_FIELD]["group"] == "d4"
    Index.detach(where)
    assert attach(where) == 21
    Index.detach(where)


def test_what_is_stored_is_what_dupdex_stores(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """An attached index and one that dupdex made answer alike."""
    made(raw, settings.index, 60)
    put(raw, settings.index, [("copy", theirs(3, source="copy")), ("en", theirs("x"))])
    where = place(settings)
    attach(where)
    own = Location(settings.url, f"{settings.index}-1")
    with Index.create(own, IndexMeta(plan=CHARACTERS, text_fields=BODY)) as index:
        stored = sources(raw, settings.index)
        with Index.open(where) as attached:
            index.add(_document(attached, name) for name in stored)
            index.refresh()
            for text in (text_in(3), text_in(4)[:60], chinese("nobody")):
                ours, others = index.lookup(text), attached.lookup(text)
                assert [(m.id, m.verdict, m.similarity, m.share) for m in ours.matches] == [
                    (m.id, m.verdict, m.similarity, m.share) for m in others.matches
                ]
    made_here = sources(raw, own.index)
    for name, source in stored.items():
        kept = {k: v for k, v in source[OBJECT_FIELD].items() if k != "indexed"}
        assert kept == {k: v for k, v in made_here[name][OBJECT_FIELD].items() if k != "indexed"}


def _document(index: Index, name: str) -> Document:
    return Document(name, body=index.get([name])[name].body)


def test_numbers_and_routing_come_through(settings: ElasticSettings, raw: Elasticsearch) -> None:
    long = 123_456_789_012_345_678_901_234_567_890
    raw.indices.create(index=settings.index, settings={"number_of_shards": 3})
    raw.indices.put_mapping(
        index=settings.index,
        properties={"big": {"type": "object", "enabled": False}},
    )
    for at in range(30):
        body = f'{{"text": "{chinese(at)}", "big": {{"n": {long}, "f": 1.50, "e": [[], null]}}}}'
        raw.perform_request(
            "PUT",
            f"/{settings.index}/_doc/{at}?routing=r{at % 7}",
            headers={"content-type": "application/json", "accept": "application/json"},
            body=body.encode(),
        )
    where = place(settings)
    raw.indices.refresh(index=settings.index)
    assert Index.attach(where, plan=CHARACTERS, slices=3).written == 30
    assert Index.detach(where, slices=3).cleaned == 30
    assert len(sources(raw, settings.index)) == 30
    for at in range(30):
        url = f"{settings.url}/{settings.index}/_source/{at}?routing=r{at % 7}"
        with urllib.request.urlopen(url) as answer:  # the client would round the number
            text = answer.read().decode()
        assert f'"n":{long},"f":1.5,"e":[[],null]' in text.replace(" ", "")
        assert set(json.loads(text)) == {"text", "big"}


def test_documents_without_a_text_are_told(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 5)
    put(raw, settings.index, [("none", {"source": "x"}), ("empty", {"content": {"body": ""}})])
    report = Index.attach(place(settings), BODY, plan=CHARACTERS)
    assert report.written == 5
    assert set(report.refused) == {(settings.index, "none"), (settings.index, "empty")}
    assert "no text" in report.refused[settings.index, "none"]
    assert OBJECT_FIELD not in sources(raw, settings.index)["none"]


def test_half_attached_it_says_how_far(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 200)
    seen = threading.Event()

    class StopError(Exception):
        pass

    def step(*counts: int) -> None:
        if counts[0]:
            seen.set()
            raise StopError

    with pytest.raises(StopError):
        attach(place(settings), progress=step, slices=1)
    assert seen.is_set()
    raw.indices.refresh(index=settings.index)
    with Index.open(place(settings)) as index:
        facts = index.describe()
        assert facts["attached"] == "filling"
        assert facts["covered"] == 50
        assert facts["documents"] == 200
        assert index.meta.attached is Attachment.FILLING
    assert attach(place(settings)) == 150


def test_no_lookups_while_it_is_detached(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 200)
    where = place(settings)
    attach(where)

    def step(*counts: int) -> None:
        if counts[0]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Index.detach(where, progress=step)
    with pytest.raises(PlanMismatch, match="'dupdex detach' again to go on"):
        Index.open(where)
    assert attach(where) > 0  # one may also change one's mind
    with Index.open(where) as index:
        assert len(index.lookup(text_in(1)).matches) == 1
    Index.detach(where)


def test_other_fields_are_refused(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 3)
    where = place(settings)
    with pytest.raises(InputRefused, match=r"fields that hold strings: content.body, source"):
        Index.attach(where)
    assert "_meta" in raw.indices.get_mapping(index=settings.index)[settings.index]["mappings"]
    attach(where)
    with pytest.raises(InputRefused, match=r"attached with --text-field content.body"):
        Index.attach(where, ["source"])


def test_it_moves_to_another_plan_while_it_answers(
    settings: ElasticSettings, raw: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attaching, "MOVING_SECONDS", 0.0)
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    expected = made(raw, settings.index, 200)
    where = place(settings)
    attach(where)
    with pytest.raises(StoreRefused, match="'dupdex attach' changes nothing of them but"):
        list(rebuild(where, GOAL))
    missed: list[int] = []
    asked = iter(range(0, 200, 3))

    with Index.open(where) as index:

        def step(*_: int) -> None:
            at = next(asked)
            raw.indices.refresh(index=settings.index)
            if [match.id for match in index.lookup(text_in(at)).matches] != [f"d{at}"]:
                missed.append(at)

        assert Index.attach(where, plan=GOAL, progress=step, slices=1).written == 200
        assert not missed
        assert next(asked) > 9
        assert [match.id for match in index.lookup(text_in(5)).matches] == ["d5"]
        assert index.plan == GOAL
        facts = index.describe()
        assert (facts["covered"], facts["attached"]) == (200, "done")
    stored = sources(raw, settings.index)
    assert without_ours(stored) == expected
    assert {each[OBJECT_FIELD]["plan"] for each in stored.values()} == {GOAL.id}
    assert (
        "syllable_keys" not in stored["d1"][OBJECT_FIELD]
        or not stored["d1"][OBJECT_FIELD]["syllable_keys"]
    )


GOAL: Final = replace(CHARACTERS, name="other", schemes=("exact", "simhash", "minhash", "loose"))


def test_boilerplate_is_learned(
    settings: ElasticSettings, raw: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupdex.learning.FROM", 20)
    made(raw, settings.index, 30)
    attach(place(settings))
    with Index.open(place(settings)) as index:
        assert index.meta.boilerplate.total == 30
        assert index.meta.attached is Attachment.DONE
    Index.detach(place(settings))
    attach(place(settings))


def test_documents_with_a_routing_are_found(settings: ElasticSettings, raw: Elasticsearch) -> None:
    """Their ids do not say in which shard they lie."""
    raw.indices.create(index=settings.index, mappings=MAPPINGS, settings={"number_of_shards": 3})
    for at in range(12):
        raw.index(index=settings.index, id=f"d{at}", routing=f"r{at}", document=theirs(at))
    raw.indices.refresh(index=settings.index)
    assert attach(place(settings)) == 12
    with Index.open(place(settings)) as index:
        for at in range(12):
            (match,) = index.lookup(text_in(at)).matches
            assert (match.id, match.similarity) == (f"d{at}", 1.0)
            assert match.evidence.verified == "text"
            assert index.get([f"d{at}"])[f"d{at}"].text == text_in(at)
    assert Index.detach(place(settings)).cleaned == 12


def test_it_keeps_to_a_rate(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 100)
    begun = time.monotonic()
    attach(place(settings), throttle=60)
    assert time.monotonic() - begun > 0.8  # the first page of each thread needs not wait
