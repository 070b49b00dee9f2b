"""The dashboard "Duplicates": how much is copied, which pairs and groups there are, what ran."""

from __future__ import annotations

from typing import Final

from dupdex.kibana.dashboards import ListPanel, Row, dashboard
from dupdex.kibana.data_views import DataView, DataViews
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.lens_columns import (
    copies,
    copy_share,
    count,
    dates,
    metric,
    ranges,
    terms,
)
from dupdex.kibana.lens_panels import LensPanel, chart, number, shares, table
from dupdex.kibana.saved_objects import SavedObject
from dupdex.matches.match_record import UNDECIDED
from mappings.collections import ID
from mappings.contract import Field
from query.answers import Verdict

GROUPED: Final = f"{Field.GROUP.path}: *"
"""Documents that were not grouped yet are no copies of each other."""

_LARGE: Final = "size >= 2"
_TO_DECIDE: Final = f"verdict: {Verdict.NEAR.value} and decision: {UNDECIDED} and not template: *"
_BOUNDS: Final = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
_ROWS: Final = 50

_ABOUT: Final = (
    "How much of the index is copied, the largest groups, the verified pairs and what people "
    "decided about them. Counts of different values are estimates above some thousands."
)


def duplicates_board(facts: IndexFacts, views: DataViews, pairs: SavedObject) -> SavedObject:
    """The dashboard; `pairs`: the Discover session at its end."""
    rows = (
        Row(6, _figures(views)),
        Row(14, _over_time(views)),
        Row(14, _sorts(views.matches)),
        Row(16, (_largest(views.groups), _runs(views.jobs))),
        Row(16, (ListPanel("pairs_list", pairs),)),
    )
    return dashboard(facts, "duplicates", "Duplicates", _ABOUT, rows)


def _figures(views: DataViews) -> tuple[LensPanel, ...]:
    share = copy_share(views.documents, "share", Field.GROUP.path, "Share of copies")
    return (
        number("documents", views.documents, count("n", "Documents")),
        number("groups", views.groups, count("n", "Groups of two or more"), _LARGE),
        number("copies", views.groups, copies(views.groups, "n", "size", "Copies"), _LARGE),
        number("share", views.documents, share, GROUPED),
        number("to_decide", views.matches, count("n", "Near pairs to decide"), _TO_DECIDE),
    )


def _over_time(views: DataViews) -> tuple[LensPanel, ...]:
    share = copy_share(views.documents, "share", Field.GROUP.path, "Copies within the period")
    found = count("n", "Pairs")
    made = terms(views.matches, "verdict", "verdict", "Verdict", found, len(Verdict))
    return (
        chart(
            "share_over_time",
            "Share of copies within each period",
            views.documents,
            dates(views.documents, "time", "Time"),
            share,
            series="line",
            query=GROUPED,
        ),
        chart(
            "pairs_over_time",
            "Pairs by the time they were found",
            views.matches,
            dates(views.matches, "found", "Found"),
            found,
            by=made,
        ),
    )


def _sorts(matches: DataView) -> tuple[LensPanel, ...]:
    pairs = count("n", "Pairs")
    return (
        chart(
            "similarity",
            "Pairs by similarity",
            matches,
            ranges(matches, "similarity", "similarity", "Similarity", _BOUNDS),
            pairs,
            by=terms(matches, "verdict", "verdict", "Verdict", pairs, len(Verdict)),
        ),
        shares(
            "decisions",
            "Pairs by what people decided",
            matches,
            terms(matches, "decision", "decision", "Decision", pairs),
            pairs,
        ),
        shares(
            "facts",
            "Near pairs whose facts differ",
            matches,
            terms(matches, "facts", "facts", "Facts", pairs),
            pairs,
            f"verdict: {Verdict.NEAR.value}",
        ),
    )


def _largest(groups: DataView) -> LensPanel:
    size = metric(groups, "size", "max", "size", "Documents")
    changed = metric(groups, "changed", "max", "changed", "Last change")
    columns = (
        terms(groups, "group", ID, "Group", size, _ROWS),
        terms(groups, "canonical", "canonical", "Canonical document", size, 1),
        size,
        changed,
    )
    return table("largest", "Largest groups", groups, columns, _LARGE)


def _runs(jobs: DataView) -> LensPanel:
    runs, last = count("n", "Runs"), metric(jobs, "last", "max", "started", "Last start")
    columns = (
        terms(jobs, "job", "job", "Job", runs),
        terms(jobs, "state", "state", "State", runs),
        runs,
        last,
    )
    return table("runs", "Runs of jobs", jobs, columns)
