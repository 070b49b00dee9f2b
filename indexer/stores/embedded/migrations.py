"""Migrates files from older layouts to the current one, step by step.

To change the layout, add a step here and raise `schema.LAYOUT`; `schema.TABLES` describes the
newest one. Migrating an old store must give the same tables as `schema.create`: a test compares
them, on a store of every earlier layout.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from indexer.meta import IndexMeta
from indexer.model import Body
from indexer.stores.embedded import schema
from indexer.stores.embedded.fulltext import columns, parts_of, strings_of_layout_1
from indexer.stores.embedded.rows import Unreadable, body_of


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Migrate the file to `schema.LAYOUT`, in one transaction.

    The caller holds the writer lock and has read the meta, which refuses unknown layouts.
    """
    if _layout(db) == schema.LAYOUT:
        return
    with schema.transaction(db, path, "BEGIN IMMEDIATE"):
        for layout in range(_layout(db), schema.LAYOUT):
            STEPS[layout](db, path)
        db.execute(f"PRAGMA user_version={schema.LAYOUT}")


def _to_2(db: sqlite3.Connection, path: Path) -> None:
    """A place for collections; and title and text fields are dotted paths, also for full text."""
    db.execute(schema.COLLECTIONS)
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name='fulltext'").fetchone():
        return  # a repair makes it anew
    meta = schema.read_meta(db, path)
    for num, body in _read_otherwise(db, meta):
        # full text forgets a document only when it is told the words that it was given
        old, new = columns(body, meta, strings_of_layout_1), columns(body, meta)
        db.execute(
            "INSERT INTO fulltext(fulltext, rowid, title, text) VALUES ('delete',?,?,?)",
            (num, *old),
        )
        db.execute("INSERT INTO fulltext(rowid, title, text) VALUES (?,?,?)", (num, *new))


def _to_3(db: sqlite3.Connection, path: Path) -> None:
    """A place for groups, and for times: those of documents written before are not known."""
    for statement in (schema.STANDING, *schema.INDEXES):
        db.execute(statement)
    if db.execute("SELECT 1 FROM sqlite_master WHERE name='documents'").fetchone():
        db.execute("INSERT INTO standing SELECT num, 0, NULL FROM documents")
    if db.execute("SELECT 1 FROM meta WHERE key='index'").fetchone():
        schema.write_meta(db, replace(schema.read_meta(db, path), standing=True))


def _read_otherwise(db: sqlite3.Connection, meta: IndexMeta) -> Iterator[tuple[int, Body]]:
    """The documents whose words are others than in layout 1, by number. A damaged row keeps what
    it has: writes over it are rejected until it is repaired.
    """
    for num, packed in db.execute("SELECT num, body FROM documents"):
        try:
            body = body_of(packed)
        except Unreadable:
            continue
        if parts_of(body, meta, strings_of_layout_1) != parts_of(body, meta):
            yield num, body


STEPS: Final[Mapping[int, Callable[[sqlite3.Connection, Path], None]]] = {1: _to_2, 2: _to_3}
"""What leads from a layout to the next one, inside of a transaction."""


def _layout(db: sqlite3.Connection) -> int:
    (layout,) = db.execute("PRAGMA user_version").fetchone()
    return int(layout)
