"""Counts documents whose groups, plans and times lie in a sidecar.

What one of the two indices knows alone is counted there, by aggregations. A field of the documents
by their groups is in neither: then the fields are read, with bounded memory, and counted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from indexer.field_path import values_at
from indexer.stores.stored_object import plan_id_in, standing_in
from mappings.contract import OBJECT_FIELD, Field
from query.answers import Ref
from query.stores.elastic.elastic_tally import ElasticTally, among_query
from query.stores.elastic.field_kinds import FieldKinds
from query.tally import (
    Axis,
    ByGroup,
    ByPeriod,
    ByPlan,
    ByValue,
    InGroups,
    Tally,
    TallyRow,
    These,
    instant_of,
    period_of,
    spelled,
)

OURS: Final = (Field.GROUP.path, Field.INDEXED.path, Field.PLAN.path)


@dataclass(frozen=True, slots=True)
class SidecarTally:
    """`index` and `beside` count in either index; `read` gives the hits of a query in the index,
    with the fields named and `OURS`; `members` the documents of groups. `name`: of the index."""

    name: str
    sidecar: str
    index: ElasticTally
    beside: ElasticTally
    kinds: FieldKinds
    read: Callable[[Any, Sequence[str]], Iterable[dict[str, Any]]]
    members: Callable[[Sequence[str]], dict[str, tuple[Ref, ...]]]

    def count(self, tally: Tally) -> list[TallyRow]:
        """See `query.stores.StoreReader`."""
        ours = [_is_ours(axis) for axis in tally.axes]
        if tally.earliest is not None:
            ours.append(not tally.earliest)
        if all(ours) and (ours or isinstance(tally.among, InGroups)):
            return self.beside.count(replace(tally, among=self._renamed(tally.among)))
        if not any(ours) and not isinstance(tally.among, InGroups):
            return self.index.count(tally)
        return self._joined(tally)

    def _renamed(self, among: InGroups | These | None) -> InGroups | These | None:
        if not isinstance(among, These):
            return among
        return These(
            tuple(Ref(ref.index and self._beside(ref.index), ref.id) for ref in among.refs)
        )

    def _beside(self, index: str) -> str:
        return self.sidecar if index == self.name else index

    def _joined(self, tally: Tally) -> list[TallyRow]:
        paths = [axis.path for axis in tally.axes if isinstance(axis, ByValue | ByPeriod)]
        fields = dict.fromkeys(path for path in (*paths, tally.earliest or "") if path)
        for path in fields:
            self.kinds.counted(path)  # the same fields can be counted by as elsewhere
        among = tally.among
        if isinstance(among, InGroups):
            groups = self.members(list(among.ids))
            among = These(tuple(ref for refs in groups.values() for ref in refs))
        counts: Counter[tuple[Any, ...]] = Counter()
        earliest: dict[tuple[Any, ...], int] = {}
        for hit in self.read(among_query(among), list(fields)):
            instants = [] if tally.earliest is None else list(_instants(hit, tally.earliest))
            for keys in product(*(_values(hit, axis) for axis in tally.axes)):
                counts[keys] += 1
                if instants:
                    earliest[keys] = min([*instants, earliest.get(keys, instants[0])])
        return [TallyRow(keys, n, earliest.get(keys)) for keys, n in counts.items()]


def _is_ours(axis: Axis) -> bool:
    """Whether the sidecar knows the values."""
    return isinstance(axis, ByGroup | ByPlan) or (isinstance(axis, ByPeriod) and not axis.path)


def _values(hit: dict[str, Any], axis: Axis) -> list[str | None]:
    found: Iterable[str | None]
    if isinstance(axis, ByGroup):
        found = [standing_in(_ours(hit), hit["_id"]).group if _ours(hit) else None]
    elif isinstance(axis, ByPlan):
        found = [plan_id_in(_ours(hit)) or None]
    elif isinstance(axis, ByPeriod):
        found = sorted({period_of(instant, axis.every) for instant in _instants(hit, axis.path)})
    else:
        found = map(spelled, values_at(hit["_source"], axis.path))
    return list(dict.fromkeys(value for value in found if value is not None)) or [None]


def _instants(hit: dict[str, Any], path: str) -> Iterator[int]:
    if not path:
        indexed = standing_in(_ours(hit), hit["_id"]).indexed
        yield from [indexed] if indexed else []
        return
    for value in values_at(hit["_source"], path):
        instant = instant_of(value)
        if instant is not None:
            yield instant


def _ours(hit: dict[str, Any]) -> Any:
    return hit["_source"].get(OBJECT_FIELD)
