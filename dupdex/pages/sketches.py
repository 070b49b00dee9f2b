"""Sketches of texts: whether two pages of a site tell the same, without comparing them whole."""

from __future__ import annotations

import heapq
from hashlib import blake2b
from typing import Final

Sketch = frozenset[int]

_WIDTH: Final = 6
_SIZE: Final = 64
_ALIKE: Final = 0.3


def sketch_of(text: str) -> Sketch:
    """The least hashes of the runs of letters of a text."""
    letters = "".join(filter(str.isalnum, text.lower()))
    last = max(1, len(letters) - _WIDTH + 1)
    runs = {letters[at : at + _WIDTH] for at in range(last)} - {""}
    return frozenset(heapq.nsmallest(_SIZE, map(_hash, runs)))


def are_alike(one: Sketch, other: Sketch, share: float = _ALIKE) -> bool:
    """Whether two texts have so much in common that they may be copies, with edits.

    The estimate of the Jaccard coefficient is that of the least hashes of both together.
    """
    if not one or not other:
        return one == other
    least = frozenset(heapq.nsmallest(_SIZE, one | other))
    return len(least & one & other) >= share * len(least)


def _hash(run: str) -> int:
    return int.from_bytes(blake2b(run.encode("utf-8", "replace"), digest_size=8).digest())
