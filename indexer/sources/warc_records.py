"""The records of a WARC file, of which broken ones cost nothing but themselves.

A compressed file has one gzip member a record: after a broken or cut member the next one is looked
for. In a file that is not compressed the next line that begins a record is. Where a broken record
holds a whole other one, as a crawl of an archive may, that one is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from indexer.sources.byte_streams import Readable

_CHUNK: Final = 1 << 18
_FIRST: Final = 1 << 12
"""Bytes of a member that are tried first: where many only seem to begin, each costs that much."""

_MEMBER: Final = b"\x1f\x8b\x08"
_LONGEST_HEADER: Final = 1 << 16
_BEGIN: Final = re.compile(rb"WARC/1\.\d\r?\n[\w-]{1,20}")
_NEXT: Final = re.compile(rb"(?<=\n)" + _BEGIN.pattern)
_BEGIN_BYTES: Final = 40
"""As many bytes show whether a record begins, and whether a line does."""

_NO_LINE_END: Final = re.compile(rb"[^\r\n]")
_EMPTY_LINE: Final = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """A record. `headers`: by name in lower case; `head`: its header as it came."""

    kind: str
    url: str
    headers: Mapping[str, str]
    head: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that cannot be read, or bytes that are none."""

    message: str


def read_records(
    stream: Readable, limit: int, wanted: Callable[[str], bool]
) -> Iterator[WarcRecord | BrokenRecord]:
    """The records of a file as it is stored whose kind is `wanted`. `limit`: bytes of a body; the
    bodies of larger records, and of others, are passed over."""
    for segment in _segments(stream, limit + _LONGEST_HEADER):
        held: WarcRecord | None = None
        for record in _Framer(segment, limit, wanted).records():
            if held is not None:
                yield held
                held = None
            if isinstance(record, BrokenRecord):
                yield record
            else:
                # The check sum comes after the last record of a member.
                held = record
        if segment.error:
            yield BrokenRecord(segment.error)
        elif held is not None:
            yield held


class _Segment:
    """What was compressed together, piece by piece: one member, or a file that is not compressed.
    `error`, once it is exhausted: why it ended before its end."""

    def __init__(self) -> None:
        self.pieces: Iterator[bytes] = iter(())
        self.error = ""
        self._ahead = b""

    def piece(self) -> bytes:
        """The next bytes; none at the end."""
        out, self._ahead = self._ahead, b""
        return out or next(self.pieces, b"")

    def begin(self) -> bytes:
        """The first bytes, which stay to be read."""
        self._ahead = self._ahead or next(self.pieces, b"")
        return self._ahead


def _segments(stream: Readable, most: int) -> Iterator[_Segment]:
    raw = _Raw(stream, most)
    if not _is_compressed(raw.peek(_CHUNK)):
        whole = _Segment()
        whole.pieces = raw.pieces()
        yield whole
        return
    is_sought = False
    while raw.peek(1):
        segment = _Segment()
        segment.pieces = _unpacked(raw, segment)
        # The bytes that begin a member also stand inside of others by chance.
        if not is_sought or segment.begin().startswith(b"WARC/"):
            yield segment
        for _ in iter(segment.piece, b""):
            pass
        is_sought = bool(segment.error)
        if is_sought and not raw.seek_member():
            return


def _is_compressed(begin: bytes) -> bool:
    """Told by what is there, as the first bytes may be the broken ones."""
    is_plain = _BEGIN.match(begin) or (_NEXT.search(begin) and not begin.startswith(_MEMBER))
    return not is_plain and _MEMBER in begin


def _unpacked(raw: _Raw, segment: _Segment) -> Iterator[bytes]:
    """What the next gzip member holds, in pieces of a bounded size."""
    unpacking = zlib.decompressobj(31)
    size, is_silent = _FIRST, True
    while not unpacking.eof:
        data = unpacking.unconsumed_tail or raw.take(size)
        size = min(2 * size, _CHUNK)
        if is_silent and size > 4 * _FIRST:  # what follows is no text, but an endless name
            segment.error = "a compressed record is broken: its header does not end"
            return
        if not data:
            segment.error = "a compressed record is cut off"
            return
        try:
            piece = unpacking.decompress(data, _CHUNK)
        except zlib.error as error:
            segment.error = f"a compressed record is broken: {error}"
            return
        if piece:
            is_silent = False
            yield piece
    raw.give_back(len(unpacking.unused_data))


class _Raw:
    """The stored bytes. Those of the current member are kept, up to `most`, to go back in them."""

    def __init__(self, stream: Readable, most: int) -> None:
        self._stream, self._most = stream, most
        self._kept = bytearray()
        self._at = 0

    def peek(self, size: int) -> bytes:
        """The next bytes, fewer at the end."""
        while len(self._kept) - self._at < size and self._more():
            pass
        return bytes(self._kept[self._at : self._at + size])

    def pieces(self) -> Iterator[bytes]:
        """All that is left."""
        while self.peek(1):
            yield self.take()

    def take(self, size: int = _CHUNK) -> bytes:
        """Some bytes, none at the end."""
        self.peek(1)
        out = bytes(self._kept[self._at : self._at + size])
        self._at += len(out)
        if self._at > self._most:
            del self._kept[: self._at - self._most]
            self._at = self._most
        return out

    def give_back(self, count: int) -> None:
        """The last bytes that were taken are the first of the next member."""
        self._at -= count
        del self._kept[: self._at]
        self._at = 0

    def seek_member(self) -> bool:
        """Go to where the next member may begin, behind the beginning of this one."""
        self._at, start = 0, 1
        while True:
            found = self._kept.find(_MEMBER, start)
            if found >= 0:
                del self._kept[:found]
                return True
            del self._kept[: max(0, len(self._kept) - len(_MEMBER) + 1)]
            start = 0
            if not self._more():
                return False

    def _more(self) -> bool:
        data = self._stream.read1(_CHUNK)
        self._kept += data
        return bool(data)


