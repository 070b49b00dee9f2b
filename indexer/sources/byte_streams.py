"""An open file as lines: gzip decompressed, UTF-16 recoded, lines bounded, bytes counted."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Final, Protocol

from indexer.model import Mark
from indexer.sources.encodings import BOM, UTF16_BOMS, is_line_safe
from indexer.sources.options import AUTO, BadLine, Place

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

READ_ERRORS: Final = (OSError, EOFError, zlib.error, UnicodeError)
"""What reading an open file may raise: device errors, truncated gzip, broken UTF-16."""

_GZIP: Final = b"\x1f\x8b"
_CHUNK: Final = 1 << 18


class Readable(Protocol):
    """A buffered binary stream; `read1` makes at most one system call."""

    def read1(self, size: int, /) -> bytes: ...


class _Peekable(io.RawIOBase):
    """A stream that allows peeking at its beginning, and counts its bytes."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._pending = b""
        self.count = 0

    def prefix(self, size: int) -> bytes:
        """The next unread bytes; fewer than `size` only at the end."""
        while len(self._pending) < size and (chunk := self._stream.read1(_CHUNK)):
            self._count(chunk)
            self._pending += chunk
        return self._pending[:size]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        data = self._pending
        if not data:
            data = self._stream.read1(len(target))
            self._count(data)
        size = min(len(data), len(target))
        target[:size] = data[:size]
        self._pending = data[size:]
        return size

    def _count(self, data: bytes) -> None:
        self.count += len(data)


class _Recoded:
    """Recodes a stream to UTF-8 whose encoding does not end lines with the byte 0A."""

    def __init__(self, stream: Readable, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def read1(self, size: int, /) -> bytes:
        """May return more bytes than asked for. Raises UnicodeDecodeError."""
        while True:
            data = self._stream.read1(size)
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text.encode("utf-8", "surrogatepass")


class Input:
    """An open file. `line` is the number of the last line returned, `part` the part in its marks.

    `encoding` is that of the returned lines, UTF-8 if the file was recoded; `doubt` is set by a
    reader that guessed an encoding and may be wrong. Every method may raise one of READ_ERRORS.
    """

    def __init__(
        self, stream: Readable, name: str, encoding: str, part: str = "", *, stored: bool = False
    ) -> None:
        """`stored`: nothing is decompressed or recoded."""
        self.name, self.part = name, part
        self._raw = stream
        self.line = 0
        self.doubt = ""
        self._counted = head = _Peekable(stream)
        self._reported = 0
        self._is_gzip = not stored and head.prefix(2) == _GZIP
        if self._is_gzip:
            head = _Peekable(gzip.GzipFile(fileobj=io.BufferedReader(head, _CHUNK)))
        if encoding == AUTO and not stored and head.prefix(2) in UTF16_BOMS:
            encoding = "utf-16"
        if encoding != AUTO and not stored and not is_line_safe(encoding):
            head = _Peekable(_Recoded(io.BufferedReader(head, _CHUNK), encoding))
            encoding = "utf-8"
        self.encoding = encoding
        self._head = head
        self._buffer = io.BufferedReader(head, _CHUNK)

    def place(self, line: int | None = None) -> Place:
        """The place of a line, by default the last one returned."""
        number = self.line if line is None else line
        return Place(f"{self.name}:{number}", Mark(self.part, number))

    def bad(self, message: str, line: str | None = None) -> BadLine:
        """The last line returned, as a BadLine."""
        place = self.place()
        return BadLine(place.origin, message, line, place.mark)

    def consumed(self) -> int:
        """Bytes of the file consumed since the last call; for gzip, compressed bytes."""
        new = self._counted.count - self._reported
        self._reported += new
        return new

    def prefix(self, size: int) -> bytes:
        """The first bytes; call it before reading any line."""
        return self._head.prefix(size)

    def seekable(self, limit: int) -> IO[bytes] | None:
        """The file, for readers that go to and fro; it counts as consumed. Of a pipe or a
        compressed file, all its bytes; None when these are over `limit`.
        """
        raw = self._raw
        if isinstance(raw, io.BufferedReader) and raw.seekable() and not self._is_gzip:
            self._counted.count = raw.seek(0, io.SEEK_END)
            raw.seek(0)
            return raw
        data = self.content(limit)
        return None if data is None else io.BytesIO(data)

    def read1(self, size: int, /) -> bytes:
        """Some bytes, none at the end."""
        return self._buffer.read1(size)

    def lines(self, limit: int) -> Iterator[bytes | None]:
        """Lines with line feeds, the first without a BOM; None for a line over `limit` bytes."""
        readline = self._buffer.readline
        while line := readline(limit + 1):
            self.line += 1
            if len(line) > limit:
                while line and not line.endswith(b"\n"):
                    line = readline(limit + 1)
                yield None
            elif self.line == 1:
                yield line.removeprefix(BOM)
            else:
                yield line

    def content(self, limit: int) -> bytes | None:
        """The content of the file, without a BOM; None when it is over `limit` bytes."""
        parts: list[bytes] = []
        size = 0
        while part := self._buffer.read1(_CHUNK):
            size += len(part)
            if size > limit:
                return None
            parts.append(part)
        return b"".join(parts).removeprefix(BOM)
