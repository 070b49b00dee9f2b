"""Simhash (Charikar 2002) and its block keys (Manku, Jain, Das Sarma 2007).

Keys: the 64 or 32 bits are cut into blocks; every choice of `choose` blocks is one key. Two values
that differ in at most `blocks - choose` bits share a key, because that many differences cannot
touch every choice (pigeonhole).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.scheme import Terms
from indexer.fingerprints.weights import word_weights
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, spell
from indexer.text.kernels import compiled
from mappings.plan import Plan

BITS: Final = 64

_BYTE_BITS: Final = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).astype(np.float64)
_BYTE_PLACES: Final = np.arange(8) * 256
_AT_ONCE: Final = 16
"""Rows multiplied at once: few enough that BLAS starts no threads, which would only spin."""


Block = tuple[int, int]
"""Shift and width: some neighbouring bits of a value."""


class Layout(Protocol):
    """How a value of `bits` bits becomes keys."""

    @property
    def bits(self) -> int: ...
    @property
    def blocks(self) -> int: ...
    @property
    def choose(self) -> int: ...


class Simhash:
    """Of words, weighted as the plan says; in a plan without words, of character shingles.

    With 32 bits it is the lower half of the 64-bit value, as each bit is summed independently.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[int]:
        if self._plan.words == "none":
            hashes = simhashes(streams.character_shingles(self._plan.minhash))
        else:
            hashes = simhashes(*word_weights(streams, self._plan))
        if self._plan.simhash.bits < BITS:
            hashes &= np.uint64((1 << self._plan.simhash.bits) - 1)
        made: list[int] = hashes.tolist()
        return made

    def terms(self, values: Sequence[int]) -> list[Terms]:
        return block_keys(np.array(values, np.uint64), self._plan.simhash)

    def similarity(self, left: int, right: int) -> float:
        """The share of equal bits."""
        return 1 - hamming(left, right) / self._plan.simhash.bits


def simhashes(features: HashRows, weights: npt.NDArray[np.int64] | None = None) -> Hashes:
    """One value per row. Bit i is 1 when the features with bit i set outweigh the others.

    `features`: 64-bit hashes; `weights`: an integer for each of them, 1 if absent. Sums are exact,
    so the order of features never matters. A row without features gives 0.
    """
    if compiled is None:
        return _outweighing(features, weights)
    out = np.empty(len(features), np.uint64)
    each = np.ones(len(features.values), np.int64) if weights is None else weights
    compiled.outweighing_bits(
        features.values, np.ascontiguousarray(each, np.int64), features.bounds, out
    )
    return out


def _outweighing(features: HashRows, weights: npt.NDArray[np.int64] | None) -> Hashes:
    """The same in NumPy."""
    count = len(features)
    columns = features.values.view(np.uint8).reshape(-1, 8) + _BYTE_PLACES
    if count > 1:
        columns += (features.owners * (8 * 256))[:, None]
    byte_weights = None if weights is None else np.repeat(weights.astype(np.float64), 8)
    counts = np.bincount(columns.ravel(), byte_weights, count * 8 * 256).astype(
        np.float64, copy=False
    )
    ones = np.empty((count, BITS))
    for start in range(0, count, _AT_ONCE):
        part = counts[start * 8 * 256 : (start + _AT_ONCE) * 8 * 256].reshape(-1, 256)
        ones[start : start + _AT_ONCE] = (part @ _BYTE_BITS).reshape(-1, BITS)
    total = counts.reshape(count, 8 * 256)[:, :256].sum(axis=1)
    bits = np.packbits(ones * 2 > total[:, None], axis=1, bitorder="little")
    return bits.view(np.uint64).ravel()


def hamming(left: int, right: int) -> int:
    """The number of bits that differ."""
    return (left ^ right).bit_count()


def block_keys(values: Hashes, plan: Layout) -> list[tuple[str, ...]]:
    """The keys of each value: `~`, the choice, then the bits of the chosen blocks.

    The tilde keeps a key from equalling a word that someone types into a search box.
    """
    shifts, widths, heads, characters = _key_parts(plan.bits, plan.blocks, plan.choose)
    bits = np.empty(len(values) * len(heads), np.uint64)
    if compiled is not None:
        compiled.block_bits(np.ascontiguousarray(values), shifts, widths, len(heads), bits)
    else:
        _block_bits(values, shifts, widths, bits.reshape(-1, len(heads)))
    texts = spell(bits, characters)
    return [tuple(map(str.__add__, heads, row)) for row in _runs(texts, len(heads))]


def _block_bits(values: Hashes, shifts: Hashes, widths: Hashes, out: Hashes) -> None:
    """The bits of each choice of blocks, one row for each value."""
    out[:] = 0
    masks = (np.uint64(1) << widths) - np.uint64(1)
    for shift, width, mask in zip(shifts, widths, masks, strict=True):
        out <<= width
        out |= (values[:, None] >> shift) & mask


@cache
def _key_parts(bits: int, blocks: int, choose: int) -> tuple[Hashes, Hashes, Sequence[str], int]:
    """Shifts and widths, each with a row for the first, the second, ... block of all choices; the
    prefix of each choice; the number of characters that the bits of a choice take.
    """
    choices = np.array(_choices(bits, blocks, choose), np.uint64)
    shifts, widths = choices.T.copy()
    widest = int(widths.sum(axis=0).max())
    heads = ["~" + head for head in spell(np.arange(len(choices), dtype=np.uint64), 1)]
    return shifts, widths, heads, -(-widest // 6)


def blocks_of(bits: int, blocks: int) -> list[Block]:
    """The bits of a value cut into blocks of nearly equal width, lowest first."""
    edges = [round(bits * i / blocks) for i in range(blocks + 1)]
    return [(low, high - low) for low, high in pairwise(edges)]


def choices_of(plan: Layout) -> Sequence[tuple[Block, ...]]:
    """Every choice of blocks that makes a key."""
    return _choices(plan.bits, plan.blocks, plan.choose)


@cache
def _choices(bits: int, blocks: int, choose: int) -> Sequence[tuple[Block, ...]]:
    return tuple(combinations(blocks_of(bits, blocks), choose))


def _runs(texts: list[str], size: int) -> Iterator[list[str]]:
    return (texts[i : i + size] for i in range(0, len(texts), size))
