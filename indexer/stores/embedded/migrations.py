"""Migrates files from older layouts to the current one, step by step.

To change the layout, add a step here and raise `schema.LAYOUT`; `schema.TABLES` describes the
newest one. Migrating an old store must give the same tables as `schema.create`: a test compares
them, on a store of every earlier layout.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from indexer.stores.embedded import schema

STEPS: Final[Mapping[int, Sequence[str]]] = {
    1: (schema.COLLECTIONS,),
}
"""The statements that lead from a layout to the next one."""


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Migrate the file to `schema.LAYOUT`, in one transaction.

    The caller holds the writer lock and has read the meta, which refuses unknown layouts.
    """
    if _layout(db) == schema.LAYOUT:
        return
    with schema.transaction(db, path, "BEGIN IMMEDIATE"):
        for layout in range(_layout(db), schema.LAYOUT):
            for statement in STEPS[layout]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version={schema.LAYOUT}")


def _layout(db: sqlite3.Connection) -> int:
    (layout,) = db.execute("PRAGMA user_version").fetchone()
    return int(layout)
