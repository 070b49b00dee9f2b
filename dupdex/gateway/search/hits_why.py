"""Answers of the cluster with why: `_dupdex` on every hit that a clause found, and on the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

import msgspec
import orjson

from dupdex.gateway.search.filter_paths import FilterPaths
from dupdex.gateway.search.id_query import without_ours
from dupdex.gateway.search.raw_json import (
    array_of,
    elements,
    is_object,
    members,
    object_of,
    value_of,
)
from dupdex.gateway.search.resolving import Resolution
from dupdex.wire.forms import to_json
from query.answers import Match, Ref
from query.joined_answers import together

OURS: Final = "_dupdex"

_HITS: Final = ("hits", "hits")
_LEFT_OUT: Final = ("id", "index", "document", "located")
"""What a hit says itself, and what clauses do not look for."""

Hit = dict[str, bytes]
EditHit = Callable[[int, Hit], None]
"""Changes the hit of a place in the answer."""


class Why:
    """What the clauses of one search found, told where `paths` lets it be seen. `named`: our names
    are among the matched queries; they are taken out. `as_field`: it is told under `fields`, too,
    where clients whose hits have types read it."""

    def __init__(
        self,
        resolutions: Sequence[Resolution],
        paths: FilterPaths,
        named: bool = False,
        as_field: bool = False,
    ) -> None:
        self._resolutions, self._paths = resolutions, paths
        self._named, self._as_field = named, as_field
        self._on_hits = paths.touches(*_HITS, OURS)
        self._hidden = [name for name in ("_index", "_id") if not paths.shows(*_HITS, name)]
        self._found: dict[Ref, list[tuple[int, Match]]] = {}
        for number, resolution in enumerate(resolutions):
            for match in resolution.matches:
                self._found.setdefault(match.ref, []).append((number, match))

    def edit(self, hit: Hit) -> None:
        """Put `_dupdex` on a hit, and on what is collapsed into it."""
        if self._on_hits and "_id" in hit and "_index" in hit:
            found = self._found.get(Ref(value_of(hit["_index"]), value_of(hit["_id"])))
            if found:
                told = orjson.dumps(self._paths.cut(self._told(found), *_HITS, OURS))
                hit[OURS] = told
                if self._as_field:
                    fields = members(hit["fields"]) if "fields" in hit else {}
                    hit["fields"] = object_of({**fields, OURS: array_of([told])})
        if self._named and "matched_queries" in hit:
            _take_out_names(hit)
        if "inner_hits" in hit:
            inner = members(hit["inner_hits"])
            hit["inner_hits"] = object_of(
                {name: with_hits(each, self._edit_inner) for name, each in inner.items()}
            )

    def _edit_inner(self, _place: int, hit: Hit) -> None:
        self.edit(hit)

    def hide(self, hit: Hit) -> None:
        """Take out what was asked of the cluster and not by the client."""
        for name in self._hidden:
            hit.pop(name, None)
        if not self._on_hits:
            hit.pop(OURS, None)

    def top(self, groups: Mapping[str, int] | None = None) -> dict[str, Any]:
        """What stands under `_dupdex` of the answer; `groups`: how many there are."""
        told = self._of_clauses() if self._resolutions else {}
        if groups is not None:
            told["groups"] = dict(groups)
        shown: dict[str, Any] = self._paths.cut(told, OURS)
        return shown

    def _of_clauses(self) -> dict[str, Any]:
        covered = [each.completeness for each in self._resolutions if each.completeness]
        whole = msgspec.to_builtins(reduce(together, covered)) if covered else None
        clauses = [clause_form(each) for each in self._resolutions]
        return {"completeness": whole, "clauses": clauses}

    def _told(self, found: Sequence[tuple[int, Match]]) -> dict[str, Any]:
        (number, best), *others = sorted(found, key=lambda each: each[1].rank())
        out = match_form(number, best)
        if others:
            out["others"] = [match_form(*each) for each in others]
        return out


def with_hits(answer: bytes, edit: EditHit) -> bytes:
    """A search's answer with its hits changed; one without hits as it is."""
    parts = members(answer)
    if "hits" not in parts:
        return answer
    outer = members(parts["hits"])
    if "hits" not in outer:
        return answer
    hits = []
    for place, raw in enumerate(elements(outer["hits"])):
        hit = members(raw)
        edit(place, hit)
        hits.append(object_of(hit))
    outer["hits"] = array_of(hits)
    parts["hits"] = object_of(outer)
    return object_of(parts)


def with_top(answer: bytes, told: Mapping[str, Any]) -> bytes:
    """An answer with what is told of it as a whole."""
    if not told:
        return answer
    return object_of({**members(answer), OURS: orjson.dumps(told)})


def _take_out_names(hit: Hit) -> None:
    """A list of names, or, with their scores, an object."""
    raw = hit["matched_queries"]
    if is_object(raw):
        scores = members(raw)
        hit["matched_queries"] = object_of({name: scores[name] for name in without_ours(scores)})
        left = len(without_ours(scores))
    else:
        names = without_ours(value_of(raw))
        hit["matched_queries"] = orjson.dumps(names)
        left = len(names)
    if not left:
        del hit["matched_queries"]


def match_form(number: int, match: Match) -> dict[str, Any]:
    """A match as a hit tells it, found by the clause of that number."""
    form = {name: value for name, value in to_json(match).items() if name not in _LEFT_OUT}
    return {"clause": number, **form}


def clause_form(resolution: Resolution) -> dict[str, Any]:
    """What is told of a clause as a whole."""
    covered = resolution.completeness
    return {
        "found": len(resolution.matches),
        "beyond_max": resolution.beyond,
        "completeness": msgspec.to_builtins(covered) if covered is not None else None,
    }
