"""The dashboard "Copying between sources": who has the same texts, and who had them first."""

from __future__ import annotations

from typing import Final

from dupdex.kibana.dashboards import ListPanel, Row, dashboard
from dupdex.kibana.data_views import DataView, DataViews
from dupdex.kibana.duplicates_board import GROUPED
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.lens_columns import Column, copy_share, count, dates, metric, terms, unique
from dupdex.kibana.lens_panels import LensPanel, chart, number, table
from dupdex.kibana.saved_objects import SavedObject
from dupdex.report.copy_list import YES
from mappings.contract import Field

_ROWS: Final = 50
_SERIES: Final = 8
_GROUP: Final = Field.GROUP.path

_ACROSS: Final = f"across: {YES}"

_ABOUT: Final = (
    "Which sources have the same texts and who had them first. A text is a group of near "
    "duplicates. Counts of different values are estimates above some thousands."
)


def copying_board(facts: IndexFacts, views: DataViews, documents: SavedObject) -> SavedObject:
    """The dashboard, for facts with a source field; `documents`: the session at its end."""
    view, source = views.documents, facts.source_field
    rows = (
        Row(6, _figures(view, source)),
        Row(14, _sources_over_time(view, source)),
        Row(16, (_spread(view, source), _repeating(view, source))),
        Row(16, (_flows(views.copies), _fastest(views.copies))),
        Row(16, (_originals(views.copies), _first(view, source))),
        Row(16, (ListPanel("documents_list", documents),)),
    )
    return dashboard(facts, "copying", "Copying between sources", _ABOUT, rows)


def _figures(view: DataView, source: str) -> tuple[LensPanel, ...]:
    share = copy_share(view, "share", _GROUP, "Share of copies")
    return (
        number("sources", view, unique(view, "n", source, "Sources")),
        number("documents", view, count("n", "Documents"), GROUPED),
        number("texts", view, unique(view, "n", _GROUP, "Different texts"), GROUPED),
        number("share", view, share, GROUPED),
    )


def _sources_over_time(view: DataView, source: str) -> tuple[LensPanel, ...]:
    documents = count("n", "Documents")
    named = terms(view, "source", source, "Source", documents, _SERIES)
    return (
        chart(
            "by_source",
            "Documents by source",
            view,
            terms(view, "source", source, "Source", documents),
            documents,
            series="bar_horizontal",
        ),
        chart(
            "over_time",
            "Documents over time",
            view,
            dates(view, "time", "Time"),
            documents,
            by=named,
        ),
    )


def _spread(view: DataView, source: str) -> LensPanel:
    sources = unique(view, "sources", source, "Sources")
    columns = (
        terms(view, "group", _GROUP, "Group", sources, _ROWS),
        sources,
        count("n", "Documents"),
        *_times(view),
    )
    return table("spread", "Texts in most sources", view, columns, GROUPED)


def _repeating(view: DataView, source: str) -> LensPanel:
    documents = count("n", "Documents")
    columns = (
        terms(view, "source", source, "Source", documents, _ROWS),
        documents,
        unique(view, "texts", _GROUP, "Different texts"),
        copy_share(view, "share", _GROUP, "Its own copies"),
    )
    return table("repeating", "Sources that post a text again", view, columns, GROUPED)


def _flows(copies: DataView) -> LensPanel:
    """Who copies whom: sources of originals with the sources of their copies."""
    number = count("n", "Copies")
    columns = (
        terms(copies, "original", "original_source", "Original in", number),
        terms(copies, "copier", "source", "Copied by", number),
        number,
        unique(copies, "originals", "original", "Originals"),
        metric(copies, "delay", "median", "delay", "Seconds later (median)"),
    )
    return table("flows", "Who copies whom", copies, columns, _ACROSS)


def _fastest(copies: DataView) -> LensPanel:
    """Copies with an earlier time than their original's are left out."""
    originals = unique(copies, "originals", "original", "Originals")
    columns = (
        terms(copies, "copier", "source", "Source", originals, _ROWS),
        originals,
        metric(copies, "median", "median", "delay", "Seconds later (median)"),
        metric(copies, "least", "min", "delay", "Seconds later (least)"),
    )
    query = f"{_ACROSS} and delay >= 0"
    return table("fastest", "How soon sources copy", copies, columns, query)


def _originals(copies: DataView) -> LensPanel:
    number = count("n", "Copies")
    columns = (
        terms(copies, "original", "original", "Original", number, _ROWS),
        number,
        unique(copies, "sources", "source", "Sources with copies"),
    )
    return table("originals", "Most copied originals", copies, columns)


def _first(view: DataView, source: str) -> LensPanel:
    """The sources of each text, the earliest first."""
    earliest = metric(view, "first", "min", view.time_field, "First")
    columns = (
        terms(view, "group", _GROUP, "Group", unique(view, "by", source, "Sources"), shown=False),
        terms(view, "source", source, "Source", earliest, ascending=True),
        earliest,
        count("n", "Documents"),
    )
    return table("who_first", "Who had a text first", view, columns, GROUPED)


def _times(view: DataView) -> tuple[Column, Column]:
    return (
        metric(view, "first", "min", view.time_field, "First"),
        metric(view, "last", "max", view.time_field, "Last"),
    )
