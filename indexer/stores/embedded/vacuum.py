"""Writes the file of an index anew, so that nothing is left in it of what was removed."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Final

from indexer.stores.embedded import schema
from mappings.errors import NotFound, StoreUnavailable

_WAIT: Final = 20.0
"""Seconds in which readers may end what they are at."""


def purge(path: Path) -> None:
    """Merge full text, pack the file, and empty its log. Takes as long as copying the file does,
    and its room once more meanwhile.

    Raises NotFound for no such file, StoreUnavailable when readers keep the log in use.
    """
    if schema.identity(path) is None:
        raise NotFound(f"there is no index at {path}; make one with 'dupdex index'")
    with schema.translated(path), closing(schema.connect(path, "rw")) as db:
        db.execute("INSERT INTO fulltext(fulltext) VALUES('optimize')")
        db.execute("VACUUM")
        until = time.monotonic() + _WAIT
        while db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > until:
                raise StoreUnavailable(
                    f"{path} is being read, so its log cannot be emptied; try again later"
                )
            time.sleep(0.1)
