"""The compiled loops give the same as their twins in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import ParamSpec, TypeVar

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.fingerprints import loose, minhash, passages, sentences, simhash
from indexer.text import (
    hashing,
    murmur,
    preparation,
    prepare_all,
    repeats,
    segment,
    streams,
    word_edges,
    words,
)
from indexer.text.hashing import HashRows
from indexer.text.kernels import compiled
from indexer.text.ragged import bounds_of, ragged
from mappings.plan import STANDARD, LoosePlan, MinhashPlan, PassagePlan, SentencePlan, SimhashPlan
from tests.texts import LAW

Given = ParamSpec("Given")
Made = TypeVar("Made")


def twin(
    module: ModuleType, function: Callable[Given, Made], *args: Given.args, **named: Given.kwargs
) -> Made:
    """What a function of a module gives without the compiled loops."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compiled", None)
        return function(*args, **named)


values_64 = st.integers(0, (1 << 64) - 1)
rows_64 = st.lists(st.lists(values_64, max_size=30), min_size=1, max_size=5)
weights = st.integers(0, 1 << 40)


def rows_of(values: list[list[int]]) -> HashRows:
    return ragged([np.array(row, np.uint64) for row in values])


@given(st.lists(values_64, max_size=8), st.integers(1, 11))
@LAW
def test_values_are_spelled_the_same(values: list[int], characters: int) -> None:
    made = np.array(values, np.uint64)
    assert hashing.spell(made, characters) == twin(hashing, hashing.spell, made, characters)


@given(rows_64, st.integers(1, 70))
@LAW
def test_signatures_are_the_same(values: list[list[int]], size: int) -> None:
    rows = rows_of(values)
    found = minhash.signatures(rows, size)
    assert found.tolist() == twin(minhash, minhash.signatures, rows, size).tolist()
    bins = np.empty_like(found)
    empty = compiled.minima(rows.values, rows.bounds, size, bins)
    assert empty == minhash._minima(rows, size, bins) == np.count_nonzero(bins == 0xFFFFFFFF)


@given(st.integers(0, 3), st.integers(1, 5), st.integers(1, 4), st.randoms(use_true_random=False))
@LAW
def test_bands_are_the_same(count: int, bands: int, size: int, random: Random) -> None:
    plan = MinhashPlan(5, 9, bands, size, random.getrandbits(16))
    values = np.array([random.getrandbits(32) for _ in range(count * bands * size)], np.uint32)
    made = values.reshape(count, bands * size)
    expected = twin(minhash, minhash.band_values, made, plan)
    assert minhash.band_values(made, plan).tolist() == expected.tolist()


@given(st.lists(values_64, max_size=4), st.integers(2, 8), st.data(), st.sampled_from((32, 64)))
@LAW
def test_keys_of_blocks_are_the_same(
    values: list[int], blocks: int, data: st.DataObject, bits: int
) -> None:
    plan = SimhashPlan(blocks, data.draw(st.integers(1, blocks - 1)), bits=bits)
    made = np.array(values, np.uint64)
    assert simhash.block_keys(made, plan) == twin(simhash, simhash.block_keys, made, plan)


@given(st.lists(st.text(st.sampled_from("ab天1-.,:!?。 \n"), max_size=40), min_size=1, max_size=4))
@example(["共1.", "5元", "", "-", "4", ".5"])
@example([".", "a.b", "a.", ".b", "一二三。四.五六. 七"])
@LAW
def test_what_kinds_tell_is_the_same(texts: list[str]) -> None:
    made, plan = prepare_all(texts, STANDARD), SentencePlan(minimum=1 + len(texts[0]) % 3)
    forms, expected = preparation.exact_form(made), twin(preparation, preparation.exact_form, made)
    assert forms.values.tolist() == expected.values.tolist()
    assert forms.bounds.tolist() == expected.bounds.tolist()
    assert sentences.spans(made, plan) == twin(sentences, sentences.spans, made, plan)
    edges = sentences.edges_of(made).tolist()
    assert edges == sorted(edges)
    assert {*edges} == {*twin(sentences, sentences.edges_of, made).tolist()}
    is_spaced = streams.spaced_rows(made).tolist()
    assert is_spaced == twin(streams, streams.spaced_rows, made).tolist()


@given(st.lists(st.lists(st.tuples(values_64, weights), max_size=20), min_size=1, max_size=5))
@LAW
def test_simhashes_are_the_same(weighed: list[list[tuple[int, int]]]) -> None:
    rows = rows_of([[value for value, _ in row] for row in weighed])
    each = np.array([weight for row in weighed for _, weight in row], np.int64)
    for given_weights in (each, None):
        found = simhash.simhashes(rows, given_weights)
        assert found.tolist() == twin(simhash, simhash.simhashes, rows, given_weights).tolist()


@given(st.lists(st.text(max_size=40), max_size=6), st.integers(0, (1 << 32) - 1))
@LAW
def test_pieces_are_hashed_the_same(pieces: list[str], seed: int) -> None:
    text, edges = "".join(pieces), bounds_of([len(piece) for piece in pieces])
    found = murmur.piece_hashes(text, edges, seed)
    assert found.tolist() == twin(murmur, murmur.piece_hashes, text, edges, seed).tolist()


