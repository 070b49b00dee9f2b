"""Distinct words as hashes and counts, against a counter of strings."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import mmh3
from hypothesis import given
from hypothesis import strategies as st

from indexer.text import Streams, prepare_all
from indexer.text.words import Words, term_hashes, words_of
from mappings.plan import Plan, SimhashPlan
from tests.texts import LAW, LIBRARY, METRO, MIXED, TEA
from tests.texts import PLAIN as STANDARD

SEED = 7
rows_of_words = st.lists(st.lists(st.text("ab中é𠀀", min_size=1, max_size=6), max_size=12))


def counters(words: Words) -> list[dict[str, int]]:
    """Each row by its words again."""
    spelled = words.spelled(words.hashes.values)
    pairs = list(zip(spelled, words.counts.tolist(), strict=True))
    bounds = words.hashes.bounds.tolist()
    return [dict(pairs[start:stop]) for start, stop in pairwise(bounds)]


@given(rows_of_words)
@LAW
def test_each_row_is_counted_alone(rows: list[list[str]]) -> None:
    made = words_of(rows, SEED)
    assert counters(made) == [Counter(row) for row in rows]
    for number, row in enumerate(rows):
        hashes = made.hashes[number].tolist()
        assert hashes == sorted(term_hashes([*{*row}], SEED).tolist())
    assert made.magnitudes.tolist() == [count.bit_length() for count in made.counts.tolist()]


def test_the_hash_is_that_of_the_simhash() -> None:
    plan = Plan(simhash=SimhashPlan(seed=5))
    words = Streams(prepare_all([METRO], plan), plan, False).hashed_words
    metro = mmh3.hash64("地铁".encode(), 5, True, signed=False)[0]
    assert metro in words.hashes[0].tolist()
    assert term_hashes(["地铁"], 5).tolist() == [metro]


def test_words_of_texts_are_the_segmenters_that_begin_with_a_letter_or_digit() -> None:
    texts = [METRO, "，。 5%！", TEA, LIBRARY, MIXED]
    streams = Streams(prepare_all(texts, STANDARD), STANDARD, False)
    found = counters(streams.hashed_words)
    assert found == [
        {word: count for word, count in counts.items() if word[0].isalnum()}
        for counts in streams.word_counts
    ]
    assert found[1] == {"5%": 1}
    assert len(found[0]) > 50
