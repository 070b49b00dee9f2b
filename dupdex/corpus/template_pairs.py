"""Which near duplicates of a corpus are fillings of one form, and so no copies of each other.

As in a lookup (`query.verify.templates`): of a form the common part is in many documents, and
where one filling says one thing the others say many. Only texts that have a key of many documents
are looked at. The facts of a pair are compared once, and read from either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from dupdex.corpus.candidate_join import Spread
from dupdex.corpus.judged_pairs import Judging, Pairs, ready, tiles
from indexer.fingerprints.key_rows import key_numbers, terms_of
from indexer.model import Keys
from indexer.text.ragged import Positions
from indexer.workers import made_in_processes
from mappings.contract import Field
from query.facts.differ import Compared, Slot, compare
from query.facts.fact_reading import Reading
from query.key_join import Mask
from query.verify.templates import Filled, which_are_templates

FIELDS: Final = (Field.PASSAGE_KEYS, Field.SENTENCES)
"""The keys that tell in how many documents a common part is."""

_SEVERAL: Final = 2
"""Fewer matches of one text show no slot that every filling fills differently."""

SOME: Final = 24
"""Matches of one text that are looked at first. Of a form, a slot has many values among so many."""

Matches = list[tuple[int, bool]]
"""Of one text: the places of the pairs that it is in, and in which it is the first."""

Columns = Mapping[Field, Spread]
Facts = tuple[Compared, float]
"""What facts say of a pair, and in how many documents the common part is."""


@dataclass(frozen=True, slots=True)
class _Context:
    judging: Judging
    columns: Columns


def are_templates(pairs: Pairs, judging: Judging, columns: Columns, workers: int) -> Mask:
    """Which pairs are fillings of one form, as seen from either side.

    Of a text with many matches some are looked at first: copies of one text agree in them.
    `columns`: those of FIELDS that there are.
    """
    asked = _may_fill_forms(pairs, judging, columns)
    looking = _Looking(pairs, _Context(judging, columns), workers)
    marked = np.zeros(len(pairs), np.bool_)
    matches = list(_matches(pairs, asked))
    looking.look_at(place for each in matches for place, _ in _some(each))
    suspected = [each for each in matches if looking.may_be_forms(_some(each))]
    looking.look_at(place for each in suspected for place, _ in each)
    for each in suspected:
        marked[[place for place, _ in each]] |= looking.marks(each)
    return marked


def _some(matches: Matches) -> Matches:
    """Some of the matches, in equal steps."""
    return matches[:: max(1, len(matches) // SOME)]


class _Looking:
    """The facts of pairs, compared on several processes where nobody has looked at them yet."""

    def __init__(self, pairs: Pairs, context: _Context, workers: int) -> None:
        self._pairs, self._context, self._workers = pairs, context, workers
        self._facts: dict[int, Facts] = {}

    def look_at(self, places: Iterable[int]) -> None:
        """Compare the facts of some pairs."""
        wanted = np.array(sorted(set(places) - self._facts.keys()), np.int64)
        first, second = self._pairs.first[wanted], self._pairs.second[wanted]
        for part, found in made_in_processes(
            tiles(first, second, self._context.judging.texts.sizes),
            lambda part: (first[part], second[part]),
            _compared,
            self._context,
            self._workers,
        ):
            self._facts.update(zip(wanted[part].tolist(), found, strict=True))

    def may_be_forms(self, matches: Matches) -> bool:
        """Whether some of the matches say different things where the text says one."""
        said: dict[str, set[str]] = {}
        for filled in self._filled(matches):
            for slot in filled.compared.slots:
                said.setdefault(slot.asked, set()).add(slot.stored)
        return any(len(values) >= _SEVERAL for values in said.values())

    def marks(self, matches: Matches) -> Mask:
        """Which matches of one text are other fillings of its form."""
        filled = self._filled(matches)
        pairs = zip(matches, filled, strict=True)
        spread = {each.shared[0]: int(self._facts[at][1]) for (at, _), each in pairs}
        least = self._context.judging.plan.thresholds.unrelated
        if max(spread.values()) < least:
            return np.zeros(len(filled), np.bool_)
        (marks,) = which_are_templates([filled], lambda _: spread, least)
        return np.array(marks, np.bool_)

    def _filled(self, matches: Matches) -> list[Filled]:
        return [_filled(self._facts[place], place, is_first) for place, is_first in matches]


def _may_fill_forms(pairs: Pairs, judging: Judging, columns: Columns) -> Mask:
    """Which nodes have keys of many nodes, and several matches."""
    count = len(judging.texts)
    often = np.zeros(count, np.bool_)
    for column in columns.values():
        often |= column.with_key_in(judging.plan.thresholds.unrelated, count)
    both = np.concatenate([pairs.first, pairs.second])
    return often & (np.bincount(both, minlength=count) >= _SEVERAL)


def _matches(pairs: Pairs, asked: Mask) -> Iterator[Matches]:
    """The matches of each asked node."""
    both = np.concatenate([pairs.first, pairs.second])
    chosen = np.flatnonzero(asked[both])
    order = chosen[np.argsort(both[chosen], kind="stable")]
    starts = np.flatnonzero(np.diff(both[order], prepend=-1))
    for part in np.split(order, starts[1:]) if len(order) else ():
        places, sides = (part % len(pairs)).tolist(), (part < len(pairs)).tolist()
        yield list(zip(places, sides, strict=True))


def _filled(facts: Facts, place: int, is_first: bool) -> Filled:
    """The pair as a match of one of both; one term stands for all that they share."""
    compared = facts[0]
    if not is_first:
        compared = compared._replace(slots=tuple(Slot(b, a) for a, b in compared.slots))
    return Filled(compared, ((Field.PASSAGE_KEYS, str(place)),))


def _compared(part: tuple[Positions, Positions], context: _Context) -> list[Facts]:
    """The facts of the pairs of a tile."""
    nodes = np.unique(np.concatenate(part))
    texts = ready(nodes, context.judging)
    prepared = next(iter(texts.values())).features.batch.prepared
    listed = terms_of(prepared, context.judging.plan, frozenset(context.columns))
    terms = dict(zip(texts, listed, strict=True))
    readings: dict[int, Reading] = {}
    out = []
    for one, other in zip(*(nodes.tolist() for nodes in part), strict=True):
        for node in (one, other):
            if node not in readings:
                readings[node] = Reading.of(texts[node].features)
        compared = compare(readings[one], readings[other])._replace(listed=())
        out.append((compared, _spread(terms[one], terms[other], context.columns)))
    return out


def _spread(one: Keys, other: Keys, columns: Columns) -> float:
    """In how many nodes the common part of two texts is."""
    counts: list[int] = []
    for name, column in columns.items():
        common = [term for term in one.get(name, ()) if term in other.get(name, ())]
        if common:
            counts += column.frequencies(key_numbers(common)).tolist()
    return median(counts or [0])
