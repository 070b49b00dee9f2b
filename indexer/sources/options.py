"""Options and results of the readers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from indexer.meta import IndexMeta
from indexer.model import Document, Mark, is_text
from mappings.errors import InputRefused

Format: TypeAlias = Literal["auto", "jsonl", "csv", "text", "novel", "epub", "warc", "feed"]

AUTO: Final = "auto"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line, row or file that gave no document: where ("news.jsonl:17") and why, in one line.

    `line` is its text; None when that is long, cannot be decoded, or is a whole file. `mark` is as
    in a Document; None for a file or folder that was not opened.
    """

    origin: str
    message: str
    line: str | None = None
    mark: Mark | None = field(default=None, compare=False)


Item: TypeAlias = Document | BadLine

LONGEST_KEPT: Final = 10_000
"""Longest bad line, in bytes, that is kept with its message; this bounds their memory."""


def kept_line(text: str) -> str | None:
    """A bad line as it is kept: without its line feed; None when it is long or not text."""
    if not is_text(text) or len(text.encode("utf-8")) > LONGEST_KEPT:
        return None
    return text.rstrip("\r\n")


class Place(NamedTuple):
    """Where a document begins: for messages ("news.jsonl:17"), and for resuming after it."""

    origin: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are turned into documents. Raises InputRefused for an unknown value.

    `format` "auto" decides by file name; in a folder, any other format selects the files with one
    of its extensions. `encoding` "auto" is UTF-8, else GB18030 (which covers GBK and GB2312).
    `make_ids` gives a document without an id a hash of its text, so equal texts share an id.
    `max_line_bytes` bounds a line, a CSV row, a record or a whole text file, and so the memory.
    `split`: a novel without headings is cut into documents of about so many characters; 0 for one.
    `has_options`: whether the user has options for all this, which messages then name.
    """

    format: Format = "auto"
    encoding: str = AUTO
    id_field: str = "id"
    make_ids: bool = False
    meta: IndexMeta = field(default_factory=IndexMeta)
    max_line_bytes: int = 64 << 20
    split: int = 0
    has_options: bool = True

    def __post_init__(self) -> None:
        if self.format not in get_args(Format):
            raise InputRefused(
                f"format {self.format!r} is not known; use {', '.join(get_args(Format))}"
            )
        if self.max_line_bytes < 1:
            raise InputRefused("max_line_bytes must be at least 1")
        if self.split < 0:
            raise InputRefused("split must be at least 0")
        if self.encoding != AUTO:
            _check_encoding(self.encoding)


def _check_encoding(name: str) -> None:
    try:
        "a".encode(name)
    except (LookupError, ValueError) as error:
        raise InputRefused(
            f"encoding {name!r} is not known; use auto, utf-8, gb18030, big5 or another name "
            "that Python knows"
        ) from error
