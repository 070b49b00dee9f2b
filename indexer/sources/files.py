"""Which files a source names, and what format each is in."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from indexer.sources.options import BadLine, Format, Place
from mappings.errors import InputRefused, NotFound

STDIN: Final = "-"

EXTENSIONS: Final[dict[str, Format]] = {
    ".txt": "text",
    ".text": "text",
    ".md": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
}
"""Formats by extension; `.gz` may follow each."""

Ignored = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be read; `id` is its path inside the named folder, with forward slashes."""

    path: Path
    format: Format
    id: str


def format_of(name: str) -> Format | None:
    """The format that a file name tells, None when it tells none."""
    return EXTENSIONS.get(Path(name.lower().removesuffix(".gz")).suffix)


def shown(path: Path | str) -> str:
    """A path that can be printed and stored: bytes that are no text are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def stat_of(source: str) -> os.stat_result:
    """Raises NotFound when nothing is there, InputRefused when it cannot be looked at."""
    try:
        return Path(source).stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"no such file or folder: {shown(source)}; check the path") from error
    except (OSError, ValueError) as error:
        raise InputRefused(f"{source!r} cannot be read: {reason(error)}") from error


def inside(path: Path | str, source: str) -> str:
    """The path of a file in a source as it does not depend on how the source was named."""
    return shown(path).removeprefix(shown(Path(source))).lstrip(os.sep)


def place_of(origin: str, source: str) -> Place | None:
    """The place that the origin of a document names, None when it names none."""
    name, _, number = origin.rpartition(":")
    return Place(inside(name, source), int(number)) if number.isdecimal() else None


def walk(
    folder: Path, wanted: Format, ignored: Ignored, but: Path | None = None
) -> Iterator[Found | BadLine]:
    """The files below a folder that can be read, sorted by name folder by folder.

    Hidden entries, links to folders and files of other formats go to `ignored`. A folder that
    cannot be listed is a BadLine. `but` is left out: a file that is written meanwhile would never
    end. Memory is bounded by the largest folder.
    """
    for found in _walk(folder, "", wanted, ignored):
        if but is None or isinstance(found, BadLine) or not _is_same(found.path, but):
            yield found


def _is_same(path: Path, other: Path) -> bool:
    return path.name == other.name and path.resolve() == other.resolve()


def _walk(folder: Path, inside: str, wanted: Format, ignored: Ignored) -> Iterator[Found | BadLine]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield BadLine(shown(folder), f"the folder cannot be listed: {reason(error)}")
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith("."):
            ignored(shown(path))
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(path, f"{inside}{entry.name}/", wanted, ignored)
        elif (found := format_of(entry.name)) and wanted in ("auto", found) and _is_file(entry):
            yield Found(path, found, inside + entry.name)
        else:
            ignored(shown(path))


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Regular files, and dangling links: opening those gives the message the user needs."""
    try:
        return stat.S_ISREG(entry.stat().st_mode)
    except OSError:
        return True


def total_bytes(source: str, wanted: Format = "auto") -> int | None:
    """Bytes that `read` will consume; None for standard input and pipes.

    Raises NotFound and InputRefused as `read` does.
    """
    if source == STDIN:
        return None
    status = stat_of(source)
    if stat.S_ISDIR(status.st_mode):
        found = walk(Path(source), wanted, lambda _: None)
        return sum(size_of(item.path) for item in found if isinstance(item, Found))
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def size_of(path: Path) -> int:
    """Bytes of a file, 0 when it cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def state_of(source: str, wanted: Format = "auto", but: Path | None = None) -> str:
    """A digest of the size and time of a file, or of every file of a folder that is read.

    Raises NotFound and InputRefused as `read` does.
    """
    status = stat_of(source)
    digest = hashlib.sha256()
    if not stat.S_ISDIR(status.st_mode):
        return f"{status.st_size} {status.st_mtime_ns}"
    for item in walk(Path(source), wanted, lambda _: None, but):
        path = item.origin if isinstance(item, BadLine) else shown(item.path)
        digest.update(f"{inside(path, source)}\0{_moment(item)}\0".encode())
    return digest.hexdigest()


def _moment(item: Found | BadLine) -> str:
    if isinstance(item, BadLine):
        return item.message
    try:
        status = item.path.stat()
    except OSError as error:
        return reason(error)
    return f"{status.st_size} {status.st_mtime_ns}"


def reason(error: BaseException) -> str:
    """What the system says, without the path and the number it adds."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or repr(error)
