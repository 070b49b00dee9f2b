"""Which query clauses ask for the object field of dupdex."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mappings.contract import OBJECT_FIELD
from mappings.index_body import is_ours

_NAMING: Final = ("field", "fields", "path", "default_field")
_BY_NAME: Final = frozenset(
    ("exists", "nested", "multi_match", "combined_fields", "query_string", "simple_query_string")
)
"""Clauses that name fields so; others have a field as a key."""

_IN_TEXT: Final = re.compile(rf"\b{OBJECT_FIELD}\.\w+\s*:")


def names_ours(clause: object) -> bool:
    """Whether a query clause, or one inside of it, names a field of the object."""
    if isinstance(clause, list | tuple):
        return any(map(names_ours, clause))
    if not isinstance(clause, Mapping):
        return False
    return any(
        is_ours(f"{name}") or any(map(is_ours, _named(name, body))) or names_ours(body)
        for name, body in clause.items()
    )


def _named(kind: object, body: object) -> Iterator[str]:
    """The fields that one clause has as values."""
    if kind not in _BY_NAME or not isinstance(body, Mapping):
        return
    for name in _NAMING:
        named = body.get(name)
        names = named if isinstance(named, list | tuple) else [named]
        yield from (each for each in names if isinstance(each, str))
    if isinstance(text := body.get("query"), str) and _IN_TEXT.search(text):
        yield OBJECT_FIELD
