"""Discover sessions: documents and pairs as tables with the columns that matter."""

from __future__ import annotations

from typing import Any, Final

from dupdex.kibana.data_views import DOCUMENT_ID, DataView, DataViews, object_id
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.saved_objects import SavedObject, stringified
from mappings.collections import ID
from mappings.contract import Field

_PAIR: Final = (
    "verdict", "similarity", "first", "second", "direction", "facts", "decision", "schemes", ID,
)  # fmt: skip
_SOURCE: Final = "kibanaSavedObjectMeta.searchSourceJSON.index"


def sessions(facts: IndexFacts, views: DataViews) -> tuple[SavedObject, SavedObject]:
    """Documents, the latest first, and pairs, the ones found last first."""
    named = (DOCUMENT_ID, facts.title_field, facts.source_field, Field.GROUP.path)
    documents = [name for name in dict.fromkeys(named) if name]
    return (
        _session(facts, "document-list", "Documents", views.documents, documents),
        _session(facts, "pair-list", "Pairs", views.matches, list(_PAIR)),
    )


def _session(
    facts: IndexFacts, name: str, title: str, view: DataView, columns: list[str]
) -> SavedObject:
    source = {
        "query": {"query": "", "language": "kuery"},
        "filter": [],
        "indexRefName": _SOURCE,
    }
    attributes: dict[str, Any] = {
        "title": f"{title} ({facts.index})",
        "description": "",
        "columns": [view.field(each, counted=False) for each in columns],
        "sort": [[view.time_field, "desc"]],
        "grid": {},
        "hideChart": False,
        "isTextBasedQuery": False,
        "timeRestore": False,
        "kibanaSavedObjectMeta": {"searchSourceJSON": stringified(source)},
    }
    references = [view.reference.named(_SOURCE)]
    return SavedObject("search", object_id(facts.index, name), attributes, references)
