"""Sentences that many unrelated documents share: disclaimers, headers, fixed parts of templates.

They are learned from an index (`dupdex learn`), stored in its `_meta`, and ignored when two texts
are compared. Frequency alone is not enough: a text that was copied a hundred times makes all its
sentences frequent. So only documents with little else in common are counted. A notice longer than
the texts it is attached to cannot be told apart from an article published under many headlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from indexer.cached import cached_property
from indexer.fingerprints.sentences import edges_of, hashes_between, hashes_of, spans
from indexer.model import Fingerprint
from indexer.text import Prepared, prepare_all
from indexer.text.hashing import KEY_CHARACTERS, Hashes, spell, unspell
from mappings.contract import Field
from mappings.plan import Plan

MOST: Final = 2_000
"""The number of sentences to store, most frequent first: an index `_meta` should stay small."""

RELATED: Final = 0.25
"""The share of common keys from which two documents count as related."""

_EXAMPLE: Final = 80
_KEY_BITS: Final = np.uint64((1 << 6 * KEY_CHARACTERS) - 1)
_COMPARED: Final = (Field.MINHASH_KEYS, Field.SYLLABLE_KEYS, Field.PASSAGE_KEYS)

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Boilerplate:
    """`sentences`: for each key the number of unrelated documents with that sentence (counting
    stops at the plan's limit). `documents` were sampled, when the index had `total`.
    """

    sentences: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    total: int = 0

    @cached_property
    def values(self) -> Hashes:
        """The bits that the keys spell, ascending."""
        values = unspell([key for key in self.sentences if len(key) == KEY_CHARACTERS])
        values.sort()
        return values

    def to_json(self) -> dict[str, Any]:
        return {
            "documents": self.documents,
            "total": self.total,
            "sentences": dict(self.sentences),
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """What an index stored; empty when that is absent or malformed."""
        if not isinstance(value, Mapping) or not isinstance(value.get("sentences"), Mapping):
            return cls()
        sentences = {
            str(key): count for key, count in value["sentences"].items() if type(count) is int
        }
        documents = value.get("documents")
        documents = documents if type(documents) is int else 0
        total = value.get("total")  # earlier versions did not store it
        return cls(sentences, documents, total if type(total) is int else documents)


NOTHING: Final = Boilerplate()


@dataclass(frozen=True, slots=True)
class Learned:
    """Boilerplate, and by key the beginning of an occurrence of each sentence."""

    boilerplate: Boilerplate
    examples: Mapping[str, str]


def sentence_keys(prepared: Prepared, plan: Plan) -> list[list[tuple[int, int, str]]]:
    """For each text its sentences as [start, stop) in the folded codes, with their keys."""
    rows = spans(prepared, plan.sentences)
    codes = prepared.folded.values
    texts = [codes[start:stop].tobytes() for row in rows for start, stop in row]
    values = hashes_of(texts, plan.sentences)
    keys = iter(spell(values))
    return [[(start, stop, next(keys)) for start, stop in row] for row in rows]


def mask_of(prepared: Prepared, plan: Plan, boilerplate: Boilerplate) -> Mask | None:
    """True for each folded code that is part of boilerplate; None when none is."""
    if not len(boilerplate.values):
        return None
    edges, known = edges_of(prepared), boilerplate.values
    long = np.diff(edges) >= plan.sentences.minimum
    values = hashes_between(prepared.folded.values, edges, plan.sentences) & _KEY_BITS
    found = known[np.minimum(known.searchsorted(values), len(known) - 1)] == values
    told = (found & long).nonzero()[0]
    if not len(told):
        return None
    mask = np.zeros(len(prepared.folded.values), np.bool_)
    for at in told.tolist():
        mask[edges[at] : edges[at + 1]] = True
    return mask


@dataclass(slots=True)
class Learner:
    """Counts, for each sentence, documents that are unrelated to each other.

    Memory grows with the number of sentences, so add a sample of an index only.
    """

    plan: Plan
    examples: dict[str, str] = field(default_factory=dict)
    _first: dict[str, int] = field(default_factory=dict)
    _unrelated: dict[str, list[int]] = field(default_factory=dict)
    _keys: list[frozenset[str]] = field(default_factory=list)

    def add(self, texts: Sequence[str], fingerprints: Iterable[Fingerprint | None]) -> None:
        """Count documents, given by text and fingerprint; skip those without a fingerprint."""
        prepared = prepare_all(texts, self.plan)
        rows = sentence_keys(prepared, self.plan)
        starts = prepared.original.bounds.tolist()
        for row, (sentences, fingerprint) in enumerate(zip(rows, fingerprints, strict=True)):
            if fingerprint is None:
                continue
            number = len(self._keys)
            self._keys.append(
                frozenset(term for name in _COMPARED for term in fingerprint.keys.get(name, ()))
            )
            for start, stop, key in sentences:
                if self._becomes_boilerplate(key, number):
                    low, high = prepared.folded_span(start, stop)
                    text = texts[row][low - starts[row] : high - starts[row]]
                    self.examples[key] = " ".join(text.split())[:_EXAMPLE]

    def learned(self, total: int = 0) -> Learned:
        """The sentences found in enough unrelated documents; `total` is the number of documents in
        the index from which the sample was taken."""
        counts = {key: len(numbers) for key, numbers in self._unrelated.items() if self._done(key)}
        keys = sorted(counts, key=lambda key: (-counts[key], key))[:MOST]
        examples = {key: self.examples[key] for key in keys}
        documents = len(self._keys)
        sentences = {key: counts[key] for key in keys}
        return Learned(Boilerplate(sentences, documents, max(total, documents)), examples)

    def _becomes_boilerplate(self, key: str, number: int) -> bool:
        """Count a sentence of a document; True when this makes it boilerplate."""
        first = self._first.setdefault(key, number)
        if first == number:
            return False
        numbers = self._unrelated.setdefault(key, [first])
        if self._done(key) or any(self._related(number, other) for other in numbers):
            return False
        numbers.append(number)
        return self._done(key)

    def _done(self, key: str) -> bool:
        return len(self._unrelated[key]) >= self.plan.thresholds.unrelated

    def _related(self, number: int, other: int) -> bool:
        """Whether two documents share a good part of their keys. A document is related to itself,
        and, if it has no keys to compare, to every other, so that nothing is learned from it."""
        keys, other_keys = self._keys[number], self._keys[other]
        return number == other or len(keys & other_keys) >= RELATED * min(
            len(keys), len(other_keys)
        )
