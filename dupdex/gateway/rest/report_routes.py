"""reports: what the duplicates of an index look like as a whole."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from dupdex.gateway.callers import Right
from dupdex.gateway.rest.operations import (
    CSV,
    HTML,
    JSON,
    Asked,
    Gives,
    Operation,
    Operations,
    Reply,
    Target,
)
from dupdex.gateway.rest.rest_limits import PAGE, Size, Word
from dupdex.report.analysis import analyse
from dupdex.report.csv_files import csv_files
from dupdex.report.findings import DuplicateReport, ReportOptions
from dupdex.report.groups_behind import Figure, GroupsBehind, Part, groups_behind
from dupdex.report.key_health import IndexState, index_state
from dupdex.report.report_page import report_page
from dupdex.wire.forms import to_json
from mappings.errors import NotFound
from query.tally import Every

_TAG: Final = "reports"


class ReportQuery(Target):
    """As in `dupdex report`. `lang`: the language that a page begins in; `form`: what is sent, as a
    file to be kept, whatever `Accept` says."""

    date_field: Word = ""
    source_field: Word = ""
    kind_field: Word = ""
    every: Every | None = None
    top: Annotated[int, msgspec.Meta(ge=1, le=PAGE)] = 20
    lang: Literal["zh", "en"] | None = None
    form: Literal["json", "html"] | None = None


class BehindQuery(ReportQuery):
    """The figure of a `part`: groups with a document of that `value` (the first day of a period, a
    source, a kind; none for documents without one), or of `least` to `most` members. `original`:
    only those whose original is of this source."""

    part: Part = Part.SIZE
    value: Word | None = None
    original: Word | None = None
    least: Annotated[int, msgspec.Meta(ge=2)] = 2
    most: Annotated[int, msgspec.Meta(ge=2)] | None = None
    size: Size = 100


def report(asked: Asked) -> Reply:
    """The report; as a page with charts to who asks for HTML."""
    made, form = _made(asked), asked.query.form
    kept = {"content-disposition": f'attachment; filename="report.{form}"'} if form else {}
    if form == "html" or (form is None and asked.prefers(HTML)):
        page = report_page(made, asked.query.lang).encode()
        return Reply(content=page, media=HTML, headers=kept)
    return Reply(to_json(made), headers=kept)


def table(asked: Asked) -> Reply:
    """One table of the report, for spreadsheets."""
    wanted = asked.path["table"].removesuffix(".csv") + ".csv"
    files = dict(csv_files(_made(asked)))
    if wanted not in files:
        shown = ", ".join(name.removesuffix(".csv") for name in files)
        raise NotFound(f"the report has no table of this name; it has {shown}")
    attached = {"content-disposition": f'attachment; filename="{wanted}"'}
    return Reply(content=files[wanted], media=CSV, headers=attached)


def behind(asked: Asked) -> Reply:
    """The groups behind a figure."""
    query: BehindQuery = asked.query
    wanted = Figure(query.part, query.value, query.original, query.least, query.most)
    return Reply(
        to_json(
            groups_behind(asked.services.session, _options(query), wanted, query.size, asked.target)
        )
    )


def health(asked: Asked) -> Reply:
    """The state of the index."""
    return Reply(to_json(index_state(asked.services.session, asked.target)))


def _made(asked: Asked) -> DuplicateReport:
    return analyse(asked.services.session, _options(asked.query), asked.target)


def _options(query: ReportQuery) -> ReportOptions:
    return ReportOptions(
        query.date_field, query.source_field, query.kind_field, query.every, query.top
    )


OPERATIONS: Final[Operations] = (
    Operation(
        "GET",
        "/reports",
        "report",
        "Reports how much is copied, by whom, from whom, and how soon. A page with charts for "
        "`Accept: text/html`.",
        Right.READ,
        {200: Gives("The report.", DuplicateReport, (JSON, HTML))},
        report,
        query=ReportQuery,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/health",
        "index_health",
        "Says what an index holds and what is wrong with it; what a document costs field by field, "
        "which keys are too frequent to have a vote, and what the plan finds at this size.",
        Right.READ,
        {200: Gives("The state of the index.", IndexState)},
        health,
        whole=True,
        tag="index",
    ),
    Operation(
        "GET",
        "/reports/groups",
        "report_groups",
        "Lists the groups that a figure of the report counts, the ones with most of it first.",
        Right.READ,
        {200: Gives("The groups.", GroupsBehind)},
        behind,
        query=BehindQuery,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/reports/{table}",
        "report_table",
        "One table of the report as CSV.",
        Right.READ,
        {200: Gives("The table.", None, (CSV,))},
        table,
        query=ReportQuery,
        whole=True,
        tag=_TAG,
    ),
)
