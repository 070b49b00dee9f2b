"""What the verified pairs of an index say: how many there are of which sort, and their chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from dupdex.matches.match_record import UNDECIDED, Decision
from dupdex.report.chains import Pair, longest_ways
from dupdex.report.findings import Chain, Fault, PairCount, SchemeCount
from dupdex.report.up_to_date import up_to_date
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores.collection_store import CollectionStore, Equals
from mappings.records import MATCHES, parts_of_key
from query.answers import Verdict
from query.stores import StoreReader

MOST_PAIRS: Final = 2_000_000
"""Of more pairs no chains are looked for: the ids of all have to be in memory for that."""

_EQUAL: Final = Equals("verdict", (Verdict.EXACT.value,))
_NEAR: Final = Equals("verdict", (Verdict.NEAR.value,))
_PARTIAL: Final = Equals("verdict", (Verdict.PARTIAL.value,))
_BETWEEN: Final = ", "


class PairTallies:
    """Pairs of an index; none where no pair was ever kept."""

    def __init__(self, session: Session, index: str | None, plan_id: str) -> None:
        self._store = up_to_date(session, MATCHES, index)
        self._pairs = self._store.count() if self._store is not None else 0
        old = sum(count for (plan,), count in self._tally("plan") if plan != plan_id)
        many = self._pairs if self._pairs > MOST_PAIRS else 0
        self.faults = {Fault.OLD_PAIRS: old, Fault.MANY_PAIRS: many}

    def counts(self) -> list[PairCount]:
        """The most frequent sorts first."""
        found = [
            PairCount(
                verdict,
                None if decision in (None, UNDECIDED) else decision,
                facts,
                template is not None,
                count,
            )
            for (verdict, decision, facts, template), count in self._tally(
                "verdict", "decision", "facts", "template"
            )
        ]
        return sorted(found, key=lambda each: (-each.pairs, str(each)))

    def schemes(self) -> list[SchemeCount]:
        """Schemes by the pairs that share their keys."""
        pairs: Counter[str] = Counter()
        alone: Counter[str] = Counter()
        for (joined,), count in self._tally("schemes"):
            names = joined.split(_BETWEEN) if joined else []
            pairs.update(dict.fromkeys(names, count))
            if len(names) == 1:
                alone[names[0]] += count
        order = sorted(pairs, key=lambda name: (-pairs[name], name))
        return [SchemeCount(name, pairs[name], alone[name]) for name in order]

    def chains(self, reader: StoreReader, most: int) -> Iterator[Chain]:
        """The longest chains, longest first; none when there are too many pairs."""
        if self._pairs > MOST_PAIRS:
            return
        for way in longest_ways(self._near(), self._equal(), most):
            refs = tuple(Ref(*parts_of_key(node)) for node in way.nodes)
            standings = reader.standings(refs)
            groups = {standings[ref].group for ref in refs if ref in standings}
            yield Chain(refs, way.connected, len(groups))

    def _near(self) -> Iterator[Pair]:
        yield from self._joined(_NEAR)
        yield from self._joined(_PARTIAL, Equals("decision", (Decision.DUPLICATE.value,)))

    def _equal(self) -> Iterator[Pair]:
        yield from self._joined(_EQUAL)

    def _joined(self, *conditions: Equals) -> Iterator[Pair]:
        """Pairs that count for groups; see `MatchRecord.is_edge`."""
        if self._store is None:
            return
        names = ("first", "second", "decision", "template")
        for (first, second, decision, template), _ in self._store.tally(names, conditions):
            if decision == Decision.DUPLICATE.value or (
                decision != Decision.NOT_DUPLICATE.value and template is None
            ):
                yield first, second

    def _tally(self, *names: str) -> Iterator[tuple[tuple[Any, ...], int]]:
        store: CollectionStore | None = self._store
        return iter(()) if store is None else store.tally(names)
