"""Rejected documents, kept in a file so that they can be corrected and indexed again.

Lines that gave no document are kept there too, to be read by people: they have no id and no body.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import orjson

from indexer.meta import IndexMeta
from indexer.model import Body, Document
from indexer.sources.files import reason, shown
from indexer.sources.numbers import refuse_large_integers
from indexer.sources.options import BadLine
from mappings.errors import InputRefused, NotFound

_AS_REPR: Final = "_repr"
"""Ends the name of an entry that JSON cannot hold; its value is Python's `json.dumps` of it, which
keeps lone surrogates (escaped), NaN and integers of any size, or `repr` if even that fails."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A rejected document as it was kept; `origin` is where it first came from."""

    id: str
    body: Body = field(default_factory=dict)
    origin: str = ""
    reason: str = ""
    time: str = ""

    def document(self, meta: IndexMeta) -> Document:
        """The document to be indexed again. Raises InputRefused when it has no text."""
        return Document(self.id, meta.text_of(self.body), self.body, self.origin)


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line that could not be read, as it was kept; it can only be mended in its source."""

    origin: str
    reason: str
    line: str | None


class DeadLetters:
    """Appends rejected documents and lines to an NDJSON file, which is made at the first one.

    Every line is with the system when `add` returns, and on disk when the file is closed. Raises
    InputRefused when the file cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.count = 0
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add(self, document: Document, why: str) -> None:
        """Keep one document and why it was rejected."""
        origin, body = document.origin, dict(document.body)
        self._append(id=document.id, reason=why, origin=origin, time=_now(), body=body)

    def add_line(self, bad: BadLine) -> None:
        """Keep a line that gave no document, with what stands there if that is known."""
        self._append(reason=bad.message, origin=bad.origin, time=_now(), line=bad.line)

    def _append(self, **entries: object) -> None:
        line = _line(entries)
        try:
            if self._file is None:
                self._file = _open(self.path)
            _write(self._file, line)
        except OSError as error:
            raise self._refused(error) from error
        self.count += 1

    def close(self) -> None:
        """Bring what was written to disk. May be called twice."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            with file:
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno != errno.EINVAL:  # a pipe or a device: nothing to bring to disk
                raise self._refused(error) from error

    def _refused(self, error: OSError) -> InputRefused:
        return InputRefused(
            f"what was rejected cannot be written to {shown(self.path)} ({reason(error)}); name "
            "another file"
        )


def _open(path: Path) -> BinaryIO:
    # Unbuffered: a line is one system call, so nothing is left behind for an interpreter that dies.
    file = path.open("a+b", buffering=0)
    if file.seekable() and file.tell():
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            _write(file, b"\n")  # after a line that an earlier run did not finish
    return file


def _write(file: BinaryIO, data: bytes) -> None:
    # A disk that fills up takes a part; what is left then raises.
    while data:
        data = data[file.write(data) :]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _line(entries: Mapping[str, object]) -> bytes:
    kept: dict[str, object] = {}
    for name, value in entries.items():
        if _is_json(value):
            kept[name] = value
        else:
            kept[name + _AS_REPR] = _faithful(value)
    return orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE)


def _is_json(value: object) -> bool:
    """Whether the value comes back as it was; orjson writes NaN as null and dates as strings."""
    try:
        same: bool = orjson.loads(orjson.dumps(value)) == value
    except (orjson.JSONEncodeError, orjson.JSONDecodeError):
        return False
    return same


def _faithful(value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return ascii(value)


def read_dead_letters(path: str | Path) -> Iterator[DeadLetter | KeptLine | BadLine]:
    """The kept documents and lines, in order; what is neither is a BadLine. Memory: one line.

    Raises NotFound or InputRefused, at the first item, when the file cannot be opened.
    """
    try:
        file = Path(path).open("rb")  # noqa: SIM115  (closed by the with below)
    except FileNotFoundError as error:
        raise NotFound(f"no such file: {shown(path)}; check the path") from error
    except OSError as error:
        raise InputRefused(f"{shown(path)} cannot be opened: {reason(error)}") from error
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _letter(line, f"{shown(path)}:{number}")


def _letter(line: bytes, where: str) -> DeadLetter | KeptLine | BadLine:
    try:
        value = orjson.loads(line)
        refuse_large_integers(value, line)
        if not isinstance(value, dict):
            return BadLine(where, "not a rejected document: the line holds no object")
        kept, body = _entry(value, "id"), _entry(value, "body")
        texts = {name: str(_entry(value, name) or "") for name in ("origin", "reason", "time")}
        if kept is None and body is None and not {"line", f"line{_AS_REPR}"}.isdisjoint(value):
            return KeptLine(texts["origin"], texts["reason"], _entry(value, "line"))
        if not isinstance(kept, str) or not isinstance(body, Mapping):
            return BadLine(where, "not a rejected document: it needs an id and a body")
    except (ValueError, RecursionError, InputRefused) as error:
        return BadLine(where, f"not a rejected document that can be restored: {error}")
    return DeadLetter(kept, body, **texts)


def _entry(value: Mapping[str, Any], name: str) -> Any:
    """Raises ValueError when what was kept is not the JSON form."""
    if name in value:
        return value[name]
    kept = value.get(name + _AS_REPR)
    return json.loads(kept) if isinstance(kept, str) else None
