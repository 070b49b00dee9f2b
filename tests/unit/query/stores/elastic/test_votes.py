"""Whose keys have a vote, by the documents that came along."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from indexer.model import Fingerprint, Keys
from mappings.contract import Field
from query.answers import FREQUENT_ONLY, Candidate, CandidatePage, Ref, Request, Stored, Term
from query.stores.elastic.votes import by_votes

MAX_DF: Final = 2
KEYS: Final = {Field.PASSAGE_KEYS: ("a", "b", "c"), Field.SENTENCES: ("a",)}


def page_of(stored: list[Keys]) -> CandidatePage:
    found = [Candidate(str(at), "i", 1.0, "h", 0) for at in range(len(stored))]
    documents = {
        each.ref: Stored(each.id, "i", {}, "", "", Fingerprint("h", 0, 9, keys))
        for each, keys in zip(found, stored, strict=True)
    }
    return CandidatePage(tuple(found), documents=documents)


def keys_of(term: Term) -> Keys:
    return {term[0]: (term[1],)}


def told(page: CandidatePage, **asked: Any) -> CandidatePage:
    """What the documents of a page tell."""
    found = by_votes(page, Request(KEYS, max_df=MAX_DF, **asked))
    assert found is not None
    return found


TERMS: Final = [(name, term) for name, terms in KEYS.items() for term in terms]


@given(st.lists(st.sampled_from(TERMS), max_size=12))
def test_a_key_of_many_documents_is_frequent(terms: list[Term]) -> None:
    page = told(page_of([keys_of(term) for term in terms]))
    assert page.frequent == tuple(term for term in TERMS if terms.count(term) > MAX_DF)
    assert len(page.candidates) == len(terms)  # few enough to stay all
    assert not page.truncated


@pytest.mark.parametrize("rest", [0, 1])
def test_the_best_that_share_frequent_keys_only_stay(rest: int) -> None:
    frequent, rare = keys_of(TERMS[0]), keys_of(TERMS[1])
    stored = [rare, *[frequent] * (FREQUENT_ONLY + rest), rare]
    page = told(page_of(stored))
    left = [int(each.id) for each in page.candidates]
    assert left == [*range(FREQUENT_ONLY + 2 - (not rest)), len(stored) - 1]
    assert {ref.id for ref in page.documents} == {each.id for each in page.candidates}
    assert page.truncated  # as with a search for that many: there may be more
    assert page.frequent == (TERMS[0],)
    fewer = told(page_of(stored[2 + rest :]))
    assert not fewer.truncated


def test_documents_do_not_tell_what_others_have() -> None:
    """Excluded or filtered documents have keys, too."""
    page = page_of([keys_of(TERMS[0])] * (MAX_DF + 1))
    assert told(page).frequent == (TERMS[0],)
    for asked in (
        Request(KEYS, exclude=Ref("i", "self"), max_df=MAX_DF),
        Request(KEYS, filters=({"term": {"source": "x"}},), max_df=MAX_DF),
        Request(KEYS, plan_id="other", max_df=MAX_DF),
    ):
        assert by_votes(page, asked) is None
        none_is_frequent = structs.replace(asked, max_df=MAX_DF + 1)
        assert by_votes(page, none_is_frequent) is page


def test_what_cannot_be_read_tells_nothing() -> None:
    page = page_of([keys_of(TERMS[0])] * (MAX_DF + 1))
    ref = page.candidates[0].ref
    broken = {**page.documents, ref: Stored("0", "i", {}, "", "", None)}
    absent = {each: stored for each, stored in page.documents.items() if each != ref}
    for documents in (broken, absent):
        asked = Request(KEYS, max_df=MAX_DF)
        assert by_votes(structs.replace(page, documents=documents), asked) is None
