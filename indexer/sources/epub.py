"""A book in EPUB: one document a chapter, by its table of contents, else by its files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from indexer.model import Mark
from indexer.sources.byte_streams import Input
from indexer.sources.chapters import FRONT, Chapter, chapters_of, heading_of
from indexer.sources.epub_archive import Archive, Package, Point
from indexer.sources.markup_text import MarkupText, read_markup
from indexer.sources.novel import Book, book_name, chapter_document
from indexer.sources.options import BadLine, Item, Place, ReadOptions
from mappings.errors import InputRefused


def read_epub(
    source: Input, options: ReadOptions, name: str | None, skip_items: int = 0
) -> Iterator[Item]:
    """The chapters after the first `skip_items` items; a file of the book that cannot be read is a
    BadLine and costs nothing else. `name`: of the file."""
    source.line = 1
    try:
        stream = source.seekable(options.max_line_bytes)
        if stream is None:
            raise InputRefused(f"the book is over {options.max_line_bytes:,} bytes; name its file")
        archive = Archive(stream, options.max_line_bytes)
        package = archive.package()
        book = Book(book_name(name), package.title or book_name(name) or "", package.author)
    except InputRefused as error:
        yield source.bad(str(error))
        return
    reading = _Reading(archive, package)
    for position, found in enumerate(reading.items(), 1):
        if position <= skip_items:
            continue
        place = Place(f"{source.name}:{position}", Mark(source.part, position))
        if isinstance(found, str):
            yield BadLine(place.origin, found, None, place.mark)
        else:
            yield chapter_document(book, found, place, source.name, options)


@dataclass(slots=True)
class _Open:
    """The chapter that is being put together."""

    title: str = ""
    is_front: bool = False
    parts: list[str] = field(default_factory=list)


class _Reading:
    """The chapters of a book in reading order."""

    def __init__(self, archive: Archive, package: Package) -> None:
        self._archive, self._package = archive, package
        self._points: dict[str, list[Point]] = defaultdict(list)
        for point in package.points:
            self._points[point.file].append(point)
        self._number, self._volume = 0, ""
        self._open = _Open(is_front=True)

    def items(self) -> Iterator[Chapter | str]:
        """Chapters, and messages about files that cannot be read."""
        for file in self._package.spine:
            if file == self._package.contents and len(self._package.spine) > 1:
                continue
            try:
                read = read_markup(self._archive.text(file))
            except InputRefused as error:
                yield str(error)
                continue
            if not read.is_list_of_links:
                yield from self._file(read, self._points.get(file, []))
        if self._open.is_front and not self._package.points:
            yield from self._without_headings()
        else:
            yield from self._close()

    def _file(self, read: MarkupText, points: list[Point]) -> Iterator[Chapter]:
        cuts = self._cuts(read, points)
        ends = [*(place for place, _ in cuts), len(read.text)]
        self._open.parts.append(read.text[: ends[0]])
        for (place, title), end in zip(cuts, ends[1:], strict=True):
            yield from self._close()
            self._open = _Open(title, parts=[read.text[place:end]])

    def _cuts(self, read: MarkupText, points: list[Point]) -> list[tuple[int, str]]:
        """Where chapters begin in a file, with their titles. Of two at one place the later one, as
        the entry of a volume comes before that of its first chapter. In a book without a table of
        contents a file without a heading goes on with the chapter before."""
        if not self._package.points:
            title = read.heading or _first_heading(read.text)
            return [(0, title)] if title else []
        at: dict[int, str] = {}
        for point in points:
            at[read.anchors.get(point.anchor, 0) if point.anchor else 0] = point.title
        return sorted(at.items())

    def _without_headings(self) -> Iterator[Chapter]:
        """A chapter a file, where nothing says where any begins."""
        texts = [part.strip("\n") for part in self._open.parts]
        if len(texts) == 1 and (inside := chapters_of(texts[0])):
            yield from inside
            return
        for text in filter(str.strip, texts):
            self._number += 1
            yield Chapter(self._number, "", text, 1)

    def _close(self) -> Iterator[Chapter]:
        """The open chapter; several, where its text has headings of its own."""
        opened, self._open = self._open, _Open()
        text = "\n".join(part.strip("\n") for part in opened.parts if part.strip())
        body = _without_heading(text, opened.title)
        letters = sum(map(str.isalnum, body))
        inside = [each for each in chapters_of(text) if each.number]
        if len(inside) > 1:
            for chapter in inside:
                self._number += 1
                volume = chapter.volume or self._volume
                yield replace(chapter, number=self._number, volume=volume)
        elif opened.is_front and letters >= FRONT:
            yield Chapter(0, "", text, 1)
        elif not opened.is_front and letters:
            self._number += 1
            yield Chapter(self._number, opened.title, body, 1, self._volume)
        elif opened.title:
            self._volume = opened.title  # a page with a title alone is that of a volume


def _first_heading(text: str) -> str:
    found = heading_of(text.lstrip("\n").partition("\n")[0])
    return found[0] if found else ""


def _without_heading(text: str, title: str) -> str:
    """The text without its title, which a page shows once more."""
    first, _, rest = text.partition("\n")
    if "".join(first.split()).casefold() == "".join(title.split()).casefold():
        return rest.lstrip("\n")
    return text