class _Framer:
    """Cuts a segment into records."""

    def __init__(self, segment: _Segment, limit: int, wanted: Callable[[str], bool]) -> None:
        self._segment, self._limit, self._wanted = segment, limit, wanted
        self._data = bytearray()

    def records(self) -> Iterator[WarcRecord | BrokenRecord]:
        """Every record of a wanted kind, and what is broken."""
        while self._skip_blank():
            if not _BEGIN.match(self._data[:_BEGIN_BYTES]):
                if not self._segment.error:
                    yield BrokenRecord("bytes that are no record")
                self._seek_begin()
                continue
            record = self._record()
            if record is not None:
                yield record

    def _record(self) -> WarcRecord | BrokenRecord | None:
        header = self._header()
        if header is None:
            return self._lost("the header of a record does not end")
        head, headers = header
        kind, url = headers.get("warc-type", ""), headers.get("warc-target-uri", "").strip("<>")
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 19):
            return self._lost(f"record of {url or kind}: it does not say how long it is")
        size = int(length)
        if size > self._limit:
            return self._too_long(len(head), size, url, self._wanted(kind))
        end = len(head) + size
        self._fill(end + 4 + _BEGIN_BYTES)
        if len(self._data) < end or not self._ends(end) or self._holds_another(len(head), end):
            return self._lost(f"record of {url or kind}: it is not as long as it says")
        body = bytes(self._data[len(head) : end])
        del self._data[:end]
        return WarcRecord(kind, url, headers, head, body) if self._wanted(kind) else None

    def _ends(self, end: int) -> bool:
        """Whether a record may end there: before two line ends, or with the segment."""
        rest = bytes(self._data[end : end + 4])
        return not rest.strip(b"\r\n") or bool(_EMPTY_LINE.match(rest))

    def _holds_another(self, start: int, end: int) -> bool:
        """Whether the body was cut, and what its length goes to is an empty line in the next
        record: one that begins inside, while none begins behind it.
        """
        following = _NO_LINE_END.search(self._data, end)
        if following is None or _BEGIN.match(self._data, following.start()):
            return False
        return _NEXT.search(self._data, start, end) is not None

    def _header(self) -> tuple[bytes, dict[str, str]] | None:
        while not (found := self._end_of_header()):
            if len(self._data) > _LONGEST_HEADER or not self._fill(len(self._data) + 1):
                return None
        head = bytes(self._data[: found.end()])
        headers: dict[str, str] = {}
        for line in head.decode("utf-8", "replace").splitlines()[1:]:
            name, colon, value = line.partition(":")
            if colon:
                headers[name.strip().lower()] = value.strip()
        return head, headers

    def _end_of_header(self) -> re.Match[bytes] | None:
        """Where the header ends: before another one begins, or it would be read again with each
        of many that begin and do not end."""
        other = self._data.find(b"\nWARC/1.", 0, _LONGEST_HEADER)
        return _EMPTY_LINE.search(self._data, 0, other + 1 if other >= 0 else _LONGEST_HEADER)

    def _lost(self, message: str) -> BrokenRecord | None:
        """The record that begins here is none; go to the next one. What is wrong with a segment
        is told once, at its end."""
        del self._data[:1]
        self._seek_begin()
        return None if self._segment.error else BrokenRecord(message)

    def _too_long(self, at: int, size: int, url: str, is_wanted: bool) -> BrokenRecord | None:
        """Pass over a body; a record that begins inside of it says that its length is wrong."""
        del self._data[:at]
        while size > 0 and self._fill(1):
            self._fill(2 * _BEGIN_BYTES)
            found = _NEXT.search(self._data)
            step = found.start() if found else max(len(self._data) - _BEGIN_BYTES, 1)
            del self._data[: min(size, step)]
            size -= step
            if found:
                break
        message = f"record of {url}: over {self._limit:,} bytes"
        return BrokenRecord(message) if is_wanted and not self._segment.error else None

    def _skip_blank(self) -> bool:
        """Go over line ends; False at the end."""
        while self._fill(1):
            if found := _NO_LINE_END.search(self._data):
                del self._data[: found.start()]
                self._fill(_BEGIN_BYTES)
                return True
            self._data.clear()
        return False

    def _seek_begin(self) -> None:
        while not (found := _NEXT.search(self._data)):
            # A record begins after a line end, which the search must see.
            del self._data[: max(0, len(self._data) - _BEGIN_BYTES)]
            if not self._fill(len(self._data) + 1):
                self._data.clear()
                return
        del self._data[: found.start()]

    def _fill(self, size: int) -> bool:
        """Read until `size` bytes are there; False when the segment ends before."""
        while len(self._data) < size:
            piece = self._segment.piece()
            if not piece:
                return False
            self._data += piece
        return True
