"""The files that a source names, and the format of each."""

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
    ".epub": "epub",
    ".warc": "warc",
    ".wet": "warc",
    ".rss": "feed",
    ".atom": "feed",
}
"""Formats by extension; each may be followed by `.gz`."""

BY_LINE: Final = frozenset(("jsonl", "csv", "text"))
"""Formats whose documents begin on lines that a mark can name; marks of others count items."""

Ignored = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read; `id` is its path relative to the named folder, with forward slashes."""

    path: Path
    format: Format
    id: str


def format_of(name: str) -> Format | None:
    """The format by the extension of a file name; None for an unknown extension."""
    return EXTENSIONS.get(Path(name.lower().removesuffix(".gz")).suffix)


def shown(path: Path | str) -> str:
    """A path in a form that can be printed and stored: undecodable bytes are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def stat_of(source: str) -> os.stat_result:
    """The status of a file or folder. Raises NotFound, or InputRefused when access fails."""
    try:
        return Path(source).stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"no such file or folder: {shown(source)}; check the path") from error
    except (OSError, ValueError) as error:
        raise InputRefused(f"{source!r} cannot be read: {reason(error)}") from error


def inside(path: Path | str, source: str) -> str:
    """The path of a file relative to its source, however the source was named."""
    return shown(path).removeprefix(shown(Path(source))).lstrip(os.sep)


def walk(
    folder: Path, wanted: Format, ignored: Ignored, exclude: Path | None = None
) -> Iterator[SourceFile | BadLine]:
    """The readable files below a folder, sorted by name within each folder.

    Hidden entries, links to folders and files of other formats go to `ignored`. A link to a file
    inside the folder is read; a link that leads out of it is a BadLine, since whoever made the
    folder need not have access to the target, and so is a folder that cannot be listed. `exclude`
    is left out: reading a file that this run writes would never end. Memory is bounded by the
    largest folder and the depth.
    """
    root, excluded_identity = os.path.realpath(folder), _identity(exclude)
    # An iterator for each open folder instead of recursion, as the depth is not bounded.
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
        elif exclude is None or not _is_same(entry.path, exclude, excluded_identity):
            yield _linked(entry.path, root) or SourceFile(entry.path, kind, entry.inside)


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    inside: str
    is_folder: bool


def _listed(folder: Path, inside: str) -> Iterator[_Entry | BadLine]:
    """The entries of a folder, sorted by name."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted((entry.name, _is_folder(entry)) for entry in listing)
    except OSError as error:
        yield BadLine(shown(folder), f"the folder cannot be listed: {reason(error)}")
        return
    for name, is_folder in entries:
        yield _Entry(folder / name, inside + name, is_folder)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")


def _wanted(entry: _Entry, wanted: Format) -> Format | None:
    """The format in which to read a file; None for a file to ignore."""
    kind = None if entry.path.name.startswith(".") else format_of(entry.path.name)
    if wanted == "novel" and kind == "text":
        kind = "novel"  # a way to read text files, which no name tells
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
    """Compare by name, as the other may not exist yet, and by identity, to catch hard links."""
    if path.name == other.name and path.resolve() == other.resolve():
        return True
    return identity is not None and _identity(path) == identity


def _is_file(path: Path) -> bool:
    """Regular files and dangling links, as opening those gives the message the user needs."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def total_bytes(source: str, wanted: Format = "auto", exclude: Path | None = None) -> int | None:
    """Bytes to read from a file or folder; None for standard input and pipes.

    Raises NotFound and InputRefused as `stat_of` does.
    """
    if source == STDIN:
        return None
    status = stat_of(source)
    if stat.S_ISDIR(status.st_mode):
        files = walk(Path(source), wanted, lambda _: None, exclude)
        return sum(size_of(item.path) for item in files if isinstance(item, SourceFile))
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def size_of(path: Path) -> int:
    """The size of a file in bytes; 0 when access fails."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def state_of(source: str, wanted: Format = "auto", exclude: Path | None = None) -> str:
    """Size and modification time of a file, or a digest of those of all files of a folder.

    Raises NotFound and InputRefused as `stat_of` does.
    """
    status = stat_of(source)
    digest = hashlib.sha256()
    if not stat.S_ISDIR(status.st_mode):
        return f"{status.st_size} {status.st_mtime_ns}"
    for item in walk(Path(source), wanted, lambda _: None, exclude):
        path = item.origin if isinstance(item, BadLine) else shown(item.path)
        digest.update(f"{inside(path, source)}\0{_moment(item)}\0".encode())
    return digest.hexdigest()


def _moment(item: SourceFile | BadLine) -> str:
    if isinstance(item, BadLine):
        return item.message
    try:
        status = item.path.stat()
    except OSError as error:
        return reason(error)
    return f"{status.st_size} {status.st_mtime_ns}"


def reason(error: BaseException) -> str:
    """The system's message, without the path and the error number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or repr(error)
