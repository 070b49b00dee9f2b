"""Templates: matches that are the same form filled in anew, and no copies of each other.

A column, a notice or a forecast comes every day with other facts. Two such texts are nearly the
same, as are two copies of one text. What tells them apart is the index: of a form the common part
is in many documents, and where the asked text says one thing they say many others. Copies of one
text agree with each other, however many there are, but for what was broken on the way, in one copy
here and in another there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Final

from indexer.model import Keys
from query.answers import Term
from query.facts.differ import Compared, Said
from query.passage_terms import Frequencies, by_field, form_terms

_DIVERSE: Final = 0.15
"""A slot has so many different values, as a part of the matches, and two at least."""

_HALF: Final = 0.5
"""Where few values are possible, so many of the matches say something else, and no value is that of
more than so many of these."""

_SLOTS: Final = 1 / 3
"""The part of the slots of the form that another filling fills differently, as a broken copy has
one broken; and the part of its own differences that vary, as all copies of another version of a
text say the same, but for one that is broken.
"""

_TOLD: Final = 0.2
"""The least part of the facts, compared in all, that differ in another filling of the form."""

_SAID_ALIKE: Final = 200
"""Equal units for each slot, at most: a text of which more is equal is a copy with a name changed.
One-slot forms of the tuning set have up to 150.
"""


@dataclass(frozen=True, slots=True)
class Filled:
    """A match as it may be another filling of a form: its facts, and the keys that both have."""

    compared: Compared
    shared: tuple[Term, ...]

    @classmethod
    def of(cls, compared: Compared, shared: Keys) -> Filled:
        return cls(compared, tuple(form_terms(shared)))

    @property
    def slots(self) -> set[Said]:
        """What the asked text says, and where, when the other one says something else there."""
        return {slot.asked for slot in self.compared.slots}

    def tells_other_things(self) -> bool:
        """Whether enough of what is said differs: page furniture around a copy does not."""
        differ = len(self.compared.slots)
        told = _TOLD * (differ + self.compared.agreed)
        return differ >= max(1, told, self.compared.same / _SAID_ALIKE)


def said_instead(matches: Iterable[Filled]) -> dict[Said, Counter[str]]:
    """What others say in each place of a text where some differ. One word in two places makes two
    slots: where a text says one number everywhere, each has a value of its own in another text.
    """
    out: dict[Said, Counter[str]] = {}
    for filled in matches:
        for slot in filled.compared.slots:
            out.setdefault(slot.asked, Counter())[slot.stored.text] += 1
    return out


def suspects(matches: Sequence[Filled | None]) -> list[bool]:
    """For each match of one text whether its facts are those of another filling of a form; None
    stands for a match without facts, which never is. One match alone shows no slot that others fill
    differently.
    """
    if sum(filled is not None for filled in matches) < 2:
        return [False] * len(matches)
    needed = max(2, ceil(_DIVERSE * len(matches)))
    said = said_instead(filled for filled in matches if filled)
    many = {asked for asked, values in said.items() if len(values) >= needed}
    varied = {
        asked
        for asked, values in said.items()
        if values.total() >= _HALF * len(matches) and max(values.values()) <= _HALF * values.total()
    }
    return [
        filled is not None
        and filled.tells_other_things()
        and any(_fills(filled.slots, form) for form in (many, many | varied))
        and len((many | varied) & filled.slots) >= _SLOTS * len(filled.slots)
        for filled in matches
    ]


def _fills(slots: set[Said], form: set[Said]) -> bool:
    """Whether enough of the slots of a form are filled differently."""
    return len(slots & form) >= max(1, _SLOTS * len(form))


def which_are_templates(
    lookups: Sequence[Sequence[Filled | None]], frequencies: Frequencies, unrelated: int
) -> list[list[bool]]:
    """For each match of each lookup, whether it is a template; one request counts the terms of all.

    The common part has to be in `unrelated` documents more than there are copies of the asked text
    among the matches.
    """
    suspected = [suspects(matches) for matches in lookups]
    filled = [
        each
        for matches, marks in zip(lookups, suspected, strict=True)
        for each, mark in zip(matches, marks, strict=True)
        if each is not None and mark
    ]
    if not filled:
        return suspected
    documents = frequencies(by_field(term for each in filled for term in each.shared))
    return [
        [
            mark and each is not None and _spread(each, documents) >= unrelated + _copies(matches)
            for each, mark in zip(matches, marks, strict=True)
        ]
        for matches, marks in zip(lookups, suspected, strict=True)
    ]


def _spread(filled: Filled, documents: Mapping[Term, int]) -> float:
    """In how many documents the common part is."""
    return median([documents[term] for term in filled.shared] or [0])


def _copies(matches: Iterable[Filled | None]) -> int:
    """How many of the matches say what the asked text says, whoever their bylines name."""
    return sum(each is None or each.compared.total <= each.compared.bylines for each in matches)
