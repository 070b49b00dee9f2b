"""All documents that filters and words select, on both stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dupdex.index import Index
from dupdex.retention import Selection, time_of
from tests.contract.stores import Store, real


@pytest.fixture
def store_with_all(store: Store) -> Store:
    texts = ("今天天气很好", "明天下雨", "今天下雨")
    for start in (0, 600):
        store.write(
            *(
                real(
                    f"n{n:04}",
                    f"{texts[n % 3]} {n}",
                    city="ab"[n % 2],
                    n=n,
                    day=f"2026-01-{n % 28 + 1:02}",
                )
                for n in range(start, start + 600)
            )
        )
    return store


def found(store: Store, *filters: dict[str, object], text: str = "") -> list[int]:
    ids = [document.id for document in store.reader.find(filters, text)]
    assert len(ids) == len(set(ids))
    return sorted(int(name[1:]) for name in ids)


def term(name: str, value: object) -> dict[str, object]:
    return {"term": {name: value}}


def test_filters_and_words(store_with_all: Store) -> None:
    store = store_with_all
    every = range(1_200)
    assert found(store) == list(every)
    assert found(store, term("city", "a")) == [n for n in every if n % 2 == 0]
    assert found(store, term("city", "a"), term("n", 6)) == [6]
    assert found(store, term("city", "z")) == []
    assert found(store, text="下雨") == [n for n in every if n % 3]
    assert found(store, text="今天 下雨") == [n for n in every if n % 3 == 2]
    both = [n for n in every if n % 3 == 2 and n % 2]
    assert found(store, term("city", "b"), text="今天 下雨") == both
    assert found(store, text="，") == []
    assert found(store, text="没有") == []
    (document,) = store.reader.find([term("n", 6)])
    assert document == store.reader.by_ids(["n0006"])["n0006"][0]


def test_documents_before_a_date(store_with_all: Store) -> None:
    with Index.open(store_with_all.opener.location) as index:
        chosen = Selection(field="day", before=time_of("2026-01-03"))
        numbers = sorted(int(each.id[1:]) for each in chosen.of(index))
        assert numbers == [n for n in range(1_200) if n % 28 < 2]
        chosen = Selection(({"term": {"city": "a"}},), "下雨", "day", time_of("2026-01-02"))
        numbers = sorted(int(each.id[1:]) for each in chosen.of(index))
        assert numbers == [n for n in range(1_200) if n % 28 == 0 and n % 3]


def test_the_indices_are_named_as_references_do(store: Store) -> None:
    store.write(real("a", "今天天气很好"))
    (stored,) = store.reader.by_ids(["a"])["a"]
    assert store.reader.indices() == (stored.index,)


def test_nothing_is_held(store_with_all: Store) -> None:
    """The first document is there before the last one is read."""
    documents: Iterator[object] = store_with_all.reader.find()
    assert next(iter(documents)) is not None
