"""Reads JSON that a caller sent, within limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, Final, NoReturn

from dupdex.gateway.json_size import TOKENS
from mappings.errors import InputRefused

MOST_LEVELS: Final = 100
"""How deep JSON may be nested that the gateway itself reads; Elasticsearch takes more than any
query has, and every level costs a call of each function that goes through it."""

MOST_VALUES: Final = 200_000
"""Objects, lists and values in one body that the gateway reads."""


def decoded(content: bytes, levels: int = MOST_LEVELS) -> Any:
    """The value in a body, numbers as they were written. Raises InputRefused for what is no JSON,
    has a name twice in an object, or is nested too deeply."""
    _check_size(content, levels)
    try:
        value = json.loads(
            content, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite
        )
    except (ValueError, RecursionError) as error:
        raise InputRefused(f"the body is not valid JSON: {error}") from error
    return value


def encoded(value: object) -> bytes:
    """A value that `decoded` gave, or a part of it, as JSON again."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def walk(value: object) -> Iterator[tuple[str, Any]]:
    """Every name with its value in all objects at any depth; values of lists have the name ''."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield from each.items()
            waiting.extend(each.values())
        elif isinstance(each, list):
            for inner in each:
                yield "", inner
            waiting.extend(each)


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values of one name, programs read one or the other; so neither is taken."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("an object has a name twice")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


def _check_size(content: bytes, levels: int) -> None:
    """Raises InputRefused for brackets that are nested too deeply, or for too many values, those in
    strings left out; before anything is made of them, which takes much more memory."""
    depth = values = 0
    for token in TOKENS.finditer(content):
        if token[0] in (b"[", b"{"):
            depth += 1
            values += 1
        elif token[0] in (b"]", b"}"):
            depth -= 1
        elif token[0] == b",":
            values += 1
        if depth > levels:
            said = f"the body is nested more than {levels} levels deep; write it flatter"
            raise InputRefused(said)
        if values > MOST_VALUES:
            said = f"the body has more than {MOST_VALUES:,} values; send less at once"
            raise InputRefused(said)
