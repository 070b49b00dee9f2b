"""Where words begin and end in a batch of texts: what the segmenter alone would tell text by text.

The strings of tokens are needed by hardly anybody, and looking at each of them again takes longer
than cutting them. So what rjieba does in its own way is looked for in all texts together, and only
texts, or tokens, that have it are corrected (see `indexer.text.segment`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, Ragged, bounds_of
from indexer.text.repeats import rows_with_repeats
from indexer.text.segment import ASCII_PART, Accelerated, Segmenter
from indexer.text.table import Codes

_FIRST_HAN, _LAST_HAN = np.uint32(0x4E00), np.uint32(0x9FD5)
_FIRST_RARE: Final = np.uint32(0x3400)

_ALONE, _ALNUM, _MARK = 0, 1, 2
_CLASSES: Final = np.full(0x80, _ALONE, np.uint8)
_CLASSES[[code for code in range(0x80) if chr(code).isalnum()]] = _ALNUM
_CLASSES[list(map(ord, "+#&._%-"))] = _MARK


def word_edges(rows: Ragged[np.uint32], text: str, cut: Segmenter) -> tuple[Positions, Positions]:
    """The edges of the tokens of all texts, one after the other, and the bounds of each text among
    its tokens. `text`: all of them as one string.
    """
    fast, again = cut, frozenset[int]()
    if isinstance(cut, Accelerated):
        fast, again = cut.cut, _corrected_rows(rows)
    tokens: list[str] = []
    counts = []
    for row, (start, stop) in enumerate(pairwise(rows.bounds.tolist())):
        found = (cut if row in again else fast)(text[start:stop])
        counts.append(len(found))
        tokens += found
    edges, bounds = edges_of(tokens), bounds_of(counts)
    if isinstance(cut, Accelerated):
        return _parted(tokens, edges, bounds, rows.values, cut)
    return edges, bounds


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


def _parted(
    tokens: list[str], edges: Positions, bounds: Positions, codes: Codes, cut: Accelerated
) -> tuple[Positions, Positions]:
    """The tokens with runs like "node.js" that are not words cut into their parts."""
    found = _connected(tokens, codes) if compiled is None else compiled.connected(codes, edges)
    parts = {at: cut.parts_of(tokens[at]) for at in found}
    several = {at: list(map(len, each)) for at, each in parts.items() if len(each) > 1}
    if not several:
        return edges, bounds
    counts = np.ones(len(tokens), np.int64)
    counts[list(several)] = list(map(len, several.values()))
    begins = bounds_of(counts)
    out = np.repeat(edges[1:] - edges[:-1], counts)
    for at, sizes in several.items():
        out[begins[at] : begins[at + 1]] = sizes
    return bounds_of(out), begins[bounds]


def _connected(tokens: list[str], codes: Codes) -> list[int]:
    """The tokens of ASCII in which one of the marks +#&._%- stands beside a letter or digit, other
    than those like 3.5% or v2.0, which stay one."""
    ascii_places = (codes < 0x80).nonzero()[0]
    kinds = _CLASSES.take(codes.take(ascii_places))
    pairs = (kinds[1:] * kinds[:-1] == _MARK) & (ascii_places[1:] - ascii_places[:-1] == 1)
    first = ascii_places[:-1][pairs]
    edges = edges_of(tokens)
    token = edges.searchsorted(first, "right")
    inside = edges.take(token) > first + 1
    found: list[int] = np.unique(token[inside] - 1).tolist()
    return [at for at in found if tokens[at].isascii() and ASCII_PART.fullmatch(tokens[at]) is None]
