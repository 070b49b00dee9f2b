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
from indexer.text.ragged import Positions, Ragged, bounds_of, ragged
from indexer.text.repeats import rows_with_repeats
from indexer.text.segment import Accelerated, Segmenter
from indexer.text.table import Codes

_FIRST_HAN, _LAST_HAN = np.uint32(0x4E00), np.uint32(0x9FD5)
_FIRST_RARE: Final = np.uint32(0x3400)

_ALONE, _ALNUM, _MARK = 0, 1, 2
_CLASSES: Final = np.full(0x80, _ALONE, np.uint8)
_CLASSES[[code for code in range(0x80) if chr(code).isalnum()]] = _ALNUM
_CLASSES[list(map(ord, "+#&._%-"))] = _MARK


def word_sizes(rows: Ragged[np.uint32], text: str, cut: Segmenter) -> Ragged[np.int64]:
    """The lengths of the tokens of each text. `text`: all of them as one string."""
    fast = cut.cut if isinstance(cut, Accelerated) else cut
    again = _corrected_rows(rows) if isinstance(cut, Accelerated) else frozenset[int]()
    bounds = rows.bounds.tolist()
    sizes = []
    for row, (start, stop) in enumerate(pairwise(bounds)):
        tokens = (cut if row in again else fast)(text[start:stop])
        sizes.append(np.fromiter(map(len, tokens), np.int64, len(tokens)))
    found: Ragged[np.int64] = ragged(sizes)
    return _parted(found, rows.values, text, cut) if isinstance(cut, Accelerated) else found


def _corrected_rows(rows: Ragged[np.uint32]) -> frozenset[int]:
    """The texts that have rare characters, or stretches of repeated ones."""
    codes = rows.values
    other = ((codes - _FIRST_HAN > _LAST_HAN - _FIRST_HAN) & (codes >= _FIRST_RARE)).nonzero()[0]
    found = codes.take(other)
    rare = (found <= 0x4DBF) | ((found >= 0x9FD6) & (found <= 0x9FFF))
    rare |= ((found >= 0xF900) & (found <= 0xFAFF)) | ((found >= 0x20000) & (found <= 0x3FFFF))
    with_rare = rows.bounds.searchsorted(other[rare], "right") - 1
    return frozenset(with_rare.tolist()) | rows_with_repeats(rows)


def _parted(sizes: Ragged[np.int64], codes: Codes, text: str, cut: Accelerated) -> Ragged[np.int64]:
    """The tokens with runs like "node.js" that are not words cut into their parts."""
    edges = bounds_of(sizes.values)
    tokens = _connected(codes, edges) if compiled is None else compiled.connected(codes, edges)
    if not tokens:
        return sizes
    starts, stops = edges.take(tokens).tolist(), edges[1:].take(tokens).tolist()
    spans = zip(tokens, starts, stops, strict=True)
    parts = {at: cut.parts_of(text[start:stop]) for at, start, stop in spans}
    several = {at: list(map(len, each)) for at, each in parts.items() if len(each) > 1}
    if not several:
        return sizes
    counts = np.ones(len(sizes.values), np.int64)
    counts[list(several)] = list(map(len, several.values()))
    begins = bounds_of(counts)
    out = np.repeat(sizes.values, counts)
    for at, each in several.items():
        out[begins[at] : begins[at + 1]] = each
    return Ragged(out, begins[sizes.bounds])


def _connected(codes: Codes, edges: Positions) -> list[int]:
    """The tokens in which one of the marks +#&._%- stands beside another one, or beside a letter or
    digit of ASCII."""
    ascii_places = (codes < 0x80).nonzero()[0]
    kinds = _CLASSES.take(codes.take(ascii_places))
    pairs = (kinds[1:] * kinds[:-1] >= _MARK) & (ascii_places[1:] - ascii_places[:-1] == 1)
    first = ascii_places[:-1][pairs]
    token = edges.searchsorted(first, "right")
    inside = edges.take(token) > first + 1
    found: list[int] = np.unique(token[inside] - 1).tolist()
    return found
