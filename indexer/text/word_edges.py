"""Where words begin and end in a batch of texts: what the segmenter alone would tell text by text.

The strings of tokens are needed by hardly anybody. Rare characters and ties, which rjieba cuts in
its own way, are looked for in all texts together, and only texts that have them are corrected (see
`indexer.text.segment`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, Ragged, bounds_of
from indexer.text.repeats import rows_with_repeats
from indexer.text.segment import Accelerated, Segmenter
from indexer.text.table import Codes

_FIRST_HAN, _LAST_HAN = np.uint32(0x4E00), np.uint32(0x9FD5)
_FIRST_RARE: Final = np.uint32(0x3400)
_HELD: Final = 50_000
"""Tokens, of several texts, that are held at once: each takes ten times as much as its edge."""


def word_edges(rows: Ragged[np.uint32], text: str, cut: Segmenter) -> tuple[Positions, Positions]:
    """The edges of the tokens of all texts, one after the other, and the bounds of each text among
    its tokens. `text`: all of them as one string.
    """
    common, again = cut, frozenset[int]()
    if isinstance(cut, Accelerated):
        common, again = cut.common, _corrected_rows(rows)
    parts: list[Positions] = []
    tokens: list[str] = []
    counts = []
    for row, (start, stop) in enumerate(pairwise(rows.bounds.tolist())):
        found = (cut if row in again else common)(text[start:stop])
        counts.append(len(found))
        tokens += found
        if len(tokens) > _HELD:
            parts.append(edges_of(tokens))
            tokens = []
    edges = edges_of(tokens)
    if parts:
        edges = bounds_of(np.concatenate([np.diff(part) for part in (*parts, edges)]))
    return edges, bounds_of(counts)


def edges_of(tokens: list[str]) -> Positions:
    """The edges of tokens that stand one after the other."""
    if compiled is None:
        return bounds_of(list(map(len, tokens)))
    edges = np.empty(len(tokens) + 1, np.int64)
    compiled.token_edges(tokens, edges)
    return edges


def _corrected_rows(rows: Ragged[np.uint32]) -> frozenset[int]:
    """The texts that have rare characters, or stretches of repeated ones."""
    places = _rare(rows.values) if compiled is None else compiled.rare(rows.values)
    found = rows_with_repeats(rows)
    if not places:
        return found
    with_rare = rows.bounds.searchsorted(np.array(places), "right") - 1
    return found.union(with_rare.tolist())


def _rare(codes: Codes) -> list[int]:
    """The places of rare characters."""
    other = ((codes - _FIRST_HAN > _LAST_HAN - _FIRST_HAN) & (codes >= _FIRST_RARE)).nonzero()[0]
    found = codes.take(other)
    rare = (found <= 0x4DBF) | ((found >= 0x9FD6) & (found <= 0x9FFF))
    rare |= ((found >= 0xF900) & (found <= 0xFAFF)) | ((found >= 0x20000) & (found <= 0x3FFFF))
    places: list[int] = other[rare].tolist()
    return places
