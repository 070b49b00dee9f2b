"""Grams of texts that were prepared together, of all of them and of some."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.boilerplate import NOTHING, Boilerplate, sentence_keys
from indexer.text import prepare, prepare_all
from indexer.text.table import LIMIT
from mappings.plan import STANDARD
from query import gram_batch
from query.gram_batch import GramBatch, Kind, as_string
from query.grams import count_different, features_all
from tests.texts import LAW, LIBRARY, METRO, METRO_HOMOPHONES, TEA, visible

TEXTS = (METRO, TEA, LIBRARY, METRO_HOMOPHONES, TEA[:3], "", METRO + TEA)
(_SENTENCES,) = sentence_keys(prepare(METRO, STANDARD), STANDARD)
LEARNED = Boilerplate(dict.fromkeys((key for _, _, key in _SENTENCES[:2]), 8), 100, 100)
KNOWN = pytest.mark.parametrize("known", [NOTHING, LEARNED], ids=["plain", "boilerplate"])


@KNOWN
@pytest.mark.parametrize("little", [0, 10_000])
def test_some_texts_have_the_grams_that_each_has(
    known: Boilerplate, little: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gram_batch, "_LITTLE", little)
    prepared = prepare_all(TEXTS, STANDARD)
    for kind in Kind:
        for spaced in (False, True):
            batch = GramBatch(prepared, STANDARD, known)
            grams, rows = batch.some(kind, spaced, [6, 0])
            for row, at in zip([6, 0], rows.tolist(), strict=True):
                (alone,) = features_all([TEXTS[row]], STANDARD, known)
                expected = alone.batch.of_row(kind, spaced, 0).tolist()
                assert grams[at].tolist() == expected
                assert batch.of_row(kind, spaced, row).tolist() == expected


@KNOWN
def test_amounts_and_different_grams_are_counted(known: Boilerplate) -> None:
    for kind in Kind:
        for spaced in (False, True):
            made = features_all(TEXTS, STANDARD, known)
            count_different(made[1:], kind, spaced)
            for text in made:
                grams = text.batch.of_row(kind, spaced, text.row).tolist()
                assert text.amount(kind, spaced) == len(grams)
                assert text.different(kind, spaced) == len({*grams})


@given(st.lists(visible, max_size=4), st.lists(visible, min_size=1, max_size=4))
@LAW
def test_pairs_are_compared_as_their_sets_are(asked: list[str], stored: list[str]) -> None:
    texts, others = features_all(asked, STANDARD), features_all(stored, STANDARD)
    for text in texts:
        text.meet(others)
        for kind in Kind:
            for spaced in (False, True):
                left = {*text.batch.of_row(kind, spaced, text.row).tolist()}
                for other in others:
                    right = {*other.batch.of_row(kind, spaced, other.row).tolist()}
                    expected = len(left & right), len(left), len(right)
                    assert text.compared(other, kind, spaced) == expected


units = st.one_of(
    st.integers(0, 0x3FF),
    st.sampled_from((0xEFFFF, 0xF0000, LIMIT - 1, LIMIT, LIMIT + 0xFFFF, LIMIT + 0x1FFFF)),
    st.sampled_from((LIMIT + 0x20000, 1 << 32, (1 << 64) - 1)),
)


@given(st.lists(units, max_size=20))
@LAW
def test_units_as_one_string(values: list[int]) -> None:
    made = np.array(values, np.uint64)
    found = as_string(made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gram_batch, "compiled", None)
        assert as_string(made) == found
    told = all(value < 0xF0000 or LIMIT <= value < LIMIT + 0x20000 for value in values)
    assert (found is not None) == told
    if found is not None:
        assert [*map(ord, found)] == [
            value if value < LIMIT else value - LIMIT + 0xF0000 for value in values
        ]
