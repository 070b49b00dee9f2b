"""The file of the embedded store, for reader and writer: one SQLite database per index.

documents   one row per document; the other tables refer to its number, `num`
postings    (key, num): the documents that contain a term; recent postings go to the small table
            `recent`, merged from time to time, because random inserts into one large tree rewrite
            most of it at every commit
fulltext    FTS5 over title and text, without a copy of them
collections a list of the small collections, each of which has its own table
standing    when each document was written last, and its group where that is not its own id

The layout is numbered (`PRAGMA user_version`). Readers accept every number from OLDEST on; a writer
migrates an older file to LAYOUT first (`migrations`); both refuse a newer one.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import mmh3
import orjson

from indexer.meta import IndexMeta
from indexer.model import Keys
from mappings.contract import Field
from mappings.errors import (
    DupdexError,
    InputRefused,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
)

APPLICATION: Final = 0x64757064
"""`PRAGMA application_id` of the files of dupdex: "dupd"."""

LAYOUT: Final = 3
OLDEST: Final = 1
"""The oldest layout that readers accept."""

BUSY_SECONDS: Final = 5.0

COLLECTIONS: Final = (
    "CREATE TABLE collections (name TEXT PRIMARY KEY, version INTEGER NOT NULL,"
    " written INTEGER NOT NULL) WITHOUT ROWID"
)

STANDING: Final = (
    "CREATE TABLE standing (num INTEGER PRIMARY KEY, indexed INTEGER NOT NULL, grp TEXT)"
)
INDEXES: Final = (
    "CREATE INDEX IF NOT EXISTS standing_groups ON standing (grp) WHERE grp IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS standing_times ON standing (indexed)",
)

TABLES: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # body last: then the columns that a lookup reads are never on an overflow page
    "CREATE TABLE documents (num INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, plan TEXT NOT NULL,"
    " text_hash TEXT NOT NULL, simhash INTEGER NOT NULL, length INTEGER NOT NULL,"
    " keys BLOB NOT NULL, body BLOB NOT NULL)",
    "CREATE TABLE postings (key INTEGER, num INTEGER, PRIMARY KEY (key, num)) WITHOUT ROWID",
    "CREATE TABLE recent (key INTEGER, num INTEGER, PRIMARY KEY (key, num)) WITHOUT ROWID",
    # the ascii tokenizer treats every non-ASCII character as part of a word, so tokens are never
    # split again, whatever Unicode tables this SQLite was built with
    "CREATE VIRTUAL TABLE fulltext USING fts5(title, text, content='', tokenize='ascii')",
    COLLECTIONS,
    STANDING,
)

_FORBIDDEN: Final = frozenset('/\\*?"<>|,#: ')
_LONGEST_NAME: Final = 200


def path_of(folder: Path, index: str) -> Path:
    """The database file of an index. Names follow the rules of Elasticsearch.

    Raises InputRefused for an invalid name, such as one that would lead out of the folder.
    """
    if (
        not index
        or index != index.lower()
        or index[0] in "._-+"
        or len(index.encode("utf-8", "replace")) > _LONGEST_NAME
        or not index.isprintable()
        or _FORBIDDEN & set(index)
    ):
        raise InputRefused(
            f"{index!r} cannot name an index; use lower-case letters, digits, '-', '_' and '.', "
            "and begin with a letter or digit"
        )
    return folder / f"{index}.sqlite"


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Identifies the file at a path by its device and inode number."""

    device: int
    number: int


def identity(path: Path) -> FileIdentity | None:
    """The file at `path`; None when there is none.

    Raises StoreRefused when `path` is not a regular file (opening a pipe would block), or when
    access to the folder is denied.
    """
    try:
        status = os.stat(path)  # noqa: PTH116  (Path.stat is slower, and this runs at every commit)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreRefused(
            f"{path} cannot be reached ({error.strerror}); check the permissions of the folder, "
            "or name another store"
        ) from error
    if stat.S_ISDIR(status.st_mode):
        raise StoreRefused(f"{path} is a folder; choose another index name")
    if not stat.S_ISREG(status.st_mode):
        raise StoreRefused(f"{path} is a pipe or a device and no file; choose another index name")
    return FileIdentity(status.st_dev, status.st_ino)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection in autocommit mode; `mode` is "ro", "rw" or "rwc" as in SQLite's URIs.

    Raises StoreRefused as `identity` does.
    """
    identity(path)
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS,
        check_same_thread=False,
    )


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    Readers of a write-ahead log share memory in a file beside it. In a read-only folder without a
    log, the database file is complete and is opened as immutable.
    """
    db = connect(path, "ro")
    try:
        is_blank(db)
    except sqlite3.OperationalError as error:
        db.close()
        shared = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
        if not shared or path.with_name(f"{path.name}-wal").exists():
            raise
        return connect(path, "ro&immutable=1")
    except BaseException:
        db.close()
        raise
    return db


def is_blank(db: sqlite3.Connection) -> bool:
    """Whether the file has no tables: it is new, or its creation was interrupted."""
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables == 0)


