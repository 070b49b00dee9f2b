"""Which near duplicates of a corpus are fillings of one form, and so no copies of each other.

As in a lookup (`query.verify.templates`): of a form the common part is in many documents, and
where one filling says one thing the others say many. Only near duplicates that tell other things
can be fillings of one form, and the partial copies of these texts are looked for then: they may be
fillings as well. Of a text with many matches some are looked at first, as copies agree in them. The
facts of a pair are read from either side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Final, TypeVar

import numpy as np

from dupdex.corpus.candidate_join import Spread
from dupdex.corpus.judged_pairs import Judging, Pairs, judged, ready, tiles
from indexer.fingerprints.key_rows import key_numbers, terms_of
from indexer.text.ragged import Positions
from indexer.workers import made_in_processes
from mappings.contract import Field
from query.facts.differ import Compared, Slot, compare
from query.facts.fact_reading import Reading
from query.key_join import Mask
from query.verify.templates import Filled, said_instead, which_are_templates

_SEVERAL: Final = 2
"""Fewer matches of one text show no slot that every filling fills differently."""

SOME: Final = 24
"""Matches of one text that are looked at first. Of a form, a slot has many values among so many."""

Matches = list[tuple[int, bool]]
"""Of one text: the places of the pairs that it is in, and in which it is the first."""

Columns = Mapping[Field, Spread]
Made = TypeVar("Made")

Ends = tuple[Positions, Positions]
"""The first and the second node of each of some pairs."""

Facts = tuple[Compared, float]
"""What facts say of a pair, and in how many documents the common part is."""


@dataclass(frozen=True, slots=True)
class _Context:
    judging: Judging
    columns: Columns

    @property
    def least(self) -> int:
        """In so many nodes the common part of two fillings is, at the least."""
        return self.judging.plan.thresholds.unrelated


def are_templates(
    near: Pairs, candidates: Ends, judging: Judging, columns: Columns, workers: int
) -> Mask:
    """Which near duplicates are fillings of one form, as seen from either side.

    `candidates`: all pairs that were judged; `columns`: those of FIELDS that there are.
    """
    looking = _Looking(near, _Context(judging, columns), workers)
    asked = _may_fill_forms(near, candidates, looking)
    pairs = looking.pairs = _with_partial(near, candidates, asked, judging, workers)
    marked = np.zeros(len(pairs), np.bool_)
    matches = [each for each in _matches(pairs, asked) if len(each) >= _SEVERAL]
    looking.look_at(place for each in matches for place, _ in _some(each))
    suspected = [each for each in matches if looking.may_be_forms(_some(each))]
    looking.look_at(place for each in suspected for place, _ in each)
    for each in suspected:
        marked[[place for place, _ in each]] |= looking.marks(each)
    return marked[: len(near)]


def _some(matches: Matches) -> Matches:
    """Some of the matches, in equal steps."""
    return matches[:: max(1, len(matches) // SOME)]


class _Looking:
    """The facts of pairs, compared on several processes where nobody has looked at them yet. To
    `pairs` others may be added at their end."""

    def __init__(self, pairs: Pairs, context: _Context, workers: int) -> None:
        self.pairs, self.context, self._workers = pairs, context, workers
        self._facts: dict[int, Facts] = {}

    def look_at(self, places: Iterable[int]) -> None:
        """Compare the facts of some pairs."""
        for place, facts in self._made(set(places) - self._facts.keys(), _compared):
            self._facts[place] = facts

    def telling(self, places: Iterable[int]) -> list[int]:
        """Those of some pairs that may be two fillings, whatever else is in the corpus."""
        out = []
        for place, facts in self._made(set(places), _compared_if_spread):
            if facts is not None and _filled(facts, place, True).tells_other_things():
                self._facts[place] = facts
                out.append(place)
        return out

    def _made(
        self, places: Collection[int], make: Callable[[Ends, _Context], list[Made]]
    ) -> Iterator[tuple[int, Made]]:
        """Some pairs, each with what is made of it, on several processes."""
        wanted = np.array(sorted(places), np.int64)
        first, second = self.pairs.first[wanted], self.pairs.second[wanted]
        for part, found in made_in_processes(
            tiles(first, second, self.context.judging.texts.sizes),
            lambda part: (first[part], second[part]),
            make,
            self.context,
            self._workers,
        ):
            yield from zip(wanted[part].tolist(), found, strict=True)

    def may_be_forms(self, matches: Matches) -> bool:
        """Whether some of the matches say different things where the text says one."""
        said = said_instead(self._filled(matches))
        return any(len(values) >= _SEVERAL for values in said.values())

    def marks(self, matches: Matches) -> Mask:
        """Which matches of one text are other fillings of its form."""
        filled = self._filled(matches)
        pairs = zip(matches, filled, strict=True)
        spread = {each.shared[0]: int(self._facts[at][1]) for (at, _), each in pairs}
        least = self.context.least
        if max(spread.values()) < least:
            return np.zeros(len(filled), np.bool_)
        (marks,) = which_are_templates([filled], lambda _: spread, least)
        return np.array(marks, np.bool_)

    def _filled(self, matches: Matches) -> list[Filled]:
        return [_filled(self._facts[place], place, is_first) for place, is_first in matches]


def _may_fill_forms(near: Pairs, candidates: Ends, looking: _Looking) -> Mask:
    """Which nodes have keys of many nodes, several candidates, and a near duplicate that may be
    another filling.
    """
    context = looking.context
    count = len(context.judging.texts)
    often = np.zeros(count, np.bool_)
    for column in context.columns.values():
        often |= column.with_key_in(context.least, count)
    often &= np.bincount(np.concatenate(candidates), minlength=count) >= _SEVERAL
    places = (place for each in _matches(near, often) for place, _ in _some(each))
    telling = looking.telling(places)
    asked = np.zeros(count, np.bool_)
    asked[near.first[telling]] = asked[near.second[telling]] = True
    return asked & often


def _with_partial(
    near: Pairs, candidates: Ends, asked: Mask, judging: Judging, workers: int
) -> Pairs:
    """The near duplicates, and after them the partial copies of asked nodes."""
    first, second = candidates
    touched = asked[first] | asked[second]
    first, second = first[touched], second[touched]
    known = _numbers(near.first, near.second, len(asked))
    rest = ~np.isin(_numbers(first, second, len(asked)), known)
    both = replace(judging, partial=True)
    return Pairs.joined([near, judged(first[rest], second[rest], both, workers, lambda _: None)])


def _numbers(first: Positions, second: Positions, count: int) -> Positions:
    """One number a pair of so many nodes."""
    return first * count + second


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


def _compared_if_spread(part: Ends, context: _Context) -> list[Facts | None]:
    """The facts of the pairs of a tile whose common part is in enough nodes."""
    tile = _Tile(part, context)
    return [
        (tile.compared(one, other), spread) if spread >= context.least else None
        for one, other, spread in tile.spreads(part)
    ]


def _compared(part: Ends, context: _Context) -> list[Facts]:
    """The facts of the pairs of a tile."""
    tile = _Tile(part, context)
    return [(tile.compared(one, other), spread) for one, other, spread in tile.spreads(part)]


class _Tile:
    """The texts of some pairs, each read once."""

    def __init__(self, part: Ends, context: _Context) -> None:
        self._texts = ready(np.unique(np.concatenate(part)), context.judging)
        prepared = next(iter(self._texts.values())).features.batch.prepared
        listed = terms_of(prepared, context.judging.plan, frozenset(context.columns))
        self._keys = dict(zip(self._texts, listed, strict=True))
        self._columns = context.columns
        self._readings: dict[int, Reading] = {}

    def spreads(self, pairs: Ends) -> Iterator[tuple[int, int, float]]:
        """Each of some pairs, and in how many nodes the common part of its texts is."""
        for one, other in zip(*(nodes.tolist() for nodes in pairs), strict=True):
            keys, of_other = self._keys[one], self._keys[other]
            counts: list[int] = []
            for name, column in self._columns.items():
                common = [term for term in keys.get(name, ()) if term in of_other.get(name, ())]
                if common:
                    counts += column.frequencies(key_numbers(common)).tolist()
            yield one, other, median(counts or [0])

    def compared(self, one: int, other: int) -> Compared:
        """What facts say of a pair; the list of them is for people."""
        return compare(self._reading(one), self._reading(other))._replace(listed=())

    def _reading(self, node: int) -> Reading:
        if node not in self._readings:
            self._readings[node] = Reading.of(self._texts[node].features)
        return self._readings[node]
