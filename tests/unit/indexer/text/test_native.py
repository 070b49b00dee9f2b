"""The compiled loops: there, the same as those in NumPy, and careful with what does not fit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.fingerprints import minhash, sentences, simhash
from indexer.text import hashing, murmur, repeats
from indexer.text.hashing import HashRows
from indexer.text.kernels import compiled
from indexer.text.ragged import bounds_of, ragged
from mappings.plan import STANDARD
from tests.texts import LAW

Given = ParamSpec("Given")
Made = TypeVar("Made")

VALUES = np.arange(6, dtype=np.uint64)
BOUNDS = np.array([0, 2, 6])
ROWS = np.array([1])
OUT = np.empty(1, np.int64)


def test_they_are_compiled() -> None:
    """Where tests run there is a C compiler; without one dupdex works, more slowly."""
    assert compiled is not None


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


@pytest.mark.parametrize("bounds", ([0, 7], [-1, 6], [0, 4, 2]))
def test_rows_lie_within_their_values(bounds: list[int]) -> None:
    edges, found = np.array(bounds), compiled.GramSet(VALUES)
    new_bounds = np.empty_like(edges)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, edges, 2, 0, VALUES.copy(), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        found.common(VALUES, edges, np.array([0]), OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, edges, np.array([0]), 10, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.minima(VALUES, edges, 1, np.empty(len(bounds) - 1, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
        hashes = np.empty(len(bounds) - 1, np.uint64)
        compiled.outweighing_bits(VALUES, VALUES.view(np.int64), edges, hashes)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.piece_hashes(b"abcdef", edges, 0, np.empty(len(bounds) - 1, np.uint64))


@pytest.mark.parametrize("rows", ([2], [-1], [0, 1]))
def test_chosen_rows_are_there_and_have_a_place(rows: list[int]) -> None:
    chosen = np.array(rows)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).common(VALUES, BOUNDS, chosen, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, chosen, 10, OUT)


def test_there_is_room_for_what_comes_out() -> None:
    short = np.empty(5, np.uint64)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, BOUNDS, 2, 0, short, BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, BOUNDS, 0, 0, VALUES.copy(), BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).places(VALUES, np.empty(5, np.int64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.minima(VALUES, BOUNDS, 3, np.empty(5, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.outweighing_bits(VALUES, OUT, BOUNDS, np.empty(2, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.piece_hashes(b"abcdef", BOUNDS, 0, np.empty(1, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.byte_hashes(b"abcde", BOUNDS, 0, np.empty(2, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.spelled(VALUES, 12)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.minima(VALUES, np.array([0, 1, 2, 3, 6]), 1 << 62, np.empty(0, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.piece_hashes("中中".encode(), np.array([0, 5]), 0, np.empty(1, np.uint64))


@pytest.mark.parametrize("bits", (-1, 14))
def test_bags_have_a_size(bits: int) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, np.array([0]), bits, OUT)


def test_what_is_written_is_not_read() -> None:
    both = np.array([0, 1, 2, 0])
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.outweighing_bits(VALUES[:2], both[:2], both[:3], both[2:].view(np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).places(VALUES, VALUES.view(np.int64))


def test_an_extension_of_other_sources_has_another_number() -> None:
    """The number that `kernels` goes by is set by hand: whoever changes what a function takes or
    gives changes it, in native.c and kernels.py, and this digest with it."""
    folder = Path(hashing.__file__).parent
    sources = b"".join(path.read_bytes() for path in sorted(folder.glob("native*.[ch]")))
    assert (compiled.interface, hashlib.sha256(sources).hexdigest()[:16]) == (2, "a83ede3de05b2356")
    with pytest.raises(ValueError, match="not C-contiguous"):
        compiled.GramSet(VALUES[::2])
