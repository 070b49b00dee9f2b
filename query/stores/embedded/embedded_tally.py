"""Counts documents of the embedded store by SQL; Python reads the values out of the bodies."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, Final

import orjson

from indexer.field_path import values_at
from indexer.model import is_text
from query.tally import (
    Axis,
    ByGroup,
    ByPeriod,
    ByPlan,
    Every,
    InGroups,
    Tally,
    TallyRow,
    These,
    instant_of,
    period_of,
    spelled,
)

_NONE: Final = "[null]"
_IDS: Final = "d.id IN (SELECT value FROM json_each(?))"
_IN_GROUPS: Final = (
    "SELECT num FROM standing WHERE grp IN (SELECT value FROM json_each(?)) UNION"
    " SELECT e.num FROM documents e LEFT JOIN standing USING (num)"
    " WHERE e.id IN (SELECT value FROM json_each(?)) AND grp IS NULL"
)
"""By the two indexes that there are for it: that of groups has no documents of their own group."""


def count(db: sqlite3.Connection, index: str, tally: Tally, standing: bool) -> list[TallyRow]:
    """The rows of a tally, in the caller's transaction. `standing`: the file has such a table."""
    for name, function in _FUNCTIONS.items():
        db.create_function(name, -1, function, deterministic=True)
    keys, tables, bound = [], [], []
    for at, axis in enumerate(tally.axes):
        expression, given = _values(axis)
        keys.append(f"k{at}.value")
        tables.append(f"json_each({expression}) k{at}")
        bound += given
    earliest = "NULL"
    asked: list[Any] = []
    if tally.earliest is not None:
        earliest, asked = "min(dupdex_earliest(d.body, s.indexed, ?))", [tally.earliest]
    where, chosen = _among(index, tally.among, standing)
    # older files have no such table; nothing is in the one that stands for it
    standings = "standing" if standing else '(SELECT 0 AS num, 0 AS "indexed", NULL AS grp WHERE 0)'
    rows = db.execute(
        f"SELECT {', '.join([*keys, 'count(*)', earliest])} FROM documents d"
        f" LEFT JOIN {standings} s ON s.num = d.num"
        + "".join(f" CROSS JOIN {table}" for table in tables)
        + f" WHERE {where}"
        + (f" GROUP BY {', '.join(keys)}" if keys else ""),
        (*asked, *bound, *chosen),
    ).fetchall()
    return [TallyRow(tuple(row[:-2]), row[-2], row[-1]) for row in rows if row[-2]]


def _values(axis: Axis) -> tuple[str, list[Any]]:
    """SQL for a JSON list of the values of a document, and what it is bound to."""
    if isinstance(axis, ByGroup):
        return "json_array(coalesce(s.grp, d.id))", []
    if isinstance(axis, ByPlan):
        return "json_array(d.plan)", []
    if isinstance(axis, ByPeriod):
        return "dupdex_periods(d.body, s.indexed, ?, ?)", [axis.path, axis.every.value]
    return "dupdex_values(d.body, ?)", [axis.path]


def _among(index: str, among: InGroups | These | None, standing: bool) -> tuple[str, list[Any]]:
    if among is None:
        return "1", []
    if isinstance(among, InGroups):
        ids = _listed(among.ids)
        return (f"d.num IN ({_IN_GROUPS})", [ids, ids]) if standing else (_IDS, [ids])
    return _IDS, [_listed([ref.id for ref in among.refs if ref.index in ("", index)])]


def _listed(names: Any) -> str:
    return orjson.dumps([name for name in names if is_text(name)]).decode()


def _value_list(body: bytes, path: str) -> str:
    found = dict.fromkeys(map(spelled, values_at(orjson.loads(body), path)))
    found.pop(None, None)
    return orjson.dumps(list(found)).decode() if found else _NONE


def _instants(body: bytes, indexed: int | None, path: str) -> list[int]:
    if not path:
        return [indexed] if indexed else []
    instants = map(instant_of, values_at(orjson.loads(body), path))
    return [instant for instant in instants if instant is not None]


def _periods(body: bytes, indexed: int | None, path: str, every: str) -> str:
    length = Every(every)
    found = {period_of(instant, length) for instant in _instants(body, indexed, path)}
    return orjson.dumps(sorted(found)).decode() if found else _NONE


def _earliest(body: bytes, indexed: int | None, path: str) -> int | None:
    return min(_instants(body, indexed, path), default=None)


_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "dupdex_values": _value_list,
    "dupdex_periods": _periods,
    "dupdex_earliest": _earliest,
}
