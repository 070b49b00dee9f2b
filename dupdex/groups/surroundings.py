"""What decides about the groups of some documents: the part of the match graph around them.

Stars of one connected component depend on that component only. So reading it whole is enough to
group its documents as grouping everything would.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from dupdex.groups.pin_store import PinStore
from dupdex.matches.match_record import Decision, MatchRecord
from dupdex.matches.match_store import MatchStore
from indexer.model import Ref
from query.answers import Verdict

Edge = tuple[Ref, Ref]


@dataclass(slots=True)
class Surroundings:
    """Documents, the pairs of them that count for groups, and where they are pinned.

    `equal`: those of the edges whose texts are the same.
    """

    refs: set[Ref] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)
    equal: set[Edge] = field(default_factory=set)
    pins: dict[Ref, str] = field(default_factory=dict)

    def without(self, gone: set[Ref]) -> Surroundings:
        """The same, but for documents that there are no longer."""
        if not gone:
            return self
        return Surroundings(
            self.refs - gone,
            {edge for edge in self.edges if gone.isdisjoint(edge)},
            {edge for edge in self.equal if gone.isdisjoint(edge)},
            {ref: place for ref, place in self.pins.items() if ref not in gone},
        )

    def extend(self, start: Iterable[Ref], matches: MatchStore, pins: PinStore) -> None:
        """Add documents, and all that can be reached from them by pairs and by pins."""
        pinned = pins.any()
        ahead = sorted(set(start) - self.refs)
        while ahead:
            self.refs.update(ahead)
            reached = self._add_pairs(ahead, matches)
            if pinned:
                reached |= self._add_pins(ahead, pins)
            ahead = sorted(reached - self.refs)

    def extend_to_all(self, matches: MatchStore, pins: PinStore) -> None:
        """Add all pairs and pins there are, and their documents."""
        decided = {(each.first, each.second): each.decision for each in matches.decided_pairs()}
        for record in matches.everything():
            said = decided.pop((record.first, record.second), None)
            self.add(replace(record, decision=said))
        self.edges.update(edge for edge, said in decided.items() if said is Decision.DUPLICATE)
        self.pins = pins.everything()
        self.refs.update(self.pins, *self.edges)

    def add(self, record: MatchRecord) -> set[Ref]:
        """Add a pair, if it counts; returns its documents then."""
        if not record.is_edge:
            return set()
        edge = (record.first, record.second)
        self.edges.add(edge)
        if record.verdict is Verdict.EXACT:
            self.equal.add(edge)
        return set(edge)

    def _add_pairs(self, refs: Sequence[Ref], matches: MatchStore) -> set[Ref]:
        decided = {(each.first, each.second): each.decision for each in matches.decisions_of(refs)}
        reached: set[Ref] = set()
        for record in matches.of(refs):
            said = decided.pop((record.first, record.second), None)
            reached |= self.add(replace(record, decision=said))
        for edge, said in decided.items():  # of a pair that no lookup found
            if said is Decision.DUPLICATE:
                self.edges.add(edge)
                reached |= set(edge)
        return reached

    def _add_pins(self, refs: Sequence[Ref], pins: PinStore) -> set[Ref]:
        places = sorted(set(pins.of(refs).values()) - set(self.pins.values()))
        found = pins.in_places(places)
        self.pins |= found
        return set(found)
