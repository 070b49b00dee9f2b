"""CSV: the header names the fields, every value is a string."""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterator
from typing import Final

from indexer.model import Document, is_text
from indexer.sources.byte_streams import Input
from indexer.sources.documents import document_of
from indexer.sources.encodings import PREFIX, LineDecoder, detect, doubt
from indexer.sources.options import AUTO, LONGEST_KEPT, BadLine, Item, Place, ReadOptions, kept_line
from mappings.errors import InputRefused

_DELIMITERS: Final = ",;\t|"
_NAMED: Final = 50
"""The number of columns that a message names, and of characters of each name."""


class _RowTooLong(Exception):
    """A line, or all lines of a row together, exceed the limit."""


class _Feed:
    """Decoded lines for `csv.reader`; it remembers the lines of the current row."""

    def __init__(self, source: Input, limit: int) -> None:
        self._source = source
        self._lines = source.lines(limit)
        self._decoder = LineDecoder(_encoding(source))
        self._limit = limit
        self._rewound: deque[tuple[int, str | None]] = deque()
        self._row: list[tuple[int, str | None]] = []
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        numbered = self._rewound.popleft() if self._rewound else self._pull()
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
            # The row is rejected once its columns are known; escapes keep it parseable until then.
            text = line.decode(self._decoder.name, "surrogateescape")
        self._source.doubt = self._source.doubt or self._decoder.doubt
        if self._source.line == 1:
            text = text.removeprefix("\ufeff")
        return self._source.line, text

    def start_row(self) -> None:
        self._row.clear()
        self._size = 0

    def rewind(self, keep: int) -> None:
        """Return the lines of this row again, except the first `keep`."""
        self._rewound.extendleft(reversed(self._row[keep:]))

    @property
    def line(self) -> int:
        """The line on which the current row begins."""
        return self._row[0][0] if self._row else self._source.line

    @property
    def place(self) -> Place:
        """The same, for messages and documents."""
        return self._source.place(self.line)

    def bad(self, message: str, lines: int | None = None) -> BadLine:
        """The current row as a BadLine, with its first `lines` lines or all of them."""
        texts = [text for _, text in self._row[:lines]]
        long = sum(len(text or "") for text in texts) > LONGEST_KEPT
        row = None if long or None in texts else kept_line("".join(map(str, texts)))
        return BadLine(self.place.origin, message, row, self.place.mark)

    @property
    def encoding(self) -> str:
        return self._decoder.name


def _encoding(source: Input) -> str:
    if source.encoding != AUTO:
        return source.encoding
    prefix = source.prefix(PREFIX)
    encoding = AUTO if prefix.isascii() else detect(prefix, len(prefix) < PREFIX)
    source.doubt = doubt(prefix, encoding)
    return encoding


def read_csv(source: Input, options: ReadOptions, skip_lines: int = 0) -> Iterator[Item]:
    """One item for each row that begins after the first `skip_lines` lines; an unusable header is
    one BadLine for the whole file.

    Skipped rows are parsed as well, to find where the next row begins. A malformed row (with an
    unclosed quote, say) costs its first line; reading continues with the next.
    """
    # The limit is global to the process, so it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), options.max_line_bytes))
    feed = _Feed(source, options.max_line_bytes)
    header: list[str] | None = None
    for row in _rows(feed, options):
        if header is None:
            if isinstance(row, BadLine):
                fault = f"no header, nothing of the file is read: {row.message}"
            else:
                header = [name.strip() for name in row]
                fault = _header_fault(header, options)
            if fault:
                yield feed.bad(fault)
                return
        elif feed.line > skip_lines:
            yield row if isinstance(row, BadLine) else _item(row, header, feed, options)


def _rows(feed: _Feed, options: ReadOptions) -> Iterator[list[str] | BadLine]:
    """The cells of each non-empty row; `feed` is at that row."""
    try:
        delimiter = _sniff(feed, options)
    except _RowTooLong:
        yield feed.bad(_too_long(options))
        return
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        feed.start_row()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _RowTooLong:
            yield feed.bad(_too_long(options), 1)
            feed.rewind(1)
        except csv.Error as error:
            yield feed.bad(f"not a CSV row ({error}); check its quotes", 1)
            feed.rewind(1)
        else:
            if fault := _cells_fault(cells, feed.encoding):
                yield feed.bad(fault)
            elif any(cell.strip() for cell in cells[:1]) or len(cells) > 1:
                yield cells


def _sniff(feed: _Feed, options: ReadOptions) -> str:
    """The delimiter that gives most expected field names in the header, then most columns."""
    line = next((text for text in feed if text.strip()), "")
    feed.rewind(0)
    field_names = {options.id_field, options.meta.title_field, *options.meta.text_fields}

    def score(delimiter: str) -> tuple[int, int]:
        cells = [cell.strip(' "\r\n\t') for cell in line.split(delimiter)]
        return len(field_names.intersection(cells)), len(cells)

    return max(_DELIMITERS, key=score)


def _header_fault(header: list[str], options: ReadOptions) -> str:
    doubled = sorted(name for name, count in Counter(header).items() if count > 1)
    if doubled:
        return (
            f"the header names {_listed(list(map(repr, doubled)))} twice; give each column a name"
        )
    columns = f"; its columns are {_listed(header)}"
    if options.id_field not in header and not options.make_ids:
        return (
            f"the header has no column {options.id_field!r}{columns}; name the id column with "
            "--id-field, or have ids made from the text with --make-ids"
        )
    if not set(header).intersection(options.meta.text_fields):
        names = ", ".join(map(repr, options.meta.text_fields))
        return f"the header has no column {names}{columns}; name the text with --text-field"
    return ""


def _listed(names: list[str]) -> str:
    suffix = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(name[:_NAMED] for name in names[:_NAMED]) + suffix


def _item(
    cells: list[str], header: list[str], feed: _Feed, options: ReadOptions
) -> Document | BadLine:
    if len(cells) != len(header):
        return feed.bad(
            f"the row has {len(cells)} columns, the header {len(header)}; quote a value that "
            "holds the delimiter"
        )
    try:
        return document_of(dict(zip(header, cells, strict=True)), feed.place, options)
    except InputRefused as error:
        return feed.bad(str(error))


def _cells_fault(cells: list[str], encoding: str) -> str | None:
    for number, cell in enumerate(cells, 1):
        if "\0" in cell:
            return f"binary content (a NUL byte) in column {number}; only text can be indexed"
        if not is_text(cell):
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
