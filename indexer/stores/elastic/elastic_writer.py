"""The writer of the Elasticsearch store."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta, check_plan, check_writing
from indexer.meta_watch import MetaWatch
from indexer.model import Document, Outcome, Record, Ref, Standing, Status
from indexer.stores.elastic.behind import Behind, Kind, behind
from indexer.stores.elastic.bulk import BulkSender, Settled, delete_operation, index_operation
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from indexer.stores.elastic.data_stream import settle_conflicts
from indexer.stores.elastic.elastic_meta import (
    check_single,
    create_index,
    put_meta,
    read_meta,
    watch_of,
)
from indexer.stores.elastic.routed import Routings, routings, with_routing
from indexer.stores.elastic.standing import put_groups, stored_standings
from indexer.stores.stored_object import is_id, now_in_milliseconds
from mappings.errors import DupdexError, InputRefused, StoreRefused, StoreUnavailable
from mappings.plan import Plan

_CREATE: Final = "create"
_IN_FLIGHT: Final = 2  # chunks handed to the sender: one being sent, one ready


class ElasticWriter:
    """Writes records to one index; satisfies `indexer.stores.StoreWriter`."""

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        meta: IndexMeta,
        *,
        watch: MetaWatch | None = None,
        chunk_documents: int = 500,
        chunk_bytes: int = 8 << 20,
        rebuilding: bool = False,
    ) -> None:
        """For an existing index and a client that its owner closes; other callers use `open`."""
        self._client, self._settings = client, settings
        self._chunk_documents, self._chunk_bytes = chunk_documents, chunk_bytes
        self._rebuilding = rebuilding
        self.watch = watch or watch_of(client, settings, meta)
        self.problem = ""
        self._owns_client = False
        self._name: Behind | None = None
        self._under = ""  # the plan of the records that are being written

    @classmethod
    def open(
        cls,
        settings: ElasticSettings,
        meta: IndexMeta,
        wanted_plan: Plan | None = None,
        user_mappings: Mapping[str, Any] | None = None,
        user_settings: Mapping[str, Any] | None = None,
        client: Elasticsearch | None = None,
        **options: Any,
    ) -> Self:
        """Open the index; if it does not exist, create it with `meta`.

        An existing index keeps its meta, mappings and settings. Raises StoreRefused for an index
        that dupdex did not make, and, unless `rebuilding`, PlanMismatch when its plan is not
        `wanted_plan` or a rebuild is unfinished. A given `client` stays open when the writer is
        closed.
        """
        asking = client or connect(settings)
        try:
            stored, problem = read_meta(asking, settings), ""
            if stored is None:
                problem = create_index(asking, settings, meta, user_mappings, user_settings)
                # Read it back: another writer may have created it first, with another plan.
                stored = read_meta(asking, settings) or meta
            if not options.get("rebuilding"):
                check_plan(stored, wanted_plan)
        except BaseException:
            if client is None:
                asking.close()
            raise
        writer = cls(asking, settings, stored, **options)
        writer.problem, writer._owns_client = problem, client is None
        return writer

    @property
    def meta(self) -> IndexMeta:
        return self.watch.meta

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:
        """See `indexer.model.RecordWriter`; chunks are sent while the next one is computed.

        When `records` raises, records read before are stored and yielded first. Of two records
        with the same id the later one remains. Raises PlanMismatch within about a second after a
        rebuild began or ended elsewhere. A rebuild replaces only documents that still have the
        same body; the others are REJECTED with CHANGED as the reason.
        """
        self._look_behind_the_name()
        sender = self._sender()
        pool = ThreadPoolExecutor(1, thread_name_prefix="dupdex-bulk")
        flying: deque[tuple[_Chunk, Future[Settled]]] = deque()
        broken: Exception | None = None
        try:
            for chunk in self._chunks(records):
                broken = chunk.broken
                flying.append((chunk, pool.submit(self._send, sender, chunk)))
                while flying and (len(flying) > _IN_FLIGHT or flying[0][1].done()):
                    yield from _outcomes(*flying.popleft())
            while flying:
                yield from _outcomes(*flying.popleft())
        finally:
            sender.stop()
            pool.shutdown(cancel_futures=True)
        if broken is not None:
            raise broken

    def _send(self, sender: BulkSender, chunk: _Chunk) -> Settled:
        entries = [entry for entry in chunk.entries if entry.operation]
        try:
            operations = self._operations(entries)
        except DupdexError as error:
            sender.stop()
            return Settled([None] * len(entries), error)
        documents = [entry.document for entry in entries]
        if self._rebuilding:
            return sender.send_unchanged(documents, operations)
        settled = sender.send(operations)
        if self._action == _CREATE:
            settled = settle_conflicts(self._client, self._settings, documents, settled)
        return settled

    def _look_behind_the_name(self) -> None:
        """A rollover may have moved where new documents go; an index stays what it is."""
        if self._name is None or self._name.kind is not Kind.INDEX:
            with suppress(DupdexError):  # the write itself says what is wrong, and may wait
                self._name = behind(self._client, self._settings)

    @property
    def _action(self) -> str:
        is_stream = self._name is not None and self._name.kind is Kind.DATA_STREAM
        return _CREATE if is_stream else "index"

    def _operations(self, entries: Sequence[_Entry]) -> list[bytes]:
        """The lines that store documents. Those in a group stay in it; a rebuild, which changes no
        text, keeps the time as well."""
        meta = self.meta
        ids = [entry.document.id for entry in entries]
        target = self._name.writes_to if self._name else ""
        at = replace(self._settings, index=target or self._settings.index)
        known = self._routings([Ref("", name) for name in ids], at)
        if not meta.standing or not (self._rebuilding or meta.grouping):
            return [_routed(entry, entry.operation, known) for entry in entries]
        stored = stored_standings(self._client, at, ids, known)
        now = now_in_milliseconds()
        out = []
        for entry in entries:
            before = stored.get(entry.document.id)
            if before is None:
                out.append(_routed(entry, entry.operation, known))
                continue
            indexed = before.indexed if self._rebuilding else now
            standing = Standing(before.group, indexed)
            operation = index_operation(entry.record, standing, self._action)
            out.append(_routed(entry, operation, known))
        return out

    def _routings(self, refs: Sequence[Ref], at: ElasticSettings | None = None) -> Routings:
        """The routings of documents, where they may have some: dupdex itself gives none."""
        if self.meta.attached is None:
            return {}
        return routings(self._client, at or self._settings, refs)

    def _chunks(self, records: Iterable[Record]) -> Iterator[_Chunk]:
        chunk = _Chunk()
        try:
            for record in records:
                self._under = record.plan_id
                entry = _Entry.of(record, self.meta.standing, self._action)
                if chunk.is_full(entry, self._chunk_documents, self._chunk_bytes):
                    yield chunk
                    chunk = _Chunk()
                chunk.add(entry)
        except Exception as error:  # not swallowed: `write` raises it once the chunks are settled
            chunk.broken = error
        if chunk.entries or chunk.broken:
            yield chunk

    def check_changeable(self) -> None:
        """Raise StoreRefused for a name of several indices: they cannot be changed at once."""
        check_single(self._client, self._settings)

    def set_meta(self, meta: IndexMeta) -> None:
        """Compare and set (see `put_meta`)."""
        self.watch.swap(meta, self._put_meta)

    def _put_meta(self, meta: IndexMeta) -> None:
        self.problem = put_meta(self._client, self._settings, meta) or self.problem

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids that existed, each once.

        Raises StoreRefused for an alias over several indices, any of which may have the id.
        """
        check_single(self._client, self._settings)
        names = [name for name in dict.fromkeys(ids) if is_id(name)]
        if self.meta.attached is not None:
            self.refresh()  # routings are searched for
        deleted: list[str] = []
        for start in range(0, len(names), self._chunk_documents):
            part = names[start : start + self._chunk_documents]
            known = self._routings([Ref("", name) for name in part])
            chunk = [
                (name, routing) for name in part for routing in known.get(Ref("", name), (None,))
            ]
            settled = self._sender().send(
                [with_routing(delete_operation(name), routing) for name, routing in chunk]
            )
            if settled.failure is not None:
                raise settled.failure
            for (name, _), item in zip(chunk, settled.items, strict=True):
                if item is not None and item.reason and not item.missing:
                    raise InputRefused(f"document {name!r} cannot be deleted: {item.reason}")
                if item is not None and item.result == "deleted":
                    deleted.append(name)
        return list(dict.fromkeys(deleted))

    def set_groups(self, groups: Mapping[Ref, str]) -> list[Ref]:
        """See `indexer.stores.StoreWriter`."""
        if not self.meta.standing:
            raise StoreRefused(
                f"index {self._settings.index!r} was made by an earlier version and has no place "
                "for groups; run 'dupdex rebuild' first"
            )
        return put_groups(self._sender(), groups, self._routings(list(groups)))

    def refresh(self) -> None:
        with translated("refresh", self._settings):
            self._client.indices.refresh(index=self._settings.index)

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def _sender(self) -> BulkSender:
        return BulkSender(self._client, self._settings, self._settings.retry_seconds, self._look)

    def _look(self) -> None:
        """Before every request: a document with keys of a plan that the index has left would not be
        found."""
        self.watch.look()
        if self.meta.online and self._under and not self._rebuilding:
            check_writing(self._under, self.meta)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document with the lines that store it, or the reason why it cannot be stored."""

    record: Record
    operation: bytes = b""
    reason: str = ""

    @classmethod
    def of(cls, record: Record, with_standing: bool, action: str) -> Self:
        """A document that is new is a group of its own; `with_standing`: the index has a place for
        that. `action`: as of `index_operation`."""
        new = Standing(record.document.id, now_in_milliseconds()) if with_standing else None
        try:
            return cls(record, index_operation(record, new, action))
        except InputRefused as error:
            return cls(record, reason=str(error))

    @property
    def document(self) -> Document:
        return self.record.document


@dataclass(slots=True)
class _Chunk:
    """Entries of a request. No id occurs twice, so that a retry cannot undo a later version."""

    entries: list[_Entry] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    size: int = 0
    broken: Exception | None = None

    def is_full(self, entry: _Entry, documents: int, size: int) -> bool:
        return bool(self.entries) and (
            len(self.entries) >= documents
            or self.size + len(entry.operation) > size
            or entry.document.id in self.ids
        )

    def add(self, entry: _Entry) -> None:
        self.entries.append(entry)
        self.ids.add(entry.document.id)
        self.size += len(entry.operation)


def _routed(entry: _Entry, operation: bytes, known: Routings) -> bytes:
    """An operation on a document that may be stored with a routing: it stays in its shard."""
    found = known.get(Ref("", entry.document.id), [None])
    return with_routing(operation, found[0])


def _outcomes(chunk: _Chunk, future: Future[Settled]) -> Iterator[Outcome]:
    """The outcomes of a chunk in order, as far as they are known; then raise its failure."""
    settled = future.result()
    items = iter(settled.items)
    for entry in chunk.entries:
        if not entry.operation:
            yield Outcome(entry.document, Status.REJECTED, entry.reason)
            continue
        item = next(items)
        if item is None:
            break  # later ones may be stored, but this one is not known to be
        if item.result in (Status.CREATED, Status.UPDATED):
            yield Outcome(entry.document, Status(item.result))
        else:
            reason = item.reason or f"the server answered {item.result!r}"
            yield Outcome(entry.document, Status.REJECTED, reason)
    if settled.failure is not None:
        raise settled.failure
    if None in settled.items:
        raise StoreUnavailable("writing was stopped")
