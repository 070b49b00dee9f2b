"""Everything that Kibana gets of an index, in the order in which objects need each other."""

from __future__ import annotations

from dupdex.kibana.copying_board import copying_board
from dupdex.kibana.data_views import data_views
from dupdex.kibana.discover import sessions
from dupdex.kibana.duplicates_board import duplicates_board
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.saved_objects import SavedObject


def kibana_objects(facts: IndexFacts) -> list[SavedObject]:
    """Data views, Discover sessions, dashboards; the one of sources only where facts name their
    field."""
    views = data_views(facts)
    documents, pairs = sessions(facts, views)
    boards = [duplicates_board(facts, views, pairs)]
    if facts.source_field:
        boards.append(copying_board(facts, views, documents))
    return [*(view.as_object() for view in views.all), documents, pairs, *boards]
