"""Rejected documents, kept in a file so that they can be corrected and indexed again.

Lines that gave no document are kept there too, for the user to read: they have no id and no body.
Every entry names the index it was meant for.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

import orjson

from indexer.closing import Closing
from indexer.meta import IndexMeta
from indexer.model import DEEPEST, Body, Document, Mark
from indexer.sources.files import reason, shown
from indexer.sources.json_values import check_values
from indexer.sources.options import BadLine
from indexer.sources.seen import SeenIds
from mappings.errors import InputRefused, NotFound

_AS_REPR: Final = "_repr"
"""Suffix of the name of an entry that orjson cannot write; its value is encoded by `json.dumps`,
which keeps lone surrogates (escaped), NaN and integers of any size, or else by `ascii`."""


@dataclass(frozen=True, slots=True)
class Target:
    """The index that documents were meant for: its store (without secrets) and its name."""

    store: str
    index: str


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A rejected document as it was kept; `origin` is where it was first read, `to` the index it
    was meant for (None in files of older versions), `mark` its position in the file. `stored` is
    the digest of the document that the index held under this id when it was rejected: "" for none,
    None when that is not known.
    """

    id: str
    body: Body = field(default_factory=dict)
    origin: str = ""
    reason: str = ""
    time: str = ""
    to: Target | None = None
    stored: str | None = None
    mark: Mark = field(default=Mark("", 0), compare=False)

    def document(self, meta: IndexMeta) -> Document:
        """The document to be indexed again. Raises InputRefused when it has no text."""
        return Document(self.id, meta.text_of(self.body), self.body, self.origin, self.mark)


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line that could not be read, as it was kept; it can only be corrected in its source."""

    origin: str
    reason: str
    line: str | None


class DeadLetters(Closing):
    """Appends rejected documents and lines to an NDJSON file, which is created for the first one.

    Used in a `with` block. Every line is written when `add` returns, and synced to disk when the
    file is closed. A run that resumes an interrupted one (`resumed`) rejects some of the same
    lines again: those are not kept twice. Raises InputRefused, on entering already, when the file
    cannot be written or is being replayed.
    """

    def __init__(self, path: str | Path, to: Target | None = None, resumed: bool = False) -> None:
        self.path = Path(path)
        self.count = 0
        self.resumed = resumed
        self._to = to
        self._file: BinaryIO | None = None
        self._kept_lines: SeenIds | None = None

    def __enter__(self) -> Self:
        if self.path.is_file() or not self.path.exists():  # a pipe or device is opened once
            is_new = not os.path.lexists(self.path)
            try:
                with self.path.open("ab"):
                    pass
                if is_new:
                    self.path.unlink()
            except OSError as error:
                raise self._refused(error) from error
        return self

    def add(self, document: Document, why: str, stored: str | None = None) -> None:
        """Keep a document with the reason why it was rejected, and with the digest of what is
        `stored` under its id."""
        head = {"id": document.id, "reason": why, "origin": document.origin}
        if stored is not None:
            head["stored"] = stored
        self._append(head, {"body": dict(document.body)})

    def add_line(self, bad: BadLine) -> None:
        """Keep a line that gave no document, with its text if that is known."""
        self._append({"reason": bad.message, "origin": bad.origin}, {"line": bad.line})

    def add_row(self, origin: str, why: str, row: str | None) -> None:
        """The same for a row of a store."""
        self.add_line(BadLine(origin, why, row))

    def _append(self, head: Mapping[str, object], content: Mapping[str, object]) -> None:
        tail = {"to": asdict(self._to), **content} if self._to else content
        try:
            if self._file is None:
                self._file = _open(self.path)
            if self.resumed and self._is_kept(_line({**head, **tail})):
                return
            _write(self._file, _line({**head, "time": _now(), **tail}))
        except OSError as error:
            raise self._refused(error) from error
        self.count += 1

    def _is_kept(self, line: bytes) -> bool:
        if self._kept_lines is None:
            self._kept_lines = SeenIds()
            if self.path.is_file():
                for batch in _without_times(self.path):
                    self._kept_lines.add(batch)
        return self._kept_lines.add([line.decode()])[0]

    def close(self) -> None:
        """Sync the file to disk and close it. May be called twice."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            with file:
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno != errno.EINVAL:  # a pipe or a device cannot be synced
                raise self._refused(error) from error

    def _refused(self, error: OSError) -> InputRefused:
        return InputRefused(
            f"what was rejected cannot be written to {shown(self.path)} ({reason(error)}); name "
            "another file with --rejects"
        )


