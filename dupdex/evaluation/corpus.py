"""A labelled corpus: `corpus.jsonl` and `truth.tsv` in one folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Self

import orjson

from dupdex.evaluation.truth import FACTS, Label, Listed, Truth
from indexer.model import Document
from mappings.errors import InputRefused, NotFound

DOCUMENTS: Final = "corpus.jsonl"
TRUTH: Final = "truth.tsv"
COLUMNS: Final = ("id_a", "id_b", "label", "kind", "strength")
TEXT_FIELD: Final = "text"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Corpus:
    """The ids in file order, and the truth about their pairs. Texts stay on disk."""

    folder: Path
    ids: tuple[str, ...]
    truth: Truth

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Check both files completely.

        Raises NotFound for a missing file, InputRefused naming file and line for a bad one.
        """
        ids: dict[str, None] = {}
        facts: set[str] = set()
        for document, kind in _rows(folder / DOCUMENTS):
            if document.id in ids:
                raise InputRefused(f"{document.origin}: id {document.id!r} was there before")
            ids[document.id] = None
            if kind == FACTS:
                facts.add(document.id)
        if not ids:
            raise InputRefused(f"{folder / DOCUMENTS} holds no document")
        listed = tuple(_listed(folder / TRUTH, ids))
        facts.update(row.pair[1] for row in listed if row.kind == FACTS)
        return cls(folder, tuple(ids), Truth(listed, frozenset(facts)))

    def documents(self) -> Iterator[Document]:
        """All documents, read from the file again; of each row only id and text are kept."""
        for document, _ in _rows(self.folder / DOCUMENTS):
            yield document


def _rows(path: Path) -> Iterator[tuple[Document, object]]:
    """The document of each line that is not empty, and its kind."""
    for number, line in _lines(path):
        origin = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            value = orjson.loads(line)
        except json.JSONDecodeError as error:
            raise InputRefused(f"{origin}: not valid JSON: {error.msg}") from error
        if not isinstance(value, dict):
            raise InputRefused(f"{origin}: not an object; write one object per line")
        name, text = (_string(value, field, origin) for field in ("id", TEXT_FIELD))
        if not name:
            raise InputRefused(f"{origin}: the id is empty")
        yield Document(name, text, {TEXT_FIELD: text}, origin), value.get("kind")


def _string(value: dict[str, Any], field: str, origin: str) -> str:
    content = value.get(field)
    if isinstance(content, str):
        return content
    problem = "is not a string" if field in value else "is missing"
    raise InputRefused(f"{origin}: field {field!r} {problem}; a corpus row has an id and a text")


def _listed(path: Path, ids: Iterable[str]) -> Iterator[Listed]:
    named = frozenset(ids)
    places: dict[str, int] | None = None
    for number, line in _lines(path):
        origin = f"{path}:{number}"
        try:
            cells = line.decode("utf-8").rstrip("\r\n").split("\t")
        except UnicodeDecodeError as error:
            raise InputRefused(f"{origin}: not UTF-8; convert the file") from error
        if places is None:
            places = _places(cells, origin)
        elif cells != [""]:
            yield _pair(cells, places, named, origin)
    if places is None:
        raise InputRefused(f"{path} is empty; its first line names {', '.join(COLUMNS)}")


def _places(header: list[str], origin: str) -> dict[str, int]:
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise InputRefused(
            f"{origin}: no column {', '.join(missing)}; the first line names, between tabs, "
            f"{' '.join(COLUMNS)}"
        )
    return {name: header.index(name) for name in COLUMNS}


def _pair(cells: list[str], places: dict[str, int], named: frozenset[str], origin: str) -> Listed:
    if len(cells) <= max(places.values()):
        raise InputRefused(f"{origin}: {len(cells)} columns, fewer than the header names")
    left, right, label, kind, strength = (cells[places[name]] for name in COLUMNS)
    for name in (left, right):
        if name not in named:
            raise InputRefused(f"{origin}: no document {name!r} in {DOCUMENTS}")
    if left == right:
        raise InputRefused(f"{origin}: {left!r} is paired with itself")
    try:
        parsed = Label(label)
    except ValueError as error:
        raise InputRefused(
            f"{origin}: label {label!r} is not known; 1 duplicate, 2 partial copy, 0 neither"
        ) from error
    return Listed((left, right), parsed, kind, strength)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with _opened(path) as stream:
        for number, line in enumerate(stream, 1):
            yield number, line.removeprefix(_BOM) if number == 1 else line


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        stream = path.open("rb")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(
            f"no file {path}; the folder to evaluate holds {DOCUMENTS} and {TRUTH}"
        ) from error
    except OSError as error:
        raise InputRefused(f"{path} cannot be read: {error.strerror}") from error
    with stream:
        yield stream
