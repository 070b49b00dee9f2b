"""Where documents and lines go that could not be stored."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import click

from dupdex.location import Location
from mappings.errors import InputRefused

_LONGEST: Final = 100
_SQLITE: Final = b"SQLite format 3\0"

rejects_option = click.option(
    "--rejects",
    metavar="FILE",
    help="Where documents and lines go that could not be stored, for 'dupdex replay'. "
    "[default: INDEX-rejects.ndjson]",
)


def rejects_file(where: Location, named: str | None) -> str:
    """The file that was named, else one of the index's own: two indices never share one unasked."""
    if named is not None:
        return named
    name = re.sub(r"[^-.\w]", "_", where.index)[:_LONGEST]
    return f"{name}-rejects.ndjson"


def check_no_store(rejects: str) -> None:
    """Raises InputRefused for the file of a store, which lines of text would damage."""
    path = Path(rejects)
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            is_store = file.read(len(_SQLITE)) == _SQLITE
    except OSError:  # whoever writes it says what is wrong
        return
    if is_store or ".sqlite" in path.resolve().name:
        raise InputRefused(f"{rejects} is the file of a store; name another --rejects file")


def check_rejects(source: str, rejects: str) -> None:
    """Raises InputRefused when a run would read what it writes, under whatever name (a link), or
    write into a store.
    """
    check_no_store(rejects)
    if Path(rejects).is_file() and _is_same(source, Path(rejects)):
        name = "standard input" if source == "-" else source
        raise InputRefused(
            f"{name} cannot be read and written at once; name another --rejects file"
        )


def _is_same(source: str, rejects: Path) -> bool:
    if source != "-":
        return Path(source).is_file() and rejects.samefile(source)
    try:
        return os.path.samestat(os.fstat(0), rejects.stat())  # a shell gave it as standard input
    except OSError:  # standard input is closed
        return False
