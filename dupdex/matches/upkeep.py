"""What lies beside an index, kept in step with its documents: pairs when one changes or goes, and
decisions at hand for lookups.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import ClassVar, Final

from dupdex.matches.decisions import Decided, Decisions
from dupdex.matches.match_store import MatchPage, MatchQuery, MatchStore
from dupdex.session import Session
from indexer.model import Outcome, Ref, Status
from indexer.stores import StoreWriter
from indexer.stores.collection_store import CollectionStore, Cursor
from mappings.collections import Collection
from mappings.errors import AccessRefused, DupdexError, InputRefused, NotFound
from mappings.records import COPIES, DECISIONS, MATCHES, parts_of_key
from query.answers import Decision
from query.questions import Options, Question
from query.stores import StoreReader
from query.sweep import BATCH, VerifiedPair
from query.two_plans import answers_now

MOST_PAIRS: Final = 200
"""Pairs of one document that a lookup leaves behind, the best ones."""

_AT_ONCE: Final = 500
_ALL_THERE_IS: Final = Options(size=MOST_PAIRS, candidates=None, verify=None, bodies=False)


class Upkeep:
    """Of one open index. Nothing is made before there is something to keep."""

    EVERY: ClassVar[float] = 1.0
    """Seconds after which a collection that was not there is looked for again."""

    def __init__(self, session: Session, index: str | None, reader: StoreReader) -> None:
        self._session, self._index, self._reader = session, index, reader
        self._next_look: dict[str, float] = {}
        self._written_to: MatchStore | None = None

    def refs(self, ids: Sequence[str]) -> list[Ref]:
        """The documents that ids may name, stored or not: one of each index there is."""
        return [Ref(index, name) for index in self._reader.indices() for name in ids]

    def refs_of(self, name: str) -> list[Ref]:
        """The same for one name, which may be INDEX/ID."""
        index, _, rest = name.partition("/")
        named = [Ref(index, rest)] if rest and index in self._reader.indices() else []
        return [*self.refs([name]), *named]

    def ref_of(self, name: str) -> Ref:
        """See `dupdex.index.Index.ref_of`."""
        found = self._reader.by_ids([name]).get(name, ())
        if len(found) > 1:
            indices = ", ".join(stored.index for stored in found)
            raise InputRefused(
                f"{name!r} is in several indices ({indices}); write {found[0].index}/{name}"
            )
        if found:
            return found[0].ref
        index, _, rest = name.partition("/")
        ref = Ref(index, rest)
        if not rest or ref not in self._reader.standings([ref]):
            raise NotFound(f"no document {name!r} in the index; 'dupdex search' finds ids")
        return ref

    def decide(self, one: Ref, other: Ref, decision: Decision | None, why: str, by: str) -> Decided:
        """Keep a decision, and regroup what it concerns."""
        done = self.records().decide(one, other, decision, why, by)
        self._next_look.clear()
        return done

    def matches(self, wanted: MatchQuery, limit: int, after: Cursor | None) -> MatchPage:
        """A page of pairs; an empty one where none was ever kept."""
        stored = MatchStore.stored(self._session, self._index)
        return MatchPage((), None) if stored is None else stored.query(wanted, limit, after)

    def pair(self, pair_id: str) -> tuple[Ref, Ref]:
        """See `dupdex.index.Index.pair`."""
        for collection, names in (
            (MATCHES, ("first", "second")),
            (COPIES, ("document", "original")),
        ):
            kept = self._session.stored_collection(collection, self._index)
            if kept is not None and (item := kept.get(pair_id)) is not None:
                one, other = (Ref(*parts_of_key(item.values[name])) for name in names)
                return one, other
        raise NotFound(f"no pair {pair_id!r} is kept; 'dupdex matches' lists those that are")

    def decisions(self, asked: Sequence[Ref | None]) -> list[dict[Ref, Decision]] | None:
        """What is decided about each of some documents, by the other one; a reference without an
        index stands for the id in every index. None where nobody has decided anything.
        """
        store = self._stored(DECISIONS) if any(asked) else None
        if store is None:
            return None
        named = [self._meant(ref) if ref else [] for ref in asked]
        about: dict[Ref, dict[Ref, Decision]] = {}
        for each in Decisions(store).of([ref for refs in named for ref in refs]):
            if each.decision is not None:
                about.setdefault(each.first, {})[each.second] = each.decision
                about.setdefault(each.second, {})[each.first] = each.decision
        if not about:
            return None
        return [
            {other: said for ref in refs for other, said in about.get(ref, {}).items()}
            for refs in named
        ]

    def written(
        self, outcomes: Iterator[Outcome], refresh: Callable[[], None]
    ) -> Iterator[Outcome]:
        """Outcomes as they come. The pairs of documents that were written over are verified again,
        some hundreds at a time; an index that groups documents as they come does more than that.
        """
        grouping = self._reader.meta.grouping
        if (grouping is not None and grouping.live) or self._stored(MATCHES) is None:
            return outcomes
        return self._verifying(outcomes, refresh)

    def deleted(self, ids: Sequence[str]) -> None:
        """Remove the pairs of documents that were removed, now or by a run before."""
        if self.stored(MATCHES) is not None:
            self.records().remove(self.refs(ids))

    def verify_again(self, ids: Sequence[str], refresh: Callable[[], None]) -> None:
        """Look those of the documents up anew of which pairs are kept."""
        records, wanted = self.records(), set(self.refs(ids))
        records.refresh()
        paired = {
            ref for record in records.of(sorted(wanted)) for ref in (record.first, record.second)
        }
        again = sorted(paired & wanted)
        if not again:
            return
        refresh()
        meta = self._reader.meta
        for start in range(0, len(again), BATCH):
            part = again[start : start + BATCH]
            documents = self._reader.documents(part)
            questions = [Question(each.text, None, ref) for ref, each in documents.items()]
            answers = answers_now(questions, meta, self._reader, _ALL_THERE_IS)
            pairs = [
                VerifiedPair(ref, match.ref, match)
                for ref, answer in zip(documents, answers, strict=True)
                for match in answer.matches
            ]
            records.settle(part, pairs, meta.plan.id, "update")

    def records(self) -> MatchStore:
        """The store of pairs, to write; its collections are made when they are absent."""
        if self._written_to is None:
            self._written_to = MatchStore.open(self._session, self._index)
        return self._written_to

    def refresh(self, writer: StoreWriter) -> None:
        """Make documents and pairs visible."""
        writer.refresh()
        if (pairs := self.stored(MATCHES)) is not None:
            pairs.refresh()

    def stored(self, collection: Collection) -> CollectionStore | None:
        """A collection, only to read, if it is there by now."""
        return self._session.stored_collection(collection, self._index)

    def to_write(self, collection: Collection) -> CollectionStore:
        """A collection, made when it is absent."""
        return self._session.collection(collection, self._index)

    def _verifying(
        self, outcomes: Iterator[Outcome], refresh: Callable[[], None]
    ) -> Iterator[Outcome]:
        changed: list[str] = []
        try:
            for outcome in outcomes:
                if outcome.status is Status.UPDATED:
                    changed.append(outcome.document.id)
                yield outcome
                if len(changed) >= _AT_ONCE:
                    self.verify_again(changed, refresh)
                    changed = []
        except (DupdexError, GeneratorExit):
            with suppress(DupdexError):  # what ended the run is what is told
                self.verify_again(changed, refresh)
            raise
        if changed:
            self.verify_again(changed, refresh)

    def _meant(self, ref: Ref) -> list[Ref]:
        return [ref] if ref.index else self.refs([ref.id])

    def _stored(self, collection: Collection) -> CollectionStore | None:
        """The collection if it is there, as of a moment ago: lookups ask for it. A role that may
        not look for it has none: decisions need a right of their own, lookups go on without."""
        now = time.monotonic()
        if now < self._next_look.get(collection.name, 0.0):
            return None
        try:
            store = self.stored(collection)
        except AccessRefused:
            store = None
        if store is None:
            self._next_look[collection.name] = now + self.EVERY
        return store
