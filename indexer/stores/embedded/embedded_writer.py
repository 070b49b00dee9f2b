"""The writer of the embedded store: one SQLite file, one writer at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Final, Self

from indexer.closing import Closing
from indexer.meta import IndexMeta, check_plan
from indexer.meta_watch import MetaWatch, check_revision
from indexer.model import Outcome, Record, Ref, Status, is_text
from indexer.stores.embedded import migrations, schema
from indexer.stores.embedded.fulltext import columns, columns_of
from indexer.stores.embedded.rows import Unreadable, body_of, damaged, keys_of
from indexer.stores.embedded.writer_lock import take_lock
from indexer.stores.storable import encode
from indexer.stores.stored_object import now_in_milliseconds, to_signed
from indexer.weight import batches, weight
from mappings.errors import InputRefused, NotFound, StoreRefused
from mappings.plan import Plan

CHUNK: Final = 500
CACHE_KIBIBYTES: Final = 65_536

# Inserting a chunk touches a page of `recent` for nearly every key; merging touches nearly every
# page of `postings`. With 100,000 documents, `recent` makes a build 2.2 times faster.
MERGE_AT: Final = 250_000
MERGE_PER_DOCUMENT: Final = 2

_WRITTEN: Final = (
    "INSERT INTO standing VALUES (?1, ?2, NULL) ON CONFLICT (num) DO UPDATE SET indexed = ?2"
)
_KEPT: Final = "INSERT OR IGNORE INTO standing VALUES (?1, ?2, NULL)"


@dataclass(frozen=True, slots=True)
class _Row:
    """A record that is ready to be stored."""

    record: Record
    body: bytes
    packed_keys: bytes
    postings: frozenset[int]
    columns: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Old:
    """The document that is already stored under an id."""

    num: int
    postings: frozenset[int]
    columns: tuple[str, str]


class EmbeddedWriter(Closing):
    """Satisfies `indexer.stores.StoreWriter`. Holds the index's writer lock until closed.

    Threads may share a writer: their transactions take turns.
    """

    problem = ""

    def __init__(
        self,
        path: Path,
        db: sqlite3.Connection,
        lock: sqlite3.Connection,
        meta: IndexMeta,
        watch: MetaWatch | None = None,
    ) -> None:
        self._path, self._db, self._lock = path, db, lock
        self._turn = RLock()
        self.watch = watch or MetaWatch(meta, self._read_meta, f"the index at {path}")
        self._chunk = CHUNK
        self._file = schema.identity(path)
        self._rebuilding = False
        self._recent: int = db.execute("SELECT count(*) FROM recent").fetchone()[0]

    @classmethod
    def open(
        cls,
        folder: Path,
        index: str,
        meta: IndexMeta,
        wanted_plan: Plan | None,
        chunk: int = CHUNK,
        rebuilding: bool = False,
        watch: MetaWatch | None = None,
    ) -> Self:
        """Open the index in `folder`; if it does not exist, create it with `meta`.

        An existing index keeps its meta; `rebuilding` opens it whatever its plan; `watch` is that
        of a reader of the same index. Raises PlanMismatch for another plan than `wanted_plan`,
        StoreRefused for a file that dupdex did not make, cannot write, or that has a writer.
        """
        path = schema.path_of(folder, index)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreRefused(
                f"{folder} cannot be made: {error.strerror}; name another folder",
                "--store",
            ) from error
        lock = take_lock(path)
        try:
            db = _open_database(path, meta)
            try:
                with schema.translated(path):
                    stored = schema.read_meta(db, path)
                    if not rebuilding:
                        check_plan(stored, wanted_plan)
                    migrations.migrate(db, path)
                    writer = cls(path, db, lock, stored, watch)
                    if watch is not None:
                        watch.check()  # another writer may have held the lock until now
            except BaseException:
                db.close()
                raise
        except BaseException:
            lock.close()
            raise
        writer._chunk, writer._rebuilding = chunk, rebuilding
        return writer

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as stored."""
        return self.watch.meta

    def check_changeable(self) -> None:
        """Nothing to refuse: an index is a single file."""

    def set_meta(self, meta: IndexMeta) -> None:
        """Compare and set, in one transaction; the text and title fields cannot change, because
        FTS5 could then no longer delete what it indexed."""
        if (meta.text_fields, meta.title_field) != (self.meta.text_fields, self.meta.title_field):
            raise StoreRefused(
                f"the text fields of {self._path} cannot be changed; make another index"
            )
        self.watch.swap(meta, self._put_meta)

    def _put_meta(self, meta: IndexMeta) -> None:
        with self._transaction():
            stored = schema.read_meta(self._db, self._path)
            check_revision(stored, meta.revision - 1, f"the index at {self._path}")
            schema.write_meta(self._db, meta)

    def _read_meta(self) -> IndexMeta:
        with self._turn, schema.translated(self._path):
            return schema.read_meta(self._db, self._path)

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:
        """Store records, one transaction per chunk; its outcomes follow the commit."""
        for chunk in _chunks(records, self._chunk):
            yield from self._store(chunk)

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids that existed.

        Raises StoreRefused for a damaged document, after the others were removed.
        """
        deleted: list[str] = []
        unreadable: dict[str, str] = {}
        for start in range(0, len(ids), self._chunk):
            with self._transaction():
                stored, faults = self._stored(ids[start : start + self._chunk])
                self._forget(stored.values())
            deleted += stored
            unreadable |= faults
        for name, fault in unreadable.items():
            raise damaged(self._db, name, fault)
        return deleted

    def set_groups(self, groups: Mapping[Ref, str]) -> list[Ref]:
        """See `indexer.stores.StoreWriter`."""
        changed: list[Ref] = []
        with self._transaction():
            for ref, group in groups.items():
                done = self._db.execute(
                    "UPDATE standing SET grp = nullif(?1, ?2)"
                    " WHERE num = (SELECT num FROM documents WHERE id = ?2)",
                    (group, ref.id),
                )
                if done.rowcount:
                    changed.append(ref)
        return changed

    def refresh(self) -> None:
        """Committed changes are visible. Raises NotFound when the file was removed."""
        self._check_there()

    def close(self) -> None:
        """Release the file and the writer lock."""
        with self._turn:
            schema.merge_log(self._db)
            self._db.close()
            self._lock.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A transaction; threads take turns. Raises NotFound when the file was removed, so that
        nothing written to a lost file is reported as stored.
        """
        with self._turn:
            with schema.transaction(self._db, self._path, "BEGIN IMMEDIATE"):
                yield
            self._check_there()

    def _check_there(self) -> None:
        """Raise NotFound when the path no longer leads to the open file."""
        if schema.identity(self._path) != self._file:
            raise NotFound(
                f"{self._path} was removed or replaced while it was written to, and what this run "
                "had stored went with it; run the same command again"
            )

    def _store(self, chunk: Sequence[Record]) -> list[Outcome]:
        """Commit a chunk; the outcome of each record."""
        rows = self._rows(chunk)
        last = {row.record.document.id: row for row in rows if isinstance(row, _Row)}
        with self._turn:  # `_recent` changes together with the transaction
            with self._transaction():
                old, faults = self._stored(list(last))
                for name in faults:
                    del last[name]
                recent = self._replace(last, old)
            self._recent = recent
        present = set(old)
        outcomes = []
        for record, row in zip(chunk, rows, strict=True):
            if isinstance(row, str):
                outcomes.append(Outcome(record.document, Status.REJECTED, row))
                continue
            if fault := faults.get(record.document.id):
                reason = str(damaged(self._db, record.document.id, fault))
                outcomes.append(Outcome(record.document, Status.REJECTED, reason))
                continue
            updated = record.document.id in present
            outcomes.append(Outcome(record.document, Status.UPDATED if updated else Status.CREATED))
            present.add(record.document.id)
        return outcomes

    def _rows(self, chunk: Sequence[Record]) -> list[_Row | str]:
        """The records as rows, or the reason why one cannot be stored."""
        bodies: list[bytes | str] = []
        for record in chunk:
            try:
                bodies.append(encode(record.document))
            except InputRefused as error:
                bodies.append(str(error))
        good = [
            record.document.body
            for record, body in zip(chunk, bodies, strict=True)
            if isinstance(body, bytes)
        ]
        texts = iter(columns_of(good, self.meta))
        return [
            body if isinstance(body, str) else _row(record, body, next(texts))
            for record, body in zip(chunk, bodies, strict=True)
        ]

    def _stored(self, ids: Sequence[str]) -> tuple[dict[str, _Old], dict[str, str]]:
        """The documents stored under these ids, and the faults of damaged ones. Those keep their
        rows, as the words to delete from full text are unknown."""
        stored: dict[str, _Old] = {}
        faults: dict[str, str] = {}
        for name in dict.fromkeys(ids):
            try:
                old = self._old(name)
            except Unreadable as error:
                faults[name] = str(error)
            else:
                if old is not None:
                    stored[name] = old
        return stored, faults

    def _old(self, name: str) -> _Old | None:
        if not is_text(name):  # never a stored id
            return None
        row = self._db.execute(
            "SELECT num, keys, body FROM documents WHERE id=?", (name,)
        ).fetchone()
        if row is None:
            return None
        num, keys, body = row
        return _Old(
            num,
            frozenset(schema.posting_keys(keys_of(keys))),
            columns(body_of(body), self.meta),
        )

    def _replace(self, rows: dict[str, _Row], old: dict[str, _Old]) -> int:
        """Write rows, replacing old ones; returns the number of postings then in `recent`."""
        (top,) = self._db.execute("SELECT coalesce(max(num), 0) FROM documents").fetchone()
        postings: list[tuple[int, int]] = []
        dropped: list[tuple[int, int]] = []
        documents, texts, stale = [], [], []
        for name, row in rows.items():
            before = old.get(name)
            if before is None:
                top += 1
                num, fresh = top, row.postings
            else:
                num, fresh = before.num, row.postings - before.postings
                dropped += [(key, num) for key in before.postings - row.postings]
            if before is None or before.columns != row.columns:
                texts.append((num, *row.columns))
                if before is not None:
                    stale.append((num, *before.columns))
            postings += [(key, num) for key in fresh]
            fingerprint = row.record.fingerprint
            documents.append(
                (
                    num,
                    name,
                    row.record.plan_id,
                    fingerprint.text_hash,
                    to_signed(fingerprint.simhash),
                    fingerprint.length,
                    row.packed_keys,
                    row.body,
                )
            )
        self._drop(dropped, stale)
        self._db.executemany("REPLACE INTO documents VALUES (?,?,?,?,?,?,?,?)", documents)
        now = now_in_milliseconds()
        self._db.executemany(
            _KEPT if self._rebuilding else _WRITTEN, [(row[0], now) for row in documents]
        )
        self._db.executemany("INSERT INTO fulltext(rowid, title, text) VALUES (?,?,?)", texts)
        return self._post(postings, top)

    def _post(self, postings: list[tuple[int, int]], documents: int) -> int:
        """Add postings in key order, and merge `recent` into `postings` when it has grown."""
        postings.sort()
        self._db.executemany("INSERT OR IGNORE INTO recent VALUES (?,?)", postings)
        held = self._recent + len(postings)
        if held <= max(MERGE_AT, MERGE_PER_DOCUMENT * documents):
            return held
        self._db.execute(
            "INSERT OR IGNORE INTO postings SELECT key, num FROM recent ORDER BY key, num"
        )
        self._db.execute("DELETE FROM recent")
        return 0

    def _drop(self, postings: list[tuple[int, int]], texts: list[tuple[int, str, str]]) -> None:
        postings.sort()
        for table in ("recent", "postings"):
            self._db.executemany(f"DELETE FROM {table} WHERE key=? AND num=?", postings)
        self._db.executemany(
            "INSERT INTO fulltext(fulltext, rowid, title, text) VALUES ('delete',?,?,?)", texts
        )

    def _forget(self, documents: Iterable[_Old]) -> None:
        documents = list(documents)
        self._drop(
            [(key, old.num) for old in documents for key in old.postings],
            [(old.num, *old.columns) for old in documents],
        )
        for table in ("documents", "standing"):
            nums = [(old.num,) for old in documents]
            self._db.executemany(f"DELETE FROM {table} WHERE num=?", nums)


def _row(record: Record, body: bytes, texts: tuple[str, str]) -> _Row:
    keys = record.fingerprint.keys
    postings = frozenset(schema.posting_keys(keys))
    return _Row(record, body, schema.pack_keys(keys), postings, texts)


def _open_database(path: Path, meta: IndexMeta) -> sqlite3.Connection:
    with schema.translated(path):
        db = schema.connect(path, "rwc")
        try:
            db.execute("PRAGMA synchronous=FULL")
            if schema.is_blank(db):
                schema.create(db, meta)
            else:
                schema.read_meta(db, path)  # another program's file is refused before it is changed
            db.execute(f"PRAGMA cache_size=-{CACHE_KIBIBYTES}")
            # fail now, not at the first document, if the file cannot be written
            db.execute("UPDATE meta SET value = value WHERE key = ''")
        except BaseException:
            db.close()
            raise
    return db


def _chunks(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    """Chunks of `size` records, or fewer when the documents are large."""
    return batches(records, size, lambda record: weight(record.document.body))
