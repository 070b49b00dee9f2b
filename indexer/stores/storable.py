"""Which documents cannot be stored, and why: the same for both stores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import orjson

from indexer.model import DEEPEST, Document, is_text
from mappings.errors import InputRefused
from mappings.index_body import is_ours

LONGEST_ID: Final = 512
"""In bytes of UTF-8; the limit of Elasticsearch."""

CHANGED: Final = "changed or deleted by another program while a rebuild was rewriting it"
"""The reason in a rebuild's outcome for a document it left alone; the next pass handles it."""


def encode(document: Document) -> bytes:
    """The body as JSON. Raises InputRefused naming the field that cannot be stored."""
    check_id(document.id)
    for name in document.body:
        if isinstance(name, str) and is_ours(name):
            raise InputRefused(
                f"field {name!r} is where dupdex keeps its own values; rename the field"
            )
    _check(document.body, "", 0)
    try:
        return orjson.dumps(document.body)
    except TypeError as error:  # what only orjson refuses, such as integers beyond 64 bits
        raise InputRefused(f"the document is not JSON: {error}") from error


def check_id(name: str) -> None:
    """Raise InputRefused for an id that cannot be stored."""
    if name.isascii() and 0 < len(name) <= LONGEST_ID:  # most: every row that is read is checked
        return
    if not name:
        raise InputRefused("field 'id' is empty; give every document an id")
    if not is_text(name):
        raise InputRefused("field 'id' holds half a surrogate pair, which is no text")
    size = len(name.encode("utf-8"))
    if size > LONGEST_ID:
        raise InputRefused(f"field 'id' has {size} bytes, at most {LONGEST_ID} are allowed")


def _check(value: Any, path: str, depth: int) -> None:
    if isinstance(value, str):
        if not value.isascii() and not is_text(value):
            raise InputRefused(f"field {path!r} holds half a surrogate pair, which is no text")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise InputRefused(f"field {path!r} holds {value}, which JSON has no number for")
    elif isinstance(value, Mapping | list | tuple):
        if depth == DEEPEST:
            raise InputRefused(f"field {path[:80]!r} is nested deeper than {DEEPEST} levels")
        if not isinstance(value, Mapping):
            for item in value:
                _check(item, path, depth + 1)
            return
        for name, item in value.items():
            inner = f"{path}.{name}" if path else f"{name}"
            if not isinstance(name, str):
                raise InputRefused(f"field {inner!r} has a name that is not a string")
            _check(name, inner, depth + 1)
            _check(item, inner, depth + 1)
    elif value is not None and not isinstance(value, bool | int):
        raise InputRefused(f"field {path!r} holds a {type(value).__name__}, which is not JSON")