def digest_of(body: Body) -> str:
    """128 bits of a stored body, as hexadecimal digits; the order of its fields has no influence.
    Equal bodies have equal digests, whatever keys dupdex stores beside them."""
    values = json.dumps(body, sort_keys=True, default=repr)
    return hashlib.blake2b(values.encode(), digest_size=16).hexdigest()


def _open(path: Path) -> BinaryIO:
    # Unbuffered: a line is one system call, so nothing is lost when the interpreter dies.
    file = path.open("a+b", buffering=0)
    lock(file, path, fcntl.LOCK_SH)
    if file.seekable() and file.tell():
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            _write(file, b"\n")  # after a line that an earlier run did not finish
    return file


def lock(file: BinaryIO, path: Path, kind: int) -> None:
    """Lock the file until it is closed: shared for runs that append, exclusive for a replay, which
    replaces the file.

    Raises InputRefused when another process holds a conflicting lock.
    """
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise InputRefused(
            f"{shown(path)} is being written by another dupdex; wait until it is done, and run the "
            "same command again"
        ) from error
    except OSError:
        pass  # a pipe, a device, or a file system without locks


def _write(file: BinaryIO, data: bytes) -> None:
    # A full disk accepts a part; writing the remainder then raises.
    while data:
        data = data[file.write(data) :]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _line(entries: Mapping[str, object]) -> bytes:
    values: dict[str, object] = {}
    for name, value in entries.items():
        if _is_json(value):
            values[name] = value
        else:
            values[name + _AS_REPR] = _faithful(value)
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def _is_json(value: object) -> bool:
    """Whether the value survives a round trip; orjson writes NaN as null and dates as strings."""
    try:
        same: bool = orjson.loads(orjson.dumps(value)) == value
    except (orjson.JSONEncodeError, orjson.JSONDecodeError, RecursionError):
        return False
    return same


def _faithful(value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        return ascii(value)
    except RecursionError:
        return "nested too deep to be kept"


def _without_times(path: Path) -> Iterator[list[str]]:
    """The entries of a file as a later run would write them, without the time."""
    with path.open("rb") as file:
        for line in file:
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(value, dict):
                value.pop("time", None)
                yield [orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE).decode()]


def rejected_again(line: bytes, why: str) -> bytes:
    """A kept line with the reason of its latest rejection."""
    value = orjson.loads(line)
    value.pop(f"reason{_AS_REPR}", None)
    return _line({**value, "time": _now(), "reason": why})


def opened(path: str | Path) -> BinaryIO:
    """Open a file of dead letters for reading and writing. Raises NotFound or InputRefused."""
    try:
        return Path(path).open("r+b", buffering=0)
    except FileNotFoundError as error:
        raise NotFound(f"no such file: {shown(path)}; check the path") from error
    except (OSError, ValueError) as error:
        raise InputRefused(
            f"{shown(path)} cannot be opened: {reason(error)}; name a rejects file"
        ) from error


def letter_of(line: bytes, name: str, number: int, offset: int) -> DeadLetter | KeptLine | BadLine:
    """The entry on line `number` of the file `name`, which begins at byte `offset`."""
    where = f"{name}:{number}"
    try:
        value = orjson.loads(line)
        if not isinstance(value, dict):
            return BadLine(where, "not a rejected document: the line holds no object")
        check_values(value, line, DEEPEST + 1)  # the body is one level down
        document_id, body = _entry(value, "id"), _entry(value, "body")
        texts = {name: str(_entry(value, name) or "") for name in ("origin", "reason", "time")}
        if (
            document_id is None
            and body is None
            and not {"line", f"line{_AS_REPR}"}.isdisjoint(value)
        ):
            return KeptLine(texts["origin"], texts["reason"], _entry(value, "line"))
        if not isinstance(document_id, str) or not isinstance(body, Mapping):
            return BadLine(where, "not a rejected document: it needs an id and a body")
    except (ValueError, RecursionError, InputRefused) as error:
        return BadLine(where, f"not a rejected document that can be restored: {error}")
    stored = value.get("stored")
    return DeadLetter(
        document_id,
        body,
        **texts,
        to=_target(value.get("to")),
        stored=stored if isinstance(stored, str) else None,
        mark=Mark("", offset),
    )


def _target(value: object) -> Target | None:
    if not isinstance(value, Mapping):
        return None
    store, index = value.get("store"), value.get("index")
    return Target(store, index) if isinstance(store, str) and isinstance(index, str) else None


def _entry(value: Mapping[str, Any], name: str) -> Any:
    """An entry, decoded if it was kept as a string. Raises ValueError when it cannot be."""
    if name in value:
        return value[name]
    encoded = value.get(name + _AS_REPR)
    return json.loads(encoded) if isinstance(encoded, str) else None
