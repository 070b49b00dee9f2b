"""Full text with one hit a group, where the groups lie in a sidecar: no server collapses by a field
of another index, so the hits are put together here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indexer.stores.stored_object import standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused
from query.answers import GroupHit, GroupHits, Hit, Ref, Stored
from query.stores.elastic.bodies import WINDOW
from query.stores.elastic.fetch import Answer, Source
from query.stores.elastic.searches import Searches


@dataclass(frozen=True, slots=True)
class SidecarGroups:
    """`index` searches the index; `complete` adds to hits what the sidecar has of them; `each`
    reads documents."""

    index: Searches
    complete: Callable[[Sequence[Answer], Source], Sequence[Answer]]
    each: Callable[[Sequence[Ref]], Any]

    def page(self, query: Mapping[str, Any], size: int, after: Any) -> GroupHits:
        """The best groups, or those after a cursor; see `query.stores.StoreReader`. A cursor says
        how many groups were shown, and is of the moment of its page.

        Raises InputRefused for a search that finds more than a server shows.
        """
        begin = int(after["from"]) if isinstance(after, Mapping) else 0
        body = {
            "query": query,
            "size": WINDOW,
            "track_total_hits": True,
            "_source": False,
            "seq_no_primary_term": True,
        }
        found = self.index.one(body, "search")["hits"]
        if int(found["total"]["value"]) > WINDOW:
            raise InputRefused(
                f"{int(found['total']['value']):,} documents are found, and groups that lie in a "
                f"sidecar are put together from {WINDOW:,} at most; narrow the query"
            )
        groups: dict[str, Answer] = {}
        copies: Counter[str] = Counter()
        for hit in self.complete(found["hits"], [Field.GROUP.path]):
            ours = hit["_source"].get(OBJECT_FIELD)
            if not ours:
                continue
            group = standing_in(ours, hit["_id"]).group
            copies[group] += 1
            best = groups.setdefault(group, hit)
            if _score(hit) > _score(best):
                groups[group] = hit
        ranked = sorted(groups.items(), key=lambda each: (-_score(each[1]), each[0]))
        shown = ranked[begin : begin + size]
        bodies = self._bodies([hit for _, hit in shown])
        counted = tuple(
            GroupHit(Hit(ref.id, ref.index, _score(hit), bodies[ref]), group, copies[group])
            for group, hit in shown
            if (ref := Ref(hit["_index"], hit["_id"])) in bodies
        )
        end = begin + len(shown)
        more = {"from": end} if shown and end < len(ranked) else None
        return GroupHits(counted, sum(copies.values()), len(groups), more)

    def _bodies(self, hits: Sequence[Answer]) -> dict[Ref, dict[str, Any]]:
        documents: list[Stored] = list(self.each([Ref(hit["_index"], hit["_id"]) for hit in hits]))
        return {document.ref: dict(document.body) for document in documents}


def _score(hit: Answer) -> float:
    return float(hit["_score"] or 0)
