"""The join of all keys against a look at every pair."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.key_rows import key_numbers
from indexer.text.hashing import spell
from mappings.contract import Field
from query.key_join import (
    FIRST,
    KeyColumn,
    candidate_blocks,
    packed,
)
from tests.texts import LAW

FIELDS = (Field.PASSAGE_KEYS, Field.LOOSE_KEYS, Field.SIMHASH_KEYS)
CORPORA = st.lists(
    st.fixed_dictionaries({name: st.sets(st.integers(0, 9), max_size=4) for name in FIELDS}),
    max_size=25,
)
Corpus = list[dict[Field, set[int]]]


def columns(corpus: Corpus, hot: int = 300) -> dict[Field, KeyColumn]:
    out = {}
    for name in FIELDS:
        entries = [(key, at) for at, keys in enumerate(corpus) for key in keys[name]]
        keys = np.array([key for key, _ in entries], np.uint64)
        out[name] = KeyColumn(packed(keys, np.array([at for _, at in entries], np.int64)), hot)
    return out


def found(
    corpus: Corpus, hot: int = 300, pairs: int = 10**6
) -> dict[tuple[int, int], tuple[int, int]]:
    out = {}
    for block in candidate_blocks(columns(corpus, hot), len(corpus), None, pairs):
        listed = zip(
            *(each.tolist() for each in (block.first, block.second, block.shared, block.loose)),
            strict=True,
        )
        for first, second, shared, loose in listed:
            assert (first, second) not in out
            out[first, second] = (shared, loose)
    return out


@LAW
@given(CORPORA, st.integers(1, 40))
def test_every_pair_that_shares_a_key_is_found_once_in_blocks_of_any_size(
    corpus: Corpus, pairs: int
) -> None:
    expected = {}
    for first, second in combinations(range(len(corpus)), 2):
        shared = {name: len(corpus[first][name] & corpus[second][name]) for name in FIELDS}
        if total := sum(shared.values()):
            expected[first, second] = (total, shared[Field.LOOSE_KEYS])
    assert found(corpus, pairs=pairs) == expected
    total = sum(shared for shared, _ in expected.values())
    joined = columns(corpus).values()
    assert sum(int(column.pairs_of(len(corpus)).sum()) for column in joined) == total


@LAW
@given(CORPORA, st.integers(1, 12))
def test_a_frequent_key_brings_together_its_first_documents_and_all_others(
    corpus: Corpus, hot: int
) -> None:
    expected: Counter[tuple[int, int]] = Counter()
    for name in FIELDS:
        for key in range(10):
            having = [at for at, keys in enumerate(corpus) if key in keys[name]]
            pairs = combinations(having, 2)
            few = having[:FIRST] if len(having) > hot else having
            expected.update(pair for pair in pairs if pair[0] in few)
    assert {pair: shared for pair, (shared, _) in found(corpus, hot).items()} == expected


@LAW
@given(CORPORA)
def test_frequencies_count_documents(corpus: Corpus) -> None:
    for name, column in columns(corpus).items():
        counts = [sum(key in keys[name] for keys in corpus) for key in range(10)]
        assert column.frequencies(np.arange(10, dtype=np.uint64)).tolist() == counts
        often = [any(counts[key] >= 3 for key in keys[name]) for keys in corpus]
        assert column.with_key_in(3, len(corpus)).tolist() == often


def test_simhash_keys_alone_count_where_the_simhashes_are_near() -> None:
    corpus: Corpus = [{name: {1} for name in FIELDS}, {name: {1} for name in FIELDS}]
    corpus[1][Field.PASSAGE_KEYS] = corpus[1][Field.LOOSE_KEYS] = set()
    far = list(candidate_blocks(columns(corpus), 2, lambda a, b: a > b))
    assert [len(each) for each in far] == [0]
    near = list(candidate_blocks(columns(corpus), 2, lambda a, b: a < b))
    assert [len(each) for each in near] == [1]


def test_keys_of_six_characters_are_the_bits_they_spell_and_others_are_hashed() -> None:
    values = np.array([1, 5, (1 << 36) - 1], np.uint64)
    assert key_numbers(spell(values)).tolist() == values.tolist()
    hashed = key_numbers(["~Aabc", "~Babc", "~Aabc"]).tolist()
    assert hashed[0] == hashed[2] != hashed[1]
    assert key_numbers([]).tolist() == []


def test_a_key_that_a_document_has_twice_counts_once() -> None:
    entries = packed(np.array([7, 7, 7], np.uint64), np.array([0, 0, 1], np.int64))
    blocks = list(candidate_blocks({Field.SENTENCES: KeyColumn(entries, 300)}, 2))
    assert [(b.first.tolist(), b.second.tolist(), b.shared.tolist()) for b in blocks] == [
        ([0], [1], [1])
    ]
