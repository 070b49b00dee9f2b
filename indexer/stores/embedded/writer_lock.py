"""The lock that makes a process the only writer of an index."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from indexer.stores.embedded import schema
from mappings.errors import StoreRefused

LOCK_SECONDS: Final = 2.0


def take_lock(path: Path) -> sqlite3.Connection:
    """Take an exclusive lock on an empty database beside the index, held until the connection is
    closed. The operating system releases it with the process, however that ends.

    Raises StoreRefused when another program holds it.
    """
    place = path.with_name(f"{path.name}.lock")
    with schema.translated(place):
        lock = schema.connect(place, "rwc")
    try:
        lock.execute(f"PRAGMA busy_timeout={int(LOCK_SECONDS * 1000)}")
        with schema.translated(place):
            lock.execute("BEGIN EXCLUSIVE")
    except BaseException as error:
        lock.close()
        cause = error.__cause__
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_BUSY:
            raise StoreRefused(
                f"another program is writing to {path}; wait until it is done, or end it, and "
                "run the same command again"
            ) from cause
        raise
    return lock
