"""A source (file, folder or standard input) to a stream of documents and bad lines."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from indexer.sources.byte_streams import READ_ERRORS, Input, Readable
from indexer.sources.csv_rows import read_csv
from indexer.sources.encodings import BOM
from indexer.sources.files import (
    EXTENSIONS,
    STDIN,
    Found,
    Ignored,
    format_of,
    inside,
    reason,
    shown,
    size_of,
    stat_of,
    walk,
)
from indexer.sources.jsonl import read_jsonl
from indexer.sources.options import AUTO, BadLine, Format, Item, Place, ReadOptions
from indexer.sources.plain import read_plain
from mappings.errors import InputRefused

Progress = Callable[[int], None]


def _nowhere(_: object) -> None:
    """Stands in for a callback that is not wanted."""


def read(
    source: str,
    options: ReadOptions,
    *,
    after: Place | None = None,
    but: Path | None = None,
    progress: Progress | None = None,
    ignored: Ignored | None = None,
) -> Iterator[Item]:
    """Documents and bad lines of a file, a folder or "-" (standard input, JSON Lines).

    `after` begins behind the document of that place; the files up to it are passed over unread, its
    own is read from the beginning, so that its lines are cut and decoded as ever. `but` is a file
    of a folder that is left out. `progress` is told the bytes consumed since it was last called
    (compressed ones of a gzip file), `ignored` each path of a folder that is not read. Raises
    NotFound at once when the source is not there, and InputRefused, at the latest at the first
    item, when it cannot be opened or `after` is not in it.
    """
    progress, ignored = progress or _nowhere, ignored or _nowhere
    skip_lines = after.line if after else 0
    if source == STDIN:
        if after:
            raise InputRefused("standard input cannot be taken up in the middle; name a file")
        piped: Format = "jsonl" if options.format == AUTO else options.format
        return _read_stdin(piped, options, progress)
    path = Path(source)
    mode = stat_of(source).st_mode
    if stat.S_ISDIR(mode):
        found = _files_after(walk(path, options.format, ignored, but), path, after, progress)
        return _read_folder(found, options, skip_lines, progress)
    kind: Format = options.format
    if kind == AUTO:
        kind = format_of(path.name) or _sniff(path, options, regular=stat.S_ISREG(mode))
    return _read_file(Found(path, kind, path.name), options, skip_lines, progress)


def _sniff(path: Path, options: ReadOptions, *, regular: bool) -> Format:
    """A file whose name tells nothing is JSONL when it begins like it; so is any pipe."""
    if not regular:
        return "jsonl"
    try:
        with path.open("rb") as stream:
            begin = Input(stream, shown(path), options.encoding).prefix(64)
    except OSError as error:
        raise InputRefused(f"{shown(path)} cannot be read: {reason(error)}") from error
    except READ_ERRORS:
        begin = b""
    if begin.removeprefix(BOM).lstrip().startswith(b"{"):
        return "jsonl"
    raise InputRefused(
        f"{shown(path)}: the format cannot be told from the name; name it with --format, known "
        f"extensions are {' '.join(EXTENSIONS)}"
    )


def _read_stdin(kind: Format, options: ReadOptions, progress: Progress) -> Iterator[Item]:
    if sys.stdin is None:
        raise InputRefused("standard input is closed; name a file")
    stream = cast(Readable, sys.stdin.buffer)
    yield from _read_stream(stream, "stdin", kind, None, options, 0, progress)


def _files_after(
    found: Iterator[Found | BadLine], folder: Path, after: Place | None, progress: Progress
) -> Iterator[Found | BadLine]:
    """The files of a folder from that of `after` on; raises InputRefused when it is not there."""
    if after is None:
        yield from found
        return
    for entry in found:
        if isinstance(entry, BadLine):
            continue
        if inside(entry.path, str(folder)) == after.file:
            yield entry
            yield from found
            return
        progress(size_of(entry.path))
    raise InputRefused(f"{shown(folder)} has changed while it was read; run the same command again")


def _read_folder(
    found: Iterator[Found | BadLine], options: ReadOptions, skip_lines: int, progress: Progress
) -> Iterator[Item]:
    """`skip_lines` is of the first file."""
    for entry in found:
        if isinstance(entry, BadLine):
            yield entry
            continue
        try:
            yield from _read_file(entry, options, skip_lines, progress)
        except InputRefused as error:
            yield BadLine(shown(entry.path), str(error))
        skip_lines = 0


def _read_file(
    found: Found, options: ReadOptions, skip_lines: int, progress: Progress
) -> Iterator[Item]:
    name = shown(found.path)
    try:
        stream = found.path.open("rb")
    except OSError as error:
        raise InputRefused(f"{name} cannot be opened: {reason(error)}") from error
    with stream:
        yield from _read_stream(stream, name, found.format, found.id, options, skip_lines, progress)


def _read_stream(
    stream: Readable,
    name: str,
    kind: Format,
    identity: str | None,
    options: ReadOptions,
    skip_lines: int,
    progress: Progress,
) -> Iterator[Item]:
    """The items of one open file; an error of the file itself is its last BadLine."""
    source: Input | None = None
    items: Iterator[Item] = iter(())
    while True:
        # Only the step that reads is guarded: an error of the caller is not one of the file.
        try:
            if source is None:
                source = Input(stream, name, options.encoding)
                items = _items(source, kind, identity, options, skip_lines)
            item = next(items, None)
        except READ_ERRORS as error:
            line = source.line + 1 if source else 1
            item = BadLine(f"{name}:{line}", f"the file cannot be read further: {reason(error)}")
            items = iter(())
        if source and (count := source.taken()):
            progress(count)
        if item is None:
            return
        yield item
        if source is None:
            return


def _items(
    source: Input, kind: Format, identity: str | None, options: ReadOptions, skip_lines: int
) -> Iterator[Item]:
    if kind == "csv":
        return read_csv(source, options, skip_lines)
    if kind == "text":
        return iter(() if skip_lines else (read_plain(source, options, identity),))
    return read_jsonl(source, options, skip_lines)
