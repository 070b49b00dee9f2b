"""Which files a source names, and what format each is in."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from indexer.sources.options import AUTO, BadLine, Format
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


def walk(
    folder: Path, wanted: Format, ignored: Ignored, but: Path | None = None
) -> Iterator[Found | BadLine]:
    """The files below a folder that can be read, sorted by name folder by folder.

    Hidden entries, links to folders and files of other formats go to `ignored`. A link to a file
    is read when that file lies in the folder, too; one that leads out of it is a BadLine, as is a
    folder that cannot be listed: whoever made the folder need not be allowed to read what the link
    leads to. `but` is left out: a file that is written meanwhile would never end. Memory is bounded
    by the largest folder and the depth.
    """
    root, own = os.path.realpath(folder), _identity(but)
    # An iterator for each open folder instead of recursion: how deep it goes is not ours to choose.
    open_folders = [_listed(folder, "")]
    while open_folders:
        entry = next(open_folders[-1], None)
        if entry is None:
            open_folders.pop()
        elif isinstance(entry, BadLine):
            yield entry
        elif entry.is_folder:
            open_folders.append(_listed(entry.path, f"{entry.inside}/"))
        elif (kind := _wanted(entry, wanted)) is None:
            ignored(shown(entry.path))
        elif but is None or not _is_same(entry.path, but, own):
            yield _linked(entry.path, root) or Found(entry.path, kind, entry.inside)


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    inside: str
    is_folder: bool


def _listed(folder: Path, inside: str) -> Iterator[_Entry | BadLine]:
    """The entries of one folder by name."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted((each.name, _is_folder(each)) for each in listing)
    except OSError as error:
        yield BadLine(shown(folder), f"the folder cannot be listed: {reason(error)}")
        return
    for name, is_folder in entries:
        yield _Entry(folder / name, inside + name, is_folder)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")


def _wanted(entry: _Entry, wanted: Format) -> Format | None:
    """The format to read a file in, None when it is not to be read."""
    kind = None if entry.path.name.startswith(".") else format_of(entry.path.name)
    return kind if kind and wanted in (AUTO, kind) and _is_file(entry.path) else None


def _linked(path: Path, root: str) -> BadLine | None:
    if not path.is_symlink() or Path(os.path.realpath(path)).is_relative_to(root):
        return None
    return BadLine(
        shown(path), "a link that leads out of the folder is not followed; name the file itself"
    )


def _identity(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status else None


def _is_same(path: Path, other: Path, identity: tuple[int, int] | None) -> bool:
    """By name, as the other may be made meanwhile, or as another name (a hard link) of one file."""
    if path.name == other.name and path.resolve() == other.resolve():
        return True
    return identity is not None and _identity(path) == identity


def _is_file(path: Path) -> bool:
    """Regular files, and dangling links: opening those gives the message the user needs."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def total_bytes(source: str, wanted: Format = "auto", but: Path | None = None) -> int | None:
    """Bytes that will be read of a file or folder; None for standard input and pipes.

    Raises NotFound and InputRefused when it cannot be looked at.
    """
    if source == STDIN:
        return None
    status = stat_of(source)
    if stat.S_ISDIR(status.st_mode):
        files = walk(Path(source), wanted, lambda _: None, but)
        return sum(size_of(item.path) for item in files if isinstance(item, Found))
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def size_of(path: Path) -> int:
    """Bytes of a file, 0 when it cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def state_of(source: str, wanted: Format = "auto", but: Path | None = None) -> str:
    """A digest of the size and time of a file, or of every file of a folder that is read.

    Raises NotFound and InputRefused when it cannot be looked at.
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
