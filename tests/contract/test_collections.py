"""Collections: one contract, tried on both stores."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from indexer.stores.collection_store import (
    Between,
    CollectionStore,
    Condition,
    EitherEquals,
    Equals,
    Query,
    scan,
)
from indexer.stores.elastic.client import ElasticSettings, connect
from indexer.stores.elastic.elastic_collection import ElasticCollection
from indexer.stores.elastic.elastic_writer import ElasticWriter
from indexer.stores.embedded.embedded_collection import EmbeddedCollection
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.collections import Attribute, Collection, Kind, collection_index, moment
from mappings.errors import InputRefused, StoreRefused
from mappings.index_body import template_name
from tests.contract.stores import META

JOBS: Final = Collection(
    "jobs",
    1,
    (
        Attribute("state", Kind.KEYWORD, indexed=True, required=True),
        Attribute("tries", Kind.LONG, indexed=True, required=True),
        Attribute("share", Kind.DOUBLE, indexed=True),
        Attribute("begun", Kind.DATE, indexed=True, required=True),
        Attribute("note", Kind.TEXT),
        Attribute("owner", Kind.KEYWORD),
        Attribute("options", Kind.JSON),
    ),
)
NEWER: Final = Collection("jobs", 2, (*JOBS.attributes, Attribute("site", Kind.KEYWORD, True)))
FIRST: Final = datetime(2026, 1, 31, 23, 59, 59, 500_000, tzinfo=UTC)

Open = Callable[[Collection], CollectionStore]


@pytest.fixture(params=["embedded", "elasticsearch"])
def open_collection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens a collection beside one index; all are closed and removed at the end."""
    with ExitStack() as opened:
        if request.param == "embedded":
            EmbeddedWriter.open(tmp_path, "news", META, None).close()

            def open_it(collection: Collection) -> CollectionStore:
                store = EmbeddedCollection.open(tmp_path, "news", collection)
                return opened.enter_context(closing(store))
        else:
            url = request.getfixturevalue("es_url")
            settings = ElasticSettings(url, f"collections-{uuid.uuid4().hex[:12]}")
            client = opened.enter_context(closing(connect(settings)))
            indices = client.options(ignore_status=404).indices
            for name in (settings.index, collection_index(settings.index, JOBS)):
                opened.callback(indices.delete, index=name)
            opened.callback(indices.delete_index_template, name=template_name(settings.index))
            ElasticWriter.open(settings, META).close()

            def open_it(collection: Collection) -> CollectionStore:
                store = ElasticCollection.open(settings, collection)
                return opened.enter_context(closing(store))

        yield open_it


@pytest.fixture
def jobs(open_collection: Open) -> CollectionStore:
    return open_collection(JOBS)


def job(number: int = 0, **more: Any) -> dict[str, Any]:
    begun = moment(FIRST + timedelta(seconds=number))
    return {"state": "new", "tries": number, "begun": begun, **more}


def ids(store: CollectionStore, *conditions: Condition, **more: Any) -> list[str]:
    return [item.id for item in store.query(Query(conditions, **more)).items]


def fill(store: CollectionStore, count: int) -> None:
    """Items 0 to count, in no order, of three states."""
    states = ("new", "running", "done")
    numbers = sorted(range(count), key=lambda n: n * 7919 % 101)
    items = ((f"j{n:03}", job(n, state=states[n % 3], share=n / 4)) for n in numbers)
    assert [outcome.reason for outcome in store.put_all(items)] == [""] * count
    store.refresh()


EVERYTHING: Final = {
    "state": "新 ' \" \\ \0 \U0001f600",
    "tries": -(1 << 63),
    "share": 0.1,
    "begun": "2026-01-31T23:59:59.500Z",
    "note": "长文" * 20_000,
    "owner": "someone",
    "options": {"id": 1, "list": [1, "a", None, {"b": [[]]}], "a.b": {"c": 1.5}},
}


def test_what_is_put_comes_back(jobs: CollectionStore) -> None:
    assert jobs.get("a") is None
    version = jobs.put("a", EVERYTHING)
    item = jobs.get("a")
    assert item is not None
    assert (item.id, item.values, item.version) == ("a", EVERYTHING, version)
    other = jobs.put("a", job(options=[1, "two"], note=None))  # all of it is replaced
    again = jobs.get("a")
    assert again is not None
    assert other != version
    assert again.values == job(options=[1, "two"])
    assert jobs.put("b", job(share=3)) != other
    (item,) = (item for item in [jobs.get("b")] if item)
    assert item.values["share"] == 3.0


def test_any_text_is_an_id(jobs: CollectionStore) -> None:
    for name in (".", "..", "a/b", "a b?#", "é\U0001f600", "x" * 512, "_doc"):
        version = jobs.create(name, job())
        assert version
        assert jobs.get(name) is not None
        assert jobs.update(name, job(1), version)
        jobs.refresh()
        assert ids(jobs) == [name]
        assert jobs.delete(name)
        assert jobs.get(name) is None


