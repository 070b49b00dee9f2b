"""Which files of a folder are indices of the embedded store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from indexer.stores.embedded import schema
from mappings.errors import DupdexError


def our_files(folder: Path) -> list[str]:
    """The names of the indices in a folder; other files and databases are left out."""
    return sorted(path.stem for path in folder.glob("*.sqlite") if _is_ours(path))


def _is_ours(path: Path) -> bool:
    try:
        # Asked of SQLite: what is new in a file may only be in its log yet.
        with schema.translated(path), closing(schema.connect_to_read(path)) as db:
            schema.read_layout(db, path)
    except DupdexError:
        return False
    return True
