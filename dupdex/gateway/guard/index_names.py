"""The index names in a request, checked against what a caller may use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.guard.json_bodies import walk
from query.answers import Filter

_NAMING: Final = frozenset(
    {"index", "_index", "indices", "target_index", "source_index", "dest_index"}
)
"""Names in a body whose value is an index: of terms lookups, more_like_this, percolate, shapes,
lookup fields, near_duplicate. A user's field of such a name is refused along with them, as
nothing tells them apart with certainty."""

_UNREADABLE: Final = frozenset({"wrapper"})
"""Clauses that hold a query in a form that is not looked into."""

_ALL: Final = frozenset({"_all", "*", ""})


def check_names(caller: Caller, right: Right, names: Iterable[str]) -> list[Filter]:
    """The clauses that documents of these indices must meet for a caller. What is left out by a
    leading `-` only narrows. Raises NotAllowed."""
    clauses: list[Filter] = []
    wanted = [name for at, name in enumerate(names) if at == 0 or not name.startswith("-")]
    for name in wanted:
        if name in _ALL:
            name = "*"
        if name.startswith("<") or ":" in name:
            raise NotAllowed(
                f"key {caller.name!r} is for certain indices, and may not use {name!r}: neither "
                "date math nor other clusters"
            )
        caller.check(right, name)
        clauses += [each for each in caller.filters_of(name) if each not in clauses]
    return clauses


def names_of(value: Any) -> list[str]:
    """Index names as a body gives them: a name, names with commas, or a list of these.

    Raises NotAllowed for anything else.
    """
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in values):
        raise NotAllowed("the name of an index in the body is no text")
    return [name for each in values for name in each.split(",")]


def check_body(caller: Caller, right: Right, body: object) -> list[Filter]:
    """The clauses of all indices that a search body names in its clauses. Raises NotAllowed."""
    clauses: list[Filter] = []
    for name, value in walk(body):
        if name in _UNREADABLE and isinstance(value, dict):
            raise NotAllowed(f"key {caller.name!r} may not send {name!r}: it could name any index")
        if name in _NAMING and not isinstance(value, dict):
            clauses += check_names(caller, right, names_of(value))
    return clauses
