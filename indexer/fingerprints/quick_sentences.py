"""The longest sentences of texts that are joined with each other only: chosen, then prepared.

Keys that are stored are made of prepared texts, in a dozen passes over all letters, most of which
are in sentences that nobody keeps. Here the sentences are chosen by their length as written, and
only those are folded, by the same table; so the keys are others than stored ones, at a quarter of
the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import mmh3
import numpy as np

from indexer.fingerprints.key_rows import KEY_BITS, KeyRows, Sketched
from indexer.text.hashing import Hashes, mix
from indexer.text.ragged import Positions, bounds_of
from indexer.text.table import LIMIT, OTHER, load
from mappings.contract import Field
from mappings.plan import Plan

_END: Final = "。"
_ENDS: Final = ("！", "？", "!", "?", "\n")
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_LOW: Final = np.uint64((1 << KEY_BITS) - 1)


def quick_rows(texts: Sequence[str], plan: Plan) -> KeyRows:
    """What texts are joined by when that is sentences, and no text will be compared: equal strings
    make exact copies, and lengths count all characters.
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    raw = [text.encode("utf-8", "surrogatepass") for text in texts]
    hashes = [str(mmh3.hash64(each)) for each in raw]
    simhashes = np.zeros(len(texts), np.uint64)
    keys = {Field.SENTENCES: sentence_numbers(texts, plan)}
    return KeyRows(
        hashes, lengths, simhashes, keys, Sketched.empty(len(texts), False), list(map(len, raw))
    )


def sentence_numbers(texts: Sequence[str], plan: Plan) -> tuple[Hashes, Positions]:
    """A number for each of the longest sentences, and the row of each."""
    keep = plan.sentences.keep
    chosen = [_longest(text, keep) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(sentences) for sentences in chosen])
    numbers, letters = _numbers([each for sentences in chosen for each in sentences], plan)
    enough = letters >= plan.sentences.minimum
    return numbers[enough], rows[enough]


def _longest(text: str, keep: int) -> list[str]:
    for mark in _ENDS if _END in text else (*_ENDS, ". "):
        text = text.replace(mark, _END)
    sentences = text.split(_END)
    sentences.sort(key=len, reverse=True)
    return sentences[:keep]


def _numbers(sentences: Sequence[str], plan: Plan) -> tuple[Hashes, Positions]:
    """A hash of the letters and digits of each sentence, folded, and how many there are."""
    table = load(plan.table, plan.steps)
    bounds = bounds_of([len(sentence) for sentence in sentences])
    raw = np.frombuffer("".join(sentences).encode("utf-32-le", "surrogatepass"), np.uint32)
    folded = table.first.take(raw, mode="clip")
    # what expands or joins another character counts for nothing, in every text alike
    kept = (folded < LIMIT) & (table.kind.take(folded, mode="clip") != OTHER)
    places = kept.nonzero()[0]
    inside = places.searchsorted(bounds)
    letters = inside[1:] - inside[:-1]
    offsets = np.arange(len(places)) - np.repeat(inside[:-1], letters)
    sums = np.zeros(len(places) + 1, np.uint64)
    np.cumsum(mix(folded[places] + offsets.astype(np.uint64) * _STEP), out=sums[1:])
    return mix(sums[inside[1:]] - sums[inside[:-1]]) & _LOW, letters
