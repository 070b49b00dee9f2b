"""Repeated characters, which jieba and rjieba cut differently: several segmentations are equally
likely under their model, and summing floats in a different order decides between them.

jieba is the reference, so its own code segments the stretches concerned. Elsewhere two
segmentations tie only by coincidence (once in 300,000 strings full of repeats).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.kernels import compiled
from indexer.text.ragged import Ragged

_BLOCK: Final = re.compile(r"[\u4e00-\u9fd5a-zA-Z0-9+#&._%\-]+")
_HAN: Final = re.compile("[\u4e00-\u9fd5]")
_FIRST_HAN: Final = 0x4E00
_LAST_HAN: Final = 0x9FD5
_NEAR: Final = 7
_LEAST: Final = 3
"""The largest distance between repeats, and the shortest stretch with two segmentations."""

_STATES: Final = "BMES"
"""Of jieba's model: a character begins, continues or ends a word, or is one."""


def repetitive_blocks(text: str) -> list[tuple[int, int]]:
    """The [start, stop) of each block that the segmenter cuts as a whole and that contains such a
    stretch."""
    places = repeated_places(text)
    if not places:
        return []
    blocks = [block.span() for block in _BLOCK.finditer(text)]
    starts = [start for start, _ in blocks]
    return [blocks[at] for at in sorted({bisect_right(starts, place) - 1 for place in places})]


def repeated_places(text: str) -> list[int]:
    """The starts of stretches in which every character is repeated nearby, at least two of them
    within the stretch.

    Two segmentations are exactly equally likely only when one has the states of the other (begin,
    middle, end, single) in another order: each character whose state differs occurs twice, and
    its neighbour's state differs as well.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return [start for start, _ in _stretches(codes)]


def rows_with_repeats(rows: Ragged[np.uint32]) -> frozenset[int]:
    """The texts that have such stretches, and perhaps some that have them together with their
    neighbours only."""
    ends = [(start, stop - 1) for start, stop in _stretches(rows.values)]
    if not ends:
        return frozenset()
    found = (rows.bounds.searchsorted(np.array(ends, np.int64), "right") - 1).tolist()
    return frozenset(row for first, last in found for row in range(first, last + 1))


def _stretches(codes: npt.NDArray[np.uint32]) -> Iterator[tuple[int, int]]:
    """The stretches as [start, stop)."""
    for start, stop in _repeated(codes) if compiled is None else compiled.repeated(codes):
        if stop - start - len(set(codes[start:stop].tolist())) > 1:
            yield start, stop


def _repeated(codes: npt.NDArray[np.uint32]) -> Iterator[tuple[int, int]]:
    """Where every Han character is repeated nearby, _LEAST or more in a row."""
    padded = np.zeros(len(codes) + 2, np.bool_)
    repeated = padded[1:-1]
    # half of the bytes are compared in half of the time
    near = codes.astype(np.uint16) if codes.max(initial=0) <= 0xFFFF else codes
    for distance in range(1, _NEAR + 1):
        same = near[distance:] == near[:-distance]
        repeated[distance:] |= same
        repeated[:-distance] |= same
    repeated &= codes - np.uint32(_FIRST_HAN) <= _LAST_HAN - _FIRST_HAN
    edges = (padded[1:] != padded[:-1]).nonzero()[0]
    starts, stops = edges[::2], edges[1::2]
    long = (stops - starts >= _LEAST).nonzero()[0]
    yield from zip(starts[long].tolist(), stops[long].tolist(), strict=True)


def with_jiebas_ties(
    tokens: list[str], plain: list[str], is_word: Callable[[str], bool]
) -> list[str]:
    """`tokens`, with repeated characters segmented by jieba's own code.

    `plain`: the same text cut by the dictionary alone; the model segments its runs of single
    characters, except runs for which `is_word` holds.
    """
    out: list[str] = []
    remaining = iter(tokens)
    for is_run, parts in groupby(plain, lambda token: _HAN.fullmatch(token) is not None):
        stretch = "".join(parts)
        reading = _next_tokens(remaining, len(stretch))
        if is_run and len(stretch) > 1 and not is_word(stretch):
            reading = _by_jiebas_model(stretch)
        out += reading
    return out


def _next_tokens(tokens: Iterator[str], length: int) -> list[str]:
    """The next tokens, up to a total of `length` characters."""
    out = []
    while length > 0:
        out.append(next(tokens))
        length -= len(out[-1])
    return out


def _by_jiebas_model(stretch: str) -> list[str]:
    starts = [at for at, state in enumerate(jiebas_states(stretch)) if state in "BS"]
    return [stretch[a:b] for a, b in pairwise([*starts, len(stretch)])]


def jiebas_states(stretch: str) -> list[str]:
    """What `jieba.finalseg.viterbi` says of each character, ties included. That copies the path of
    each state at every step, so that its time grows with the square of the length.
    """
    from jieba.finalseg import MIN_FLOAT, PrevStatus, emit_P, start_P, trans_P

    best = {state: start_P[state] + emit_P[state].get(stretch[0], MIN_FLOAT) for state in _STATES}
    came_from: list[dict[str, str]] = []
    for character in stretch[1:]:
        step: dict[str, float] = {}
        before: dict[str, str] = {}
        for state in _STATES:
            emitted = emit_P[state].get(character, MIN_FLOAT)
            step[state], before[state] = max(
                (best[last] + trans_P[last].get(state, MIN_FLOAT) + emitted, last)
                for last in PrevStatus[state]
            )
        best = step
        came_from.append(before)
    states = [max((best[state], state) for state in "ES")[1]]
    for before in reversed(came_from):
        states.append(before[states[-1]])
    return states[::-1]
