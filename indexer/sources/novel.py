"""A novel in a text file: one document a chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from indexer.model import Document, Mark
from indexer.sources.byte_streams import Input
from indexer.sources.chapters import Chapter, chapters_of, pieces_of
from indexer.sources.documents import document_of
from indexer.sources.encodings import undecodable
from indexer.sources.options import BadLine, Item, Place, ReadOptions
from indexer.sources.plain import decoded, file_id, text_field
from mappings.errors import InputRefused

_HEAD: Final = 15
"""Lines at the beginning that may name the work and its author."""

_TITLE: Final = re.compile(
    r"(?:书名|書名|标题|title)\s*[:：]\s*(.{1,60})|《([^《》]{1,60})》", re.IGNORECASE
)
_AUTHOR: Final = re.compile(r"(?:作者|author|by)\s*[:：]\s*([^\s:：）)]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Book:
    """What is known of a whole novel. `name`: of its file without extension, None for a pipe."""

    name: str | None
    title: str
    author: str = ""


def read_novel(
    source: Input, options: ReadOptions, name: str | None, skip_items: int = 0
) -> Iterator[Item]:
    """The chapters after the first `skip_items`; a novel without headings is one document, or
    pieces of about `options.split` characters. `name`: of the file.
    """
    data = source.content(options.max_line_bytes)
    source.line = 1
    if data is None:
        yield source.bad(f"the file is over {options.max_line_bytes:,} bytes; cut it into volumes")
        return
    try:
        text = decoded(data, source).replace("\r\n", "\n").replace("\r", "\n")
        book = _book(text, name)
    except UnicodeDecodeError as error:
        yield source.bad(undecodable(error))
        return
    except InputRefused as error:
        yield source.bad(str(error))
        return
    for position, chapter in enumerate(_chapters(text, options.split), 1):
        if position > skip_items:
            place = Place(f"{source.name}:{chapter.line}", Mark(source.part, position))
            yield chapter_document(book, chapter, place, source.name, options)


def chapter_document(
    book: Book, chapter: Chapter, place: Place, path: str, options: ReadOptions
) -> Document | BadLine:
    """A chapter as a document: id `book#3`, title, work, chapter, number and what else is known."""
    body: dict[str, object] = {
        "title": " ".join(filter(None, (book.title, chapter.title))),
        "work": book.title,
        "chapter": chapter.title,
        "number": chapter.number,
        "path": path,
        text_field(options): chapter.text,
    }
    body |= {"volume": chapter.volume} if chapter.volume else {}
    body |= {"author": book.author} if book.author else {}
    named = replace(options, make_ids=True)
    if book.name is not None:
        body = {options.id_field: f"{book.name}#{chapter.number}", **body}
        named = options
    try:
        return document_of(body, place, named)
    except InputRefused as error:
        return BadLine(place.origin, str(error), None, place.mark)


def book_name(name: str | None) -> str | None:
    """The name of a file without its extension, to make ids of. Raises InputRefused."""
    if name is None:
        return None
    path = PurePosixPath(file_id(name))
    stem = path.name.removesuffix(".gz")
    return str(path.with_name(stem.rpartition(".")[0] or stem))


def _book(text: str, name: str | None) -> Book:
    """Title and author by the first lines, else by the name of the file."""
    head = "\n".join(text.split("\n", _HEAD)[:_HEAD])
    stem = book_name(name)
    given = PurePosixPath(stem).name if stem else ""
    titled, author = _TITLE.search(head) or _TITLE.search(given), _AUTHOR.search(f"{head}\n{given}")
    title = (titled[1] or titled[2]).strip() if titled else given
    return Book(stem, title, author[1] if author else "")


def _chapters(text: str, split: int) -> list[Chapter]:
    found = chapters_of(text)
    if found or not text.strip():
        return found
    if not split:
        return [Chapter(1, "", text, 1)]
    pieces = enumerate(pieces_of(text, split), 1)
    return [Chapter(number, "", piece, line) for number, (line, piece) in pieces]
