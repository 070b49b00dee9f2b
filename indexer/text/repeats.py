"""Repeated characters, which jieba and rjieba cut differently: several readings are equally likely
under their model, and floating-point sums in two orders choose two of them.

jieba is the reference, so the stretches in question are read by its own code. Elsewhere two
readings are equal by coincidence only (one of 300,000 strings full of repeats had such a place).
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
"""A character comes again at most so far away; the shortest stretch that has two readings."""


def repetitive_blocks(text: str) -> list[tuple[int, int]]:
    """The [start, stop) of what the segmenter cuts as a whole, where it holds such a stretch."""
    places = repeated_places(text)
    if not places:
        return []
    blocks = (block.span() for block in _BLOCK.finditer(text))
    return [(a, b) for a, b in blocks if bisect_left(places, a) < bisect_left(places, b)]


def repeated_places(text: str) -> list[int]:
    """Where stretches begin in which every character comes again, not far away, and two at least
    do so inside of the stretch.

    Two readings are exactly as likely only when one is the other with the states of the model
    (begin, middle, end, single) in another order: each character whose state differs is there
    twice, and its neighbour's state differs as well.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    again = np.zeros(len(codes), np.bool_)
    for distance in range(1, min(_NEAR, len(codes) - 1) + 1):
        same = codes[distance:] == codes[:-distance]
        again[distance:] |= same
        again[:-distance] |= same
    again &= (codes >= _FIRST_HAN) & (codes <= _LAST_HAN)
    edges = np.flatnonzero(np.diff(again, prepend=False, append=False)).tolist()
    stretches = zip(edges[::2], edges[1::2], strict=True)
    return [a for a, b in stretches if b - a >= _LEAST and b - a - len(set(text[a:b])) > 1]


def with_jiebas_ties(
    tokens: list[str], plain: list[str], known: Callable[[str], bool]
) -> list[str]:
    """`tokens` with what the model made of repeated characters as jieba's own code makes it.

    `plain`: the same text cut by the dictionary alone; the model works on its runs of single
    characters, unless such a run is a word that is `known`.
    """
    out: list[str] = []
    rest = iter(tokens)
    for is_run, parts in groupby(plain, lambda token: _HAN.fullmatch(token) is not None):
        stretch = "".join(parts)
        here = _taken(rest, len(stretch))
        if is_run and len(stretch) > 1 and not known(stretch):
            here = _by_jiebas_model(stretch)
        out += here
    return out


def _taken(tokens: Iterator[str], length: int) -> list[str]:
    """The next tokens, of so many characters in all."""
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
