"""Detects the encoding of files and decodes their lines.

`auto` means UTF-8, else GB18030. A text file is examined as a whole, CSV by its beginning. JSON
Lines may come from a live pipe, so each line is tried as UTF-8 first; the first line that is not
UTF-8 but decodes as GB18030 makes the file GB18030, unless Chinese text in UTF-8 came before it:
then the file is UTF-8 and the line is broken.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Final

from indexer.sources.options import AUTO

PREFIX: Final = 1 << 16
"""Bytes examined to detect an encoding."""

BOM: Final = codecs.BOM_UTF8
UTF16_BOMS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_SUPERSETS: Final = {"gbk": "gb18030", "gb2312": "gb18030", "utf-8-sig": "utf-8"}
_SIGNS: Final = '\n\r\t {}[]",:;|0'

_NOT_ASCII: Final = re.compile(r"[\x00-\x7f]+")

# Two-byte UTF-8 sequences occur by chance in short GBK strings, three-byte sequences hardly ever.
_WIDE: Final = re.compile(rb"[\xe0-\xff]")


def canonical(encoding: str) -> str:
    """The codec used for a name: GBK and GB2312 files are read as GB18030, their superset."""
    name = codecs.lookup(encoding).name
    return _SUPERSETS.get(name, name)


def is_line_safe(encoding: str) -> bool:
    """Whether text in this encoding may be split at the byte 0A (UTF-16 may not)."""
    try:
        return _SIGNS.encode(encoding) == _SIGNS.encode("ascii")
    except UnicodeError:
        return False


def detect(prefix: bytes, complete: bool) -> str:
    """The encoding of the beginning of a file; `complete`: the prefix is the whole file.

    A file with a few broken bytes among UTF-8 lines counts as UTF-8; broken lines are reported.
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
    """Why text read as GB18030 may be in another encoding; "" when it looks like Chinese.

    Nearly any two bytes are some character of GB18030, so accented Latin letters and truncated
    UTF-8 decode as well; but they rarely give common characters.
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
    """Decodes the lines of a file, and detects the encoding from them if it is `auto`.

    `doubt`: why the line that decided for GB18030 may be in another encoding.
    """

    def __init__(self, encoding: str) -> None:
        self._open = encoding == AUTO
        self._name = "utf-8" if self._open else canonical(encoding)
        self.doubt = ""

    @property
    def name(self) -> str:
        """The encoding assumed at this point."""
        return self._name

    def is_utf8(self, line: bytes) -> bool:
        """Whether the line may be passed undecoded to a parser that validates UTF-8."""
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
        """Take a skipped line into account: later lines are decoded as if it had been read."""
        if self._open and not line.isascii() and b"\0" not in line:
            with suppress(UnicodeDecodeError):
                self.decode(line)

    def _as_gb18030(self, line: bytes, error: UnicodeDecodeError) -> str:
        try:
            text = line.decode("gb18030")
        except UnicodeDecodeError:
            # Of the two errors, report the one for the current encoding.
            if self._name == "utf-8":
                raise error from None
            raise
        if self._name != "gb18030":
            self.doubt = doubt(line, "gb18030")
        self._name = "gb18030"
        return text


def undecodable(error: UnicodeDecodeError, with_options: bool = True) -> str:
    """The message for a line whose bytes are not in the encoding; `with_options`: and the option
    that names another."""
    what = "name the encoding with --encoding, or convert the file with iconv"
    if not with_options:
        what = "write it in UTF-8"
    return f"not valid {error.encoding.upper()} at byte {error.start + 1}; {what}"
