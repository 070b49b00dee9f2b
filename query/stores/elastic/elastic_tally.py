"""Counts documents of Elasticsearch by aggregations; no document leaves the server."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import Field
from query.stores.elastic.field_kinds import FieldKinds
from query.stores.elastic.searches import Searches
from query.tally import (
    Axis,
    ByGroup,
    ByPlan,
    ByValue,
    Every,
    InGroups,
    Tally,
    TallyRow,
    These,
    instant_of,
    period_of,
    spelled,
)

_PAGE: Final = 10_000
Keys = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    """One key of a combination: a field, by periods of its times or by its values, which are read
    as they are or as something else: a server may run no script that could do so."""

    field: str
    every: Every | None = None
    read: Callable[[Any], Any] = spelled

    def source(self) -> dict[str, Any]:
        """A source of a composite aggregation."""
        if self.every is None:
            return {"terms": {"field": self.field, "missing_bucket": True}}
        periods = {"calendar_interval": self.every.value, "format": "yyyy-MM-dd"}
        return {"date_histogram": {"field": self.field, "missing_bucket": True, **periods}}


class ElasticTally:
    """Answers tallies of one index."""

    def __init__(
        self, client: Elasticsearch, settings: ElasticSettings, searches: Searches
    ) -> None:
        self._searches, self._kinds = searches, FieldKinds(client, settings)

    def count(self, tally: Tally) -> list[TallyRow]:
        """The rows of a tally, as of the last refresh.

        Raises InputRefused for a field whose mapping cannot be counted by.
        """
        axes = [self._column(axis) for axis in tally.axes]
        among = among_query(tally.among)
        if tally.earliest is None:
            return _rows(self._buckets(among, axes))
        field = self._time_field(tally.earliest)
        if field is not None:
            return _rows(self._buckets(among, axes, field))
        times = _Column(self._kinds.counted(tally.earliest), read=instant_of)
        earliest: dict[Keys, int] = {}
        for keys, _, _ in self._buckets(among, [*axes, times]):
            if isinstance(keys[-1], int):
                before = earliest.get(keys[:-1], keys[-1])
                earliest[keys[:-1]] = min(before, keys[-1])
        rows = _rows(self._buckets(among, axes))
        return [replace(row, earliest=earliest.get(row.keys)) for row in rows]

    def _buckets(
        self, among: dict[str, Any], columns: list[_Column], earliest: str = ""
    ) -> Iterator[tuple[Keys, int, int | None]]:
        """Combinations of values, the documents that have them, and the earliest time of these."""
        body = {"size": 0, "query": among, "track_total_hits": not columns}
        inner = {"earliest": {"min": {"field": earliest}}} if earliest else {}
        if not columns:
            answer = self._searches.one({**body, "aggs": inner}, "count documents")
            yield (), int(answer["hits"]["total"]["value"]), _instant(answer.get("aggregations"))
            return
        sources = [{f"k{at}": column.source()} for at, column in enumerate(columns)]
        composite: dict[str, Any] = {"size": _PAGE, "sources": sources}
        while True:
            aggregations = {"rows": {"composite": composite, "aggs": inner}}
            answer = self._searches.one({**body, "aggs": aggregations}, "count documents")
            found = answer["aggregations"]["rows"]
            for bucket in found["buckets"]:
                values = (bucket["key"][f"k{at}"] for at in range(len(columns)))
                keys = tuple(c.read(v) for c, v in zip(columns, values, strict=True))
                yield keys, bucket["doc_count"], _instant(bucket)
            if "after_key" not in found or len(found["buckets"]) < _PAGE:
                return
            composite = {**composite, "after": found["after_key"]}

    def _column(self, axis: Axis) -> _Column:
        if isinstance(axis, ByGroup | ByPlan):
            return _Column((Field.GROUP if isinstance(axis, ByGroup) else Field.PLAN).path)
        if isinstance(axis, ByValue):
            return _Column(self._kinds.counted(axis.path))
        field = self._time_field(axis.path)
        if field is not None:
            return _Column(field, axis.every)
        every = axis.every

        def period(value: Any) -> str | None:
            instant = instant_of(value)
            return None if instant is None else period_of(instant, every)

        return _Column(self._kinds.counted(axis.path), read=period)

    def _time_field(self, path: str) -> str | None:
        """The field, when it is mapped as a time; else its values have to be read as times."""
        if not path:
            return Field.INDEXED.path
        return path if self._kinds.is_time(path) else None


def _rows(buckets: Iterable[tuple[Keys, int, int | None]]) -> list[TallyRow]:
    """One row for each combination: several values may have been read as one."""
    counts: Counter[Keys] = Counter()
    earliest: dict[Keys, int] = {}
    for keys, documents, instant in buckets:
        counts[keys] += documents
        if instant is not None:
            earliest[keys] = min(instant, earliest.get(keys, instant))
    return [TallyRow(keys, n, earliest.get(keys)) for keys, n in counts.items() if n]


def _instant(found: Mapping[str, Any] | None) -> int | None:
    value = (found or {}).get("earliest", {}).get("value")
    return None if value is None else int(value)


def among_query(among: InGroups | These | None) -> dict[str, Any]:
    """The query for the documents that a tally counts among."""
    if among is None:
        return {"match_all": {}}
    if isinstance(among, InGroups):
        return {"bool": {"filter": [{"terms": {Field.GROUP.path: list(among.ids)}}]}}
    by_index: dict[str, list[str]] = defaultdict(list)
    for ref in among.refs:
        by_index[ref.index].append(ref.id)
    parts: list[dict[str, Any]] = []
    for index, ids in by_index.items():
        inside = [{"term": {"_index": index}}] if index else []
        parts.append({"bool": {"filter": [{"ids": {"values": ids}}, *inside]}})
    nothing: dict[str, Any] = {"match_none": {}}
    return {"bool": {"should": parts, "minimum_should_match": 1}} if parts else nothing
