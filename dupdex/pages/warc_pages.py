"""The pages of a WARC file, as they were fetched: each with its place, to go on after."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dupdex.pages.extraction import LARGEST, MISSING
from dupdex.pages.page_model import Fetched
from dupdex.retention import time_of
from indexer.model import Mark
from indexer.sources import FileSource, Item, ReadOptions
from indexer.sources.byte_streams import Input
from indexer.sources.file_source import Progress
from indexer.sources.files import reason, shown, stat_of
from indexer.sources.options import BadLine
from indexer.sources.warc_records import BrokenRecord, WarcRecord, read_records
from mappings.errors import InputRefused

_TEXT: Final = ("", "text/html", "application/xhtml+xml", "text/plain", "text/markdown")
_NO_PAGES: Final = range(300, 400)
"""Redirects lead to pages and are none."""

_HEADROOM: Final = 1 << 16
_OPTIONS: Final = ReadOptions(format="warc")


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page of an archive, and its place."""

    fetched: Fetched
    mark: Mark


class WarcPages:
    """A WARC file as a source of pages; satisfies `indexer.sources.source.Source` for checkpoints,
    which a run over its texts does not share."""

    def __init__(self, name: str, progress: Progress = lambda _: None) -> None:
        self.name, self._progress = name, progress
        self._file = FileSource(name, _OPTIONS)

    @property
    def identity(self) -> str:
        """The path, as a source of pages."""
        return f"pages of {self._file.identity}"

    def state(self) -> str | None:
        """Size and modification time."""
        return self._file.state()

    def describe(self, mark: Mark) -> str:
        """A mark in words."""
        return f"record {mark.position:,} of {shown(self.name)}"

    def items(self, after: Mark | None = None) -> Iterator[Item]:
        """Only what cannot be read; pages are no documents yet."""
        return (each for each in self.pages(after) if isinstance(each, BadLine))

    def pages(self, after: Mark | None = None) -> Iterator[ArchivedPage | BadLine]:
        """Pages and broken records after a mark. What is no page of text is passed over: redirects,
        pictures, requests. Raises NotFound, or InputRefused for a file that cannot be opened."""
        stat_of(self.name)
        skip, path = after.position if after else 0, Path(self.name)
        try:
            stream = path.open("rb")
        except OSError as error:
            raise InputRefused(f"{shown(self.name)} cannot be opened: {reason(error)}") from error
        with stream:
            source = Input(stream, shown(self.name), "auto", stored=True)
            found = read_records(source, LARGEST + _HEADROOM, "response".__eq__)
            position = 0
            while True:
                # Guard only the reading: an error of the caller is not a read error.
                try:
                    record = next(found, None)
                except OSError as error:
                    record, found = BrokenRecord(f"it cannot be read on: {reason(error)}"), iter(())
                if record is None:
                    return
                position += 1
                self._progress(source.consumed())
                page = _page(record, source, position) if position > skip else None
                if page is not None:
                    yield page


def _page(
    record: WarcRecord | BrokenRecord, source: Input, position: int
) -> ArchivedPage | BadLine | None:
    mark, origin = Mark("", position), f"{source.name}:{position}"
    if isinstance(record, BrokenRecord):
        return BadLine(origin, record.message, None, mark)
    try:
        fetched = fetched_of(record)
    except InputRefused as error:
        return BadLine(origin, f"{record.url}: {error}", None, mark)
    return None if fetched is None else ArchivedPage(fetched, mark)


def fetched_of(record: WarcRecord) -> Fetched | None:
    """The page that a record holds; None where it holds none. Raises InputRefused."""
    status, headers, stream = _answer(record)
    kind = headers.get_header("Content-Type", "")
    is_text = kind.partition(";")[0].strip().lower() in _TEXT
    if status < 200 or status in _NO_PAGES or (status < 400 and not is_text):
        return None
    at = time_of(record.headers.get("warc-date", ""))
    if at is None:
        raise InputRefused("the record does not say when it was fetched")
    try:
        body = _read(stream, LARGEST + 1)
    except Exception as error:  # of whatever packing the site named
        raise InputRefused(f"its body cannot be unpacked: {type(error).__name__}") from error
    return Fetched(
        url=record.url,
        status=status,
        body=body,
        at=min(at, datetime.now(UTC)),
        content_type=kind,
        etag=headers.get_header("ETag", ""),
        last_modified=headers.get_header("Last-Modified", ""),
    )


def _read(stream: Any, size: int) -> bytes:
    """The first `size` bytes; a reader gives fewer than it is asked for."""
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _answer(record: WarcRecord) -> tuple[int, Any, Any]:
    """The status, the headers and the body of an answer of a site. Raises InputRefused."""
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError as error:
        raise InputRefused(MISSING) from error
    whole = io.BytesIO(record.head + record.body + b"\r\n\r\n")
    try:
        answer = next(iter(ArchiveIterator(whole)), None)
        headers = answer.http_headers if answer is not None else None
        status = int(headers.get_statuscode() or 0) if headers is not None else 0
    except Exception as error:  # of whatever stands in the headers
        said = f"{type(error).__name__} {' '.join(str(error).split())}"[:200]
        raise InputRefused(f"it holds no answer of a site: {said}") from error
    if answer is None or headers is None or not record.url:
        raise InputRefused("it holds no answer of a site")
    return status, headers, answer.content_stream()
