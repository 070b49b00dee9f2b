"""Which query clauses ask for the object field of dupdex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mappings.contract import OBJECT_FIELD
from mappings.index_body import is_ours

_NAME_FIELDS: Final = ("field", "fields", "path", "default_field")
"""What clauses name fields by, other than by a key of their own."""

_IN_A_STRING: Final = ("query_string", "simple_query_string")
"""Clauses whose text may name them."""


def names_ours(clause: object) -> bool:
    """Whether a query clause names a field of the object."""
    if isinstance(clause, list | tuple):
        return any(map(names_ours, clause))
    if not isinstance(clause, Mapping):
        return False
    named = (clause[name] for name in _NAME_FIELDS if name in clause)
    fields = (field for each in named for field in (each if isinstance(each, list) else [each]))
    return (
        any(isinstance(name, str) and is_ours(name) for name in (*clause, *fields))
        or any(f"{OBJECT_FIELD}." in f"{clause[kind]}" for kind in _IN_A_STRING if kind in clause)
        or any(map(names_ours, clause.values()))
    )
