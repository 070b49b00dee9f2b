"""CSV: the header names the fields, every value is a string."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import Final

from indexer.model import Document
from indexer.readers.documents import document_of
from indexer.readers.encodings import PREFIX, LineDecoder, detect
from indexer.readers.options import AUTO, BadLine, Item, ReadOptions
from indexer.readers.streams import Input
from mappings.errors import InputRefused

_DELIMITERS: Final = ",;\t|"


class _RowTooLong(Exception):
    """A line, or the lines of one row together, are over the limit."""


class _Feed:
    """Decoded lines for `csv.reader`, remembering the lines of the row under way."""

    def __init__(self, source: Input, limit: int) -> None:
        self._source = source
        self._lines = source.lines(limit)
        self._decoder = LineDecoder(_encoding(source))
        self._limit = limit
        self._again: deque[tuple[int, str | None]] = deque()
        self._row: list[tuple[int, str | None]] = []
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        numbered = self._again.popleft() if self._again else self._pull()
        self._row.append(numbered)
        text = numbered[1]
        self._size += 0 if text is None else len(text)
        if text is None or self._size > self._limit:
            raise _RowTooLong
        return text

    def _pull(self) -> tuple[int, str | None]:
        line = next(self._lines)
        if line is None:
            return self._source.line, None
        try:
            text = self._decoder.decode(line)
        except UnicodeDecodeError:
            # The row is refused once its columns are known; escapes keep it parseable until then.
            text = line.decode(self._decoder.name, "surrogateescape")
        if self._source.line == 1:
            text = text.removeprefix("\ufeff")
        return self._source.line, text

    def start_row(self) -> None:
        self._row.clear()
        self._size = 0

    def rewind(self, keep: int) -> None:
        """Give the lines of this row again, but for the first `keep`."""
        self._again.extendleft(reversed(self._row[keep:]))

    @property
    def origin(self) -> str:
        """Where the row under way begins."""
        return f"{self._source.name}:{self._row[0][0] if self._row else self._source.line}"

    @property
    def encoding(self) -> str:
        return self._decoder.name


def _encoding(source: Input) -> str:
    if source.encoding != AUTO:
        return source.encoding
    prefix = source.prefix(PREFIX)
    return AUTO if prefix.isascii() else detect(prefix, len(prefix) < PREFIX)


def read_csv(source: Input, options: ReadOptions) -> Iterator[Item]:
    """One item for each row; a header that cannot be used is one BadLine for the whole file.

    A malformed row (an unclosed quote, say) costs its first line; reading goes on at the next.
    """
    # The limit belongs to the process; it is only ever raised here.
    csv.field_size_limit(max(csv.field_size_limit(), options.max_line_bytes))
    rows = _rows(_Feed(source, options.max_line_bytes), options)
    header: list[str] | None = None
    for row in rows:
        if isinstance(row, BadLine):
            if header is None:
                yield BadLine(row.origin, f"no header, nothing of the file is read: {row.message}")
                return
            yield row
        elif header is None:
            header = [name.strip() for name in row[1]]
            if fault := _header_fault(header, options):
                yield BadLine(row[0], fault)
                return
        else:
            yield _item(row, header, options)


def _rows(feed: _Feed, options: ReadOptions) -> Iterator[tuple[str, list[str]] | BadLine]:
    """(origin, cells) of each row that is not empty."""
    try:
        delimiter = _sniff(feed, options)
    except _RowTooLong:
        yield BadLine(feed.origin, _too_long(options))
        return
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        feed.start_row()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _RowTooLong:
            bad = BadLine(feed.origin, _too_long(options))
            feed.rewind(1)
            yield bad
            continue
        except csv.Error as error:
            bad = BadLine(feed.origin, f"not a CSV row ({error}); check its quotes")
            feed.rewind(1)
            yield bad
            continue
        if fault := _cells_fault(cells, feed.encoding):
            yield BadLine(feed.origin, fault)
        elif any(cell.strip() for cell in cells[:1]) or len(cells) > 1:
            yield feed.origin, cells


def _sniff(feed: _Feed, options: ReadOptions) -> str:
    """The delimiter that finds most known names in the header, then most columns."""
    line = next((text for text in feed if text.strip()), "")
    feed.rewind(0)
    known = {options.id_field, options.meta.title_field, *options.meta.text_fields}

    def score(delimiter: str) -> tuple[int, int]:
        cells = [cell.strip(' "\r\n\t') for cell in line.split(delimiter)]
        return len(known.intersection(cells)), len(cells)

    return max(_DELIMITERS, key=score)


def _header_fault(header: list[str], options: ReadOptions) -> str | None:
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        return f"the header names {', '.join(map(repr, doubled))} twice; give each column a name"
    columns = f"; its columns are {', '.join(header)}"
    if options.id_field not in header and not options.make_ids:
        return (
            f"the header has no column {options.id_field!r}{columns}; name the id column with "
            "--id-field, or have ids made from the text with --make-ids"
        )
    if not set(header).intersection(options.meta.text_fields):
        names = ", ".join(map(repr, options.meta.text_fields))
        return f"the header has no column {names}{columns}; name the text with --text-field"
    return None


def _item(
    row: tuple[str, list[str]], header: list[str], options: ReadOptions
) -> Document | BadLine:
    origin, cells = row
    if len(cells) != len(header):
        return BadLine(
            origin,
            f"the row has {len(cells)} columns, the header {len(header)}; quote a value that "
            "holds the delimiter",
        )
    try:
        return document_of(dict(zip(header, cells, strict=True)), origin, options)
    except InputRefused as error:
        return BadLine(origin, str(error))


def _cells_fault(cells: list[str], encoding: str) -> str | None:
    for number, cell in enumerate(cells, 1):
        if "\0" in cell:
            return f"binary content (a NUL byte) in column {number}; only text can be indexed"
        try:
            cell.encode("utf-8")
        except UnicodeEncodeError:
            return (
                f"column {number} is not valid {encoding.upper()}; name the encoding with "
                "--encoding, or convert the file with iconv"
            )
    return None


def _too_long(options: ReadOptions) -> str:
    return (
        f"the row is over {options.max_line_bytes:,} bytes; split the document, or close the "
        "quote that is left open"
    )
