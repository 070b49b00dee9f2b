"""An EPUB file as an archive: its members, and what it says of itself.

Nothing is written anywhere, and no member is read beyond a limit, whatever its header says.
Declarations of entities are refused: no book needs them.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from indexer.sources.encodings import canonical, detect
from mappings.errors import InputRefused

CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_TIMES_IN_ALL: Final = 4
"""How many times the limit of one member all members that are read may have together."""

_DECLARED: Final = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']""")
_CHARSET: Final = re.compile(rb"""<meta[^>]*?charset\s*=\s*["']?\s*([\w.-]+)""", re.IGNORECASE)
_HTML: Final = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml"))
_DEEPEST: Final = 100


@dataclass(frozen=True, slots=True)
class Point:
    """An entry of the table of contents. `anchor`: "" for the beginning of the file."""

    file: str
    anchor: str
    title: str


@dataclass(slots=True)
class Package:
    """What a book says of itself: `spine` names the files with its text, in reading order; `points`
    is the table of contents, `contents` the file that shows it."""

    title: str = ""
    author: str = ""
    language: str = ""
    spine: list[str] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    contents: str = ""


class Archive:
    """The members of a book by name. Raises InputRefused for what is no such file."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._limit, self._left = limit, limit * _TIMES_IN_ALL
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise InputRefused(f"not an EPUB file, or a broken one: {error}") from error
        self._names = {posixpath.normpath(name): name for name in self._zip.namelist()}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        """A member. Raises InputRefused: missing, broken, encrypted, too large."""
        if name.startswith(("/", "../")) or name not in self._names:
            raise InputRefused(f"the book names {name[:200]!r}, which is not in it")
        most = min(self._limit, self._left)
        try:
            with self._zip.open(self._names[name]) as member:
                data = member.read(most + 1)
        except RuntimeError as error:  # what zipfile raises for encrypted members
            raise InputRefused(f"{name!r} is encrypted; only open books can be read") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise InputRefused(f"{name!r} is broken: {error}") from error
        except NotImplementedError as error:
            raise InputRefused(f"{name!r} is packed in a way that is not known") from error
        if len(data) > most:
            raise InputRefused(f"{name!r} is over {most:,} bytes when it is unpacked")
        self._left -= len(data)
        return data

    def text(self, name: str) -> str:
        """A member that holds text, by its declared encoding, else as it is found."""
        data = self.read(name)
        for bom, encoding in (
            (b"\xef\xbb\xbf", "utf-8"),
            (b"\xff\xfe", "utf-16"),
            (b"\xfe\xff", "utf-16"),
        ):
            if data.startswith(bom):
                return data.decode(encoding, "replace").removeprefix("\ufeff")
        declared = _DECLARED.match(data[:200]) or _CHARSET.search(data[:2000])
        if declared:
            with suppress(LookupError, UnicodeError):
                return data.decode(canonical(declared[1].decode()))
        return data.decode(detect(data, complete=True), "replace")

    def tree(self, name: str) -> Element:
        """A member that is XML. Raises InputRefused."""
        builder, depth = TreeBuilder(), 0
        parser = expat.ParserCreate(namespace_separator="}")

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _DEEPEST:
                raise InputRefused(f"{name!r} is nested more than {_DEEPEST} deep")
            own = {key.rpartition("}")[2]: value for key, value in attributes.items()}
            builder.start(tag.rpartition("}")[2], own)

        def end(tag: str) -> None:
            nonlocal depth
            depth -= 1
            builder.end(tag.rpartition("}")[2])

        def entity(*_: object) -> None:
            raise InputRefused(f"{name!r} declares entities, which no book needs")

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler, parser.EntityDeclHandler = builder.data, entity
        try:
            parser.Parse(self.read(name), True)
        except (expat.ExpatError, LookupError, ValueError) as error:
            raise InputRefused(f"{name!r} is not valid XML: {error}") from error
        return builder.close()

    def package(self) -> Package:
        """What the book says of itself. Raises InputRefused."""
        if CONTAINER not in self:
            raise InputRefused(f"not an EPUB file: {CONTAINER} is missing")
        roots = [each.get("full-path", "") for each in self.tree(CONTAINER).iter("rootfile")]
        root = posixpath.normpath(next(filter(None, roots), ""))
        if root not in self:
            raise InputRefused(f"{CONTAINER} names no package that is in the book")
        tree = self.tree(root)
        items = {
            each.get("id", ""): (resolved(root, each.get("href", ""))[0], each)
            for each in tree.iter("item")
        }
        package = Package(_first(tree, "title"), _first(tree, "creator"), _first(tree, "language"))
        for reference in tree.iter("itemref"):
            file, item = items.get(reference.get("idref", ""), ("", None))
            is_text = item is not None and item.get("media-type", "text/html") in _HTML
            if is_text and reference.get("linear") != "no" and file not in package.spine:
                package.spine.append(file)
        self._contents(package, tree, items)
        self._refuse_encrypted(package)
        return package

    def _contents(
        self, package: Package, tree: Element, items: dict[str, tuple[str, Element]]
    ) -> None:
        """The table of contents: that of EPUB 3, else that of EPUB 2; none when neither reads."""
        navs = [f for f, each in items.values() if "nav" in each.get("properties", "").split()]
        spine = tree.find("spine")
        ncx = items.get(spine.get("toc", "") if spine is not None else "")
        ncxs = [ncx[0]] if ncx else []
        ncxs += [f for f, each in items.values() if each.get("media-type", "").endswith("ncx+xml")]
        package.contents = navs[0] if navs else ""
        for file, read in (*((f, _nav_points) for f in navs), *((f, _ncx_points) for f in ncxs)):
            with suppress(InputRefused):
                package.points = list(read(self.tree(file), file))
            if package.points:
                return

    def _refuse_encrypted(self, package: Package) -> None:
        if _ENCRYPTION not in self:
            return
        locked = {unquote(e.get("URI", "")) for e in self.tree(_ENCRYPTION).iter("CipherReference")}
        if locked & set(package.spine):
            raise InputRefused("the text of the book is encrypted; only open books can be read")


def resolved(base: str, address: str) -> tuple[str, str]:
    """The member and the anchor that an address in the member `base` names."""
    path, _, anchor = address.partition("#")
    if not path:
        return base, unquote(anchor)
    joined = posixpath.join(posixpath.dirname(base), unquote(path))
    return posixpath.normpath(joined), unquote(anchor)


def _first(tree: Element, tag: str) -> str:
    found = next(tree.iter(tag), None)
    return " ".join("".join(found.itertext()).split()) if found is not None else ""


def _nav_points(tree: Element, file: str) -> Iterator[Point]:
    tables = [each for each in tree.iter("nav") if each.get("type", "toc") == "toc"]
    for link in tables[0].iter("a") if tables else ():
        if address := link.get("href"):
            yield Point(*resolved(file, address), " ".join("".join(link.itertext()).split()))


def _ncx_points(tree: Element, file: str) -> Iterator[Point]:
    for point in tree.iter("navPoint"):
        content, label = point.find("content"), point.find("navLabel")
        if content is not None and (address := content.get("src")):
            title = "".join(label.itertext()) if label is not None else ""
            yield Point(*resolved(file, address), " ".join(title.split()))
