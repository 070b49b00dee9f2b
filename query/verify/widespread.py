"""Widespread matches: pairs whose only evidence is a passage that many unrelated documents have.

Learned boilerplate has no say in any comparison, but no list holds every sentence that a large
index repeats. So where two texts share one stretch and little else, or so little that quotations
may be all of it, it matters in how many documents that is: as far as the candidates of a lookup
show, else as the store counts. When far more have it than are copies of either text, it proves
nothing about the pair. In scripts with spaces, where a short stretch may be a passage, neither does
one of which the rest is shorter than `long_runs.UNBROKEN`: a lead beside a notice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil
from typing import Final

import numpy as np

from indexer.cached import cached_property
from indexer.model import Fingerprint, Keys
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from mappings.contract import Field
from query.answers import Term, Verdict
from query.grams import Features, Kind
from query.passage_terms import FIELDS, Frequencies, all_but_few, by_field, passage_terms
from query.verify.direction import CONTAINED
from query.verify.long_runs import UNBROKEN

_WHOLE_FIELDS: Final = (Field.SYLLABLE_KEYS, Field.MINHASH_KEYS)
"""Keys of a whole text: copies share many, texts that share one passage hardly any."""

_MANY: Final = 0.5
"""From this share of the passage keys on, two texts share more than one passage."""

_SEVERAL: Final = 0.25
"""From this share of the keys of whole texts on, two texts share more than one passage."""

_ANOTHER: Final = 3
"""So many other passage keys and sentences in common are another passage: a sentence of some length
has them."""

_MOST: Final = 0.5
"""The part of the other passages of a text that its versions have together, at least."""

_FEW: Final = 4
"""One key in so many may be more frequent by chance than there are copies."""

RARE: Final = 1 / 3
"""The part of the passages in common that must be in few documents, of texts that share little."""

_ONE: Final = 0.8
"""The least part of the shared long grams that one stretch must hold to be the only one."""

_Whole = tuple[Field, tuple[str, ...]]
"""The keys of a whole text, and their field."""


class Seen:
    """Stored texts that a lookup has before it, each a bit of a set of texts; those without keys of
    whole texts are left out, as nobody can tell what they are copies of.
    """

    def __init__(
        self, asked: Mapping[Field, frozenset[str]], stored: Iterable[Fingerprint]
    ) -> None:
        """`holders`: for each passage and sentence that was asked for, which of them have it."""
        self._texts = [text for text in stored if any(map(text.keys.get, _WHOLE_FIELDS))]
        self._copies: dict[_Whole, int] = {}
        self._kept: dict[tuple[Term, ...], tuple[Fingerprint, int]] = {}
        self.holders: dict[Term, int] = {}
        for name in FIELDS:
            own = asked.get(name, frozenset())
            having = dict.fromkeys(own, 0)
            for number, text in enumerate(self._texts):
                for term in own.intersection(text.keys.get(name, ())):
                    having[term] |= 1 << number
            self.holders |= {(name, term): texts for term, texts in having.items()}

    @cached_property
    def _by_key(self) -> dict[Field, dict[str, int]]:
        """Which texts have a passage, a sentence, or a key as whole texts."""
        out: dict[Field, dict[str, int]] = {name: {} for name in (*FIELDS, *_WHOLE_FIELDS)}
        for number, text in enumerate(self._texts):
            for name in (*FIELDS, _whole_keys(text)[0]):
                having = out[name]
                for term in text.keys.get(name, ()):
                    having[term] = having.get(term, 0) | 1 << number
        return out

    @cached_property
    def _by_size(self) -> dict[int, int]:
        """Which texts have so many keys as whole texts."""
        out: dict[int, int] = {}
        for number, text in enumerate(self._texts):
            size = len(_whole_keys(text)[1])
            out[size] = out.get(size, 0) | 1 << number
        return out

    def relatives(self, text: Fingerprint, shared: tuple[Term, ...]) -> int:
        """Which of them share more with a text than these passages and sentences: copies of it, and
        versions of it that have other parts, which together are most of it; what others have is
        a notice. Kept for the first text that is asked for, which many may share a notice with.
        """
        kept = self._kept.get(shared)
        if kept is not None and kept[0] is text:
            return kept[1]
        whole = _whole_keys(text)
        if whole not in self._copies:
            self._copies[whole] = self._copies_of(*whole)
        others = {*passage_terms(text.keys)}.difference(shared)
        found = self._copies[whole] | self._versions_with(others)
        self._kept.setdefault(shared, (text, found))
        return found

    def _copies_of(self, name: Field, keys: Sequence[str]) -> int:
        having = self._having((name, term) for term in {*keys})
        least = {size: _least_of_copies(len(keys), size) for size in self._by_size}
        most = min(len(having), max(least.values(), default=0))
        shared_by, found = _at_least(having, most), 0
        for size, texts in self._by_size.items():
            found |= texts & shared_by[least[size]] if least[size] <= most else 0
        return found

    def _versions_with(self, passages: Collection[Term]) -> int:
        having = self._having(passages)
        found = _at_least(having, _ANOTHER)[_ANOTHER]
        held = sum(texts & found != 0 for texts in having)
        return found if held >= _MOST * len(passages) else 0

    def _having(self, terms: Iterable[Term]) -> list[int]:
        """For each of the terms that are in any of the texts in which."""
        by_key = self._by_key
        return [texts for name, term in terms if (texts := by_key[name].get(term))]


def _at_least(sets: Iterable[int], most: int) -> list[int]:
    """What is in none or more of some sets, in one or more, ..., up to `most`."""
    out = [-1, *[0] * most]
    for each in sets:
        for count in range(most, 0, -1):
            out[count] |= out[count - 1] & each
    return out


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
        pair = cls((asked, stored), tuple(passage_terms(shared)))
        own, other = map(_whole_keys, pair.texts)
        long = min(len(text.keys.get(Field.PASSAGE_KEYS, ())) for text in (asked, stored))
        if len(shared.get(Field.PASSAGE_KEYS, ())) >= _MANY * max(1, long):
            return None
        common = len({*own[1]}.intersection(other[1])) if own[0] is other[0] else 0
        if common >= _least_of_copies(len(own[1]), len(other[1])):
            return None
        return pair if pair.shared and own[1] and other[1] else None

    @property
    def whole(self) -> tuple[tuple[Term, ...], ...]:
        """For each text its keys as a whole text."""
        return tuple(map(_whole, self.texts))

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


def _least_of_copies(*sizes: int) -> int:
    """How many keys two texts with so many keys as whole texts have in common, at least, if they
    share more than one passage."""
    return ceil(_SEVERAL * max(1, *sizes))


def _whole(text: Fingerprint) -> tuple[Term, ...]:
    """The keys of a whole text."""
    name, keys = _whole_keys(text)
    return tuple([(name, term) for term in keys])


def _whole_keys(text: Fingerprint) -> _Whole:
    """The same, by the first such scheme of the plan."""
    for name in _WHOLE_FIELDS:
        if keys := text.keys.get(name):
            return name, tuple(keys)
    return _WHOLE_FIELDS[0], ()
