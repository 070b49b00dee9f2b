"""The list of all copies with their originals, kept beside an index: aggregations count documents
one by one, so who copies whom can only be asked of a list that has both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final

from dupdex.groups.group_store import GroupRecord
from dupdex.jobs.heartbeat import WAIT, held
from dupdex.jobs.run_store import RunStore
from dupdex.matches.match_record import key, pair_id
from dupdex.session import Session
from indexer.field_path import values_at
from indexer.model import Ref
from indexer.stores.collection_store import Between, CollectionStore, scan
from indexer.stores.lease import SECONDS
from mappings.collections import LONGEST_KEYWORD, moment
from mappings.errors import AccessRefused, NotFound, StoreRefused
from mappings.records import COPIES, GROUPS, LEASES
from query.answers import Stored
from query.stores import StoreReader
from query.tally import instant_of, spelled

JOB: Final = "copies"
YES, NO = "yes", "no"

_GROUPS: Final = 200
_DOCUMENTS: Final = 200
"""Read at once."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class CopyFields:
    """Fields of a document, as dotted paths: its source, "" for none, and its time, "" for when it
    was written to the index."""

    source: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class CopyCounts:
    """What a run listed: copies, their originals, copies with a source other than the original's,
    and copies of earlier runs that are none any more."""

    copies: int = 0
    originals: int = 0
    across: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class _Side:
    """What an item says of a document; `time` in milliseconds since 1970."""

    source: str | None
    time: int | None


def list_copies(session: Session, fields: CopyFields, wait: float = WAIT) -> CopyCounts:
    """Bring the list up to date with the groups there are. What is deleted afterwards stays in it
    until the next run; a forgotten document does not.

    Raises NotFound for an index without groups, StoreUnavailable when another run is under way for
    longer than `wait` seconds.
    """
    groups = session.stored_collection(GROUPS)
    if groups is None:
        raise NotFound("the index keeps no groups yet; 'dupdex sweep' makes them")
    reader = session.reader()
    _show_written(session)
    with held(session.collection(LEASES), JOB, SECONDS, wait) as lease:
        runs = RunStore.open(session)
        with runs.recorded(runs.begin(JOB)) as progress:
            store = session.collection(COPIES)
            now = datetime.now(UTC)
            counts = CopyCounts()
            for originals, items in _batches(reader, groups, fields, moment(now)):
                lease.check()
                _put(store, items)
                counts = _added(counts, originals, items)
            store.refresh()
            old = [Between("listed", below=moment(now))]
            gone = store.delete_all([item.id for item in scan(store, old)])
            store.refresh()
            counts = CopyCounts(counts.copies, counts.originals, counts.across, gone)
            progress.note(copies=counts.copies, originals=counts.originals, gone=gone)
    return counts


def _show_written(session: Session) -> None:
    """Groups are read from the documents, and some may have changed a moment ago. A role that may
    not refresh sees those of a second ago; a folder shows everything at once."""
    if session.location.is_server:
        with suppress(AccessRefused), closing(session.writer()) as writer:
            writer.refresh()


def _batches(
    reader: StoreReader, groups: CollectionStore, fields: CopyFields, now: str
) -> Iterator[tuple[int, dict[str, dict[str, Any]]]]:
    """Some groups at a time: how many have a copy, and the items of these copies."""
    groups.refresh()
    found = (
        GroupRecord.from_values(item.id, item.values) for item in scan(groups, [Between("size", 2)])
    )
    while batch := [each for each in islice(found, _GROUPS) if each.canonical]:
        members = reader.members([each.id for each in batch])
        refs = {each.id: members.get(each.id, ()) for each in batch}
        sides = _sides(reader, [ref for listed in refs.values() for ref in listed], fields)
        items: dict[str, dict[str, Any]] = {}
        originals = 0
        for group in batch:
            copies = _copies(group, refs[group.id], sides, now)
            items.update(copies)
            originals += bool(copies)
        yield originals, items


def _copies(
    group: GroupRecord, refs: Iterable[Ref], sides: Mapping[Ref, _Side], now: str
) -> dict[str, dict[str, Any]]:
    """The items of one group, by id; none when its original is gone."""
    original = group.canonical
    if original is None or original not in sides:
        return {}
    whole = sides[original]
    out = {}
    for ref in refs:
        side = sides.get(ref)
        if side is None or ref == original:
            continue
        late = None
        if side.time is not None and whole.time is not None:
            late = (side.time - whole.time) // 1_000
        differ = bool(side.source and whole.source and side.source != whole.source)
        out[pair_id(ref, original)] = {
            "document": key(ref),
            "original": key(original),
            "group": group.id,
            "source": side.source,
            "original_source": whole.source,
            "across": YES if differ else NO,
            "time": _moment(side.time),
            "original_time": _moment(whole.time),
            "delay": late,
            "listed": now,
        }
    return out


def _sides(reader: StoreReader, refs: Sequence[Ref], fields: CopyFields) -> dict[Ref, _Side]:
    """Of the documents that are there, some at a time: their texts come along."""
    out: dict[Ref, _Side] = {}
    for start in range(0, len(refs), _DOCUMENTS):
        part = refs[start : start + _DOCUMENTS]
        written = {} if fields.date else reader.standings(part)
        for ref, stored in reader.documents(part).items():
            standing = written.get(ref)
            time = _time(stored, fields) if standing is None else standing.indexed
            out[ref] = _Side(_source(stored, fields), time)
    return out


def _source(stored: Stored, fields: CopyFields) -> str | None:
    """The first value of the field that a keyword can hold."""
    values = map(spelled, _values(stored, fields.source))
    return next((v for v in values if v and len(v.encode()) <= LONGEST_KEYWORD), None)


def _values(stored: Stored, path: str) -> list[Any]:
    """What a document has in a field; that of a sub-field, as site.keyword, is in the field."""
    found = list(values_at(stored.body, path))
    field = path.rpartition(".")[0]
    if found or not field:
        return found
    return [value for value in values_at(stored.body, field) if not isinstance(value, Mapping)]


def _time(stored: Stored, fields: CopyFields) -> int | None:
    """The earliest time in the field."""
    times = map(instant_of, _values(stored, fields.date))
    return min((time for time in times if time is not None), default=None)


def _moment(time: int | None) -> str | None:
    return None if time is None else moment(_EPOCH + timedelta(milliseconds=time))


def _put(store: CollectionStore, items: Mapping[str, dict[str, Any]]) -> None:
    for outcome in store.put_all(items.items()):
        if outcome.reason:
            raise StoreRefused(f"a copy cannot be listed: {outcome.reason}")


def _added(
    counts: CopyCounts, originals: int, items: Mapping[str, Mapping[str, Any]]
) -> CopyCounts:
    return CopyCounts(
        counts.copies + len(items),
        counts.originals + originals,
        counts.across + sum(item["across"] == YES for item in items.values()),
    )
