"""`dedup` in the body of a search: one hit a group of near duplicates, with copies and totals.

Elasticsearch's `collapse` does it. It counts no groups, and goes on by `search_after` only where
the group alone is sorted by; so hits of other sorts get their place as a further sort value, from
which the next page begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from dupdex.gateway.search.hits_why import OURS, Hit
from dupdex.gateway.search.raw_json import (
    NotJson,
    array_of,
    elements,
    is_array,
    is_object,
    members,
    object_of,
    value_of,
)
from dupdex.gateway.search.search_refused import BAD_ARGUMENT, SearchRefused
from mappings.contract import Field

DEDUP: Final = "dedup"
WINDOW: Final = 10_000
COPIES: Final = "copies"
MOST_COPIES: Final = 100
"""`index.max_inner_result_window`."""

GROUP: Final = Field.GROUP.path

_KEYS: Final = ("collapse", "copies", "totals")
_AGAINST: Final = ("collapse", "rescore", "retriever", "knn", "slice", "terminate_after")
_AGAINST_IN_URL: Final = ("scroll", "sort", "terminate_after")
_HAS_GROUP: Final = {"exists": {"field": GROUP}}
_BEST_FIRST: Final = orjson.dumps([{"_score": "desc"}, {GROUP: "asc"}])


@dataclass(frozen=True, slots=True)
class Dedup:
    """`copies`: documents of the same group that come with each hit, at most. `totals`: count the
    groups."""

    collapse: bool = True
    copies: int = 0
    totals: bool = True


def dedup_in(raw: bytes) -> Dedup:
    """Read the value of `dedup`. Raises SearchRefused naming the key that is wrong."""
    content = value_of(raw)
    if not isinstance(content, dict):
        raise SearchRefused(f'[{DEDUP}] takes an object, {{"collapse": true, "copies": 3}}')
    for key in content:
        if key not in _KEYS:
            raise SearchRefused(f"[{DEDUP}] does not support [{key}]; it knows {', '.join(_KEYS)}")
    for key in ("collapse", "totals"):
        if not isinstance(content.get(key, True), bool):
            raise SearchRefused(f"[{DEDUP}] [{key}] must be true or false")
    copies = content.get("copies", 0)
    if isinstance(copies, bool) or not isinstance(copies, int) or not 0 <= copies < MOST_COPIES:
        raise SearchRefused(
            f"[{DEDUP}] [copies] must be a whole number from 0 to {MOST_COPIES - 1}"
        )
    return Dedup(**content)


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A search with one hit a group. `counted`: the search, in the same documents, whose groups
    are counted. `first`: the place of the first hit; None where groups are gone on from."""

    body: bytes
    counted: dict[str, bytes] | None
    copies: int
    first: int | None

    def edit(self, place: int, hit: Hit) -> None:
        """Give a hit its group, its copies without itself, and its place among the sort values."""
        if self.first is not None and "sort" in hit:
            position = str(self.first + place + 1).encode()
            hit["sort"] = array_of([*elements(hit["sort"]), position])
        told: dict[str, Any] = {}
        if "fields" in hit and GROUP in (found := value_of(hit["fields"])):
            told["id"] = found[GROUP][0]
        found_in_group = self._without_itself(hit) if "inner_hits" in hit else None
        if found_in_group is not None:
            told["documents"] = found_in_group
        if told:
            before = members(hit[OURS]) if OURS in hit else {}
            hit[OURS] = object_of({**before, "group": orjson.dumps(told)})

    def _without_itself(self, hit: Hit) -> int | None:
        """Take the hit out of its own copies; how many documents of its group are found, as far as
        `filter_path` leaves that to be seen."""
        named = members(hit["inner_hits"])
        copies = members(named.get(COPIES, b"{}"))
        inner = members(copies.get("hits", b"{}"))
        if "hits" in inner:
            others = [each for each in elements(inner["hits"]) if not _is_same(members(each), hit)]
            inner["hits"] = array_of(others[: self.copies])
            copies["hits"] = object_of(inner)
            hit["inner_hits"] = object_of({**named, COPIES: object_of(copies)})
        total = value_of(inner.get("total", b"null"))
        found = total.get("value") if isinstance(total, dict) else total
        return found if isinstance(found, int) else None


