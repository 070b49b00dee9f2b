"""Which indices of ours a search is for, by the names that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote

import orjson

from dupdex.gateway.callers import Caller, Right
from dupdex.gateway.search.cluster import Cluster
from dupdex.gateway.search.search_refused import BAD_ARGUMENT, SearchRefused
from dupdex.gateway.services import Services
from indexer.sidecar import with_sidecars
from mappings.contract import OBJECT_FIELD
from mappings.sidecar_body import sidecar_name
from query.answers import Filter

_EVERY: Final = "*"
_MOST_INDICES: Final = 1_000
_FEW: Final = 4


@dataclass(frozen=True, slots=True)
class Target:
    """An index, alias or data stream that lookups are made in, with what its documents must meet
    for the caller."""

    name: str
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Targets:
    """`foreign`: names that stand for indices of others. `single`: the one index there is, where
    the search is for no other."""

    ours: tuple[Target, ...]
    foreign: tuple[str, ...] = ()
    single: str | None = None


class TargetFinder:
    """Finds the targets of the searches of one request: the cluster is asked as its client."""

    def __init__(self, services: Services, caller: Caller, cluster: Cluster) -> None:
        self._services, self._caller, self._cluster = services, caller, cluster
        self._known: dict[tuple[str, str | None, str | None], Targets] = {}

    async def of(
        self,
        names: str | Sequence[str] | None,
        pit: str | None = None,
        patterns: str | None = None,
    ) -> Targets:
        """The targets of a search by the names in its path or header (None: all), or by its point
        in time. `patterns`: which indices patterns stand for (`expand_wildcards`). Raises
        SearchRefused for an index of another cluster, and where the cluster does not tell."""
        joined = names if isinstance(names, str) else ",".join(names or ())
        key = (joined, pit, patterns)
        if key not in self._known:
            self._known[key] = await self._found(joined, pit, patterns)
        return self._known[key]

    async def _found(self, names: str, pit: str | None, patterns: str | None) -> Targets:
        if pit is not None:
            return await self._sorted(await self._in_point_in_time(pit))
        wanted = [name for name in names.split(",") if name] or [_EVERY]
        for name in wanted:
            if ":" in name and not name.startswith("<"):
                raise SearchRefused(
                    f"near duplicates are found in this cluster only, not in [{name}]; send the "
                    "search to the gateway of that cluster",
                    BAD_ARGUMENT,
                )
        if any(map(_is_pattern, wanted)):
            return await self._resolved(wanted, patterns)
        found = await self._sorted(wanted, wanted[0] if len(wanted) == 1 else None)
        # An alias may stand for indices of ours and others.
        return await self._resolved(wanted, patterns) if found.foreign else found

    async def _sorted(self, names: Sequence[str], single: str | None = None) -> Targets:
        """Ours and foreign."""
        return await self._services.blocking(self._told_apart, names, single)

    def _told_apart(self, names: Sequence[str], single: str | None) -> Targets:
        ours, foreign = [], []
        for name in dict.fromkeys(names):
            if self._services.indices.get(name) is None:
                foreign.append(name)
                continue
            self._caller.check(Right.READ, name)
            ours.append(Target(name, self._filters(name)))
        return Targets(tuple(ours), tuple(foreign), single)

    def _filters(self, name: str) -> tuple[Filter, ...]:
        """Those of the name, and of each index it stands for."""
        if not self._caller.filters:
            return ()
        behind = self._services.session.reader(name).indices()
        found: list[Filter] = []
        for each in dict.fromkeys((name, *behind)):
            found += [one for one in self._caller.filters_of(each) if one not in found]
        return tuple(found)

    async def _resolved(self, names: Sequence[str], patterns: str | None) -> Targets:
        """The indices and data streams behind names and patterns; nothing for what is not there."""
        expression = quote(",".join("*" if name == "_all" else name for name in names), safe="")
        expanded = {"expand_wildcards": patterns} if patterns else {}
        # Whether an index may be absent, the cluster says when it gets the search.
        params = {**expanded, "ignore_unavailable": "true"}
        path = f"/_resolve/index/{expression}"
        status, answer = await self._cluster.ask("GET", path, None, params)
        if status == 400:  # a version without that parameter
            status, answer = await self._cluster.ask("GET", path, None, expanded)
        if status == 404:
            return Targets(())
        _check(status, ",".join(names))
        found = names_in(answer)
        if len(found) < _FEW:
            return await self._sorted(list(found))
        marked = await self._marked(expression, params)
        if marked is None:
            return await self._sorted(list(found))
        wanted = [name for name, behind in found.items() if marked & {name, *behind}]
        told = await self._sorted(wanted)
        return replace(told, foreign=(*told.foreign, *(n for n in found if n not in wanted)))

    async def _marked(self, expression: str, params: Mapping[str, str]) -> set[str] | None:
        """Which of many indices hold meta of ours, or have a sidecar that does, in two requests
        instead of one for each."""
        wanted = {**params, "filter_path": f"*.mappings._meta.{OBJECT_FIELD}.made_by"}
        status, answer = await self._cluster.ask("GET", f"/{expression}/_mapping", None, wanted)
        if status != 200 or not isinstance(answer, dict):
            return None
        path = f"/{quote(sidecar_name('*'), safe='*')}/_mapping"
        of = {"filter_path": f"*.mappings._meta.{OBJECT_FIELD}.sidecar_of"}
        status, beside = await self._cluster.ask(
            "GET", path, None, {**of, "expand_wildcards": "all"}
        )
        there = with_sidecars(beside) if status == 200 and isinstance(beside, dict) else set()
        return set(answer) | there

    async def _in_point_in_time(self, pit: str) -> list[str]:
        """The indices that have documents in a point in time; nothing for one that is gone."""
        terms = {"terms": {"field": "_index", "size": _MOST_INDICES}}
        body = {
            "pit": {"id": pit},
            "size": 0,
            "terminate_after": 1,  # one document of each shard says that it has some
            "track_total_hits": False,
            "aggs": {"indices": terms},
        }
        status, answer = await self._cluster.ask("POST", "/_search", orjson.dumps(body))
        if status == 404:  # it is gone: the cluster says so when it gets the search
            return []
        _check(status, "a point in time")
        return [bucket["key"] for bucket in answer["aggregations"]["indices"]["buckets"]]


def _check(status: int, names: str) -> None:
    """Nothing may read as "no duplicate" because the cluster does not say what is meant."""
    if status != 200:
        raise SearchRefused(
            f"the cluster does not tell which indices [{names}] stands for (status {status}); name "
            "them, or let the role view the metadata of indices",
            BAD_ARGUMENT,
            status if status in (401, 403) else 400,
        )


def names_in(answer: Mapping[str, Any]) -> dict[str, list[str]]:
    """What `_resolve/index` says: data streams with the indices behind them, and open indices."""
    found = {each["name"]: list(each["backing_indices"]) for each in answer["data_streams"]}
    inside = {name for behind in found.values() for name in behind}
    for each in answer["indices"]:
        if "closed" not in each["attributes"]:
            found.setdefault(each["name"], [])
    for alias in answer["aliases"]:
        for name in alias["indices"]:
            found.setdefault(name, [])
    return {name: behind for name, behind in found.items() if name not in inside}


def _is_pattern(name: str) -> bool:
    return name == "_all" or name.startswith(("-", "<")) or "*" in name
