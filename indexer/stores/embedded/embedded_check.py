"""Checks an embedded store: the file, every row, and the tables derived from the rows.

Postings and full text are compared by sums of hashes per document, in both directions, so that one
pass over each table is enough.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from indexer.field_path import strings_at
from indexer.meta import IndexMeta, check_plan
from indexer.model import Document
from indexer.soundness import Part, Report, StoredDocument, check_fingerprints
from indexer.stores.embedded import schema
from indexer.stores.embedded.fulltext import Strings, columns, strings_of_layout_1
from indexer.stores.embedded.rows import COLUMNS, Row, Unreadable, row_of
from mappings.errors import StoreRefused

_LOW: Final = (1 << 32) - 1
_WHOLE: Final = (1 << 64) - 1
_MANY: Final = 20
_KEPT: Final = ("meta", "documents")
"""The tables that cannot be derived from the others."""

_POSTINGS: Final = (
    f"SELECT num, count(*), sum(key & {_LOW}), sum(key >> 32) FROM"
    " (SELECT key, num FROM postings UNION ALL SELECT key, num FROM recent) GROUP BY num"
)
_WORDS: Final = "SELECT term, doc, col, offset FROM temp.words"

Counted = tuple[int, int, int]
Progress = Callable[..., None]


def check(db: sqlite3.Connection, path: Path, progress: Progress = lambda *_: None) -> Report:
    """All faults of the store. `progress` is called with the number of documents checked.

    Raises PlanMismatch when a rebuild is unfinished or this dupdex cannot serve the plan.
    """
    report = Report()
    text_factory = db.text_factory
    # text that is not UTF-8 is a fault of its row and must not end the check
    db.text_factory = lambda packed: packed.decode("utf-8", "surrogateescape")
    try:
        with schema.transaction(db, path, "BEGIN"):
            _Check(db, path, report, progress).run()
    except StoreRefused as error:
        report.add(Part.FILE, str(error))
    finally:
        db.text_factory = text_factory
    return report


def missing_tables(db: sqlite3.Connection) -> dict[str, str]:
    """The missing tables, each with the statement that creates it."""
    present = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    tables = {
        statement.split(" TABLE ")[1].split(" ", 1)[0]: statement for statement in schema.TABLES
    }
    return {name: statement for name, statement in tables.items() if name not in present}


class _Check:
    """One pass over the store, with what each document should have in the other tables."""

    def __init__(
        self, db: sqlite3.Connection, path: Path, report: Report, progress: Progress
    ) -> None:
        self._db, self._path, self._report, self._progress = db, path, report, progress
        self._postings: dict[int, Counted] = {}
        self._words: dict[int, int] = {}
        self._unreadable: set[int] = set()
        self._strings: Strings = strings_at

    def run(self) -> None:
        for (line,) in self._db.execute(f"PRAGMA integrity_check({_MANY})"):
            if line != "ok":
                self._report.add(Part.FILE, line)
        meta = self._check_tables()
        if meta is None:
            return
        check_plan(meta, None)
        for _ in check_fingerprints(self._rows(meta), meta, self._report):
            pass
        self._check_postings()
        self._check_words()

    def _check_tables(self) -> IndexMeta | None:
        """The meta of the index; None when the rows cannot be checked."""
        current = schema.read_layout(self._db, self._path) == schema.LAYOUT
        self._strings = strings_at if current else strings_of_layout_1
        for name in missing_tables(self._db):
            if name in _KEPT:
                self._report.add(Part.META, f"the table {name} is not there")
            elif current or name != "collections":
                self._report.add(Part.TABLES, f"the table {name} is not there")
        if Part.META in self._report.counts:
            return None
        try:
            meta = schema.read_meta(self._db, self._path)
        except StoreRefused as error:
            self._report.add(Part.META, str(error))
            return None
        return None if Part.TABLES in self._report.counts else meta

    def _rows(self, meta: IndexMeta) -> Iterator[StoredDocument]:
        (total,) = self._db.execute("SELECT count(*) FROM documents").fetchone()
        self._progress(0, total)
        for raw_row in self._db.execute(f"SELECT {COLUMNS} FROM documents"):
            self._progress(1)
            try:
                row = row_of(raw_row)
            except Unreadable as error:
                self._unreadable.add(raw_row[0])
                self._report.documents += 1
                self._report.add(Part.DOCUMENTS, str(error), raw_row[1])
                continue
            self._postings[row.num] = _counted(row)
            self._words[row.num] = _hashed(columns(row.body, meta, self._strings))
            yield StoredDocument(Document(row.id, "", row.body), row.fingerprint, row.plan_id)

    def _check_postings(self) -> None:
        for num, *sums in self._db.execute(_POSTINGS):
            expected = self._postings.pop(num, None)
            if num in self._unreadable:
                continue
            if expected is None:
                self._report.add(Part.POSTINGS, f"keys of a document {num!r} that is not there")
            elif expected != tuple(sums):
                self._report.add(Part.POSTINGS, "its keys differ from its postings", self._id(num))
        for num in self._postings:
            self._report.add(Part.POSTINGS, "it has no postings", self._id(num))

    def _check_words(self) -> None:
        self._db.execute("DROP TABLE IF EXISTS temp.words")
        vocabulary = "fts5vocab(main, fulltext, instance)"
        self._db.execute(f"CREATE VIRTUAL TABLE temp.words USING {vocabulary}")
        stored: dict[int, int] = defaultdict(int)
        for term, num, column, place in self._db.execute(_WORDS):
            stored[num] = (stored[num] + hash((term, column, place))) & _WHOLE
        for num, total in self._words.items():
            if stored.pop(num, 0) != total:
                message = "full text holds other words than its body"
                self._report.add(Part.WORDS, message, self._id(num))
        for num in stored.keys() - self._unreadable:
            self._report.add(Part.WORDS, f"words of a document {num} that is not there")

    def _id(self, num: int) -> Any:
        (name,) = self._db.execute("SELECT id FROM documents WHERE num = ?", (num,)).fetchone()
        return name


def _counted(row: Row) -> Counted:
    """The result of `_POSTINGS` that the keys of a row should give."""
    keys = schema.posting_keys(row.fingerprint.keys)
    return len(keys), sum(key & _LOW for key in keys), sum(key >> 32 for key in keys)


def _hashed(texts: tuple[str, str]) -> int:
    """The sum over `_WORDS` that a document should give."""
    total = 0
    for column, text in zip(("title", "text"), texts, strict=True):
        for place, term in enumerate(text.split(" ") if text else ()):
            total += hash((term, column, place))
    return total & _WHOLE
