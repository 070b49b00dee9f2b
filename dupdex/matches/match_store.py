"""The verified pairs of an index, brought up to date by whatever looks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from dupdex.matches.decisions import Decided, Decisions, touching
from dupdex.matches.match_record import UNDECIDED, Decision, MatchRecord, key, pair_id
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores.collection_store import (
    Between,
    CollectionStore,
    Condition,
    Cursor,
    EitherEquals,
    Equals,
    Item,
    Query,
    scan,
)
from mappings.collections import moment
from mappings.errors import StoreRefused
from mappings.records import DECISIONS, MATCHES
from query.answers import Verdict
from query.stores import StoreReader
from query.sweep import VerifiedPair


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which records: `of` has one of these documents on either side; `since` and `until`: found at
    or after, and before (see `mappings.collections.moment`); `decision`: one, or UNDECIDED."""

    of: tuple[Ref, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    decision: str = ""
    since: str | None = None
    until: str | None = None
    run: str = ""

    def conditions(self) -> list[Condition]:
        """As the collection MATCHES takes them."""
        out: list[Condition] = []
        if self.of:
            keys = tuple(dict.fromkeys(map(key, self.of)))
            out.append(EitherEquals(("first", "second"), keys))
        if self.verdicts:
            out.append(Equals("verdict", tuple(verdict.value for verdict in self.verdicts)))
        if self.decision:
            out.append(Equals("decision", (str(self.decision),)))
        if self.since or self.until:
            out.append(Between("found", self.since, self.until))
        if self.run:
            out.append(Equals("run", (self.run,)))
        return out


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Records, the ones found last first; `next`: after what the next page begins, None on the
    last one."""

    records: tuple[MatchRecord, ...]
    next: Cursor | None


class MatchStore:
    """Records of an index. Writes are seen by `get` at once, by all else after `refresh`;
    decisions show at once."""

    def __init__(
        self, matches: CollectionStore, decisions: Decisions | None, reader: StoreReader
    ) -> None:
        """For collections that are there; everybody calls `open` or `stored`."""
        self._matches, self._decisions, self._reader = matches, decisions, reader

    @classmethod
    def open(cls, session: Session, index: str | None = None) -> Self:
        """The records of an index, whose collections are made when they are absent.

        Raises NotFound when there is no such index.
        """
        matches = session.collection(MATCHES, index)
        decisions = Decisions(session.collection(DECISIONS, index))
        return cls(matches, decisions, session.reader(index))

    @classmethod
    def stored(cls, session: Session, index: str | None = None) -> Self | None:
        """The same, only to read; None where no pair was ever kept. Makes nothing."""
        matches = session.stored_collection(MATCHES, index)
        decisions = session.stored_collection(DECISIONS, index)
        if matches is None:
            return None
        decided = Decisions(decisions) if decisions is not None else None
        return cls(matches, decided, session.reader(index))

    def settle(
        self, refs: Sequence[Ref], pairs: Iterable[VerifiedPair], plan_id: str, run: str = ""
    ) -> None:
        """Afterwards the stored pairs that involve any of `refs` are exactly `pairs`; others are
        not touched, and decisions stay. What has not changed is not written.

        Two that settle the same documents at the same time need a lease.
        """
        self._matches.refresh()
        before = {item.id: item for item in touching(self._matches, refs)}
        self._replace(before, pairs, plan_id, run)

    def settle_first(
        self, refs: Sequence[Ref], pairs: Iterable[VerifiedPair], plan_id: str, run: str = ""
    ) -> None:
        """Afterwards the stored pairs whose first document, in the order of keys, is one of `refs`
        are exactly `pairs`: who goes through all documents in that order meets each pair once.
        """
        self._matches.refresh()
        before = {item.id: item for item in touching(self._matches, refs, ("first",))}
        self._replace(before, pairs, plan_id, run)

    def _replace(
        self, before: Mapping[str, Item], pairs: Iterable[VerifiedPair], plan_id: str, run: str
    ) -> None:
        """Put `pairs` in the place of the records there were, writing what has changed only."""
        now = moment(datetime.now(UTC))
        found: dict[str, MatchRecord] = {}
        for pair in pairs:
            record = MatchRecord.of(pair, plan_id, run, now)
            other = found.setdefault(record.id, record)
            found[record.id] = max(record, other, key=_weight)
        decided = self._decided(found)
        changed: list[tuple[str, MatchRecord]] = []
        for name, record in found.items():
            record = replace(record, decision=decided.get(name))
            old = MatchRecord.from_values(before[name].values) if name in before else None
            if old is not None and old.verdict is record.verdict:
                record = replace(record, found=old.found)
            if old is None or not old.same_as(record):
                changed.append((name, record))
        self._put(changed)
        self._matches.delete_all(before.keys() - found.keys())

    def of(self, refs: Sequence[Ref]) -> Iterator[MatchRecord]:
        """Every record with one of the documents on either side, each once."""
        seen: set[str] = set()
        for item in touching(self._matches, refs):
            if item.id not in seen:
                seen.add(item.id)
                yield MatchRecord.from_values(item.values)

    def everything(self) -> Iterator[MatchRecord]:
        """Every record, as of now."""
        self._matches.refresh()
        for item in scan(self._matches):
            yield MatchRecord.from_values(item.values)

    def decided_pairs(self) -> Iterator[Decided]:
        """Every pair that was ever decided about, as of now."""
        return iter(()) if self._decisions is None else self._decisions.everything()

    def get(self, one: Ref, other: Ref) -> MatchRecord | None:
        """The record of a pair, in any order."""
        item = self._matches.get(pair_id(one, other))
        return None if item is None else MatchRecord.from_values(item.values)

    def edges(self, refs: Sequence[Ref]) -> list[tuple[Ref, Ref]]:
        """The pairs with one of the documents that count for groups, in order: verified as exact or
        near, and what people decided. A pair decided to be a duplicate counts without a
        record as long as both documents are there."""
        decided = {(each.first, each.second): each.decision for each in self._all_decided(refs)}
        edges = set()
        for record in self.of(refs):
            pair = (record.first, record.second)
            if replace(record, decision=decided.pop(pair, None)).is_edge:
                edges.add(pair)
        joined = [pair for pair, said in decided.items() if said is Decision.DUPLICATE]
        stored = self._reader.standings(sorted({ref for pair in joined for ref in pair}))
        edges.update(pair for pair in joined if pair[0] in stored and pair[1] in stored)
        return sorted(edges)

    def remove(self, refs: Sequence[Ref]) -> int:
        """Remove every record of these documents; how many there were. Decisions stay."""
        self._matches.refresh()
        return self._matches.delete_all([item.id for item in touching(self._matches, refs)])

    def decide(
        self, one: Ref, other: Ref, decision: Decision | None, why: str = "", by: str = ""
    ) -> Decided:
        """Decide about a pair of stored documents, or take back (None) what was decided.

        Raises InputRefused as `Decisions.decide` does.
        """
        if self._decisions is None:
            raise StoreRefused("the records were opened for reading only")
        done = self._decisions.decide(one, other, decision, why, by)
        name = pair_id(one, other)
        while (item := self._matches.get(name)) is not None:
            said = decision.value if decision else UNDECIDED
            if self._matches.update(name, {**item.values, "decision": said}, item.version):
                self._matches.refresh()
                break
        return done

    def decisions_of(self, refs: Sequence[Ref]) -> list[Decided]:
        """What was decided about these documents; what was taken back is there, too."""
        return list(self._all_decided(refs))

    def query(self, wanted: MatchQuery, limit: int = 100, after: Cursor | None = None) -> MatchPage:
        """A page of the records that are wanted, the ones found last first."""
        query = Query(tuple(wanted.conditions()), "found", True, limit, after)
        page = self._matches.query(query)
        records = tuple(MatchRecord.from_values(item.values) for item in page.items)
        return MatchPage(records, page.next)

    def count(self, wanted: MatchQuery) -> int:
        """How many records are wanted."""
        return self._matches.count(wanted.conditions())

    def refresh(self) -> None:
        """Make all pairs written so far visible to queries."""
        self._matches.refresh()

    def _decided(self, names: Iterable[str]) -> dict[str, Decision]:
        return {} if self._decisions is None else self._decisions.named(names)

    def _all_decided(self, refs: Sequence[Ref]) -> Iterator[Decided]:
        return iter(()) if self._decisions is None else self._decisions.of(refs)

    def _put(self, records: Iterable[tuple[str, MatchRecord]]) -> None:
        items = ((name, record.values()) for name, record in records)
        for outcome in self._matches.put_all(items):
            if outcome.reason:
                raise StoreRefused(f"a pair cannot be kept: {outcome.reason}")


def _weight(record: MatchRecord) -> tuple[bool, float]:
    """Of two findings of one pair: what was read from the texts, then the more similar."""
    return record.verified == "text", record.similarity
