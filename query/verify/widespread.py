"""Widespread matches: pairs whose only evidence is a passage that many unrelated documents have.

Learned boilerplate has no say in any comparison, but no list holds every sentence that a large
index repeats. So where two texts share one stretch and little else, or so little that quotations
may be all of it, it matters in how many documents that is: as far as the candidates of a lookup
show, else as the store counts. When far more have it than are copies of either text, it proves
nothing about the pair. In scripts with spaces, where a short stretch may be a passage, neither does
one of which the rest is shorter than `long_runs.UNBROKEN`: a lead beside a notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np

from indexer.model import Fingerprint, Keys
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from mappings.contract import Field
from query.answers import Term, Verdict
from query.grams import Features, Kind
from query.passage_terms import Frequencies, all_but_few, by_field, passage_terms
from query.verify.direction import CONTAINED
from query.verify.long_runs import UNBROKEN
from query.verify.seen_texts import Seen, least_of_copies, whole_keys

_MANY: Final = 0.5
"""From this share of the passage keys on, two texts share more than one passage."""

_FEW: Final = 4
"""One key in so many may be more frequent by chance than there are copies."""

RARE: Final = 1 / 3
"""The part of the passages in common that must be in few documents, of texts that share little."""

_ONE: Final = 0.8
"""The least part of the shared long grams that one stretch must hold to be the only one."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """Two texts that share little. `shared`: their common passage keys and sentences; `spared`: a
    smaller part of these may be in few documents (see `all_but_few`).
    """

    texts: tuple[Fingerprint, Fingerprint]
    shared: tuple[Term, ...]
    spared: float = 0.0

    @classmethod
    def of(cls, asked: Fingerprint, stored: Fingerprint, shared: Keys) -> Suspect | None:
        """Of two fingerprints; `shared` is `asked.shared_with(stored)`. None for texts that share
        much, or nothing that can be counted, as under a plan without keys of whole texts.
        """
        (name, own), (other, theirs) = whole_keys(asked), whole_keys(stored)
        long = min(len(text.keys.get(Field.PASSAGE_KEYS, ())) for text in (asked, stored))
        if len(shared.get(Field.PASSAGE_KEYS, ())) >= _MANY * max(1, long):
            return None
        common = len({*own}.intersection(theirs)) if name is other else 0
        if common >= least_of_copies(len(own), len(theirs)):
            return None
        passages = tuple(passage_terms(shared))
        return cls((asked, stored), passages) if passages and own and theirs else None

    @property
    def whole(self) -> tuple[tuple[Term, ...], ...]:
        """For each text its keys as a whole text."""
        each = map(whole_keys, self.texts)
        return tuple(tuple([(name, term) for term in keys]) for name, keys in each)

    def is_shown(self, seen: Seen, unrelated: int) -> bool:
        """Whether `unrelated` documents or more of those that were seen have all that is shared, or
        enough of it, and are relatives of neither text. False says nothing: others may have it.
        """
        having = [seen.holders.get(term) for term in self.shared]
        known = [texts for texts in having if texts is not None]
        if len(known) < len(having):
            return False  # boilerplate is not asked for
        if not self._are_in(map(int.bit_count, known), unrelated):
            return False
        left, right = (seen.relatives(text, self.shared) for text in self.texts)
        others = ~(left | right)
        return self._are_in(((texts & others).bit_count() for texts in known), unrelated)

    def is_widespread(self, documents: Mapping[Term, int], unrelated: int) -> bool:
        """Whether `unrelated` documents or more have all that is shared and are no copies, or all
        but a rest that is too little. Versions of a text have few of its keys as a whole, so that
        one of the more frequent keys tells how many copies there are.
        """
        copies = sum(
            sorted(documents[term] for term in terms)[-max(1, len(terms) // _FEW)]
            for terms in self.whole
        )
        return self.may_be(documents, unrelated + copies)

    def may_be(self, documents: Mapping[Term, int], unrelated: int) -> bool:
        """The same if neither text had a copy, for which `shared` is counted alone."""
        return self._are_in((documents[term] for term in self.shared), unrelated)

    def _are_in(self, documents: Iterable[int], least: int) -> bool:
        """Whether enough of what is shared is in so many documents, which are told for each."""
        few = sum(count < least for count in documents)
        return all_but_few(few, len(self.shared), self.spared)


def may_be_widespread(verdict: Verdict | None, shares: tuple[float, float]) -> bool:
    """Whether a match can be widespread: only a partial copy can. Near duplicates share more than a
    passage, and a text all of which stands in another stands there however many documents have it.
    """
    return verdict is Verdict.PARTIAL and max(shares) < CONTAINED


def suspect(
    fingerprints: tuple[Fingerprint, Fingerprint],
    shared: Keys,
    texts: tuple[Features, Features],
    *,
    little: bool,
) -> Suspect | None:
    """The pair, when all that the texts share is one stretch, or `little` as `PairJudge` calls it.
    `shared`: keys of both.
    """
    pair = Suspect.of(*fingerprints, shared)
    if pair is None or not (little or is_one_stretch(*texts)):
        return None
    if not all(text.spaced for text in texts):
        return replace(pair, spared=RARE) if little else pair
    width = texts[0].batch.width(Kind.LONG, spaced=True)
    words = texts[0].common(texts[1], Kind.LONG, spaced=True) + width - 1
    return replace(pair, spared=min(1.0, UNBROKEN / words))


def is_one_stretch(asked: Features, stored: Features) -> bool:
    """Whether all that two texts share is one unbroken stretch of either, such as a quotation or a
    notice; what edits leave of a copy is in many pieces. Boilerplate does not break a stretch.
    """
    spaced = asked.spaced and stored.spaced
    pairs = (asked, stored), (stored, asked)
    return any(_is_one_stretch_of(text, other, spaced) for text, other in pairs)


def _is_one_stretch_of(text: Features, other: Features, spaced: bool) -> bool:
    places = text.positions_of(other.grams(Kind.LONG, spaced), Kind.LONG, spaced)
    return len(places) > 0 and holds_most(text.batch.of_row(Kind.LONG, spaced, text.row), places)


def holds_most(grams: Hashes, places: Positions) -> bool:
    """Whether one unbroken stretch of ascending places holds most of the different grams there."""
    if places[-1] - places[0] < len(places):
        return True
    found = grams[places]
    least = _ONE * len(np.unique(found))
    stretches = np.split(found, np.flatnonzero(np.diff(places) > 1) + 1)
    # different ones: a notice may stand in a text twice
    return any(len(each) >= least and len(np.unique(each)) >= least for each in stretches)


def which_are_widespread(
    suspects: Sequence[Suspect | None], frequencies: Frequencies, unrelated: int
) -> list[bool]:
    """For each suspect, whether it is widespread; one request counts the terms of all, and one more
    the keys of whole texts, which are ten times as many, where what is shared leaves it open.
    """
    counted = _counted([pair.shared for pair in suspects if pair], frequencies)
    left = [pair if pair and pair.may_be(counted, unrelated) else None for pair in suspects]
    counted |= _counted([terms for pair in left if pair for terms in pair.whole], frequencies)
    return [pair is not None and pair.is_widespread(counted, unrelated) for pair in left]


def _counted(terms: Iterable[Iterable[Term]], frequencies: Frequencies) -> dict[Term, int]:
    wanted = by_field(chain.from_iterable(terms))
    return dict(frequencies(wanted)) if wanted else {}
