"""Repairs an embedded store: fingerprints from the texts, postings and full text from the rows.

It is one transaction under the writer lock: an interrupted repair has changed nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import orjson

from indexer.meta import IndexMeta
from indexer.model import Body, Document, Fingerprint, Record
from indexer.soundness import Aside, Part, Report, StoredDocument, check_fingerprints
from indexer.stores.embedded import migrations, schema
from indexer.stores.embedded.embedded_check import Progress, check, missing_tables
from indexer.stores.embedded.fulltext import columns_of
from indexer.stores.embedded.rows import COLUMNS, Unreadable, body_of, id_of, keys_of, row_of
from indexer.stores.embedded.writer_lock import take_lock
from indexer.stores.stored_object import to_signed
from mappings.errors import StoreRefused

_CHUNK: Final = 500


def repair(path: Path, aside: Aside, progress: Progress = lambda *_: None) -> tuple[Report, Report]:
    """What was wrong, and what still is. Rows that cannot be read go to `aside`.

    Raises StoreRefused for a file that cannot be repaired, or that has a writer.
    """
    try:
        return _repaired(path, aside, progress)
    except StoreRefused as error:
        cause = error.__cause__
        if getattr(cause, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        raise StoreRefused(
            f"{path} is damaged and cannot be mended ({cause}); restore it from a copy, or index "
            "the documents again under another name"
        ) from error


def _repaired(path: Path, aside: Aside, progress: Progress) -> tuple[Report, Report]:
    with closing(take_lock(path)):
        with schema.translated(path):
            db = schema.connect(path, "rw")
        with closing(db), schema.translated(path):
            db.execute("PRAGMA synchronous=FULL")
            schema.read_layout(db, path)
            migrations.migrate(db, path)
            before = check(db, path, progress)
            if before.is_sound:
                return before, before
            _refuse_hopeless(before, path)
            if Part.FILE in before.counts:
                _reindex(db, path)
            text_factory, db.text_factory = db.text_factory, _decoded
            try:
                with schema.transaction(db, path, "BEGIN IMMEDIATE"):
                    _Repair(db, path, aside).run()
                    aside.close()  # what is taken out is on disk before it is gone
            finally:
                db.text_factory = text_factory
            return before, check(db, path, progress)


def _refuse_hopeless(report: Report, path: Path) -> None:
    if Part.META in report.counts:
        raise StoreRefused(
            f"{path} cannot be mended: its documents, or what says under which plan they were "
            "stored, are lost; restore it from a copy, or index them again under another name"
        )


def _reindex(db: sqlite3.Connection, path: Path) -> None:
    """Rebuild the indexes of the tables. Raises StoreRefused when SQLite still finds faults."""
    with schema.transaction(db, path, "BEGIN IMMEDIATE"):
        db.execute("REINDEX")
    # of the documents only: the other tables will be rebuilt
    if db.execute("PRAGMA integrity_check(documents)").fetchone() != ("ok",):
        raise StoreRefused(
            f"{path} cannot be mended: SQLite cannot read the table of documents; restore it from "
            "a copy, or index them again under another name"
        )


def _decoded(packed: bytes) -> str:
    return packed.decode("utf-8", "surrogateescape")


class _Repair:
    """The steps of a repair, inside one transaction."""

    def __init__(self, db: sqlite3.Connection, path: Path, aside: Aside) -> None:
        self._db, self._path, self._aside = db, path, aside
        self._meta: IndexMeta = schema.read_meta(db, path)

    def run(self) -> None:
        for statement in missing_tables(self._db).values():
            self._db.execute(statement)
        for statement in schema.INDEXES:
            self._db.execute(statement)
        for stored, record in check_fingerprints(self._readable(), self._meta, Report()):
            self._store(stored.document, record)
        self._db.execute("DELETE FROM standing WHERE num NOT IN (SELECT num FROM documents)")
        self._db.execute("INSERT OR IGNORE INTO standing SELECT num, 0, NULL FROM documents")
        for table in ("postings", "recent"):
            self._db.execute(f"DELETE FROM {table}")
        self._db.execute("INSERT INTO fulltext(fulltext) VALUES ('delete-all')")
        self._derive()

    def _readable(self) -> Iterator[StoredDocument]:
        """The readable documents, with their row number as `origin`; other rows are deleted."""
        last = -(1 << 63)
        while rows := self._after(last):
            for row in rows:
                last = row[0]
                document = self._read(row)
                if document is None:
                    self._db.execute("DELETE FROM documents WHERE num = ?", (last,))
                else:
                    yield document

    def _after(self, last: int) -> list[tuple[Any, ...]]:
        return self._db.execute(
            f"SELECT {COLUMNS} FROM documents WHERE num > ? ORDER BY num LIMIT {_CHUNK}", (last,)
        ).fetchall()

    def _read(self, row: tuple[Any, ...]) -> StoredDocument | None:
        """The document of a row, as far as it is readable; None when it went to the rejects."""
        num, name, *_, packed = row
        if isinstance(packed, str):  # JSON that another program wrote back as text
            packed = packed.encode("utf-8", "surrogateescape")
        try:
            document = Document(id_of(name), "", body_of(packed), origin=str(num))
        except Unreadable as error:
            self._put_aside(name, packed, error)
            return None
        fingerprint: Fingerprint | None = None
        plan_id = ""
        try:
            stored = row_of(row)
            fingerprint, plan_id = stored.fingerprint, stored.plan_id
        except Unreadable as error:
            if not self._has_text(document.body):
                self._aside.add(document, f"it holds no text, and {error}")
                return None
        return StoredDocument(document, fingerprint, plan_id)

    def _has_text(self, body: Body) -> bool:
        records = check_fingerprints(
            [StoredDocument(Document("", "", body), None, "")], self._meta, Report()
        )
        return any(True for _ in records)

    def _put_aside(self, name: object, packed: object, error: Unreadable) -> None:
        line = packed.decode("utf-8", "backslashreplace") if isinstance(packed, bytes) else packed
        origin = f"{self._path}: document {name!r}"
        self._aside.add_row(origin, str(error), None if line is None else str(line))

    def _store(self, document: Document, record: Record) -> None:
        fingerprint = record.fingerprint
        self._db.execute(
            "UPDATE documents SET plan = ?, text_hash = ?, simhash = ?, length = ?, keys = ?,"
            " body = ? WHERE num = ?",
            (
                record.plan_id,
                fingerprint.text_hash,
                to_signed(fingerprint.simhash),
                fingerprint.length,
                schema.pack_keys(fingerprint.keys),
                orjson.dumps(document.body),
                int(document.origin),
            ),
        )

    def _derive(self) -> None:
        """Rebuild the postings and full text of all rows."""
        self._db.execute("CREATE TEMP TABLE made (key INTEGER, num INTEGER)")
        last = -(1 << 63)
        while rows := self._after(last):
            last = rows[-1][0]
            postings = [
                (key, num)
                for num, *_, keys, _ in rows
                for key in schema.posting_keys(keys_of(keys))
            ]
            self._db.executemany("INSERT INTO temp.made VALUES (?,?)", postings)
            words = columns_of([body_of(row[-1]) for row in rows], self._meta)
            self._db.executemany(
                "INSERT INTO fulltext(rowid, title, text) VALUES (?,?,?)",
                [(row[0], *texts) for row, texts in zip(rows, words, strict=True)],
            )
        self._db.execute("INSERT INTO postings SELECT key, num FROM temp.made ORDER BY key, num")
        self._db.execute("DROP TABLE temp.made")
        self._db.execute("INSERT INTO fulltext(fulltext) VALUES ('integrity-check')")
