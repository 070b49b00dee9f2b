"""The plain Elasticsearch query that stands for a clause: its documents by id, with similarities
as scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from dupdex.gateway.search.resolving import Resolution
from dupdex.wire.forms import DIGITS
from query.answers import Match, Verdict

CLAUSES: Final = 480
"""Id clauses of one search at most. The server allows 1,024 clauses or more, by its heap, and
filters and other clauses need some."""

PREFIX: Final = "dupdex:"

_Group = tuple[Verdict, float]


def id_query(
    resolution: Resolution, number: int, named: bool, most: int = CLAUSES
) -> dict[str, Any]:
    """A query for exactly the documents of a resolution, scored by similarity.

    Equal similarities share a clause; with more than `most` of them they are rounded. `named`:
    each clause carries a name that tells verdict and similarity by `matched_queries`, for pages
    that are read later.
    """
    clause = resolution.clause
    whole: dict[str, Any] = {}
    if clause.name is not None:
        whole["_name"] = clause.name
    if clause.boost is not None:
        whole["boost"] = clause.boost
    if not resolution.matches:
        return {"match_none": whole}
    by_index = grouped(resolution.matches, most)
    if list(by_index) == [resolution.single]:
        (groups,) = by_index.values()
        return {"bool": {"should": _clauses(groups, number, named), **whole}}
    should = [
        {
            "bool": {
                "filter": {"term": {"_index": index}},
                "should": _clauses(groups, number, named),
                "minimum_should_match": 1,
            }
        }
        for index, groups in by_index.items()
    ]
    return {"bool": {"should": should, **whole}}


def grouped(matches: Sequence[Match], most: int = CLAUSES) -> dict[str, dict[_Group, list[str]]]:
    """Ids by index, and there by verdict and similarity, in `most` groups at most as far as
    rounding brings that about."""
    by_index: dict[str, dict[_Group, list[str]]] = {}
    for digits in range(DIGITS, -1, -1):
        by_index = defaultdict(lambda: defaultdict(list))
        for match in matches:
            group = (match.verdict, round(match.similarity, digits))
            by_index[match.index][group].append(match.id)
        if sum(map(len, by_index.values())) <= most:
            break
    return by_index


def _clauses(groups: dict[_Group, list[str]], number: int, named: bool) -> list[dict[str, Any]]:
    out = []
    for (verdict, similarity), ids in groups.items():
        constant: dict[str, Any] = {"filter": {"ids": {"values": ids}}, "boost": similarity}
        if named:
            constant["_name"] = f"{PREFIX}{number}:{verdict}:{similarity}"
        out.append({"constant_score": constant})
    return out


def without_ours(names: Iterable[str]) -> list[str]:
    """The names of matched queries that the client gave itself."""
    return [name for name in names if not name.startswith(PREFIX)]
