"""Widespread matches: pairs whose only evidence is a passage that many unrelated documents have.

Learned boilerplate has no say in any comparison, but no list holds every sentence that a large
index repeats. So where two texts share one stretch and little else, the store is asked for the
document frequency of that stretch. When far more documents have it than are copies of either text,
it proves nothing about the pair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from indexer.model import Fingerprint, Keys
from mappings.contract import Field
from query.answers import Term, Verdict
from query.grams import Features, Kind
from query.verify.verdict import CONTAINED

_PASSAGE_FIELDS: Final = (Field.PASSAGE_KEYS, Field.SENTENCES)
_WHOLE_FIELDS: Final = (Field.SYLLABLE_KEYS, Field.MINHASH_KEYS)
"""Keys that copies of a text have in common, and texts that share a passage hardly ever."""

_MANY: Final = 0.5
"""From this share of the passage keys on, a copy is no matter of one passage."""

_SEVERAL: Final = 0.25
"""From this share of the keys of texts as a whole on, they have more than a passage in common."""

_ONE: Final = 0.8
"""The part of the common long grams that stands in one stretch, when there is but one."""

Frequencies = Callable[[Keys], Mapping[Term, int]]


@dataclass(frozen=True, slots=True)
class Suspect:
    """Two texts that have little in common: `shared` are passage keys and sentences of both,
    `whole` the keys of each text as a whole, at least one.
    """

    shared: tuple[Term, ...]
    whole: tuple[tuple[Term, ...], tuple[Term, ...]]

    @classmethod
    def of(cls, asked: Fingerprint, stored: Fingerprint) -> Suspect | None:
        """None for texts that have much in common, or nothing that can be counted, as in an index
        whose plan has no keys of whole texts.
        """
        shared, whole = asked.shared_with(stored), (_whole(asked), _whole(stored))
        long = min(len(text.keys.get(Field.PASSAGE_KEYS, ())) for text in (asked, stored))
        if len(shared.get(Field.PASSAGE_KEYS, ())) >= _MANY * max(1, long):
            return None
        if len({*whole[0]}.intersection(whole[1])) >= _SEVERAL * max(1, *map(len, whole)):
            return None
        passages = tuple(_terms(shared, _PASSAGE_FIELDS))
        return cls(passages, whole) if passages and all(whole) else None

    def is_widespread(self, documents: Mapping[Term, int], unrelated: int) -> bool:
        """Whether so many documents have all that is shared, and are copies of neither text."""
        copies = sum(median(documents[term] for term in terms) for terms in self.whole)
        return min(documents[term] for term in self.shared) - copies >= unrelated


def may_be_widespread(verdict: Verdict | None, shares: tuple[float, float]) -> bool:
    """Whether a verdict is one to suspect. What is near has more in common than passages, and a
    text that stands whole in another is in it however many others have it.
    """
    return verdict is Verdict.PARTIAL and max(shares) < CONTAINED


def suspect(
    fingerprints: tuple[Fingerprint, Fingerprint], texts: tuple[Features, Features]
) -> Suspect | None:
    """Two texts, if one stretch is all that they have in common."""
    pair = Suspect.of(*fingerprints)
    return pair if pair and is_one_stretch(*texts) else None


def is_one_stretch(asked: Features, stored: Features) -> bool:
    """Whether what two texts have in common is one unbroken stretch of either: a quotation, a
    notice. What edits leave of a copy is in many pieces. Boilerplate breaks nothing.
    """
    spaced = asked.spaced and stored.spaced
    pairs = (asked, stored), (stored, asked)
    return any(_is_one_stretch_of(text, other, spaced) for text, other in pairs)


def _is_one_stretch_of(text: Features, other: Features, spaced: bool) -> bool:
    shared = text.which_are(other.grams(Kind.LONG, spaced), Kind.LONG, spaced)
    places = np.flatnonzero(shared)
    if not len(places):
        return False
    grams = text.batch.rows(Kind.LONG, spaced)[text.row]
    stretches = np.split(grams[places], np.flatnonzero(np.diff(places) > 1) + 1)
    # distinct ones: a notice may stand in a text twice
    most = max(len(np.unique(stretch)) for stretch in stretches)
    return most >= _ONE * len(np.unique(grams[places]))


def which_are_widespread(
    suspects: Sequence[Suspect | None], frequencies: Frequencies, unrelated: int
) -> list[bool]:
    """Of each suspect whether it rests on widespread passages only; all are counted together."""
    wanted: dict[Field, dict[str, None]] = {}
    for suspect in filter(None, suspects):
        for name, term in (*suspect.shared, *suspect.whole[0], *suspect.whole[1]):
            wanted.setdefault(name, {})[term] = None
    if not wanted:
        return [False] * len(suspects)
    counted = frequencies({name: tuple(terms) for name, terms in wanted.items()})
    return [pair is not None and pair.is_widespread(counted, unrelated) for pair in suspects]


def _whole(text: Fingerprint) -> tuple[Term, ...]:
    """By the first scheme that the plan has."""
    stored = [name for name in _WHOLE_FIELDS if text.keys.get(name)]
    return tuple(_terms(text.keys, stored[:1]))


def _terms(keys: Keys, names: Sequence[Field]) -> list[Term]:
    return [(name, term) for name in names for term in keys.get(name, ())]
