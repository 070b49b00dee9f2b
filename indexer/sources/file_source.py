"""A file, a folder or standard input as a source of documents and bad lines."""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

from indexer.model import Mark
from indexer.sources.byte_streams import READ_ERRORS, Input, Readable
from indexer.sources.csv_rows import read_csv
from indexer.sources.encodings import BOM
from indexer.sources.epub import read_epub
from indexer.sources.feed_entries import read_feed
from indexer.sources.files import (
    BY_LINE,
    EXTENSIONS,
    STDIN,
    Ignored,
    SourceFile,
    format_of,
    reason,
    shown,
    size_of,
    stat_of,
    state_of,
    walk,
)
from indexer.sources.jsonl import read_jsonl
from indexer.sources.novel import read_novel
from indexer.sources.options import AUTO, BadLine, Format, Item, ReadOptions
from indexer.sources.plain import read_plain
from indexer.sources.warc_texts import read_warc_texts
from mappings.errors import InputRefused

_BEGIN: Final = 2_000
"""Bytes of a file of an unknown name that tell its format."""

_PAGE: Final = re.compile(
    rb"^\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype )?html\b", re.IGNORECASE | re.DOTALL
)
_FEED: Final = re.compile(rb"<(?:rss|feed|rdf:RDF)[\s>]", re.IGNORECASE)

Progress = Callable[[int], None]
Noted = Callable[[str], None]


def _nowhere(_: object) -> None:
    """The default callback, which does nothing."""


def read(
    source: str,
    options: ReadOptions,
    *,
    after: Mark | None = None,
    exclude: Path | None = None,
    progress: Progress | None = None,
    ignored: Ignored | None = None,
    noted: Noted | None = None,
) -> Iterator[Item]:
    """The items of a FileSource, for callers that need nothing else."""
    opened = FileSource(source, options, exclude, progress, ignored, noted)
    return opened.items(after)


class FileSource:
    """Documents and bad lines of a file, a folder or "-" (standard input, JSON Lines).

    Satisfies `indexer.sources.source.Source`. The part of a mark is a file inside the folder (""
    where the source is a file itself), its position the line that a document begins on; in formats
    that have no lines (`BY_LINE` has the others), its number among the items of the file.
    """

    def __init__(
        self,
        name: str,
        options: ReadOptions,
        exclude: Path | None = None,
        progress: Progress | None = None,
        ignored: Ignored | None = None,
        noted: Noted | None = None,
    ) -> None:
        """`exclude` is a file to leave out of a folder. `progress` is called with the bytes
        consumed since its last call (for gzip, compressed bytes), `ignored` with each path of a
        folder that is not read, `noted` with warnings about files that were read.
        """
        self.name, self.options, self._exclude = name, options, exclude
        self._progress, self._ignored = progress or _nowhere, ignored or _nowhere
        self._noted = noted or _nowhere

    @property
    def identity(self) -> str:
        """The absolute path, so that it does not matter how the path was given."""
        return str(Path(self.name).resolve())

    def state(self) -> str | None:
        """Names, sizes and modification times of the files, and the options."""
        if self.name == STDIN or not (Path(self.name).is_file() or Path(self.name).is_dir()):
            return None
        return f"{state_of(self.name, self.options.format, self._exclude)} {self.options!r}"

    def describe(self, mark: Mark) -> str:
        """The line, or the number of the item, and the path of its file."""
        file = str(Path(self.name) / mark.part) if mark.part else self.name
        kind = self.options.format if self.options.format != AUTO else format_of(file)
        unit = "line" if kind is None or kind in BY_LINE else "item"
        return f"{unit} {mark.position:,} of {shown(file)}"

    def items(self, after: Mark | None = None) -> Iterator[Item]:
        """All items, or those after the mark `after`: files before that of the mark are skipped
        unread; that file is read from its beginning, so that its lines are split and decoded as in
        a first run.

        Raises NotFound at once when the source does not exist, and InputRefused, at the first item
        at the latest, when it cannot be opened or does not contain the file of `after`.
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
        return self._file(SourceFile(path, kind, path.name), "", skip_lines)

    def _sniff(self, path: Path, *, regular: bool) -> Format:
        """The format of a file without a known extension: JSONL if it begins like it, or a pipe."""
        if not regular:
            return "jsonl"
        try:
            with path.open("rb") as stream:
                begin = Input(stream, shown(path), self.options.encoding).prefix(_BEGIN)
        except OSError as error:
            raise InputRefused(f"{shown(path)} cannot be read: {reason(error)}") from error
        except READ_ERRORS:
            begin = b""
        if begin.removeprefix(BOM).lstrip().startswith(b"{"):
            return "jsonl"
        if _FEED.search(begin):
            return "feed"
        if _PAGE.search(begin.removeprefix(BOM)):
            raise InputRefused(
                f"{shown(path)} is a page of the Web; 'dupdex crawl' fetches pages, 'dupdex pages "
                "load' takes archives of them (WARC), and --format text stores it with its tags"
            )
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
        for entry in walk(folder, self.options.format, self._ignored, self._exclude):
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

    def _file(self, file: SourceFile, part: str, skip_lines: int) -> Iterator[Item]:
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
        """The items of an open file; a read error ends it with a BadLine."""
        source: Input | None = None
        items: Iterator[Item] = iter(())
        is_noted = False
        while True:
            # Guard only the reading: an error of the caller is not a read error.
            try:
                if source is None:
                    stored = kind == "warc"
                    source = Input(stream, name, self.options.encoding, part, stored=stored)
                    items = _items(source, kind, identity, self.options, skip_lines)
                item = next(items, None)
            except READ_ERRORS as error:
                line = source.line + 1 if source else 1
                message = f"the file cannot be read further: {reason(error)}"
                item = BadLine(f"{name}:{line}", message, None, Mark(part, line))
                items = iter(())
            if source and (count := source.consumed()):
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
    if kind == "novel":
        return read_novel(source, options, identity, skip_lines)
    if kind == "epub":
        return read_epub(source, options, identity, skip_lines)
    if kind == "warc":
        return read_warc_texts(source, options, skip_lines)
    if kind == "feed":
        return read_feed(source, options, skip_lines)
    return read_jsonl(source, options, skip_lines)
