"""Puts documents into groups: those that were written, and everything.

    refresh -> look up -> records of pairs -> the component around -> groups, canonical members

One step at a time runs for an index, under a lease; threads of one program that wait share one
(`turns.py`). Before a step changes anything it leaves a note
in the lease, of all documents whose groups may change; whoever comes after an owner that was killed
settles those first. Each step can be taken twice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from dupdex.groups.canonical import Member, canonical, value_of
from dupdex.groups.changes import Before, Changes, changes
from dupdex.groups.group_store import GroupStore, now
from dupdex.groups.joining import Joining, near_of
from dupdex.groups.live import AT_ONCE
from dupdex.groups.pin_store import PinStore
from dupdex.groups.surroundings import Surroundings
from dupdex.groups.turns import turns_of
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.grouping import Grouping, Policy
from indexer.model import Ref
from indexer.stores import StoreWriter
from indexer.stores.lease import SECONDS, Lease, leased
from mappings.records import GROUPS, LEASES, PINS, key_of, parts_of_key
from query.answers import Stored, Verdict
from query.questions import Options
from query.sweep import VerifiedPair, all_pairs

LEASE: Final = "grouping"
Correcting = tuple[Collection[Ref], Callable[[], None]]
"""The documents whose groups a correction may change, and what makes it."""

KEPT: Final = 200
KEPT_EQUAL: Final = 20
"""Records of pairs from one lookup at most, the best ones; equal texts need few."""

_LOOKUP: Final = Options(size=None, candidates=1_000, verify=KEPT, located=False, bodies=False)
_WAIT: Final = 300.0


@dataclass(slots=True)
class _Step:
    """What one step is about. `refs`: documents to look up; `around`: those that may be
    affected, and `groups` the ids of groups; `new`: those of `refs` that were in no group and no
    pair before."""

    refs: list[Ref]
    around: set[Ref] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    new: set[Ref] = field(default_factory=set)

    def note(self) -> dict[str, Any]:
        """For whoever has to take the step again."""
        refs = [key_of(ref.index, ref.id) for ref in self.refs]
        around = sorted(key_of(ref.index, ref.id) for ref in self.around - set(self.refs))
        return {"refs": refs, "around": around, "groups": sorted(self.groups)}

    def take_up(self, note: Mapping[str, Any]) -> None:
        """Add what an earlier owner did not finish."""
        self.refs = list(dict.fromkeys((*map(_ref, note.get("refs", ())), *self.refs)))
        self.around.update(map(_ref, note.get("around", ())))
        self.groups.update(note.get("groups", ()))


class Grouper:
    """Keeps the groups of one index. Programs and threads may have one each: they take turns.

    A turn waits for others up to `wait` seconds; `seconds`: how long the others wait for one that
    was killed.
    """

    def __init__(
        self,
        session: Session,
        writer: StoreWriter,
        index: str | None = None,
        seconds: float = SECONDS,
        wait: float = _WAIT,
    ) -> None:
        """For an index that is open for writing by `writer`, which its owner closes."""
        self._name = index or session.location.index
        self._reader, self._writer = session.reader(index), writer
        self.matches = MatchStore.open(session, index)
        self.groups = GroupStore(session.collection(GROUPS, index))
        self.pins = PinStore(session.collection(PINS, index))
        self._leases = session.collection(LEASES, index)
        self._turns = turns_of(self._reader)
        self._seconds, self._wait = seconds, wait

    def assign(self, refs: Iterable[Ref]) -> None:
        """Group documents that were written, changed or deleted, and what that affects.

        An empty index in a reference stands for that of the grouper. Raises StoreUnavailable when
        others do not let it take its turn.
        """
        remaining = iter(dict.fromkeys(refs))
        while batch := list(islice(remaining, AT_ONCE)):
            self._turns.together(batch, AT_ONCE, self._wait, self._assign)

    def forget(self, refs: Iterable[Ref]) -> None:
        """Take documents that were deleted out of groups and matches."""
        self.assign(refs)

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents with all that is kept of them; returns the ids that existed."""
        deleted: list[str] = []
        remaining = iter(dict.fromkeys(ids))
        while batch := list(islice(remaining, AT_ONCE)):
            with self._turn() as lease:
                step = _Step([Ref("", name) for name in batch])
                self._begin(lease, step)
                deleted += self._writer.delete(batch)
                self._writer.refresh()
                self._finish(lease, step)
        return deleted

    def regroup(self, progress: Callable[[int], None] | None = None) -> None:
        """Group everything anew by the pairs that are recorded. `progress` is told of documents."""
        with self._turn() as lease:
            if lease.unsettled is not None:
                self._settle(lease, _Step([]))
            self._writer.refresh()
            everything, before = self._whole(lease, progress)
            self._apply(lease, changes(everything, before, self._choose, now()))

    def correct(self, prepare: Callable[[], Correcting]) -> None:
        """Change what people said about some documents, and group these anew, as one step.
        `prepare` is asked what to do when the groups are those of all that was written before; it
        may raise, and nothing is changed.
        """
        with self._turn() as lease:
            if lease.unsettled is not None:
                self._settle(lease, _Step([]))
            self._writer.refresh()
            concerned, change = prepare()
            step = _Step([], set(concerned))
            self._begin(lease, step)
            change()
            self._writer.refresh()
            self._finish(lease, step)

    def set_groups(self, groups: Mapping[Ref, str]) -> None:
        """Write groups of documents as they are given, in a change of `correct`."""
        self._writer.set_groups(groups)

    def refresh(self) -> None:
        """Make groups as they are now visible to whoever shows them."""
        self._writer.refresh()
        self.groups.refresh()

    @contextmanager
    def _turn(self) -> Iterator[Lease]:
        with self._turns.alone(self._wait), self._leased() as lease:
            yield lease

    @contextmanager
    def _leased(self) -> Iterator[Lease]:
        with leased(self._leases, LEASE, self._seconds, self._wait) as lease:
            yield lease
            lease.unsettled = None  # not after an error: the next owner takes the step again

    def _assign(self, take: Callable[[], list[Ref]]) -> None:
        with self._leased() as lease:
            self._settle(lease, _Step(take()))

    def _settle(self, lease: Lease, step: _Step) -> None:
        self._begin(lease, step)
        self._finish(lease, step)

    def _begin(self, lease: Lease, step: _Step) -> None:
        """Find out what the step is about, and note it."""
        if lease.unsettled is not None:
            step.take_up(lease.unsettled)
        self.matches.refresh()
        self._writer.refresh()
        step.refs = self._named_fully(step.refs)
        standings = self._reader.standings(step.refs)
        step.groups.update(standing.group for standing in standings.values())
        step.new = {ref for ref in step.refs if ref in standings and ref not in step.around}
        step.new = {ref for ref in step.new if standings[ref].group == ref.id}
        step.around.update(step.refs)
        for record in self.matches.of(step.refs):
            step.around |= {record.first, record.second}
            step.new -= {record.first, record.second}
        lease.renew(step.note())

    def _finish(self, lease: Lease, step: _Step) -> None:
        """Bring the records of pairs up to date, then the groups."""
        documents = self._reader.documents(step.refs)
        gone = [ref for ref in step.refs if ref not in documents]
        if gone:
            self.pins.remove(gone)
            for record in self.groups.of_canonical(gone):
                step.groups.add(record.id)
        if step.refs:
            pairs = self._pairs(lease, documents)
            lease.check()
            self.matches.settle(step.refs, pairs, self._writer.meta.plan.id)
            done = set() if gone else self._joined(lease, step, pairs)
            step.around -= done
            step.groups -= {ref.id for ref in done}
            for pair in pairs:
                if pair.first not in done:  # the one that was looked up
                    step.around |= {pair.first, pair.second}
            if not step.around and not step.groups:
                return
            self.matches.refresh()
            if done:
                self._writer.refresh()
        around, before = self._around(lease, step)
        self._apply(lease, changes(around, before, self._choose, now()))

    def _joined(self, lease: Lease, step: _Step, pairs: Sequence[VerifiedPair]) -> set[Ref]:
        """Group the new documents of a step for which that takes no look around; which they are."""
        new = [ref for ref in step.refs if ref in step.new]
        if not new or self.matches.decisions_of(new) or self.pins.of(new):
            return set()
        near = near_of(pairs)
        others = sorted({other for ref in new for other in near.get(ref, ())})
        standings = self._reader.standings(others)
        if len(standings) < len(others):  # deleted by another program
            return set()
        groups = {ref: standing.group for ref, standing in standings.items()}
        records = self.groups.named({*groups.values(), *(ref.id for ref in new)})
        joining = Joining(groups, records)
        joining.join(new, near, {ref for ref in new if len(near.get(ref, ())) >= KEPT})
        if joining.joined:
            asked: dict[str, list[Ref]] = {}
            for ref, group in joining.joined.items():
                before = records[group].canonical
                asked.setdefault(group, [before] if before else []).append(ref)
            chosen = self._choose([(refs, records[at].canonical) for at, refs in asked.items()])
            by_group = dict(zip(asked, chosen, strict=True))
            self._apply(lease, Changes(joining.changed(by_group, now()), dict(joining.joined)))
        return {*joining.joined, *joining.alone}

    def _named_fully(self, refs: Sequence[Ref]) -> list[Ref]:
        """The references with the names of their indices; one may stand for several documents."""
        if all(ref.index for ref in refs):
            return list(refs)
        ids = [ref.id for ref in refs if not ref.index]
        found = self._reader.refs_of(ids)
        out: list[Ref] = []
        for ref in refs:
            out += [ref] if ref.index else found.get(ref.id) or [Ref(self._name, ref.id)]
        return list(dict.fromkeys(out))

    def _pairs(self, lease: Lease, documents: Mapping[Ref, Stored]) -> list[VerifiedPair]:
        """The best pairs of documents with any others, looked up in the order of the ids."""

        def checked() -> Iterator[Stored]:
            for ref in sorted(documents):
                lease.check()
                yield documents[ref]

        meta = self._writer.meta
        kept: dict[tuple[Ref, bool], int] = {}
        out = []
        found = all_pairs(checked(), meta.plan, self._reader, meta.boilerplate, _LOOKUP, meta=meta)
        for pair in found:
            equal = pair.match.verdict is Verdict.EXACT
            count = kept[pair.first, equal] = kept.get((pair.first, equal), 0) + 1
            if count <= (KEPT_EQUAL if equal else KEPT):
                out.append(pair)
        return out

    def _around(self, lease: Lease, step: _Step) -> tuple[Surroundings, Before]:
        """The components of all documents of the step, and the groups that they are in."""
        around, ids, known = Surroundings(), dict[Ref, str](), set[str]()
        inside: dict[str, tuple[Ref, ...]] = {}
        gone: set[Ref] = set()
        ahead, groups = step.around, set(step.groups)
        while ahead or groups:
            lease.check()
            found = self._reader.members(sorted(groups))
            inside |= found
            known |= groups
            around.extend(
                {*ahead, *(ref for refs in found.values() for ref in refs)}, self.matches, self.pins
            )
            unread = sorted(around.refs - ids.keys() - gone)
            standings = self._reader.standings(unread)
            ids |= {ref: standing.group for ref, standing in standings.items()}
            gone |= set(unread) - ids.keys()
            ahead, groups = set(), set(ids.values()) - known
        if gone:  # deleted by another program
            self.matches.remove(sorted(gone))
            self.pins.remove(gone)
        own = sorted({ref.id for ref in ids if ids[ref] != ref.id} - known)
        inside |= self._reader.members(own)
        taken = {name for name, refs in inside.items() if not ids.keys() >= set(refs)}
        records = self.groups.named({*known, *own})
        return around.without(gone), Before(ids, records, taken)

    def _whole(
        self, lease: Lease, progress: Callable[[int], None] | None
    ) -> tuple[Surroundings, Before]:
        """All pairs and pins, and all documents but those that are alone in a group of their id."""
        everything = Surroundings()
        everything.extend_to_all(self.matches, self.pins)
        records, ids = self.groups.everything(), dict[Ref, str]()
        present: set[Ref] = set()
        for ref, standing in self._reader.all_standings():
            lease.check()
            if ref in everything.refs:
                present.add(ref)
            elif standing.group == ref.id and ref.id not in records:
                continue
            ids[ref] = standing.group
            if progress is not None:
                progress(1)
        gone = everything.refs - present
        everything.refs |= ids.keys()
        return everything.without(gone), Before(ids, records)

    def _apply(self, lease: Lease, change: Changes) -> None:
        """Write what has changed: all of it can be written twice."""
        lease.check()
        self.groups.put(change.records)
        lease.check()
        if change.groups:
            self._writer.set_groups(change.groups)
        if change.gone:
            gone, more = set(change.gone), change.gone
            while more:  # whatever merged into a group that is gone
                lease.check()
                more = sorted({record.id for record in self.groups.merged_into(more)} - gone)
                gone.update(more)
            self.groups.delete(sorted(gone))

    def _choose(self, asked: Sequence[tuple[Sequence[Ref], Ref | None]]) -> list[Ref]:
        grouping = self._writer.meta.grouping or Grouping()
        wanted = sorted({ref for common, _ in asked for ref in common})
        standings = self._reader.standings(wanted)
        members: dict[Ref, Member] = {}
        if grouping.policy is Policy.FIRST:
            members = {ref: Member(0, standing.indexed) for ref, standing in standings.items()}
        else:
            for stored in self._reader.each(wanted):
                standing = standings.get(stored.ref)
                length = stored.fingerprint.length if stored.fingerprint else len(stored.text)
                indexed = standing.indexed if standing else 0
                members[stored.ref] = Member(length, indexed, value_of(stored.body, grouping))
        return [
            canonical(
                [ref for ref in common if ref in members] or common[:1], members, grouping, was
            )
            for common, was in asked
        ]


def _ref(key: str) -> Ref:
    return Ref(*parts_of_key(key))
