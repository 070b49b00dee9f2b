"""Documents that are near by their simhash alone: which are asked for, and which are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import pytest
from msgspec import Raw
from msgspec.structs import replace

from mappings.contract import Field
from query.answers import Candidate, CandidatePage, Request
from query.stores.elastic import near_simhashes
from query.stores.elastic.answered import Found, Hit, Hits, Values
from query.stores.elastic.merged import Merged
from query.stores.elastic.near_simhashes import NearSimhashes
from query.stores.elastic.searches import Searches

KEYS: Final = {Field.SIMHASH_KEYS: ("~A1",), Field.PASSAGE_KEYS: ("p",)}
ASKED: Final = Request(KEYS, limit=9, simhash=0, simhash_only=12, hamming=3, texts=2)

Stored = tuple[str, int]
"""Text hash and simhash of a document that shares a simhash key."""


class Index:
    """Answers searches for simhash keys, and for text hashes, and remembers the latter."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        self.stored, self.wanted = stored, list[list[str]]()

    def many(self, bodies: Sequence[dict[str, Any]]) -> list[Found]:
        return [Found(found=Hits(hits=self._hits(body))) for body in bodies]

    def _hits(self, body: dict[str, Any]) -> list[Hit]:
        (clause,) = body["query"]["bool"]["filter"]
        ((path, terms),) = clause["terms"].items()
        if path == Field.TEXT_HASH.path:
            self.wanted.append(terms)
        return [
            Hit("i", f"near-{at}", None, Raw(), Values([simhash], [text_hash]))
            for at, (text_hash, simhash) in enumerate(self.stored)
            if path == Field.SIMHASH_KEYS.path or text_hash in terms
        ]


def page_of(index: Index, listed: int, request: Request = ASKED) -> CandidatePage:
    """The page of a request for which so many documents were found by other keys."""
    found = [Candidate(f"{at}", "i", 9.0, f"listed-{at}", 1 << 63) for at in range(listed)]
    merged = Merged({each.ref: each for each in found}, by_terms=listed)
    near = NearSimhashes(cast(Searches, index), lambda _: False)
    answers = dict(zip((0,), index.many(list(near.at_once({0: request}).values())), strict=True))
    near.add({0: request}, answers, [merged])
    return merged.page(request.limit)


def bits(count: int) -> int:
    return (1 << count) - 1


def test_enough_others_are_read_instead() -> None:
    index = Index([("far", bits(12)), ("far", bits(12)), ("other", bits(4)), ("no", bits(13))])
    page = page_of(index, 2)
    assert (len(page.candidates), page.unlisted, page.truncated) == (2, 3, False)
    assert not index.wanted


def test_a_near_duplicate_by_its_simhash_is_asked_for() -> None:
    index = Index([("near", bits(3)), ("far", bits(4))])
    page = page_of(index, 2)
    assert ([each.id for each in page.candidates], page.unlisted) == (["0", "1", "near-0"], 1)
    assert index.wanted == [["near"]]


@pytest.mark.parametrize(("listed", "texts"), [(1, 2), (2, 3), (2, 0), (0, 0), (2, None)])
def test_all_are_listed_where_some_will_be_read_or_none_of_any(
    listed: int, texts: int | None
) -> None:
    """Nothing is read of a sidecar, whose candidates are looked at again."""
    page = page_of(Index([("far", bits(9))]), listed, replace(ASKED, texts=texts))
    assert (len(page.candidates), page.unlisted) == (listed + 1, 0)


def test_what_is_listed_already_is_not_counted() -> None:
    page = page_of(Index([("listed-1", bits(5)), ("", bits(5)), ("far", bits(5))]), 2)
    assert (len(page.candidates), page.unlisted) == (2, 1)


@pytest.mark.parametrize(("far", "unlisted", "cut"), [(7, 7, False), (8, 7, True)])
def test_more_than_the_limit_are_not_counted(far: int, unlisted: int, cut: bool) -> None:
    page = page_of(Index([(f"far-{at}", bits(6)) for at in range(far)]), 2)
    assert (page.unlisted, page.truncated) == (unlisted, cut)


def test_where_a_page_is_cut_near_duplicates_by_simhash_come_first() -> None:
    stored = [*((f"far-{at}", bits(6)) for at in range(9)), ("near", bits(1))]
    page = page_of(Index(stored), 2)
    assert [each.text_hash for each in page.candidates][2:] == ["near"]
    assert (page.unlisted, page.truncated) == (6, True)


def test_no_more_are_asked_for_than_a_query_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_simhashes, "MAX_CLAUSES", 3)
    index = Index([(f"near-{at}", bits(1)) for at in range(4)])
    assert page_of(index, 2).truncated
    assert [len(wanted) for wanted in index.wanted] == [3]
