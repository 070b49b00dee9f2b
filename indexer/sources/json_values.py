"""Checks for JSON that the parser accepts silently and no store keeps: integers beyond 64 bits,
which become fractions, repeated fields, of which only the last is kept, and objects nested too
deeply to process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from indexer.model import DEEPEST
from mappings.errors import InputRefused

_SMALLEST: Final = -(1 << 63)
_LARGEST: Final = (1 << 64) - 1
_DIGITS: Final = 20

_NAME: Final = r'"[ \t\r\n]*:'
_NAMES: Final = re.compile(_NAME)
_NAMES_IN_BYTES: Final = re.compile(_NAME.encode())


class _Large:
    """Stands for an integer that no store keeps exactly."""


class _Doubled(ValueError):
    """A name that occurs twice in an object."""


def check_values(value: dict[str, Any], text: str | bytes, deepest: int = DEEPEST) -> None:
    """Check the value that `text` was parsed to. Raises InputRefused naming the field.

    The text is parsed again only when something may be wrong with it.
    """
    names, is_suspect = _walk(value, deepest)
    if is_suspect:
        path = _path_of_large(json.loads(text, parse_int=_integer), "")
        if path is not None:
            raise InputRefused(
                f"field {path!r} holds an integer beyond 64 bits, which would be rounded; write it "
                "as a string"
            )
    # A quote and a colon may also be inside a string, so an excess is only a hint.
    if _may_be_names(text) > names:
        try:
            json.loads(text, object_pairs_hook=_without_doubles, parse_int=str)
        except _Doubled as error:
            raise InputRefused(
                f"field {str(error)!r} is there twice, of which one would be lost; rename one, or "
                "remove it"
            ) from error


def too_deep(name: str = "") -> InputRefused:
    """The error for objects and lists that are nested too deeply for a store."""
    field = f"field {name[:80]!r}" if name else "the line"
    return InputRefused(f"{field} is nested deeper than {DEEPEST} levels; flatten it")


def _walk(value: dict[str, Any], deepest: int) -> tuple[int, bool]:
    """The number of names in all objects, and whether any number may be a rounded integer.

    Walks level by level instead of recursively, as the depth is not bounded. Raises InputRefused
    for values nested too deeply.
    """
    level: list[Any] = [value]
    names, is_suspect = 0, False
    for _ in range(deepest):
        inner: list[Any] = []
        for container in level:
            names += len(container) if isinstance(container, dict) else 0
            for child in _children(container):
                if isinstance(child, float):
                    # the comparison rounds the bounds as the number was rounded
                    is_suspect = is_suspect or not _SMALLEST < child < _LARGEST
                elif isinstance(child, dict | list):
                    inner.append(child)
        if not inner:
            return names, is_suspect
        level = inner
    raise too_deep(next(name for name, child in value.items() if _depth(child, deepest) == deepest))


def _depth(value: Any, deepest: int) -> int:
    """Levels of objects and lists, counted up to `deepest`."""
    level, depth = [value], 0
    while depth < deepest and (level := [node for node in level if isinstance(node, dict | list)]):
        level = [child for container in level for child in _children(container)]
        depth += 1
    return depth


def _children(container: Any) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _may_be_names(text: str | bytes) -> int:
    """An upper bound of the number of names in a JSON text."""
    if isinstance(text, bytes):
        return len(_NAMES_IN_BYTES.findall(text))
    return len(_NAMES.findall(text))


def _without_doubles(pairs: list[tuple[str, Any]]) -> None:
    names = set()
    for name, _ in pairs:
        if name in names:
            raise _Doubled(name)
        names.add(name)


def _integer(digits: str) -> int | _Large:
    if len(digits.lstrip("-")) > _DIGITS:  # Python refuses to parse very long integers
        return _Large()
    number = int(digits)
    return number if _SMALLEST <= number <= _LARGEST else _Large()


def _path_of_large(value: Any, path: str) -> str | None:
    """The path of the first integer that is too large; the value has at most DEEPEST levels."""
    if isinstance(value, _Large):
        return path
    children: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        children = [(f"{path}.{name}" if path else name, child) for name, child in value.items()]
    elif isinstance(value, list):
        children = [(f"{path}[{number}]", child) for number, child in enumerate(value)]
    paths = (_path_of_large(child, name) for name, child in children)
    return next((name for name in paths if name is not None), None)
