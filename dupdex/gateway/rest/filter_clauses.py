"""Query clauses that clients may filter by: no scripts, and nothing that reads another index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dupdex.gateway.rest.problems import Refused
from query.answers import Filter

PLAIN: Final = (
    "term",
    "range",
    "exists",
    "prefix",
    "ids",
    "match",
    "match_phrase",
    "match_all",
)
_LISTS: Final = ("must", "filter", "should", "must_not")
_DEEPEST: Final = 10


def checked(clauses: Sequence[Filter] | None, name: str = "filters") -> tuple[Filter, ...]:
    """The clauses. Raises Refused naming the one that may not be used."""
    for number, clause in enumerate(clauses or ()):
        _check(clause, f"/{name}/{number}", 0)
    return tuple(clauses or ())


def _check(clause: Any, pointer: str, depth: int) -> None:
    if depth > _DEEPEST:
        raise _wrong(pointer, f"clauses are nested deeper than {_DEEPEST} levels")
    if not isinstance(clause, Mapping) or len(clause) != 1:
        raise _wrong(pointer, 'a clause is an object of one name, as {"term": {"field": "value"}}')
    ((kind, inside),) = clause.items()
    if kind == "bool" and isinstance(inside, Mapping):
        if unknown := inside.keys() - {*_LISTS, "minimum_should_match", "boost", "_name"}:
            raise _wrong(f"{pointer}/bool", f"{min(unknown)[:40]!r} is not known in bool")
        for part in _LISTS:
            given = inside.get(part, [])
            for number, each in enumerate(given if isinstance(given, list) else [given]):
                _check(each, f"{pointer}/bool/{part}/{number}", depth + 1)
        return
    if kind == "terms" and isinstance(inside, Mapping):
        if all(isinstance(values, list) for values in inside.values()):
            return
        raise _wrong(f"{pointer}/terms", "terms are given as a list; no other index is read")
    if kind not in PLAIN:
        shown = ", ".join((*PLAIN, "terms", "bool"))
        raise _wrong(pointer, f"clause {str(kind)[:40]!r} is none of {shown}")


def _wrong(pointer: str, said: str) -> Refused:
    return Refused(422, "invalid_request", f"{said} (at {pointer})", pointer=pointer)
