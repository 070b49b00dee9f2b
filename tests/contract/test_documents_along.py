"""Documents that come along with candidates: the same candidates, the same documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mappings.contract import Field
from query.answers import CUT_FROM, CandidatePage, Ref, Request
from tests.contract.stores import Elastic, Store, made

MAX_DF = 3


@pytest.fixture
def filled(store: Store) -> Iterator[Store]:
    """A large index, in which some terms are frequent."""
    store.put(made(f"plain-{n}", f"own-{n}") for n in range(CUT_FROM * MAX_DF))
    store.put(made(f"both-{n}", "frequent", f"rare-{n % 2}", site="a") for n in range(6))
    store.put(made(f"two-{n}", "one", "other") for n in range(6))
    store.write(made("left out", "frequent", "more", site="b"), made("rare", "rare"))
    list(store.reader.each([Ref("", "rare"), *both(store)]))  # documents are known to be light
    yield store


def both(store: Store) -> list[Ref]:
    return [candidate.ref for candidate in store.page("rare-0").candidates]


def told(page: CandidatePage) -> tuple[set[Ref], bool, bool]:
    return {each.ref for each in page.candidates}, page.truncated, page.rare_only


ASKED: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("rare", "absent"), {}),
    (("frequent",), {}),
    (("frequent", "rare-0"), {}),
    (("frequent", "rare-0", "rare-1"), {"exclude": Ref("", "left out")}),
    (("frequent", "rare-0", "rare-1"), {"filters": ({"term": {"site": "a"}},)}),
    (("one", "other"), {}),
    (("one", "rare"), {}),
    (("own-1", "own-2"), {"limit": 1}),
    (("one", "frequent", "more"), {}),
)


def test_the_candidates_are_the_same_however_often_they_are_asked_for(filled: Store) -> None:
    """What the first round learns of frequent terms changes nothing in the second."""
    for _ in range(3):
        for terms, options in ASKED:
            options = {"limit": 40, "max_df": MAX_DF, **options}
            plain = filled.page(*terms, **options)
            along = filled.page(*terms, texts=20, **options)
            assert told(along) == told(plain), terms
            assert values(along) == values(plain), terms
            assert plain.documents == {}


def values(page: CandidatePage) -> dict[Ref, tuple[str, int]]:
    return {each.ref: (each.text_hash, each.simhash) for each in page.candidates}


def test_all_candidates_come_along_with_the_values_that_fields_tell(filled: Store) -> None:
    """Alone and without a limit; a page that is not full is the whole answer."""
    keys = {Field.PASSAGE_KEYS: ("frequent", "rare-0", "one", "own-1", "own-2")}
    for max_df in (MAX_DF, 40):  # pages that are full, and that are not
        plain, along = (
            filled.reader.candidates([Request(keys, None, max_df=max_df, texts=texts)])[0]
            for texts in (0, None)
        )
        assert told(along) == told(plain)
        assert values(along) == values(plain)
        assert along.frequent == plain.frequent
        assert not plain.documents
        assert along.documents or not isinstance(filled.opener, Elastic)
        assert along.documents == filled.reader.documents(list(along.documents))


def test_all_candidates_of_several_texts_do_not_come_along(filled: Store) -> None:
    """They would be too many to be held, and many are the same."""
    if isinstance(filled.opener, Elastic):
        keys = {Field.PASSAGE_KEYS: ("frequent", "rare-0")}
        several = filled.reader.candidates([Request(keys, None, texts=None)] * 2)
        assert all(page.candidates and not page.documents for page in several)


def test_what_comes_along_is_what_is_stored(filled: Store) -> None:
    page = filled.page("rare", "own-1", "frequent", "rare-0", limit=40, max_df=MAX_DF, texts=20)
    assert page.documents  # light ones do
    assert page.documents == filled.reader.documents(list(page.documents))
    assert set(page.documents) <= {each.ref for each in page.candidates}


@pytest.mark.parametrize(("limit", "is_cut"), [(5, True), (9, False)])
def test_what_is_stored_of_further_documents_comes_along_also_where_the_page_is_cut(
    filled: Store, limit: int, is_cut: bool
) -> None:
    """Of those that came with their ids and will not be read."""
    page = filled.page("frequent", "rare-0", "rare-1", limit=limit, texts=3, max_df=MAX_DF)
    assert page.truncated is is_cut
    assert bool(page.others) is isinstance(filled.opener, Elastic)
    assert not page.documents.keys() & page.others.keys()
    stored = filled.reader.documents(list(page.others))
    assert page.others == {ref: each.fingerprint for ref, each in stored.items()}


def test_documents_are_read_one_by_one(filled: Store) -> None:
    page = filled.page("frequent", "rare-0", limit=40, max_df=MAX_DF)
    refs = [each.ref for each in page.candidates]
    absent = Ref(refs[0].index, "absent")
    read = list(filled.reader.each([*refs, absent, refs[0]]))
    assert {each.ref: each for each in read} == filled.reader.documents(refs)
    assert len(read) == len(refs)


def test_a_text_that_shares_nothing_brings_nothing(filled: Store) -> None:
    request = Request({Field.MINHASH_KEYS: ("absent",)}, texts=20, max_df=MAX_DF)
    (page,) = filled.reader.candidates([request])
    assert (page.candidates, page.documents, page.rare_only) == ((), {}, False)
