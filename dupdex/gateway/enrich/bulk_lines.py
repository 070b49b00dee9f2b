"""A bulk body as operations: cut at lines, as the server cuts it, whatever pieces it comes in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

ACTIONS: Final = frozenset({"index", "create", "update", "delete"})

LONGEST_LINE: Final = 100 << 20
"""In bytes; a server takes no larger body by default."""

_SPACE: Final = (b"\n", b"\r", b" ", b"\t")
_EMPTY: Final = re.compile(rb"(?:\n++|[ \t\r]{1,16}+\n)++")
_DECODER: Final = json.JSONDecoder()


class Malformed(Exception):
    """A line that no server reads as an action. `line`: its bytes; `number`: counted from 1."""

    def __init__(self, line: bytes, number: int) -> None:
        super().__init__(f"line {number}")
        self.line, self.number = line, number


class TooLong(Exception):
    """A line is longer than any body that the server takes."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: the two lines (with their ends) as the client sent them, and what the first
    one says. `source` is empty for a deletion.
    """

    action: str
    named: Mapping[str, Any]
    line: bytes
    source: bytes = b""

    @property
    def raw(self) -> bytes:
        return self.line + self.source

    def text_of(self, name: str) -> str | None:
        """A value of the action line as the server reads it; None for none."""
        value = self.named.get(name)
        if isinstance(value, str):
            return value
        if value is None or isinstance(value, Mapping | list):
            return None
        return json.dumps(value)

    def line_with(self, without: tuple[str, ...] = (), **values: Any) -> bytes:
        """The action line with other values, and without some names."""
        named = {name: value for name, value in self.named.items() if name not in without}
        return orjson.dumps({self.action: {**named, **values}}) + b"\n"


@dataclass(slots=True)
class LineSplitter:
    """Takes a body in pieces and gives its operations, in order.

    Raises Malformed at a line that is no action: nothing after it can be told apart.
    """

    number: int = 0
    """Lines read."""
    _rest: bytearray = field(default_factory=bytearray)
    _searched: int = 0
    _action: tuple[str, Mapping[str, Any], bytes] | None = None

    @property
    def rest(self) -> bytes:
        """What came after the last end of a line; the server refuses a body that has some."""
        return bytes(self._rest)

    def feed(self, piece: bytes) -> Iterator[Operation]:
        """The operations that end in this piece; all must be taken before the next piece."""
        self._rest += piece
        start = self._without_empty(0)
        while (end := self._rest.find(b"\n", max(start, self._searched))) >= 0:
            line = bytes(memoryview(self._rest)[start : end + 1])
            start = end + 1
            self.number += 1
            try:
                operation = self._operation(line)
            except Malformed:
                del self._rest[:start]
                raise
            if operation is not None:
                yield operation
            start = self._without_empty(start)
        del self._rest[:start]
        self._searched = len(self._rest)
        if self._searched > LONGEST_LINE:
            raise TooLong

    def _without_empty(self, start: int) -> int:
        """Where an action may begin: runs of empty lines cost no step each, as a small compressed
        body holds millions."""
        if self._action is not None or bytes(self._rest[start : start + 1]) not in _SPACE:
            return start
        empty = _EMPTY.match(self._rest, start)
        if empty is None:
            return start
        self.number += empty[0].count(b"\n")
        self._searched = max(self._searched, empty.end())
        return empty.end()

    def _operation(self, line: bytes) -> Operation | None:
        if self._action is not None:
            (action, named, first), self._action = self._action, None
            return Operation(action, named, first, line)
        if not line.strip():
            return None
        action, named = self._read(line)
        if action == "delete":
            return Operation(action, named, line)
        self._action = action, named, line
        return None

    def _read(self, line: bytes) -> tuple[str, Mapping[str, Any]]:
        value = _first_value(line)
        if isinstance(value, dict) and value:
            action, named = next(iter(value.items()))
            if action in ACTIONS and isinstance(named, dict):
                return action, named
        raise Malformed(line, self.number)


def _first_value(line: bytes) -> object:
    """The JSON value that a line begins with: servers do not look at what comes after it."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    try:
        return _DECODER.raw_decode(line.decode().lstrip())[0]
    except ValueError:
        return None
