"""The JSON form of full-text hits."""

from __future__ import annotations

from typing import Any

from query.answers import GroupHits, Hit, Hits


def hits(found: Hits) -> dict[str, Any]:
    """Hits, and how many there are in all."""
    return {"total": found.total, "hits": [_hit(each) for each in found.hits]}


def group_hits(found: GroupHits) -> dict[str, Any]:
    """The same, one a group."""
    listed = [{**_hit(each.hit), "group": each.group, "copies": each.copies} for each in found.hits]
    return {
        "documents": found.documents,
        "groups": found.groups,
        "hits": listed,
        "next": found.next,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {"id": hit.id, "score": hit.score, "document": dict(hit.body)}
