"""The filters of the embedded store: `term` clauses, read as Elasticsearch reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

from indexer.field_path import values_at
from indexer.model import Body
from mappings.errors import InputRefused
from mappings.index_body import is_ours
from query.answers import Filter

Accepts = Callable[[bytes], bool]
"""Whether a body passes, given as the JSON that is stored."""

_LIKE_A_SCALAR: Final = re.compile(r"-?[0-9]|true$|false$")

_ADVICE: Final = (
    'the embedded store understands {"term": {field: value}} only; index into Elasticsearch for '
    "other clauses"
)


def acceptor(filters: Sequence[Filter]) -> Accepts | None:
    """A test that a body must pass to satisfy all filters; None when there are none.

    A field is found at the top or by a dotted path, and a list matches by any of its elements.
    Raises InputRefused naming the clause that is not understood.
    """
    wanted = [_term(clause) for clause in filters]
    if not wanted:
        return None
    # one encoder wrote all bodies, so a string that is in one is there as these very bytes
    needles = [
        orjson.dumps(value)
        for _, value in wanted
        if isinstance(value, str) and not _LIKE_A_SCALAR.match(value)
    ]

    def accepts(packed: bytes) -> bool:
        if not all(needle in packed for needle in needles):
            return False
        body: Body = orjson.loads(packed)
        return all(
            any(_equal(stored, value) for stored in values_at(body, path)) for path, value in wanted
        )

    return accepts


def _term(clause: Filter) -> tuple[str, str | bool | int | float]:
    if not isinstance(clause, Mapping) or list(clause) != ["term"]:
        kind = ", ".join(map(str, clause)) if isinstance(clause, Mapping) else repr(clause)
        raise InputRefused(f"filter clause {kind or '{}'!r} cannot be used: {_ADVICE}")
    fields = clause["term"]
    if not isinstance(fields, Mapping) or len(fields) != 1:
        raise InputRefused(f"filter clause 'term' must name one field: {_ADVICE}")
    ((path, value),) = fields.items()
    if isinstance(value, Mapping):
        if list(value) != ["value"]:
            raise InputRefused(f"filter clause 'term' on {path!r}: options are unknown: {_ADVICE}")
        value = value["value"]
    if not isinstance(value, str | bool | int | float) or not _is_json(value):
        raise InputRefused(
            f"filter clause 'term' on {path!r} needs a string, number or boolean: {_ADVICE}"
        )
    # nothing of these is in the user's document: an empty answer would read as "no duplicate"
    if not isinstance(path, str) or is_ours(path) or path.startswith("_"):
        raise InputRefused(f"filter clause 'term' cannot ask for {path!r} here: {_ADVICE}")
    return path, value


def _is_json(value: object) -> bool:
    try:
        orjson.dumps(value)
    except TypeError:  # half a surrogate pair
        return False
    return True


def _equal(stored: Any, wanted: str | bool | int | float) -> bool:
    if isinstance(stored, str) or isinstance(wanted, str):
        # a keyword field takes a number by its spelling, a numeric field takes a string
        return _spelled(stored) == _spelled(wanted)
    if isinstance(stored, bool) or isinstance(wanted, bool):
        return stored is wanted
    return isinstance(stored, int | float) and stored == wanted


def _spelled(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    return orjson.dumps(value).decode() if isinstance(value, bool | int | float) else None