def create(db: sqlite3.Connection, meta: IndexMeta) -> None:
    """Create the tables in a blank file."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN IMMEDIATE")
    for statement in (*TABLES, *INDEXES):
        db.execute(statement)
    write_meta(db, meta)
    db.execute(f"PRAGMA application_id={APPLICATION}")
    db.execute(f"PRAGMA user_version={LAYOUT}")
    db.execute("COMMIT")


def read_layout(db: sqlite3.Connection, path: Path) -> int:
    """The layout of the file. Raises StoreRefused when dupdex did not make the file, or its layout
    is unknown to this version."""
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        raise StoreRefused(
            f"{path} is an SQLite database that dupdex did not make; it is left as it is, "
            "choose another folder or index name"
        )
    (layout,) = db.execute("PRAGMA user_version").fetchone()
    if not OLDEST <= layout <= LAYOUT:
        raise StoreRefused(
            f"{path} has layout {layout}, this dupdex reads layouts {OLDEST} to {LAYOUT}; use the "
            "dupdex that wrote it, or index the documents again"
        )
    return int(layout)


def read_meta(db: sqlite3.Connection, path: Path) -> IndexMeta:
    """The meta of the index. Raises StoreRefused when it cannot be read."""
    read_layout(db, path)
    row = db.execute("SELECT value FROM meta WHERE key='index'").fetchone()
    try:
        return IndexMeta.from_json(orjson.loads(row[0]))
    except (TypeError, AttributeError, orjson.JSONDecodeError) as error:
        raise StoreRefused(f"{path} is damaged: its description cannot be read") from error


def write_meta(db: sqlite3.Connection, meta: IndexMeta) -> None:
    """Store the meta of the index, in the current transaction if there is one."""
    value = orjson.dumps(meta.to_json()).decode()
    db.execute("INSERT OR REPLACE INTO meta VALUES ('index', ?)", (value,))


def merge_log(db: sqlite3.Connection) -> None:
    """Merge the log into the file, as far as readers let it: SQLite does so when the last
    connection closes, but not when that one only reads.
    """
    with suppress(sqlite3.Error):  # a log that stays is read as the file is
        db.execute("PRAGMA busy_timeout=0")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def transaction(db: sqlite3.Connection, path: Path, begin: str) -> Iterator[None]:
    """A transaction; errors of SQLite become DupdexErrors."""
    with translated(path):
        db.execute(begin)
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite may have rolled back already
                db.execute("ROLLBACK")
            raise


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite that a user can meet into DupdexErrors."""
    try:
        yield
    except sqlite3.Error as error:
        translation = _translation(error, path)
        if translation is None:
            raise
        raise translation from error


_IO_ON_WRITE: Final = frozenset(
    (
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_DIR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMMAP,
    )
)


def _translation(error: sqlite3.Error, path: Path) -> DupdexError | None:
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        if "Could not decode to UTF-8" not in str(error):
            return None  # raised by Python's sqlite3 module: a programming error
        code = sqlite3.SQLITE_CORRUPT  # invalid text was written by another program
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_FULL or code in _IO_ON_WRITE:
        return StoreFull(
            f"no space left to write {path}; free some and run the same command again, what was "
            "acknowledged is stored"
        )
    reasons = {
        sqlite3.SQLITE_BUSY: "is locked by another program; wait until it is done and try again",
        sqlite3.SQLITE_LOCKED: "is locked by another program; wait until it is done and try again",
        sqlite3.SQLITE_NOTADB: "is not an SQLite database; it is left as it is, choose another "
        "folder or index name",
        sqlite3.SQLITE_CORRUPT: "is damaged; 'dupdex check-store --repair' mends what can be "
        "mended, else restore it from a copy, or index the documents again under another name",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened; check the permissions of the file and folder",
        sqlite3.SQLITE_READONLY: "cannot be written; check the permissions of the file and folder",
        sqlite3.SQLITE_PERM: "may not be read; check the permissions of the file and folder",
        sqlite3.SQLITE_ERROR: "does not hold what dupdex put there; 'dupdex check-store' tells "
        "what is wrong",
    }
    if primary in reasons:
        return StoreRefused(f"{path} {reasons[primary]} ({error})")
    if primary == sqlite3.SQLITE_IOERR:
        return StoreUnavailable(f"{path} cannot be read; check the disk ({error})")
    if primary == sqlite3.SQLITE_TOOBIG:
        return InputRefused(f"a document is larger than SQLite can store ({error}); split it")
    return None


def posting_keys(keys: Keys) -> set[int]:
    """The postings of a document: an integer for every (field, term)."""
    return {posting_key(name, term) for name, terms in keys.items() for term in terms}


def posting_key(name: Field, term: str) -> int:
    """A signed 64-bit hash of "field:term"; verification rejects candidates from collisions."""
    return mmh3.hash64(f"{name}:{term}", 0, True, True)[0]


def pack_keys(keys: Keys) -> bytes:
    """The keys of a fingerprint as they are stored; empty lists are left out."""
    return orjson.dumps({name.value: terms for name, terms in keys.items() if terms})
