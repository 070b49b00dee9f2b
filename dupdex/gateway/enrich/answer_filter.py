"""`filter_path`: which parts a client wants of an answer that is put together here."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

_NOTHING: Final = object()
_Pattern = tuple[str, ...]


class AnswerFilter:
    """The filter of a parameter as clients write it; an empty one lets everything through."""

    def __init__(self, parameter: str = "") -> None:
        parts = [part for part in parameter.split(",") if part]
        self._wanted = [tuple(part.split(".")) for part in parts if not part.startswith("-")]
        self._unwanted = [tuple(part[1:].split(".")) for part in parts if part.startswith("-")]

    def __bool__(self) -> bool:
        return bool(self._wanted or self._unwanted)

    def item(self, item: Any) -> Any | None:
        """What is left of an element of `items`; None for nothing."""
        return self.answer({"items": [item]}).get("items", [None])[0]

    def answer(self, value: dict[str, Any]) -> dict[str, Any]:
        """What is left of a whole answer."""
        left: Any = value
        if self._wanted:
            left = _chosen(left, self._wanted)
        if self._unwanted and left is not _NOTHING:
            left = _left(left, self._unwanted)
        return left if isinstance(left, dict) else {}


def _below(patterns: Sequence[_Pattern], name: str) -> list[_Pattern]:
    """What the patterns ask for below a member of this name; () for all of it."""
    out: list[_Pattern] = []
    for pattern in patterns:
        if not pattern:
            continue
        if pattern[0] == "**":
            out += [pattern, *_below([pattern[1:]], name)]
            if len(pattern) == 1:
                out.append(())
        elif fnmatchcase(name, pattern[0]):
            out.append(pattern[1:])
    return out


def _chosen(value: Any, patterns: Sequence[_Pattern]) -> Any:
    if () in patterns:
        return value
    if isinstance(value, list):
        items = [made for each in value if (made := _chosen(each, patterns)) is not _NOTHING]
        return items or _NOTHING
    if not isinstance(value, dict):
        return _NOTHING
    out = {}
    for name, inner in value.items():
        below = _below(patterns, name)
        if below and (made := _chosen(inner, below)) is not _NOTHING:
            out[name] = made
    return out or _NOTHING


def _left(value: Any, patterns: Sequence[_Pattern]) -> Any:
    if isinstance(value, list):
        items = [made for each in value if (made := _left(each, patterns)) is not _NOTHING]
        return items or _NOTHING
    if not isinstance(value, dict):
        return value
    out = {}
    for name, inner in value.items():
        below = _below(patterns, name)
        if () in below:
            continue
        made = _left(inner, below) if below else inner
        if made is not _NOTHING:
            out[name] = made
    return out or _NOTHING
