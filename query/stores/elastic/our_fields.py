"""Which query clauses ask for the object field of dupdex."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mappings.contract import OBJECT_FIELD
from mappings.index_body import is_ours

_COMPOUND: Final = frozenset(
    re.findall(
        r"\w+",
        "bool boosting constant_score dis_max function_score nested must must_not should filter "
        "positive negative queries query functions",
    )
)
"""Clauses of clauses, and the names that these stand under."""

_NAMING: Final = ("field", "fields", "path", "default_field")
_BY_NAME: Final = frozenset(
    ("exists", "nested", "multi_match", "combined_fields", "query_string", "simple_query_string")
)
"""Clauses that name fields so; all others have a field as a key."""

_IN_TEXT: Final = re.compile(rf"\b{OBJECT_FIELD}\.\w+\s*:")


def names_ours(clause: object) -> bool:
    """Whether a query clause names a field of the object."""
    if isinstance(clause, list | tuple):
        return any(map(names_ours, clause))
    if not isinstance(clause, Mapping):
        return False
    return any(any(map(is_ours, _fields(kind, body))) for kind, body in clause.items()) or any(
        names_ours(body) for kind, body in clause.items() if kind in _COMPOUND
    )


def _fields(kind: str, body: object) -> Iterator[str]:
    """The fields that one clause names itself."""
    if not isinstance(body, Mapping) or (kind in _COMPOUND and kind not in _BY_NAME):
        return
    if kind not in _BY_NAME:
        yield from filter(lambda name: isinstance(name, str), body)
        return
    for name in _NAMING:
        named = body.get(name)
        names = named if isinstance(named, list | tuple) else [named]
        yield from (each for each in names if isinstance(each, str))
    if isinstance(text := body.get("query"), str) and _IN_TEXT.search(text):
        yield OBJECT_FIELD
