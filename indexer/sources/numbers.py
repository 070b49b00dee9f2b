"""Integers beyond 64 bits: the JSON parser would turn them into fractions without a word."""

from __future__ import annotations

import json
from typing import Any, Final

from mappings.errors import InputRefused

_SMALLEST: Final = -(1 << 63)
_LARGEST: Final = (1 << 64) - 1
_DIGITS: Final = 20


class _Large:
    """Stands for an integer that neither store keeps as it is."""


def refuse_large_integers(value: Any, text: str | bytes) -> None:
    """Look at what `text` was parsed to; raises InputRefused naming the field.

    The text is parsed once more only if a number is that large at all.
    """
    if not _is_suspect(value):
        return
    try:
        path = _path_of_large(json.loads(text, parse_int=_integer), "")
    except RecursionError:
        path = ""
    if path is not None:
        field = f"field {path!r}" if path else "a field"
        raise InputRefused(
            f"{field} holds an integer beyond 64 bits, which would be rounded; write it as a string"
        )


def _is_suspect(value: Any) -> bool:
    if isinstance(value, float):
        return not _SMALLEST < value < _LARGEST  # as rounded as the bounds themselves
    if isinstance(value, dict):
        return any(map(_is_suspect, value.values()))
    return isinstance(value, list) and any(map(_is_suspect, value))


def _integer(digits: str) -> int | _Large:
    if len(digits.lstrip("-")) > _DIGITS:  # Python refuses to parse very long ones
        return _Large()
    number = int(digits)
    return number if _SMALLEST <= number <= _LARGEST else _Large()


def _path_of_large(value: Any, path: str) -> str | None:
    if isinstance(value, _Large):
        return path
    children: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        children = [(f"{path}.{name}" if path else name, child) for name, child in value.items()]
    elif isinstance(value, list):
        children = [(f"{path}[{number}]", child) for number, child in enumerate(value)]
    found = (_path_of_large(child, name) for name, child in children)
    return next((name for name in found if name is not None), None)
