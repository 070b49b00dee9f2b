"""A search with something of ours made into one that the cluster understands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import orjson

from dupdex.gateway.callers import Caller
from dupdex.gateway.json_size import FEW_VALUES, check_values
from dupdex.gateway.search.cluster import Cluster
from dupdex.gateway.search.dedup import DEDUP, Collapsed, collapsed, dedup_in
from dupdex.gateway.search.filter_paths import FilterPaths
from dupdex.gateway.search.group_totals import group_totals
from dupdex.gateway.search.hits_why import OURS, Hit, Why, with_hits, with_top
from dupdex.gateway.search.id_query import CLAUSES, id_query
from dupdex.gateway.search.near_clause import clause_in
from dupdex.gateway.search.query_places import CLAUSE, rewritten
from dupdex.gateway.search.raw_json import NotJson, members, object_of, value_of
from dupdex.gateway.search.resolving import Resolution, Resolver
from dupdex.gateway.search.search_refused import BAD_ARGUMENT, SearchRefused
from dupdex.gateway.search.search_targets import TargetFinder, Targets
from dupdex.gateway.services import Services
from mappings.errors import DupdexError

MOST_CLAUSES: Final = 16
"""`near_duplicate` clauses of one search."""

Names = str | Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Told:
    """How a search is to be answered. `paths`: what its client sees of the answer. `params`: of
    the URL, or of the header of one of many searches. `read_later`: pages of it are read past the
    gateway. `may_collapse`: it has hits that `dedup` can collapse; `has_hits`: it has hits."""

    paths: FilterPaths
    params: Mapping[str, str]
    read_later: bool = False
    may_collapse: bool = True
    has_hits: bool = True

    def shows_hits(self, parts: Mapping[str, bytes]) -> bool:
        """Whether there are hits to tell the facts of, which take most of the time."""
        size = parts.get("size", self.params.get("size", "").encode())
        return self.has_hits and size != b"0" and self.paths.touches("hits", "hits", OURS)


@dataclass(frozen=True, slots=True)
class PlainSearch:
    """What the cluster is asked instead, and what is done with its answer. `path`, `params`: those
    of a search in the same indices."""

    body: bytes
    why: Why
    collapsed: Collapsed | None
    path: str
    params: Mapping[str, str]

    def answered(self, answer: bytes, totals: Mapping[str, int] | None) -> bytes:
        """The cluster's answer with why."""
        return with_top(with_hits(answer, self._edit), self.why.top(totals))

    def _edit(self, place: int, hit: Hit) -> None:
        self.why.edit(hit)
        if self.collapsed is not None:
            self.collapsed.edit(place, hit)
        self.why.hide(hit)


class SearchMaker:
    """Makes plain searches of those of one request."""

    def __init__(self, services: Services, caller: Caller, cluster: Cluster) -> None:
        self._services, self._cluster = services, cluster
        self._resolver = Resolver(services, caller)
        self._targets = TargetFinder(services, caller, cluster)

    async def plain(self, text: bytes, names: Names, told: Told) -> PlainSearch | None:
        """The plain search; None where `text` holds nothing of ours, or is no JSON.

        Raises SearchRefused.
        """
        try:
            parts = members(text)
            contents = _contents_in(text)
        except NotJson:
            return None  # the cluster says what is wrong with it
        if not contents and DEDUP not in parts:
            return None
        try:
            check_values(text, FEW_VALUES)
            return await self._made(text, parts, contents, names, told)
        except DupdexError as error:
            raise SearchRefused.of(error) from error
        except NotJson as error:
            raise SearchRefused(str(error)) from error

    async def totals(self, search: PlainSearch) -> dict[str, int] | None:
        """How many groups a search finds; None where they are not counted."""
        counted = search.collapsed and search.collapsed.counted
        if not counted:
            return None
        params = {} if "pit" in counted else search.params
        return await group_totals(self._cluster, search.path, counted, params)

    async def _made(
        self,
        text: bytes,
        parts: Mapping[str, bytes],
        contents: Sequence[bytes],
        names: Names,
        told: Told,
    ) -> PlainSearch:
        dedup = dedup_in(parts[DEDUP]) if DEDUP in parts else None
        if dedup is not None and not told.may_collapse:
            raise SearchRefused(f"[{DEDUP}] goes with _search and _msearch", BAD_ARGUMENT)
        clauses = [clause_in(content) for content in contents]
        patterns = told.params.get("expand_wildcards")
        targets = await self._targets.of(names, _pit_of(parts), patterns)
        facts = told.shows_hits(parts)
        resolutions = await self._resolver.resolve(clauses, targets, facts) if clauses else []
        body = _with_ids(text, resolutions, told.read_later)
        done: Collapsed | None = None
        if dedup is not None:
            left = members(body)
            del left[DEDUP]
            body = object_of(left)
            if dedup.collapse and (targets.ours or targets.foreign):
                await self._services.blocking(self._check_groups, targets)
                done = collapsed(left, dedup, told.params)
                body = done.body
        as_field = orjson.dumps(OURS) in parts.get("fields", b"")
        why = Why(resolutions, told.paths, told.read_later, as_field)
        return PlainSearch(body, why, done, _path_of(names, _pit_of(parts)), told.params)

    def _check_groups(self, targets: Targets) -> None:
        """Raises SearchRefused unless all documents of a search may be in groups."""
        if targets.foreign:
            shown = ", ".join(targets.foreign[:5])
            raise SearchRefused(
                f"[{DEDUP}] dupdex keeps no groups in [{shown}]; name indices that it answers from",
                BAD_ARGUMENT,
            )
        for target in targets.ours:
            index = self._services.indices.named(target.name)
            if index.meta.sidecar_of is not None:
                raise SearchRefused(
                    f"[{DEDUP}] the groups of index [{target.name}] lie in its sidecar, where the "
                    "cluster cannot collapse by them; ask POST /_dupdex/v1/search with collapse",
                    BAD_ARGUMENT,
                )
            if index.meta.grouping is None:  # since a sweep there may be documents without a group
                raise SearchRefused(
                    f"[{DEDUP}] index [{target.name}] keeps no groups as documents are written; "
                    "see 'dupdex index --group', or ask POST /_dupdex/v1/search with collapse",
                    BAD_ARGUMENT,
                )


def _contents_in(text: bytes) -> list[bytes]:
    """What stands in the clauses of a body, in order."""
    found: list[bytes] = []

    def noted(content: bytes) -> bytes:
        found.append(content)
        return content

    rewritten(text, noted)
    if len(found) > MOST_CLAUSES:
        raise SearchRefused(f"[{CLAUSE}] may stand {MOST_CLAUSES} times in a search at most")
    return found


def _with_ids(text: bytes, resolutions: Sequence[Resolution], named: bool) -> bytes:
    """The body with each clause replaced by the query of its documents."""
    most = CLAUSES // max(1, len(resolutions))
    queries = (
        orjson.dumps(id_query(resolution, number, named, most))
        for number, resolution in enumerate(resolutions)
    )
    return rewritten(text, lambda _content: next(queries))


def _pit_of(parts: Mapping[str, bytes]) -> str | None:
    """The id of the point in time that a search is in."""
    pit = value_of(parts["pit"]) if "pit" in parts else None
    name = pit.get("id") if isinstance(pit, dict) else None
    return name if isinstance(name, str) else None


def _path_of(names: Names, pit: str | None) -> str:
    joined = names if isinstance(names, str) else ",".join(names or ())
    return f"/{quote(joined, safe=',*')}/_search" if joined and pit is None else "/_search"
