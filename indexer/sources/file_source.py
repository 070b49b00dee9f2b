"""A file, a folder or standard input as a source of documents and bad lines."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from indexer.model import Mark
from indexer.sources.byte_streams import READ_ERRORS, Input, Readable
from indexer.sources.csv_rows import read_csv
from indexer.sources.encodings import BOM
from indexer.sources.files import (
    EXTENSIONS,
    STDIN,
    Found,
    Ignored,
    format_of,
    reason,
    shown,
    size_of,
    stat_of,
    state_of,
    walk,
)
from indexer.sources.jsonl import read_jsonl
from indexer.sources.options import AUTO, BadLine, Format, Item, ReadOptions
from indexer.sources.plain import read_plain
from mappings.errors import InputRefused

Progress = Callable[[int], None]
Noted = Callable[[str], None]


def _nowhere(_: object) -> None:
    """Stands in for a callback that is not wanted."""


def read(
    source: str,
    options: ReadOptions,
    *,
    after: Mark | None = None,
    but: Path | None = None,
    progress: Progress | None = None,
    ignored: Ignored | None = None,
    noted: Noted | None = None,
) -> Iterator[Item]:
    """The items of a FileSource, for who needs nothing else of it."""
    opened = FileSource(source, options, but, progress, ignored, noted)
    return opened.items(after)


class FileSource:
    """Documents and bad lines of a file, a folder or "-" (standard input, JSON Lines).

    Satisfies `indexer.sources.source.Source`. The part of a mark is a file inside the folder (""
    where the source is a file itself), its position the line that a document begins on.
    """

    def __init__(
        self,
        name: str,
        options: ReadOptions,
        but: Path | None = None,
        progress: Progress | None = None,
        ignored: Ignored | None = None,
        noted: Noted | None = None,
    ) -> None:
        """`but` is a file of a folder that is left out. `progress` is told the bytes consumed since
        it was last called (compressed ones of a gzip file), `ignored` each path of a folder that is
        not read, `noted` what somebody should know of a file that was read.
        """
        self.name, self.options, self._but = name, options, but
        self._progress, self._ignored = progress or _nowhere, ignored or _nowhere
        self._noted = noted or _nowhere

    @property
    def identity(self) -> str:
        """The absolute path, so that it does not matter how the source was named."""
        return str(Path(self.name).resolve())

    def state(self) -> str | None:
        """Size and time of every file that is read, the names in the folder, and the options."""
        if self.name == STDIN or not (Path(self.name).is_file() or Path(self.name).is_dir()):
            return None
        return f"{state_of(self.name, self.options.format, self._but)} {self.options!r}"

    def describe(self, mark: Mark) -> str:
        """The line and its file, as a path that the user can open."""
        file = str(Path(self.name) / mark.part) if mark.part else self.name
        return f"line {mark.position:,} of {shown(file)}"

    def items(self, after: Mark | None = None) -> Iterator[Item]:
        """`after` begins behind the document of that mark; the files up to it are passed over
        unread, its own is read from the beginning, so that its lines are cut and decoded as ever.

        Raises NotFound at once when the source is not there, and InputRefused, at the latest at the
        first item, when it cannot be opened or the file of `after` is not in it.
        """
        if self.name == STDIN:
            if after:
                raise InputRefused("standard input cannot be taken up in the middle; name a file")
            return self._stdin()
        path = Path(self.name)
        mode = stat_of(self.name).st_mode
        if stat.S_ISDIR(mode):
            return self._folder(path, after)
        kind: Format = self.options.format
        if kind == AUTO:
            kind = format_of(path.name) or self._sniff(path, regular=stat.S_ISREG(mode))
        skip_lines = after.position if after else 0
        return self._file(Found(path, kind, path.name), "", skip_lines)

    def _sniff(self, path: Path, *, regular: bool) -> Format:
        """A file whose name tells nothing is JSONL when it begins like it; so is any pipe."""
        if not regular:
            return "jsonl"
        try:
            with path.open("rb") as stream:
                begin = Input(stream, shown(path), self.options.encoding).prefix(64)
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

    def _stdin(self) -> Iterator[Item]:
        if sys.stdin is None:
            raise InputRefused("standard input is closed; name a file")
        kind: Format = "jsonl" if self.options.format == AUTO else self.options.format
        yield from self._stream(cast(Readable, sys.stdin.buffer), "stdin", "", kind, None, 0)

    def _folder(self, folder: Path, after: Mark | None) -> Iterator[Item]:
        is_behind = after is None
        for entry in walk(folder, self.options.format, self._ignored, self._but):
            if isinstance(entry, BadLine):
                if is_behind:
                    yield entry
                continue
            part, skip_lines = shown(entry.id), 0
            if not is_behind:
                if after is None or part != after.part:
                    self._progress(size_of(entry.path))
                    continue
                is_behind, skip_lines = True, after.position
            try:
                yield from self._file(entry, part, skip_lines)
            except InputRefused as error:
                yield BadLine(shown(entry.path), str(error))
        if not is_behind:
            raise InputRefused(
                f"{shown(folder)} has changed while it was read; run the same command again"
            )

    def _file(self, file: Found, part: str, skip_lines: int) -> Iterator[Item]:
        name = shown(file.path)
        try:
            stream = file.path.open("rb")
        except OSError as error:
            raise InputRefused(f"{name} cannot be opened: {reason(error)}") from error
        with stream:
            yield from self._stream(stream, name, part, file.format, file.id, skip_lines)

    def _stream(
        self,
        stream: Readable,
        name: str,
        part: str,
        kind: Format,
        identity: str | None,
        skip_lines: int,
    ) -> Iterator[Item]:
        """The items of one open file; an error of the file itself is its last BadLine."""
        source: Input | None = None
        items: Iterator[Item] = iter(())
        is_noted = False
        while True:
            # Only the step that reads is guarded: an error of the caller is not one of the file.
            try:
                if source is None:
                    source = Input(stream, name, self.options.encoding, part)
                    items = _items(source, kind, identity, self.options, skip_lines)
                item = next(items, None)
            except READ_ERRORS as error:
                line = source.line + 1 if source else 1
                message = f"the file cannot be read further: {reason(error)}"
                item = BadLine(f"{name}:{line}", message, None, Mark(part, line))
                items = iter(())
            if source and (count := source.taken()):
                self._progress(count)
            if source and source.doubt and not is_noted:
                is_noted = True
                self._noted(f"{name}:{source.line} {source.doubt}")
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
