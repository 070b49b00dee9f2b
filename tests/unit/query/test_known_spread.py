"""Upper bounds of document frequencies: never below the truth, and none where a page is cut."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.model import Fingerprint
from mappings.contract import Field
from query.answers import Candidate, CandidatePage, Ref, Request
from query.known_spread import KnownSpread

_ASKED = {Field.PASSAGE_KEYS: ("a", "b", "c"), Field.SENTENCES: ("s",)}


def _print(*passages: str, sentences: tuple[str, ...] = ()) -> Fingerprint:
    return Fingerprint("h", 0, 9, {Field.PASSAGE_KEYS: passages, Field.SENTENCES: sentences})


def _page(size: int) -> CandidatePage:
    return CandidatePage(tuple(Candidate(str(at), "i", 1.0, "h", 0) for at in range(size)))


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcz")), st.booleans()), max_size=12))
def test_no_frequency_is_higher_than_its_bound(stored: list[tuple[set[str], bool]]) -> None:
    spread = KnownSpread(_page(len(stored)), Request(_ASKED))
    for passages, is_read in stored:
        spread.note(_print(*sorted(passages)) if is_read else None)
    for term in "abc":
        truth = sum(term in passages for passages, _ in stored)
        assert spread.may_all_be_in({Field.PASSAGE_KEYS: (term,)}, truth)
        assert spread.may_mostly_be_in({Field.PASSAGE_KEYS: (term,)}, truth)


def test_what_was_read_tells_the_frequency() -> None:
    spread = KnownSpread(_page(3), Request(_ASKED))
    for passages in ("a", "a", "ab"):
        spread.note(_print(*passages))
    assert spread.may_all_be_in({Field.PASSAGE_KEYS: ("a",)}, 3)
    assert not spread.may_all_be_in({Field.PASSAGE_KEYS: ("a", "b")}, 2)
    assert not spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("b", "c"), Field.SENTENCES: ()}, 2)


def test_an_unread_candidate_may_have_every_key() -> None:
    spread = KnownSpread(_page(3), Request(_ASKED))
    spread.note(_print("b"))
    assert spread.may_all_be_in({Field.PASSAGE_KEYS: ("a",)}, 2)
    assert not spread.may_all_be_in({Field.PASSAGE_KEYS: ("a",)}, 3)


def test_the_excluded_document_counts() -> None:
    spread = KnownSpread(_page(0), Request(_ASKED, exclude=Ref("i", "self")))
    assert spread.may_all_be_in({Field.SENTENCES: ("s",)}, 1)
    assert not spread.may_all_be_in({Field.SENTENCES: ("s",)}, 2)


def test_nothing_is_known_of_keys_that_were_not_asked_for() -> None:
    spread = KnownSpread(_page(0), Request({Field.PASSAGE_KEYS: ("a",)}))
    assert spread.may_all_be_in({Field.SENTENCES: ("s",)}, 1_000)
    assert spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("a", "b")}, 1_000)


@pytest.mark.parametrize(
    ("page", "request_"),
    [
        (replace(_page(1), truncated=True), Request(_ASKED)),
        (replace(_page(1), rare_only=True), Request(_ASKED)),
        (replace(_page(1), frequent=((Field.SENTENCES, "s"),)), Request(_ASKED)),
        (_page(1), Request(_ASKED, filters=({"term": {"source": "x"}},))),
        (_page(1), Request(_ASKED, exclude=Ref("", "in any index"))),
    ],
)
def test_a_page_that_leaves_documents_out_tells_nothing(
    page: CandidatePage, request_: Request
) -> None:
    spread = KnownSpread(page, request_)
    spread.note(_print())
    assert spread.may_all_be_in(_ASKED, 1_000)
    assert spread.may_mostly_be_in(_ASKED, 1_000)
