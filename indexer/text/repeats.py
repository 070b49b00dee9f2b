"""Repeated characters, which jieba and rjieba cut differently: several segmentations are equally
likely under their model, and summing floats in a different order decides between them.

jieba is the reference, so its own code segments the stretches concerned. Elsewhere two
segmentations tie only by coincidence (once in 300,000 strings full of repeats).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from typing import Final

import numpy as np

_BLOCK: Final = re.compile(r"[\u4e00-\u9fd5a-zA-Z0-9+#&._%\-]+")
_HAN: Final = re.compile("[\u4e00-\u9fd5]")
_FIRST_HAN: Final = 0x4E00
_LAST_HAN: Final = 0x9FD5
_NEAR: Final = 7
_LEAST: Final = 3
"""The largest distance between repeats, and the shortest stretch with two segmentations."""

_MARGIN: Final = b"\xff" * (4 * _NEAR)
"""On either side of a text: no character."""


def repetitive_blocks(text: str) -> list[tuple[int, int]]:
    """The [start, stop) of each block that the segmenter cuts as a whole and that contains such a
    stretch."""
    places = repeated_places(text)
    if not places:
        return []
    blocks = (block.span() for block in _BLOCK.finditer(text))
    return [(a, b) for a, b in blocks if bisect_left(places, a) < bisect_left(places, b)]


def repeated_places(text: str) -> list[int]:
    """The starts of stretches in which every character is repeated nearby, at least two of them
    within the stretch.

    Two segmentations are exactly equally likely only when one has the states of the other (begin,
    middle, end, single) in another order: each character whose state differs occurs twice, and
    its neighbour's state differs as well.
    """
    data = _MARGIN + text.encode("utf-32-le", "surrogatepass") + _MARGIN
    codes = np.frombuffer(data, np.uint32)
    count = len(codes) - 2 * _NEAR
    # row d has for each place what stands d - _NEAR places further on: one comparison for all
    around = np.ndarray((2 * _NEAR + 1, count), np.uint32, data, strides=(4, 4))
    codes = codes[_NEAR : _NEAR + count]
    same = around == codes
    same[_NEAR] = False
    padded = np.zeros(count + 2, np.bool_)
    repeated = padded[1:-1]
    np.logical_or.reduce(same, axis=0, out=repeated)
    repeated &= codes - np.uint32(_FIRST_HAN) <= _LAST_HAN - _FIRST_HAN
    edges = (padded[1:] != padded[:-1]).nonzero()[0].tolist()
    stretches = zip(edges[::2], edges[1::2], strict=True)
    return [a for a, b in stretches if b - a >= _LEAST and b - a - len(set(text[a:b])) > 1]


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
    from jieba import finalseg

    _, states = finalseg.viterbi(
        stretch, "BMES", finalseg.start_P, finalseg.trans_P, finalseg.emit_P
    )
    starts = [at for at, state in enumerate(states) if state in "BS"]
    return [stretch[a:b] for a, b in pairwise([*starts, len(stretch)])]
