"""Reads the action lines of `_bulk` as they come by, for callers with certain indices only."""

from __future__ import annotations

import re
from typing import Final

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.guard.index_names import check_names, names_of
from dupdex.gateway.guard.json_bodies import decoded
from mappings.errors import InputRefused

_WITH_DOCUMENT: Final = frozenset({"index", "create", "update"})
_ACTIONS: Final = _WITH_DOCUMENT | {"delete"}

_EMPTY: Final = re.compile(rb"\n+")
LONGEST: Final = 64 * 1024
"""Bytes of an action line: an index name, an id of up to 512 bytes, routing and a few numbers."""


class BulkLines:
    """Takes the pieces of one body in order. Raises NotAllowed at the first line that names an
    index that is not the caller's, and InputRefused at one that cannot be read."""

    def __init__(self, caller: Caller, names: tuple[str, ...] | None) -> None:
        self._caller = caller
        self._named = names is not None
        self._line = bytearray()
        self._is_document = False
        self._number = 0

    def feed(self, piece: bytes) -> None:
        at = 0
        while at < len(piece):
            if not self._is_document and not self._line and (empty := _EMPTY.match(piece, at)):
                self._number += empty.end() - at
                at = empty.end()
                continue
            end = piece.find(b"\n", at)
            stop = len(piece) if end < 0 else end
            if not self._is_document:
                self._line += piece[at:stop]
                if len(self._line) > LONGEST:
                    raise InputRefused(
                        f"line {self._number + 1} of the bulk is no action: too long"
                    )
            if end < 0:
                return
            self._end_of_line()
            at = end + 1

    def close(self) -> None:
        """The end of the body: what follows the last line feed is read, too."""
        if self._line and not self._is_document:
            self._end_of_line()

    def _end_of_line(self) -> None:
        self._number += 1
        if self._is_document:
            self._is_document = False
            return
        line = bytes(self._line)
        self._line.clear()
        if not line.strip():
            return
        self._is_document = self._action(line) in _WITH_DOCUMENT

    def _action(self, line: bytes) -> str:
        where = f"line {self._number} of the bulk"
        try:
            value = decoded(line)
        except InputRefused as error:
            raise InputRefused(f"{where}: {error}") from error
        if not isinstance(value, dict) or len(value) != 1 or not value.keys() <= _ACTIONS:
            raise InputRefused(f"{where} is no action: one of {', '.join(sorted(_ACTIONS))}")
        ((action, about),) = value.items()
        if not isinstance(about, dict):
            raise InputRefused(f"{where}: {action!r} must be an object")
        if "_index" in about:
            check_names(self._caller, Right.WRITE, names_of(about["_index"]))
        elif not self._named:
            raise NotAllowed(f"{where} names no index")
        return str(action)