@given(
    st.lists(st.lists(st.one_of(values_64, st.integers(0, 9)), max_size=60), max_size=4),
    st.builds(
        PassagePlan,
        keep=st.integers(1, 5),
        chunk=st.integers(1, 40),
        winnow=st.sampled_from((0, 1, 16, 30)),
        winnow_parts=st.integers(1, 4),
    ),
)
@example([list(range(33)), list(range(9, -1, -1)), []], PassagePlan(keep=3, chunk=6, winnow=20))
@example([list(range(59, -1, -1)), [3] * 50], PassagePlan(keep=2, chunk=60, winnow=16))
@LAW
def test_passages_are_the_same(values: list[list[int]], plan: PassagePlan) -> None:
    rows = rows_of([*values, [1]])
    found = passages.key_values(rows, plan)
    expected = twin(passages, passages.key_values, rows, plan)
    assert found.values.tolist() == expected.values.tolist()
    assert found.bounds.tolist() == expected.bounds.tolist()


@given(
    st.lists(st.text(st.sampled_from("abcde12天气很好"), max_size=50), min_size=1, max_size=4),
    st.booleans(),
    st.builds(LoosePlan, most=st.integers(2, 12), least=st.integers(1, 2), full=st.integers(1, 60)),
)
@example(["abcabcabcab天", "天", ""], False, LoosePlan())
@LAW
def test_loose_windows_are_the_same(texts: list[str], spaced: bool, plan: LoosePlan) -> None:
    rows = rows_of([[*map(ord, text)] for text in texts])
    found = loose.key_values(rows, spaced, plan)
    expected = twin(loose, loose.key_values, rows, spaced, plan)
    assert found.values.tolist() == expected.values.tolist()
    assert found.bounds.tolist() == expected.bounds.tolist()


@given(st.lists(st.text(st.sampled_from("az09AZ+#&._%-@[`{/: 天é\0"), min_size=1, max_size=5)))
@LAW
def test_connected_tokens_are_the_same(tokens: list[str]) -> None:
    edges = word_edges.edges_of(tokens)
    assert edges.tolist() == twin(word_edges, word_edges.edges_of, tokens).tolist()
    assert compiled.connected(tokens) == segment._connected(tokens)


def test_tokens_with_several_parts_are_connected() -> None:
    tokens = ["3.5%", "v2.0", "3.", ".5", "3.5.1", "node.js", "%", "a%b", "a%", "%%", "天.a", "天"]
    found = compiled.connected(tokens)
    assert [tokens[at] for at in found] == ["3.", ".5", "3.5.1", "node.js", "a%b"]


@given(
    st.text(
        st.sampled_from(
            "a天\u33ff\u3400\u4dbf\u4dc0\u4e00\u9fd5\u9fd6\u9fff\ua000\uf8ff豈"
            "\ufaff\ufb00\uffff\U00010000\U0001ffff\U00020000\U0003ffff\U00040000"
        )
    )
)
@LAW
def test_rare_characters_are_the_same(text: str) -> None:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    rare = [at for at, character in enumerate(text) if segment._RARE.match(character)]
    assert compiled.rare(codes) == word_edges._rare(codes) == rare


@given(st.lists(st.lists(st.integers(0, 9), max_size=30).map(sorted), min_size=1, max_size=5))
@LAW
def test_distinct_words_are_the_same(values: list[list[int]]) -> None:
    (rows, counts), (others, of_these) = (
        words._tallied(rows_of(values)),
        twin(words, words._tallied, rows_of(values)),
    )
    assert rows.bounds.tolist() == others.bounds.tolist()
    assert (rows.values.tolist(), counts.tolist()) == (others.values.tolist(), of_these.tolist())


@given(st.lists(st.text(max_size=20), max_size=6))
@LAW
def test_sentences_are_hashed_the_same(texts: list[str]) -> None:
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
    edges, part = bounds_of([len(text) for text in texts]), STANDARD.sentences
    found = sentences.hashes_between(codes, edges, part)
    long = np.diff(edges) >= part.minimum
    expected = twin(sentences, sentences.hashes_between, codes, edges, part)
    assert found[long].tolist() == expected[long].tolist()


@given(st.text(st.sampled_from("一二三四五六七八九a。"), max_size=60))
@example("䷿䷿䷿䷿䷿")  # right before the Han characters
@example("一一一一一")  # the first
@example("\u9fd5\u9fd5\u9fd5\u9fd5\u9fd5")  # the last
@example("\u9fd6\u9fd6\u9fd6\u9fd6\u9fd6")
@example("一二三四五六七一二三四五六七")  # seven places off
@example("一二三四五六七八一二三四五六七八")
@LAW
def test_repeats_are_the_same(text: str) -> None:
    found = repeats.repeated_places(text)
    assert found == twin(repeats, repeats.repeated_places, text)


def test_repeats_of_han_characters_within_seven_places() -> None:
    seven, eight = "一二三四五六七", "一二三四五六七八"
    assert (repeats.repeated_places(2 * seven), repeats.repeated_places(2 * eight)) == ([0], [])
    assert repeats.repeated_places("\u9fd5" * 5) == [0]
    assert repeats.repeated_places("\u9fd6" * 5) == repeats.repeated_places("\u4dff" * 5) == []
