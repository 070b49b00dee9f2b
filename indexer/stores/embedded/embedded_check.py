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

import numpy as np
import numpy.typing as npt

from indexer.field_path import strings_at
from indexer.meta import IndexMeta, check_plan
from indexer.model import Document
from indexer.soundness import Part, Report, StoredDocument, check_fingerprints
from indexer.stores.embedded import schema
from indexer.stores.embedded.fulltext import Strings, columns_of, strings_of_layout_1
from indexer.stores.embedded.rows import COLUMNS, Row, Unreadable, row_of
from indexer.weight import batches, weight
from mappings.errors import StoreRefused

_LOW: Final = (1 << 32) - 1
_MANY: Final = 20
_KEPT: Final = ("meta", "documents")
"""The tables that cannot be derived from the others."""

_SINCE: Final = {"collections": 2, "standing": 3}
"""The layouts that brought tables along; the others are in all of them."""

_POSTINGS: Final = (
    f"SELECT num, count(*), sum(key & {_LOW}), sum(key >> 32) FROM"
    " (SELECT key, num FROM postings UNION ALL SELECT key, num FROM recent) GROUP BY num"
)
_MIXED: Final = (1 << 24) - 1
_BITS: Final = (1 << 31) - 1
_SPREAD: Final = 2_654_435_761

# A value of 38 bits for each word of each document: of its term and its place.
_WORDS: Final = (
    f"SELECT doc, (hash * ((place * (place >> 15 | 1)) & {_BITS})) >> 24 AS value FROM"
    f" (SELECT words.doc, terms.hash, ((2 * offset + (col = 'text') + 1) * {_SPREAD} & {_LOW})"
    " AS place FROM temp.terms CROSS JOIN temp.words WHERE words.term = terms.term)"
)
# The sum over all documents, within SQLite: to fetch the values takes several times as long.
_ALL_WORDS: Final = (
    f"SELECT sum((value * (doc * {_SPREAD} >> 8 & {_MIXED} | 1)) >> 36) FROM ({_WORDS})"
)

_AT_ONCE: Final = 50
_TERMS: Final = 1_000_000

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
        self._all_words = 0
        self._hashes = _TermHashes()
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
        layout = schema.read_layout(self._db, self._path)
        self._strings = strings_at if layout > 1 else strings_of_layout_1
        for name in missing_tables(self._db):
            if name in _KEPT:
                self._report.add(Part.META, f"the table {name} is not there")
            elif layout >= _SINCE.get(name, 1):
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
        for rows in batches(self._readable(), _AT_ONCE, lambda row: weight(row.body)):
            texts = columns_of([row.body for row in rows], meta, self._strings)
            for row, title_and_text in zip(rows, texts, strict=True):
                self._postings[row.num] = _counted(row)
                values = self._hashes.values_of(title_and_text)
                self._words[row.num] = int(values.sum())
                self._all_words += int((values * _doc_factor(row.num) >> 36).sum())
                yield StoredDocument(Document(row.id, "", row.body), row.fingerprint, row.plan_id)

    def _readable(self) -> Iterator[Row]:
        (total,) = self._db.execute("SELECT count(*) FROM documents").fetchone()
        self._progress(0, total)
        for raw_row in self._db.execute(f"SELECT {COLUMNS} FROM documents"):
            self._progress(1)
            try:
                yield row_of(raw_row)
            except Unreadable as error:
                self._unreadable.add(raw_row[0])
                self._report.documents += 1
                self._report.add(Part.DOCUMENTS, str(error), raw_row[1])

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
        """Compare one sum over all words first, and sums for each document only if that differs."""
        for name in ("words", "vocabulary", "terms"):
            self._db.execute(f"DROP TABLE IF EXISTS temp.{name}")
        for name, kind in (("words", "instance"), ("vocabulary", "row")):
            table = f"fts5vocab(main, fulltext, {kind})"
            self._db.execute(f"CREATE VIRTUAL TABLE temp.{name} USING {table}")
        self._db.create_function("dupdex_hash", 1, _hash)
        self._db.execute(
            "CREATE TABLE temp.terms AS"
            " SELECT term, dupdex_hash(CAST(term AS BLOB)) AS hash FROM temp.vocabulary"
        )
        (total,) = self._db.execute(_ALL_WORDS).fetchone()
        if (total or 0) != self._all_words or self._unreadable:
            self._compare_words()

    def _compare_words(self) -> None:
        stored: dict[int, int] = defaultdict(int)
        for num, value in self._db.execute(_WORDS):
            stored[num] += value
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


def _hash(term: bytes) -> int:
    """31 bits; the same in one process only."""
    return hash(term) & _BITS


class _TermHashes(dict[str, int]):
    """The hashes of terms."""

    def __missing__(self, term: str) -> int:
        value = _hash(term.encode("utf-8", "surrogateescape"))
        if len(self) < _TERMS:
            self[term] = value
        return value

    def values_of(self, texts: tuple[str, str]) -> npt.NDArray[np.int64]:
        """The values in `_WORDS` of a document with these columns, in any order."""
        values = []
        for column, text in enumerate(texts):
            terms = text.split(" ") if text else []
            hashes = np.fromiter(map(self.__getitem__, terms), np.int64, len(terms))
            places = (2 * np.arange(len(terms)) + column + 1) * _SPREAD & _LOW
            values.append(hashes * (places * (places >> 15 | 1) & _BITS) >> 24)
        return np.concatenate(values)


def _doc_factor(num: int) -> int:
    """What `_ALL_WORDS` multiplies the values of a document by."""
    return num * _SPREAD >> 8 & _MIXED | 1
