"""The n longest sentences, hashed ("Baidu" single longest; nshash with n = 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import mmh3
import numpy as np

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, spell
from indexer.text.kernels import compiled
from indexer.text.preparation import Prepared
from indexer.text.ragged import Positions
from indexer.text.table import OTHER, Codes
from mappings.plan import SentencePlan

_FULL, _EXCLAMATION, _QUESTION, _LINE, _STOP = (ord(c) for c in "。!?\n.")
_CLEAR = np.array([_FULL, _EXCLAMATION, _QUESTION, _LINE], np.uint32)
_CLOSING = np.array([*map(ord, "\"'”’」』》)]")], np.uint32)
_AFTER = np.append(_CLOSING, [np.uint32(ord(" ")), np.uint32(_LINE)])

Spans = list[list[tuple[int, int]]]


class Sentences:
    """The longest sentences of a text; any one of them may identify it."""

    def __init__(self, plan: SentencePlan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[list[int]]:
        return key_values(streams.prepared, self._plan)

    def terms(self, values: Sequence[Sequence[int]]) -> list[Terms]:
        texts = iter(spell(np.array([value for row in values for value in row], np.uint64)))
        return [tuple(islice(texts, len(row))) for row in values]

    def similarity(self, left: Sequence[int], right: Sequence[int]) -> float:
        """The share of the shorter list that the other one contains; a threshold on it says how
        many sentences two texts must have in common."""
        return len({*left} & {*right}) / max(1, min(len(left), len(right)))


class LongestSentence(Sentences):
    """The single longest sentence ("Baidu"): one edit in it hides the copy.

    Only compares; a plan with `sentences.keep` of 1 stores it.
    """

    def __init__(self, plan: SentencePlan) -> None:
        super().__init__(replace(plan, keep=1))

    def terms(self, values: Sequence[Sequence[int]]) -> list[Terms]:
        return [()] * len(values)


def spans(prepared: Prepared, plan: SentencePlan) -> Spans:
    """For each text its sentences as [start, stop) in the folded codes, longest first.

    A sentence ends at 。！？ or a line feed, or at a full stop that is not between two letters or
    digits. Sentences of fewer than `minimum` letters and digits are left out. Of sentences of
    equal length, the earlier one comes first.
    """
    if compiled is not None:
        rows = prepared.rows
        return compiled.sentences(rows.values, prepared.kinds, rows.bounds, plan.minimum)
    bounds, edges = prepared.folded.bounds, edges_of(prepared)
    lengths = edges[1:] - edges[:-1]
    long = (lengths >= plan.minimum).nonzero()[0]
    rows = np.searchsorted(bounds, edges[long], "right") - 1
    order = long[np.lexsort((long, -lengths[long], rows))]
    counts = np.bincount(rows, minlength=len(prepared))
    out: Spans = []
    done = 0
    for count in counts.tolist():
        chosen = order[done : done + count]
        out.append(list(zip(edges[chosen].tolist(), edges[chosen + 1].tolist(), strict=True)))
        done += count
    return out


def edges_of(prepared: Prepared) -> Positions:
    """Where sentences begin and end in the folded codes, ascending; repeats are empty sentences,
    of which the compiled loop may have more."""
    if compiled is not None:
        rows = prepared.rows
        out = np.empty(len(rows.values) + len(rows.bounds), np.int64)
        return out[: compiled.sentence_edges(rows.values, prepared.kinds, rows.bounds, out)]
    edges = np.concatenate((prepared.folded.bounds, ends(prepared)))
    edges.sort()
    return edges


def key_values(prepared: Prepared, plan: SentencePlan) -> list[list[int]]:
    """For each text a hash of each of its `keep` longest distinct sentences.

    The low 36 bits make a key; for MD5 (of UTF-8) these are the last nine hexadecimal digits.
    """
    codes = prepared.folded.values
    out = []
    for row in spans(prepared, plan):
        values: dict[int, None] = {}
        for start, stop in row:
            text = codes[start:stop].tobytes()
            values[hash_of(text, plan)] = None
            if len(values) == plan.keep:
                break
        out.append(list(values))
    return out


def hashes_of(texts: Sequence[bytes], plan: SentencePlan) -> Hashes:
    """The hash of each of many sentences, in half of the time."""
    if plan.hash == "md5":
        return np.array([hash_of(text, plan) for text in texts], np.uint64)
    make, seed = mmh3.hash64, plan.seed
    return np.array([make(text, seed, True, True)[0] for text in texts], np.int64).view(np.uint64)


def hashes_between(codes: Codes, edges: Positions, plan: SentencePlan) -> Hashes:
    """The hash of each stretch of code points between two edges, if that is long enough for a
    sentence."""
    out = np.zeros(len(edges) - 1, np.uint64)
    if compiled is not None and plan.hash != "md5":
        compiled.byte_hashes(codes, 4 * edges, plan.seed, out)
        return out
    data, limits = codes.tobytes(), (4 * edges).tolist()
    long = (edges[1:] - edges[:-1] >= plan.minimum).nonzero()[0]
    out[long] = hashes_of([data[limits[at] : limits[at + 1]] for at in long.tolist()], plan)
    return out


def hash_of(text: bytes, plan: SentencePlan) -> int:
    """A 64-bit hash of a sentence given in UTF-32."""
    if plan.hash == "md5":
        utf8 = text.decode("utf-32-le").encode("utf-8")
        digest = hashlib.md5(utf8, usedforsecurity=False).digest()
        return int.from_bytes(digest[8:], "big")
    return mmh3.hash64(text, plan.seed, True, signed=False)[0]


def ends(prepared: Prepared) -> Positions:
    """Positions in the folded codes where a sentence ends, in order."""
    codes, kinds = prepared.codes, prepared.kinds
    end = (codes == _FULL) | (codes == _LINE) | (codes == _EXCLAMATION) | (codes == _QUESTION)
    stops = (codes == _STOP).nonzero()[0]
    if len(stops):
        inner = stops[(stops > 0) & (stops < len(codes) - 1)]
        inside = inner[(kinds[inner - 1] != OTHER) & (kinds[inner + 1] != OTHER)]
        end[stops] = True
        end[inside] = False  # at the edge of a text the edge itself ends the sentence
    places: Positions = prepared.places.searchsorted(end.nonzero()[0])
    return places


def clear_ends(prepared: Prepared) -> Positions:
    """Those that surely are one: a full stop counts after a letter, a digit or a closing mark and
    before a space or a closing mark, and not in an ellipsis, `*.deb`, `../bin` or `INC.|3.99`.
    """
    codes, kinds = prepared.codes, prepared.kinds
    end = np.isin(codes, _CLEAR)
    stops = np.flatnonzero(codes == _STOP)
    if len(stops):
        before, after = (
            codes[np.maximum(stops - 1, 0)],
            codes[np.minimum(stops + 1, len(codes) - 1)],
        )
        ended = (kinds[np.maximum(stops - 1, 0)] != OTHER) | np.isin(before, _CLOSING)
        end[stops[ended & np.isin(after, _AFTER)]] = True
    places: Positions = prepared.places.searchsorted(end.nonzero()[0])
    return places
