"""What a program meets that uses dupdex as a library: names, types, mistakes of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import dupdex
from dupdex import (
    Document,
    Index,
    IndexMeta,
    InputRefused,
    Location,
    Options,
    PlanMismatch,
    Question,
    Session,
    Status,
    Subject,
    learning,
)
from indexer.boilerplate import Boilerplate
from indexer.stores.elastic import client
from mappings.plan import CHARACTERS
from tests.texts import chinese

UNTYPED: Any = dupdex  # as a program sees it that no type checker reads
ROOT = Path(dupdex.__file__).resolve().parents[1]


@pytest.fixture
def location(tmp_path: Path) -> Location:
    return Location(tmp_path / "store")


def test_a_location_takes_a_path(tmp_path: Path) -> None:
    assert Location(tmp_path) == Location(str(tmp_path))
    assert Location(tmp_path).folder == tmp_path
    assert replace(Location(tmp_path), index="x") == Location(str(tmp_path), "x")


def test_what_is_added_is_stored_without_taking_the_outcomes(location: Location) -> None:
    with Index.create(location, plan=CHARACTERS) as index:
        outcomes = index.add([Document("1", chinese(40, 1)), Document("", "x")])
        assert index.count() == 1
        assert [each.status for each in outcomes] == [Status.CREATED, Status.REJECTED]
        index.add_iter([Document("2", chinese(40, 2))])
        assert index.count() == 1
        assert [each.status for each in index.add_iter([Document("2", chinese(40, 2))])] == [
            Status.CREATED
        ]


def test_one_id_in_place_of_several(location: Location) -> None:
    with Index.create(location, plan=CHARACTERS) as index:
        index.add(Document(name, chinese(40, int(name))) for name in ("1", "2", "12"))
        for work in (index.delete, index.get):
            with pytest.raises(InputRefused, match=r"'12' is one id.*write \['12'\]"):
                work("12")
            with pytest.raises(InputRefused, match="the id 12 is not a string"):
                work([12])  # type: ignore[list-item]
        assert index.count() == 3
        assert index.delete(name for name in ("12", "13")) == ["12"]


@pytest.mark.parametrize(
    "wrong",
    [{"size": -1}, {"candidates": -1}, {"verify": -5}, {"threshold": -0.1}]
    + [{"threshold": value} for value in (1.1, float("nan"), float("inf"))],
)
def test_options_out_of_range(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(InputRefused, match=f"{name} is {wrong[name]}"):
        Options(**wrong)


USES: dict[str, Callable[[Index], object]] = {
    "add": lambda index: index.add([Document("1", "x")]),
    "add_iter": lambda index: index.add_iter([]),
    "delete": lambda index: index.delete(["1"]),
    "refresh": lambda index: index.refresh(),
    "learn": lambda index: index.learn(),
    "forget": lambda index: index.forget(),
    "lookup": lambda index: index.lookup("x"),
    "lookup_id": lambda index: index.lookup_id("1"),
    "lookup_all": lambda index: index.lookup_all([Question("x")]),
    "explain": lambda index: index.explain(Subject("x"), Subject("y")),
    "search": lambda index: index.search("x"),
    "get": lambda index: index.get(["1"]),
    "scan": lambda index: list(index.scan()),
    "count": lambda index: index.count(),
    "describe": lambda index: index.describe(),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_closed_index_says_so(location: Location, use: Callable[[Index], object]) -> None:
    index = Index.create(location, plan=CHARACTERS)
    index.close()
    index.close()
    with pytest.raises(InputRefused, match="the index is closed; open it again"):
        use(index)


def test_a_closed_session_says_so(location: Location) -> None:
    with Session(location) as session:
        opened = Index.create(session)
    for work in (Index.open, Index.create):
        with pytest.raises(InputRefused, match="the session is closed"):
            work(session)
    with pytest.raises(InputRefused, match="the index is closed"):
        opened.count()
    opened.close()


def test_messages_name_no_options(location: Location, tmp_path: Path) -> None:
    Index.create(location, plan=CHARACTERS).close()
    with pytest.raises(PlanMismatch) as refused:
        Index.open(location, dupdex.PLANS["standard"])
    assert "--" not in str(refused.value)
    assert "leave --plan out" in refused.value.for_command_line
    (tmp_path / "file").write_text("x")
    with pytest.raises(dupdex.StoreRefused) as file:
        Location(tmp_path / "file")
    assert "--" not in str(file.value)


def test_learning_goes_on_with_every_doubling(
    location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "FROM", 8)
    monkeypatch.setattr(learning, "AUTOMATIC", 10)
    learned: list[tuple[int, int]] = []
    with Index.create(location, plan=CHARACTERS) as index:
        for number in range(70):
            index.add([Document(str(number), chinese(30, number))])
            before = index.meta.revision
            index.learn_if_grown()
            if index.meta.revision > before:
                known = index.meta.boilerplate
                learned.append((known.total, known.documents))
    assert [total for total, _ in learned] == [8, 16, 32, 64]
    assert learned[0][1] == 8
    assert all(documents <= 10 for _, documents in learned[1:])


def test_an_index_whose_learning_had_stopped_learns_again() -> None:
    stored = {"documents": 5_000, "sentences": {"abcdef": 9}}  # as earlier versions wrote it
    assert Boilerplate.from_json(stored) == Boilerplate({"abcdef": 9}, 5_000, 5_000)


def test_versions_are_compared_as_numbers() -> None:
    assert min(["8.19.0", "8.9.2"], key=client._numbers) == "8.9.2"


def test_a_text_field_of_its_own_and_a_text_alone(location: Location) -> None:
    meta = IndexMeta(CHARACTERS, ("content",), "headline")
    with Index.create(location, meta) as index:
        index.add([Document("1", chinese(40, 1)), Document("2", body={"content": chinese(40, 2)})])
        stored = index.get(["1", "2"])
    assert stored["1"].body == {"content": chinese(40, 1)}
    assert stored["2"].text == chinese(40, 2)


@pytest.mark.parametrize(
    "ask",
    [
        lambda index: index.lookup(None),
        lambda index: index.lookup(7),
        lambda index: index.lookup_all([Question("one text"), UNTYPED.Question(None)]),
        lambda _: UNTYPED.Options(size=10**30),
        lambda _: UNTYPED.Options(candidates="3"),
        lambda _: UNTYPED.Options(verify=2.5),
        lambda _: UNTYPED.Options(threshold="x"),
        lambda _: UNTYPED.Index.open("a folder"),
        lambda _: UNTYPED.Index.create(None),
    ],
)
def test_values_of_a_wrong_type(location: Location, ask: Callable[[Any], object]) -> None:
    with Index.create(location, plan=CHARACTERS) as index, pytest.raises(InputRefused):
        ask(index)


def test_a_search_beyond_all_measure(location: Location) -> None:
    with Index.create(location, plan=CHARACTERS) as index:
        index.add([Document("1", "some text")])
        assert [hit.id for hit in index.search("text", size=10**30).hits] == ["1"]
        assert index.search("text", offset=10**30).hits == ()


def test_a_body_that_holds_itself_costs_itself_only(location: Location) -> None:
    body: dict[str, Any] = {"text": "some text"}
    body["self"] = body
    with Index.create(location, plan=CHARACTERS) as index:
        outcomes = index.add([Document("1", body=body), Document("2", "other text")])
    assert [each.status for each in outcomes] == [Status.REJECTED, Status.CREATED]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("abc", "a str is no list of documents"),
        (b"abc", "a bytes is no list of documents"),
        ({"id": "1"}, "a dict is no list of documents"),
        (Document("1", "x"), r"one Document, a list of documents is needed: write \[document\]"),
        (None, "a NoneType is no list of documents"),
    ],
)
def test_what_is_no_list_of_documents(location: Location, wrong: Any, said: str) -> None:
    with Index.create(location, plan=CHARACTERS) as index:
        for work in (index.add, index.add_iter):
            with pytest.raises(InputRefused, match=said):
                work(wrong)
        assert index.count() == 0


@pytest.mark.parametrize("wrong", [None, "abc", {"id": "2"}])
@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_no_document_is_refused_after_those_before_it(
    location: Location, wrong: Any, workers: int
) -> None:
    documents = [Document("1", chinese(40, 1)), Document("2", ""), wrong, Document("3", "x")]
    with Index.create(location, plan=CHARACTERS) as index:
        with pytest.raises(InputRefused, match=f"item 3 is a {type(wrong).__name__}, no Document"):
            index.add(documents, workers)
        assert list(index.get(["1", "2", "3"])) == ["1"]
        outcomes = index.add_iter(documents)
        statuses = [next(outcomes).status, next(outcomes).status]
        assert statuses == [Status.UPDATED, Status.REJECTED]
        with pytest.raises(InputRefused, match="item 3"):
            next(outcomes)
