"""The read side of the embedded store; any number of readers beside the one writer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Final, Self

import orjson

from indexer.meta import IndexMeta, check_plan
from indexer.model import Keys, is_text
from indexer.stores.embedded import schema
from indexer.stores.embedded.fulltext import match_expression
from mappings.contract import Field
from mappings.errors import InputRefused, NotFound
from mappings.plan import Plan
from query.answers import CandidatePage, Filter, Hit, Hits, Request, Stored
from query.stores.embedded import postings
from query.stores.embedded.term_filter import acceptor

_STORED: Final = "SELECT num, id, plan, text_hash, simhash, length, keys, body FROM documents"
_HITS: Final = "SELECT rowid, rank FROM fulltext WHERE fulltext MATCH ? ORDER BY rank, rowid"
_CACHE_KIBIBYTES: Final = 32_768


class EmbeddedReader:
    """Satisfies `query.stores.StoreReader`. Threads may share one: they take turns."""

    def __init__(self, path: Path, db: sqlite3.Connection, meta: IndexMeta) -> None:
        self._path, self._db, self._meta = path, db, meta
        self._turn = RLock()

    @classmethod
    def open(
        cls, folder: Path, index: str, wanted_plan: Plan | None, rebuilding: bool = False
    ) -> Self:
        """Open an index for reading; `rebuilding` opens it whatever its plan.

        Raises NotFound when there is none, PlanMismatch for another plan than `wanted_plan`.
        """
        path = schema.path_of(folder, index)
        if not path.exists():
            raise NotFound(f"there is no index at {path}; make one with 'dupdex index'")
        with schema.translated(path):
            db = _connect(path)
            try:
                if schema.is_blank(db):
                    raise NotFound(f"the index at {path} is empty; fill it with 'dupdex index'")
                meta = schema.read_meta(db, path)
                if not rebuilding:
                    check_plan(meta, wanted_plan)
                db.execute(f"PRAGMA cache_size=-{_CACHE_KIBIBYTES}")
            except BaseException:
                db.close()
                raise
        return cls(path, db, meta)

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as they were when it was opened."""
        return self._meta

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request, all from one state of the index."""
        with self._snapshot():
            return [postings.page(self._db, request) for request in requests]

    def documents(self, ids: Sequence[str]) -> dict[str, Stored]:
        """The stored documents by id; absent ids are left out."""
        out: dict[str, Stored] = {}
        with self._snapshot():
            for name in filter(is_text, ids):  # no other is an id of ours
                row = self._db.execute(f"{_STORED} WHERE id=?", (name,)).fetchone()
                if row is not None:
                    out[name] = self._stored(row)
        return out

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """Full text by BM25; with filters every hit's fields are read to count them."""
        passes = acceptor(filters)
        expression = match_expression(text)
        size, offset = max(0, size), max(0, offset)
        if not expression:
            return Hits((), 0)
        with self._snapshot():
            if passes is None:
                counted = "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?"
                (total,) = self._db.execute(counted, (expression,)).fetchone()
                rows = self._db.execute(f"{_HITS} LIMIT ? OFFSET ?", (expression, size, offset))
                return Hits(tuple(_hit(rank, *self._row(num)) for num, rank in rows), total)
            total, hits = 0, []
            for num, rank in self._db.execute(_HITS, (expression,)):
                name, packed = self._row(num)
                if passes(packed):
                    if offset <= total < offset + size:
                        hits.append(_hit(rank, name, packed))
                    total += 1
            return Hits(tuple(hits), total)

    def scan(self, without_plan: str | None = None) -> Iterator[Stored]:
        """Every document that was there at the start, one read transaction each: a writer may
        rewrite documents meanwhile, and its log does not grow for the scan's sake."""
        with self._snapshot():
            (last,) = self._db.execute("SELECT coalesce(max(num), 0) FROM documents").fetchone()
        other = "" if without_plan is None else " AND plan <> ?3"
        query = f"{_STORED} WHERE num > ?1 AND num <= ?2{other} ORDER BY num LIMIT 1"
        num = 0
        while True:
            given = (num, last) if without_plan is None else (num, last, without_plan)
            with self._snapshot():
                row = self._db.execute(query, given).fetchone()
            if row is None:
                return
            num = row[0]
            yield self._stored(row)

    def frequencies(self, keys: Keys) -> dict[tuple[Field, str], int]:
        """See `query.stores.StoreReader`."""
        with self._snapshot():
            return postings.frequencies(self._db, keys)

    def count(self) -> int:
        """The number of stored documents."""
        with self._snapshot():
            total: int = self._db.execute("SELECT count(*) FROM documents").fetchone()[0]
        return total

    def describe(self) -> dict[str, object]:
        """Facts for `dupdex info`; `bytes` includes what is not merged into the file yet."""
        log = self._path.with_name(f"{self._path.name}-wal")
        parts = [path for path in (self._path, log) if path.exists()]
        return {
            "store": "embedded",
            "path": str(self._path),
            "documents": self.count(),
            "bytes": sum(path.stat().st_size for path in parts),
            "sqlite": sqlite3.sqlite_version,
        }

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        with self._turn, schema.transaction(self._db, self._path, "BEGIN"):
            yield

    def _row(self, num: int) -> tuple[str, bytes]:
        query = "SELECT id, body FROM documents WHERE num=?"
        name, packed = self._db.execute(query, (num,)).fetchone()
        return name, packed

    def _stored(self, row: tuple[Any, ...]) -> Stored:
        _, name, plan_id, text_hash, simhash, length, keys, packed = row
        body = orjson.loads(packed)
        try:
            text = self._meta.text_of(body)
        except InputRefused:  # stored by a program that fingerprints a text of its own making
            text = ""
        fingerprint = schema.unpack_fingerprint(text_hash, simhash, length, keys)
        return Stored(name, body, text, plan_id, fingerprint)


def _hit(rank: float, name: str, packed: bytes) -> Hit:
    return Hit(name, -rank, orjson.loads(packed))


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    Readers of a log share memory in a file beside it. In a folder that we may not write to, and
    that has no log now, the file itself is all there is and is read as it stands.
    """
    db = schema.connect(path, "ro")
    try:
        schema.is_blank(db)
    except sqlite3.OperationalError as error:
        db.close()
        shared = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
        if not shared or path.with_name(f"{path.name}-wal").exists():
            raise
        return schema.connect(path, "ro&immutable=1")
    except BaseException:
        db.close()
        raise
    return db
