"""Texts that a lookup has before it, and which of them are relatives of a text: what these share is
no passage that many unrelated documents have. Sets of texts are numbers, a bit for each text, so
that many are counted in few steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil
from typing import Final

from indexer.cached import cached_property
from indexer.model import Fingerprint
from mappings.contract import Field
from query.answers import Term
from query.passage_terms import FIELDS, passage_terms

_WHOLE_FIELDS: Final = (Field.SYLLABLE_KEYS, Field.MINHASH_KEYS)
"""Keys of a whole text: copies share many, texts that share one passage hardly any."""

_SEVERAL: Final = 0.25
"""From this share of the keys of whole texts on, two texts share more than one passage."""

_ANOTHER: Final = 3
"""So many other passage keys and sentences in common are another passage: a sentence of some length
has them."""

_MOST: Final = 0.5
"""The part of the other passages of a text that its versions have together, at least."""

Whole = tuple[Field, tuple[str, ...]]
"""The keys of a whole text, and their field."""


def whole_keys(text: Fingerprint) -> Whole:
    """The keys of a whole text, by the first such scheme of its plan; none where it has none."""
    for name in _WHOLE_FIELDS:
        if keys := text.keys.get(name):
            return name, tuple(keys)
    return _WHOLE_FIELDS[0], ()


def least_of_copies(*sizes: int) -> int:
    """How many keys two texts with so many keys as whole texts have in common, at least, if they
    share more than one passage."""
    return ceil(_SEVERAL * max(1, *sizes))


class Seen:
    """Stored texts. Those without keys of whole texts are left out, as nobody can tell what they
    are copies of.
    """

    def __init__(
        self, asked: Mapping[Field, frozenset[str]], stored: Iterable[Fingerprint]
    ) -> None:
        """`holders`: for each passage and sentence that was asked for, which of them have it."""
        self._texts = [text for text in stored if any(map(text.keys.get, _WHOLE_FIELDS))]
        self._wholes = [whole_keys(text) for text in self._texts]
        self._copies: dict[Whole, int] = {}
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
        for number, (text, whole) in enumerate(zip(self._texts, self._wholes, strict=True)):
            for name in (*FIELDS, whole[0]):
                having = out[name]
                for term in text.keys.get(name, ()):
                    having[term] = having.get(term, 0) | 1 << number
        return out

    @cached_property
    def _by_size(self) -> dict[int, int]:
        """Which texts have so many keys as whole texts."""
        out: dict[int, int] = {}
        for number, (_, keys) in enumerate(self._wholes):
            out[len(keys)] = out.get(len(keys), 0) | 1 << number
        return out

    def relatives(self, text: Fingerprint, shared: tuple[Term, ...]) -> int:
        """Which of them share more with a text than these passages and sentences: copies of it, and
        versions of it that have other parts, which together are most of it; what others have is
        a notice. Kept for the first text that is asked for, which many may share a notice with.
        """
        kept = self._kept.get(shared)
        if kept is not None and kept[0] is text:
            return kept[1]
        whole = whole_keys(text)
        if whole not in self._copies:
            self._copies[whole] = self._copies_of(*whole)
        others = {*passage_terms(text.keys)}.difference(shared)
        found = self._copies[whole] | self._versions_with(others)
        self._kept.setdefault(shared, (text, found))
        return found

    def _copies_of(self, name: Field, keys: Sequence[str]) -> int:
        having = self._having((name, term) for term in {*keys})
        least = {size: least_of_copies(len(keys), size) for size in self._by_size}
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
