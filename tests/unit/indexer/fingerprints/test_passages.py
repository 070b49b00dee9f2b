"""Bottom-k keys: the k smallest of each chunk, and what an excerpt shares with its source."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.passages import key_values, lowest_of_windows
from indexer.fingerprints.sampled import smallest
from indexer.text.ragged import ragged
from mappings.contract import Field
from mappings.plan import STANDARD, PassagePlan
from tests.texts import LAW, chinese, english


@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=300), st.integers(1, 20))
@LAW
def test_smallest_is_the_head_of_the_sorted_set(values: list[int], keep: int) -> None:
    array = np.array(values, np.uint64)
    assert smallest(array, keep).tolist() == sorted(set(values))[:keep]
    assert array.tolist() == values  # the caller's array stays


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 128, 129, 1_000, 5_000])
@pytest.mark.parametrize("repeats", [1, 40])
def test_smallest_at_all_sizes(size: int, repeats: int) -> None:
    """Also where the quick bound finds too few because nearly all hashes are repeats."""
    rng = np.random.default_rng(size)
    values = np.tile(rng.integers(0, 1 << 64, max(size // repeats, 1), np.uint64), repeats)[:size]
    assert smallest(values, 16).tolist() == sorted(set(values.tolist()))[:16]


def test_smallest_when_all_hashes_are_large() -> None:
    values = np.arange((1 << 64) - 500, (1 << 64) - 100, dtype=np.uint64)
    assert smallest(values, 16).tolist() == values[:16].tolist()


@pytest.mark.parametrize(
    ("length", "chunks"),
    [(0, 1), (1, 1), (149, 1), (151, 2), (249, 2), (251, 3), (1_000, 10)],
)
def test_chunks(length: int, chunks: int) -> None:
    """About one chunk per `chunk` hashes, equal in length, each with its own smallest."""
    plan = PassagePlan(keep=4, chunk=100)
    values = np.random.default_rng(length).integers(0, 1 << 64, length, np.uint64)
    edges = [length * i // chunks for i in range(chunks + 1)]
    expected = [
        value
        for low, high in pairwise(edges)
        for value in sorted(set(values[low:high].tolist()))[:4]
    ]
    assert key_values(ragged([values]), plan)[0].tolist() == expected
    both = key_values(ragged([values[:30], values]), plan)
    assert both[1].tolist() == expected


def keys(text: str) -> set[str]:
    return set(fingerprint_of(text, STANDARD).keys[Field.PASSAGE_KEYS])


def test_an_excerpt_shares_a_key_with_the_long_text() -> None:
    """Excerpts of a chunk-long text: always, when they are longer than a window."""
    found = {0.5: 0, 0.3: 0, 0.1: 0, 0.02: 0}
    trials = 60
    for seed in range(trials):
        text = chinese(2_000, seed)
        whole = keys(text)
        for share in found:
            start = (seed * 37) % int(2_000 * (1 - share))
            found[share] += bool(whole & keys(text[start : start + int(2_000 * share)]))
    assert found[0.5] == found[0.3] == found[0.1] == trials
    assert found[0.02] < trials  # not by being the same for all texts


@given(
    st.lists(st.integers(0, (1 << 64) - 1), max_size=90),
    st.integers(1, 40),
)
@LAW
def test_the_lowest_of_windows_by_definition(values: list[int], width: int) -> None:
    array = np.array(values, np.uint64)
    windows = [values[at : at + width] for at in range(max(1, len(values) - width + 1))]
    assert lowest_of_windows(array, width).tolist() == sorted({min(w) for w in windows if w})


@given(st.integers(0, 3_000), st.integers(0, 3_000), st.integers(0, 3_000), st.integers(0, 1 << 32))
@LAW
def test_a_passage_as_long_as_a_window_has_a_common_key(
    before: int, after: int, other: int, seed: int
) -> None:
    """Wherever it stands in texts of whatever lengths; a key less, and it would not be sure."""
    rng = np.random.default_rng(seed)
    plan = STANDARD.passages
    passage, *around = (
        rng.integers(0, 1 << 64, size, np.uint64)
        for size in (plan.winnow, before, after, other, other // 2)
    )
    texts = [np.concatenate((around[at], passage, around[at + 1])) for at in (0, 2)]
    keys = key_values(ragged(texts), plan)
    assert {*keys[0].tolist()} & {*keys[1].tolist()} & {*passage.tolist()}


def test_an_excerpt_of_a_very_long_text_is_found_in_its_chunk() -> None:
    text = chinese(20_000, 500)
    whole = keys(text)
    assert len(whole) > 9 * 16 * 0.8
    for start in range(0, 18_000, 900):
        assert whole & keys(text[start : start + 1_500]), start


def test_english_excerpts_share_a_key() -> None:
    text = english(900, 7)
    words = text.split(" ")
    for start in range(0, 450, 50):
        assert keys(text) & keys(" ".join(words[start : start + 450])), start


def test_unrelated_texts_share_none() -> None:
    assert not any(
        keys(chinese(1_500, seed)) & keys(chinese(1_500, seed + 1_000)) for seed in range(1, 40)
    )
