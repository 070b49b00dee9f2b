"""Sources in which nothing was: a wrong name for a file or a folder, and no fault of a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dupdex.cli.screen import note
from indexer.sources.files import EXTENSIONS, STDIN, shown
from mappings.errors import InputRefused

FORMAT_HINT = "check what is in it, or say with --format how it is read"


def refuse_nothing(*sources: str, hint: str = FORMAT_HINT, what: str = "document") -> None:
    """Say that nothing was in any of `sources`. Raises InputRefused for files and folders; what
    fills a pipe may have nothing to say today, so that is only noted.
    """
    said = nothing_in(sources, hint, what)
    if any(_is_pipe(source) for source in sources):
        note(said)
    else:
        raise InputRefused(said)


def nothing_in(sources: Sequence[str], hint: str = FORMAT_HINT, what: str = "document") -> str:
    """What there is to say of `sources` in which nothing was, with the next step."""
    names = ", ".join("standard input" if name == STDIN else shown(name) for name in sources)
    if all(map(_is_pipe, sources)):
        return f"no {what} came from {names}; nothing was done"
    if any(Path(name).is_dir() for name in sources):
        hint = f"of a folder the files are read that end in {', '.join(EXTENSIONS)}"
    return f"no {what} in {names}; {hint}"


def _is_pipe(source: str) -> bool:
    return source == STDIN or not (Path(source).is_file() or Path(source).is_dir())
