"""Which encoding a file is in, and lines of bytes to text.

`auto` means UTF-8, else GB18030: a text file is decided as a whole, CSV on its beginning. JSON
Lines may come from a live pipe, so there each line is tried as UTF-8 first, and the first one
that is not UTF-8 but decodes cleanly as GB18030 turns the file to GB18030, unless Chinese text in
UTF-8 was met before it: then the file is UTF-8 and the line is broken.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Final

from indexer.sources.options import AUTO

PREFIX: Final = 1 << 16
"""Bytes looked at to decide on an encoding."""

BOM: Final = codecs.BOM_UTF8
UTF16_BOMS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_SUPERSETS: Final = {"gbk": "gb18030", "gb2312": "gb18030", "utf-8-sig": "utf-8"}
_SIGNS: Final = '\n\r\t {}[]",:;|0'

_NOT_ASCII: Final = re.compile(r"[\x00-\x7f]+")

# Two-byte UTF-8 happens by accident in short GBK strings, valid three-byte sequences hardly do.
_WIDE: Final = re.compile(rb"[\xe0-\xff]")


def canonical(encoding: str) -> str:
    """The codec that is used for a name: GBK and GB2312 files are read with their superset."""
    name = codecs.lookup(encoding).name
    return _SUPERSETS.get(name, name)


def is_line_safe(encoding: str) -> bool:
    """Whether bytes of this encoding may be cut at the byte 0A (UTF-16 may not)."""
    try:
        return _SIGNS.encode(encoding) == _SIGNS.encode("ascii")
    except UnicodeError:
        return False


def detect(prefix: bytes, complete: bool) -> str:
    """The encoding a file begins in; `complete`: the prefix is all of it.

    A file with a few broken bytes among UTF-8 lines stays UTF-8, its broken lines are reported.
    """
    if prefix.startswith(BOM) or _decodes(prefix, "utf-8", complete):
        return "utf-8"
    lines = [line for line in prefix.split(b"\n") if not line.isascii()]
    valid = sum(_decodes(line, "utf-8", True) for line in lines)
    if 2 * valid >= len(lines) or not _decodes(prefix, "gb18030", complete):
        return "utf-8"
    return "gb18030"


def _decodes(data: bytes, encoding: str, complete: bool) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        decoder.decode(data, final=complete)
    except UnicodeDecodeError:
        return False
    return True


def doubt(data: bytes, encoding: str) -> str:
    """Why text that was taken for GB18030 may be something else, "" when it looks like Chinese.

    Nearly every two bytes make some character of GB18030, so Latin letters with accents and
    UTF-8 with a piece missing pass for it; but they rarely make a common one.
    """
    if encoding != "gb18030":
        return ""
    strange = _NOT_ASCII.sub("", data[:PREFIX].decode("gb18030", "ignore"))
    common = strange.encode("gb2312", "ignore").decode("gb2312")
    if 10 * len(common) >= 9 * len(strange):
        return ""
    return (
        f"is not UTF-8 and was read as GB18030, where it holds {strange[:8]!r}; if that is wrong, "
        "name its encoding with --encoding and index it again"
    )


class LineDecoder:
    """Decodes the lines of one file, learning its encoding from them where it is not given.

    `doubt`: why the line that decided it for GB18030 may be something else.
    """

    def __init__(self, encoding: str) -> None:
        self._open = encoding == AUTO
        self._name = "utf-8" if self._open else canonical(encoding)
        self.doubt = ""

    @property
    def name(self) -> str:
        """The encoding held to be the file's at this point."""
        return self._name

    def is_utf8(self, line: bytes) -> bool:
        """Whether the line may go undecoded to a parser that checks UTF-8 itself."""
        return self._name == "utf-8" and (not self._open or line.isascii())

    def decode(self, line: bytes) -> str:
        """The text of a line. Raises UnicodeDecodeError."""
        if not self._open:
            return line.decode(self._name)
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            return self._as_gb18030(line, error)
        if _WIDE.search(line):
            self._open, self._name = False, "utf-8"
        elif self._name == "gb18030":
            return line.decode(self._name)
        return text

    def learn(self, line: bytes) -> None:
        """Take notice of a line that is passed over: those after it read as if it had been read."""
        if self._open and not line.isascii() and b"\0" not in line:
            with suppress(UnicodeDecodeError):
                self.decode(line)

    def _as_gb18030(self, line: bytes, error: UnicodeDecodeError) -> str:
        try:
            text = line.decode("gb18030")
        except UnicodeDecodeError:
            # Of the two messages the one for the encoding in force is of use.
            if self._name == "utf-8":
                raise error from None
            raise
        if self._name != "gb18030":
            self.doubt = doubt(line, "gb18030")
        self._name = "gb18030"
        return text


def undecodable(error: UnicodeDecodeError) -> str:
    """The message for a line whose bytes are not in the encoding."""
    return (
        f"not valid {error.encoding.upper()} at byte {error.start + 1}; name the encoding with "
        "--encoding, or convert the file with iconv"
    )