def test_many_are_read_and_removed_at_once(jobs: CollectionStore) -> None:
    fill(jobs, 1_203)
    names = [f"j{n:03}" for n in range(0, 1_203, 2)]
    items = jobs.get_all([*names, names[0], "absent"])
    assert list(items) == names
    assert items["j004"].values == job(4, state="running", share=1.0)
    assert items["j004"] == jobs.get("j004")
    assert jobs.delete_all([*names, names[0], "absent"]) == len(names)
    assert jobs.get_all(names) == {}
    jobs.refresh()
    assert jobs.count() == 1_203 - len(names)
    assert jobs.delete_all([]) == 0
    assert jobs.get_all([]) == {}


def test_an_item_is_created_once(jobs: CollectionStore) -> None:
    assert jobs.create("lock", job(1)) is not None
    assert jobs.create("lock", job(2)) is None
    item = jobs.get("lock")
    assert item is not None
    assert item.values["tries"] == 1
    assert jobs.delete("lock")
    assert jobs.create("lock", job(3)) is not None


def test_an_update_goes_over_the_version_that_was_read(jobs: CollectionStore) -> None:
    first = jobs.put("a", job(1))
    second = jobs.update("a", job(2), first)
    assert second is not None
    assert jobs.update("a", job(3), first) is None
    assert not jobs.delete("a", first)
    item = jobs.get("a")
    assert item is not None
    assert (item.values["tries"], item.version) == (2, second)
    assert jobs.delete("a", second)
    assert not jobs.delete("a")
    assert jobs.update("a", job(4), second) is None
    assert jobs.create("a", job(5)) not in (first, second, None)  # no version comes twice
    assert jobs.update("a", job(6), second) is None


def test_of_many_threads_one_creates_and_none_is_lost(jobs: CollectionStore) -> None:
    def count(_: int) -> None:
        while True:
            item = jobs.get("counter")
            assert item is not None
            values = job(item.values["tries"] + 1)
            if jobs.update("counter", values, item.version):
                return

    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda _: jobs.create("counter", job(0)), range(12)))
        assert len([version for version in made if version]) == 1
        list(pool.map(count, range(40)))
    item = jobs.get("counter")
    assert item is not None
    assert item.values["tries"] == 40


def test_conditions(jobs: CollectionStore) -> None:
    fill(jobs, 30)
    jobs.put("none", job(99, state="odd"))
    jobs.refresh()
    assert ids(jobs, Equals("tries", (7,))) == ["j007"]
    assert ids(jobs, Equals("tries", (7, 3, 1_000))) == ["j003", "j007"]
    assert ids(jobs, Equals("tries", ())) == []
    assert ids(jobs, Equals("state", ("odd",))) == ["none"]
    assert ids(jobs, Between("tries", 5, 8)) == ["j005", "j006", "j007"]
    assert ids(jobs, Between("tries", 28)) == ["j028", "j029", "none"]
    assert ids(jobs, Between("tries", below=2)) == ["j000", "j001"]
    assert ids(jobs, Between("share", below=0.5)) == ["j000", "j001"]
    assert len(ids(jobs, Between("share"))) == 30  # one has none
    assert ids(jobs, Equals("share", (1.25,))) == ["j005"]
    assert ids(jobs, Equals("begun", (moment(FIRST),))) == ["j000"]
    later = [moment(FIRST + timedelta(seconds=n)) for n in (3, 5)]
    assert ids(jobs, Between("begun", *later)) == ["j003", "j004"]
    either = EitherEquals(("tries", "share"), (7, 1))
    assert ids(jobs, either) == ["j001", "j004", "j007", "j028"]
    assert ids(jobs, either, Between("tries", 4, 8)) == ["j004", "j007"]
    both = (Equals("state", ("done",)), Between("tries", 4, 12))
    assert ids(jobs, *both) == ["j005", "j008", "j011"]
    assert jobs.count() == 31
    assert jobs.count(both) == 3