def _is_same(one: Hit, other: Hit) -> bool:
    return "_id" in one and all(one.get(name) == other.get(name) for name in ("_index", "_id"))


def collapsed(parts: Mapping[str, bytes], dedup: Dedup, params: Mapping[str, str]) -> Collapsed:
    """The body of a search with `dedup` carried out; `parts` are its members.

    Raises SearchRefused for what does not go together with one hit a group.
    """
    for name in _AGAINST:
        if name in parts:
            raise _refused(f"does not go with [{name}]")
    for name in _AGAINST_IN_URL:
        if name in params:
            where = "give it in the body" if name == "sort" else "read on by [search_after]"
            raise _refused(f"does not go with [{name}] in the URL; {where}")
    body = {name: value for name, value in parts.items() if name != DEDUP}
    # In a point in time the server sorts by the shard as well, and then refuses `search_after`.
    by_group = _is_by_group(body.get("sort")) and "pit" not in body
    if not by_group:
        _go_on(body, params)
    asked = body.get("query", b'{"match_all":{}}')
    body["query"] = _with_filters(asked, orjson.dumps(_HAS_GROUP))
    body["collapse"] = object_of({"field": orjson.dumps(GROUP), "inner_hits": _inner(body, dedup)})
    body.setdefault("sort", _BEST_FIRST)
    if "track_total_hits" not in params:
        body.setdefault("track_total_hits", b"true")
    counted = _counted(body, asked) if dedup.totals else None
    first = None if by_group else _first(body, params)
    return Collapsed(object_of(body), counted, dedup.copies, first)


def _go_on(body: dict[str, bytes], params: Mapping[str, str]) -> None:
    """Put the place that `search_after` ends with in its stead."""
    if "search_after" not in body:
        return
    after = _value(body.pop("search_after"))
    if "from" in body or "from" in params:
        raise _refused("takes one of [from] and [search_after]")
    place = after[-1] if isinstance(after, list) and after else None
    if isinstance(place, bool) or not isinstance(place, int) or place < 0:
        raise _refused("goes on after all sort values of a hit that it has given; take those")
    if place >= WINDOW:
        raise _refused(
            f"shows the first {WINDOW:,} groups; narrow the query, or sort by [{GROUP}] alone "
            "without [pit]"
        )
    body["from"] = str(place).encode()


def _first(body: Mapping[str, bytes], params: Mapping[str, str]) -> int:
    given = params.get("from") or (_value(body["from"]) if "from" in body else 0)
    try:
        return int(given)
    except (TypeError, ValueError):
        return 0  # the cluster says what is wrong with it


def _inner(body: Mapping[str, bytes], dedup: Dedup) -> bytes:
    """Copies come as their hit does; the hit is one of them."""
    size = dedup.copies + 1 if dedup.copies else 0
    shown = {name: body[name] for name in ("_source", "fields", "sort") if name in body}
    return object_of({"name": orjson.dumps(COPIES), "size": str(size).encode(), **shown})


def _counted(body: Mapping[str, bytes], asked: bytes) -> dict[str, bytes]:
    """The same documents, and no hits; also those without a group, which are told apart."""
    kept = {name: body[name] for name in ("pit", "min_score", "runtime_mappings") if name in body}
    filters = [body["post_filter"]] if "post_filter" in body else []
    return {
        **kept,
        "query": _with_filters(asked, *filters),
        "size": b"0",
        "track_total_hits": b"true",
    }


def _with_filters(query: bytes, *filters: bytes) -> bytes:
    inner = {"must": array_of([query]), "filter": array_of(filters)}
    return object_of({"bool": object_of(inner)})


def _is_by_group(sort: bytes | None) -> bool:
    """Whether the group is all that is sorted by."""
    if sort is None:
        return False
    only = elements(sort) if is_array(sort) else [sort]
    if len(only) != 1:
        return False
    return list(members(only[0])) == [GROUP] if is_object(only[0]) else _value(only[0]) == GROUP


def _value(raw: bytes) -> Any:
    try:
        return value_of(raw)
    except NotJson as error:
        raise _refused(f"cannot read this search: {error}") from error


def _refused(reason: str) -> SearchRefused:
    return SearchRefused(f"[{DEDUP}] {reason}", BAD_ARGUMENT)
