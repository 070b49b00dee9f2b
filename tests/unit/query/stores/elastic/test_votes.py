"""Whose keys have a vote, by the documents that came along."""

from __future__ import annotations

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

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


TERMS: Final = [(name, term) for name, terms in KEYS.items() for term in terms]


@given(st.lists(st.sampled_from(TERMS), max_size=12))
def test_a_key_of_many_documents_is_frequent(terms: list[Term]) -> None:
    page = by_votes(page_of([keys_of(term) for term in terms]), Request(KEYS, max_df=MAX_DF))
    assert page.frequent == tuple(term for term in TERMS if terms.count(term) > MAX_DF)
    assert len(page.candidates) == len(terms)  # few enough to stay all
    assert not page.truncated


def test_the_best_that_share_frequent_keys_only_stay() -> None:
    frequent, rare = keys_of(TERMS[0]), keys_of(TERMS[1])
    stored = [rare, *[frequent] * (FREQUENT_ONLY + 5), rare]
    page = by_votes(page_of(stored), Request(KEYS, max_df=MAX_DF))
    left = [int(each.id) for each in page.candidates]
    assert left == [*range(FREQUENT_ONLY + 2), len(stored) - 1]
    assert page.truncated
    assert page.frequent == (TERMS[0],)


def test_the_excluded_document_counts_too() -> None:
    stored = [keys_of(TERMS[0])] * MAX_DF + [keys_of(TERMS[1])]
    for exclude, frequent in ((None, ()), (Ref("i", "self"), (TERMS[0],))):
        page = by_votes(page_of(stored), Request(KEYS, exclude=exclude, max_df=MAX_DF))
        assert page.frequent == frequent


def test_a_document_without_a_fingerprint_has_no_vote() -> None:
    page = page_of([keys_of(TERMS[0])] * (MAX_DF + 1))
    broken = page.candidates[0].ref
    page.documents[broken] = Stored("0", "i", {}, "", "", None)  # type: ignore[index]
    assert by_votes(page, Request(KEYS, max_df=MAX_DF)).frequent == ()
