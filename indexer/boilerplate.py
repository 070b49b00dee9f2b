"""Sentences that many unrelated documents share: disclaimers, headers, fixed parts of templates.

They are learned from an index (`dupdex learn`), kept in its `_meta`, and have no say when two texts
are compared. How often a sentence comes is not enough: a text that is copied a hundred times makes
all its sentences frequent. So documents are counted that have little else in common. A notice that
is longer than the texts it stands under cannot be told from an article with many new headlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.sentences import hash_of, spans
from indexer.model import Fingerprint
from indexer.text import Prepared, prepare_all
from indexer.text.hashing import spell
from mappings.contract import Field
from mappings.plan import Plan

MOST: Final = 2_000
"""Sentences that are kept, the most frequent ones: an index `_meta` should stay small."""

RELATED: Final = 0.25
"""From this share of common keys on, two documents are not unrelated."""

_EXAMPLE: Final = 80
_COMPARED: Final = (Field.MINHASH_KEYS, Field.SYLLABLE_KEYS, Field.PASSAGE_KEYS)

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Boilerplate:
    """What was learned: keys of sentences, with the number of unrelated documents seen to have
    each (counting ends at the plan's limit), from how many documents, and how many the index had
    in all then.
    """

    sentences: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    total: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "documents": self.documents,
            "total": self.total,
            "sentences": dict(self.sentences),
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """What an index stored; nothing learned when it is absent or malformed."""
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
    """Boilerplate with the beginning of each sentence, as it first came, by key."""

    boilerplate: Boilerplate
    examples: Mapping[str, str]


def sentence_keys(prepared: Prepared, plan: Plan) -> list[list[tuple[int, int, str]]]:
    """Of each text, every sentence as [start, stop) in the folded codes, with its key."""
    rows = spans(prepared, plan.sentences)
    codes = prepared.folded.values
    values = [
        hash_of(codes[start:stop].tobytes(), plan.sentences) for row in rows for start, stop in row
    ]
    keys = iter(spell(np.array(values, np.uint64)))
    return [[(start, stop, next(keys)) for start, stop in row] for row in rows]


def mask_of(prepared: Prepared, plan: Plan, known: Boilerplate) -> Mask | None:
    """Which folded codes stand in boilerplate; None when none do."""
    if not known.sentences:
        return None
    mask = np.zeros(len(prepared.folded.values), np.bool_)
    for row in sentence_keys(prepared, plan):
        for start, stop, key in row:
            if key in known.sentences:
                mask[start:stop] = True
    return mask if mask.any() else None


@dataclass(slots=True)
class Learner:
    """Counts, for each sentence, documents that are unrelated to each other.

    Memory grows with the sentences of the documents that are added: show it a sample.
    """

    plan: Plan
    examples: dict[str, str] = field(default_factory=dict)
    _first: dict[str, int] = field(default_factory=dict)
    _unrelated: dict[str, list[int]] = field(default_factory=dict)
    _keys: list[frozenset[str]] = field(default_factory=list)

    def add(self, texts: Sequence[str], fingerprints: Iterable[Fingerprint | None]) -> None:
        """Documents by text and by what is stored of them; those without are passed over."""
        prepared = prepare_all(texts, self.plan)
        rows = sentence_keys(prepared, self.plan)
        starts = prepared.original.bounds.tolist()
        for row, (sentences, made) in enumerate(zip(rows, fingerprints, strict=True)):
            if made is None:
                continue
            number = len(self._keys)
            self._keys.append(
                frozenset(term for name in _COMPARED for term in made.keys.get(name, ()))
            )
            for start, stop, key in sentences:
                if self._becomes_known(key, number):
                    low, high = prepared.folded_span(start, stop)
                    text = texts[row][low - starts[row] : high - starts[row]]
                    self.examples[key] = " ".join(text.split())[:_EXAMPLE]

    def learned(self, total: int = 0) -> Learned:
        """The sentences that enough unrelated documents have; `total` documents are in the index
        that those which were added are a sample of."""
        found = {key: len(numbers) for key, numbers in self._unrelated.items() if self._done(key)}
        kept = sorted(found, key=lambda key: (-found[key], key))[:MOST]
        examples = {key: self.examples[key] for key in kept}
        seen = len(self._keys)
        sentences = {key: found[key] for key in kept}
        return Learned(Boilerplate(sentences, seen, max(total, seen)), examples)

    def _becomes_known(self, key: str, number: int) -> bool:
        """Count a sentence of a document; whether it became boilerplate by this."""
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

    def _related(self, one: int, other: int) -> bool:
        """Whether two documents share a good part of their keys. One is related to itself, and
        without keys to tell by, to every other: nothing is learned then."""
        left, right = self._keys[one], self._keys[other]
        return one == other or len(left & right) >= RELATED * min(len(left), len(right))
