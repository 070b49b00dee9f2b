"""The report on infringements as one HTML page in two languages, that needs no other file."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import orjson

from dupdex.infringement.infringement_findings import InfringementReport
from dupdex.infringement.infringement_tables import STATES, charts, day, named, tables
from dupdex.report.report_page import shown_table
from dupdex.wire.page import render
from dupdex.wire.vocabulary import VERDICTS, Phrase

COPIES: Final = 2_000
"""Copies whose passages the page shows; the CSV file has all."""


def infringement_page(report: InfringementReport, language: str | None = None) -> str:
    """The page; `language` is "zh" or "en", None for the reader's. Whatever pages call themselves
    is escaped, and only web addresses are links."""
    from markupsafe import Markup  # with the templates, which no other command needs

    drawn = [chart.to_json() for chart in charts(report)]
    data = orjson.dumps(drawn).decode().replace("<", "\\u003c")
    return render(
        "infringement.html",
        language=language or "",
        report=report,
        tiles=_tiles(report),
        tables=[shown_table(each) for each in tables(report) if each.key != "copies"],
        charted={chart["id"] for chart in drawn},
        charts=Markup(data),
        copies=report.copies[:COPIES],
        linked=linked,
        day=day,
        named=_named,
        verdicts=VERDICTS,
        states=STATES,
    )


def linked(url: str) -> str:
    """The address where it is one of the Web, else ""."""
    try:
        return url if urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def _named(site: str) -> Phrase:
    words = named(site)
    return words if isinstance(words, Phrase) else Phrase(words, words)


def _tiles(report: InfringementReport) -> list[tuple[Phrase, int]]:
    copies = report.copies
    return [
        (Phrase("部作品", "works"), len(report.works)),
        (Phrase("章被复制", "chapters copied"), len(report.chapters)),
        (Phrase("个页面", "pages"), len({(c.index, c.document) for c in copies})),
        (Phrase("个站点", "sites"), len({c.site for c in copies})),
        (Phrase("个页面仍在", "pages standing"), len({c.document for c in copies if not c.gone})),
    ]