def test_items_are_counted_by_their_values(
    jobs: CollectionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.stores.elastic.elastic_collection._ROWS", 2)
    for number in range(12):
        share = {} if number % 4 else {"share": 0.5}
        values = job(number % 3, **share) | {"state": "done" if number % 2 else "new"}
        jobs.put(str(number), values)
    jobs.refresh()
    assert dict(jobs.tally(["state", "tries"])) == {
        (state, tries): 2 for state in ("done", "new") for tries in range(3)
    }
    new = [Equals("state", ("new",))]
    assert dict(jobs.tally(["share"], new)) == {(0.5,): 3, (None,): 3}
    for names in (["begun"], ["note"], ["unknown"], []):
        with pytest.raises(InputRefused, match="jobs: "):
            list(jobs.tally(names))


def in_order(store: CollectionStore, sort: str, descending: bool) -> list[str]:
    """What a query of all must give; equal values stay in the order of their ids."""
    every = [(item.values.get(sort, item.id), item.id) for item in scan(store)]
    every.sort(key=lambda pair: pair[1], reverse=descending and sort == "id")
    every.sort(key=lambda pair: pair[0], reverse=descending)
    return [name for _, name in every]


def test_pages(jobs: CollectionStore) -> None:
    fill(jobs, 23)
    for sort, descending, limit in product(
        ("id", "state", "tries", "begun"), (False, True), (1, 7, 23, 24, 1_000)
    ):
        got: list[str] = []
        query = Query(sort=sort, descending=descending, limit=limit)
        while True:
            page = jobs.query(query)
            got += [item.id for item in page.items]
            assert len(page.items) <= limit
            if page.next is None:
                break
            query = Query(sort=sort, descending=descending, limit=limit, after=page.next)
        assert len(got) == 23
        assert got == in_order(jobs, sort, descending)


def test_text_is_sorted_by_its_bytes(jobs: CollectionStore) -> None:
    states = ["", "Z", "a", "é", "中", "\ue000", "\U0001f600"]
    for state in states:
        jobs.put(f"of {state!r}", job(state=state))
    jobs.refresh()
    items = jobs.query(Query(sort="state")).items
    assert [item.values["state"] for item in items] == states


WRONG: Final[dict[str, dict[str, Any]]] = {
    "unknown": {"other": 1},
    "required": {"state": None},
    "keyword": {"state": 5},
    "keyword too long": {"state": "长" * 334},
    "surrogate": {"state": "\ud83d"},
    "long": {"tries": 1 << 63},
    "bool": {"tries": True},
    "float": {"tries": 1.0},
    "double": {"share": "1"},
    "nan": {"share": float("nan")},
    "infinite": {"share": float("inf")},
    "date": {"begun": "2026-01-31"},
    "no date": {"begun": "2026-02-31T00:00:00.000Z"},
    "text": {"note": b"x"},
    "json": {"options": {1, 2}},
    "json nan": {"options": [float("nan")]},
}


def test_a_wrong_value_is_refused_and_costs_no_other(jobs: CollectionStore) -> None:
    for wrong in WRONG.values():
        (name,) = wrong
        for write in (jobs.put, jobs.create):
            with pytest.raises(InputRefused, match=f"jobs: .*'{name}'"):
                write("a", job() | wrong)
    items = [(f"wrong {name}", job() | wrong) for name, wrong in WRONG.items()]
    outcomes = list(jobs.put_all([("a", job()), *items, ("", job()), ("b", job())]))
    assert len(outcomes) == len(items) + 3
    assert [outcome.id for outcome in outcomes if not outcome.reason] == ["a", "b"]
    jobs.refresh()
    assert ids(jobs) == ["a", "b"]


def test_queries_that_no_store_answers(jobs: CollectionStore) -> None:
    jobs.put("a", job())
    jobs.refresh()
    for query in (
        Query((Equals("owner", ("x",)),)),  # not indexed
        Query((Equals("nothing", ("x",)),)),
        Query((Equals("tries", ("x",)),)),
        Query((Between("begun", 5),)),
        Query(sort="share"),  # not required
        Query(sort="note"),
        Query(limit=0),
        Query(limit=1_001),
        Query(after=(1, 2)),
        Query(sort="tries", after=("x", "a")),
    ):
        with pytest.raises(InputRefused, match=r"jobs|id"):
            jobs.query(query)


def test_a_thousand_items(jobs: CollectionStore) -> None:
    count = 1_203
    outcomes = list(jobs.put_all((f"{n}", job(n)) for n in range(count)))
    assert [outcome.id for outcome in outcomes] == [f"{n}" for n in range(count)]
    assert not any(outcome.reason for outcome in outcomes)
    assert len(list(jobs.put_all((f"{n}", job(n)) for n in range(count)))) == count  # once more
    jobs.refresh()
    assert sorted(int(item.id) for item in scan(jobs)) == list(range(count))
    assert jobs.count() == count


def test_a_newer_description_adds_attributes(open_collection: Open) -> None:
    old = open_collection(JOBS)
    old.put("a", job(1))
    new = open_collection(NEWER)
    new.put("b", job(2, site="example.org"))
    new.refresh()
    assert ids(new, Equals("site", ("example.org",))) == ["b"]
    item = new.get("a")
    assert item is not None
    assert item.values == job(1)
    assert ids(open_collection(NEWER)) == ["a", "b"]
    with pytest.raises(StoreRefused, match="has version 2, this dupdex knows version 1"):
        open_collection(JOBS)


def test_what_is_dropped_is_gone(open_collection: Open) -> None:
    jobs = open_collection(JOBS)
    jobs.put("a", job())
    jobs.drop()
    again = open_collection(JOBS)
    assert again.get("a") is None
    again.put("a", job())
    again.refresh()
    assert again.count() == 1


def test_a_moment_is_in_utc() -> None:
    east = timezone(timedelta(hours=8))
    assert moment(FIRST) == moment(FIRST.astimezone(east)) == "2026-01-31T23:59:59.500Z"
    assert moment(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01-01T00:00:00.000Z"
