"""A source (file, folder or standard input) to a stream of documents and bad lines."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from indexer.readers.csv_rows import read_csv
from indexer.readers.encodings import BOM
from indexer.readers.files import (
    EXTENSIONS,
    STDIN,
    Found,
    Ignored,
    format_of,
    reason,
    shown,
    stat_of,
    walk,
)
from indexer.readers.jsonl import read_jsonl
from indexer.readers.options import AUTO, BadLine, Format, Item, ReadOptions
from indexer.readers.plain import read_plain
from indexer.readers.streams import READ_ERRORS, Input, Readable
from mappings.errors import InputRefused

Progress = Callable[[int], None]


def _nowhere(_: object) -> None:
    """Stands in for a callback that is not wanted."""


def read(
    source: str,
    options: ReadOptions,
    *,
    skip_lines: int = 0,
    progress: Progress | None = None,
    ignored: Ignored | None = None,
) -> Iterator[Item]:
    """Documents and bad lines of a file, a folder or "-" (standard input, JSON Lines).

    `skip_lines` begins after that many lines of a JSONL source. `progress` is told the bytes
    consumed since it was last called (compressed ones of a gzip file), `ignored` each path of a
    folder that is not read. Raises NotFound at once when the source is not there, and
    InputRefused, at the latest at the first item, when it cannot be opened.
    """
    progress, ignored = progress or _nowhere, ignored or _nowhere
    if source == STDIN:
        piped: Format = "jsonl" if options.format == AUTO else options.format
        _check_skip(piped, skip_lines)
        return _read_stdin(piped, options, skip_lines, progress)
    path = Path(source)
    mode = stat_of(source).st_mode
    if stat.S_ISDIR(mode):
        _check_skip("folder", skip_lines)
        return _read_folder(path, options, progress, ignored)
    kind: Format = options.format
    if kind == AUTO:
        kind = format_of(path.name) or _sniff(path, options, regular=stat.S_ISREG(mode))
    _check_skip(kind, skip_lines)
    return _read_file(Found(path, kind, path.name), options, skip_lines, progress)


def _check_skip(kind: str, skip_lines: int) -> None:
    if skip_lines and kind != "jsonl":
        raise InputRefused(f"only a JSONL source can be taken up in the middle, not a {kind} one")


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


def _read_stdin(
    kind: Format, options: ReadOptions, skip_lines: int, progress: Progress
) -> Iterator[Item]:
    if sys.stdin is None:
        raise InputRefused("standard input is closed; name a file")
    stream = cast(Readable, sys.stdin.buffer)
    yield from _read_stream(stream, "stdin", kind, None, options, skip_lines, progress)


def _read_folder(
    folder: Path, options: ReadOptions, progress: Progress, ignored: Ignored
) -> Iterator[Item]:
    for entry in walk(folder, options.format, ignored):
        if isinstance(entry, BadLine):
            yield entry
            continue
        try:
            yield from _read_file(entry, options, 0, progress)
        except InputRefused as error:
            yield BadLine(shown(entry.path), str(error))


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
        return read_csv(source, options)
    if kind == "text":
        return iter((read_plain(source, options, identity),))
    return read_jsonl(source, options, skip_lines)
