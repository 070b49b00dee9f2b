"""Where documents and lines go that could not be stored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click

from dupdex.location import Location
from mappings.errors import InputRefused

_LONGEST: Final = 100

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


def check_rejects(source: str, rejects: str) -> None:
    """Raises InputRefused when a run would read what it writes, under whatever name (a link)."""
    if Path(rejects).is_file() and Path(source).is_file() and Path(rejects).samefile(source):
        raise InputRefused(
            f"{source} cannot be read and written at once; name another --rejects file"
        )
