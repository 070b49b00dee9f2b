"""Texts below a dotted path, in lists and under names that hold a dot: stored, found, rebuilt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dupdex import Document, Index
from dupdex.rebuild import rebuild
from indexer.meta import IndexMeta
from indexer.model import Status
from mappings.plan import CHARACTERS, STANDARD
from tests.contract.stores import Store
from tests.texts import LIBRARY, METRO, TEA

FIELDS = IndexMeta(plan=CHARACTERS, text_fields=("content.body", "notes"), title_field="head.title")

BODIES: dict[str, dict[str, Any]] = {
    "nested": {"content": {"body": METRO, "language": "zh"}, "head": {"title": "地下铁路"}},
    "literal": {"content.body": METRO, "head.title": "地下铁路"},
    "parts": {"content": [{"body": METRO[:100]}, {"body": METRO[100:]}], "head": [{"title": "别"}]},
    "notes": {"notes": [LIBRARY[:80], LIBRARY[80:]], "head": {"title": ["图书", "读者"]}},
    "both": {"content": {"body": [TEA]}, "notes": "另外一句话"},
}


@pytest.fixture
def filled(store: Store) -> Iterator[Index]:
    with Index.create(store.opener.location, FIELDS) as index:
        documents = [Document(name, FIELDS.text_of(body), body) for name, body in BODIES.items()]
        outcomes = list(index.add(documents))
        assert [outcome.reason for outcome in outcomes] == [""] * len(BODIES)
        index.refresh()
        yield index


def found(index: Index, words: str) -> set[str]:
    hits = index.search(words)
    assert hits.total == len(hits.hits)
    return {hit.id for hit in hits.hits}


def test_texts_are_read_back_and_looked_up(filled: Index) -> None:
    stored = filled.get(list(BODIES))
    assert {name: document.body for name, document in stored.items()} == BODIES
    assert stored["parts"].text == f"{METRO[:100]}\n{METRO[100:]}"
    assert stored["both"].text == f"{TEA}\n另外一句话"
    assert {match.id for match in filled.lookup(METRO).matches} == {"nested", "literal", "parts"}
    assert [match.id for match in filled.lookup_id("nested").matches] == ["literal", "parts"]
    assert [match.id for match in filled.lookup(LIBRARY).matches] == ["notes"]


def test_full_text_reads_them_too(filled: Index) -> None:
    assert found(filled, METRO[:6]) == {"nested", "literal", "parts"}
    assert found(filled, METRO[110:116]) == {"nested", "literal", "parts"}
    assert found(filled, METRO[97:103]) == {"nested", "literal"}  # no phrase reaches over two
    assert found(filled, "地下铁路") == {"nested", "literal"}
    assert found(filled, "读者") == {"notes"}
    assert found(filled, "另外一句话") == {"both"}
    assert found(filled, f"{TEA[:4]} 另外") == {"both"}


def test_they_are_overwritten_and_deleted(filled: Index) -> None:
    body = {"content": {"body": LIBRARY}}
    (outcome,) = filled.add([Document("nested", LIBRARY, body)])
    assert outcome.status is Status.UPDATED
    assert filled.delete(["literal", "parts"]) == ["literal", "parts"]
    filled.refresh()
    assert found(filled, METRO[:6]) == set()
    assert found(filled, "地下铁路") == set()
    assert found(filled, LIBRARY[:6]) == {"nested", "notes"}


def test_a_rebuild_reads_them(store: Store, filled: Index) -> None:
    filled.close()
    outcomes = list(rebuild(store.opener.location, STANDARD))
    assert {outcome.status for outcome in outcomes} == {Status.UPDATED}
    with Index.open(store.opener.location) as index:
        assert index.describe()["other_plans"] == 0
        assert {match.id for match in index.lookup(METRO).matches} == {"nested", "literal", "parts"}


def test_filters_take_the_same_paths(filled: Index) -> None:
    hits = filled.search(METRO[:6], filters=[{"term": {"content.language": "zh"}}])
    assert [hit.id for hit in hits.hits] == ["nested"]
