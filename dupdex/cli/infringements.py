"""infringement: who copies which works, as tables, files, a page, and notices to sites."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import click

from dupdex.cli.parameters import (
    FOUND,
    NONE_FOUND,
    Share,
    Words,
    location,
    print_json,
    store_options,
)
from dupdex.cli.saving import check_not_read, save
from dupdex.cli.screen import note, say_all
from dupdex.cli.times import Time
from dupdex.infringement.infringement_analysis import infringement_report
from dupdex.infringement.infringement_findings import InfringementReport, ReportScope
from dupdex.infringement.infringement_tables import csv_file, lines
from dupdex.session import Session
from dupdex.wire.forms import to_json
from dupdex.works.work_reading import host_given
from dupdex.works.work_store import Works
from mappings.collections import moment
from mappings.errors import InputRefused, NotFound


@click.command()
@click.option(
    "--work",
    "works",
    multiple=True,
    metavar="NAME",
    type=Words(),
    help="Only this work. May be repeated.",
)
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="HOST",
    type=Words(),
    help="Only this site, and those below it. May be repeated.",
)
@click.option(
    "--since",
    type=Time(),
    metavar="DATE|AGE",
    help="Only copies that were first seen since 2026-01-31, or since 7d ago.",
)
@click.option(
    "--least",
    type=Share(0.0, 1.0),
    default=0.0,
    metavar="SHARE",
    help="Only copies that have this part of a chapter, 0 to 1. [default: all]",
)
@click.option("--standing", is_flag=True, help="Only copies that are still there.")
@click.option("--html", metavar="FILE", help="Write a page with charts that needs no other file.")
@click.option("--csv", "csv_path", metavar="FILE", help="Write a CSV file, one line a copy.")
@click.option("--notice", metavar="SITE", type=Words(), help="Print a notice to a site instead.")
@click.option("--template", metavar="FILE", help="Fill this text (Jinja) for the notice.")
@click.option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    help="Language of the notice, and that the page begins in. [default: en, the reader's]",
)
@store_options
def infringement(
    works: tuple[str, ...],
    sites: tuple[str, ...],
    since: datetime | None,
    least: float,
    standing: bool,
    html: str | None,
    csv_path: str | None,
    notice: str | None,
    template: str | None,
    lang: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Report who copies which works: chapters, shares, sites and passages.

    It tells what 'dupdex works sweep' and 'dupdex crawl --works' found in an index, and compares
    nothing itself. docs/works.md says what the figures and the columns of files mean.

    Exit status: 0 there are copies, 1 there are none, 2 and more an error.
    """
    if template is not None and notice is None:
        raise click.UsageError("--template goes with --notice")
    since_moment = None if since is None else moment(since)
    scope = ReportScope(works, tuple(map(host_given, sites)), since_moment, least, standing)
    where = location(store, index)
    for path, option in ((html, "--html"), (csv_path, "--csv")):
        check_not_read(path, option, None if where.is_server else str(where.folder), template)
    with Session(where) as session:
        made = infringement_report(Works(session), scope=scope)
    _write(made, html, csv_path, lang)  # before a pager that is left early ends the command
    if notice is not None:
        from dupdex.infringement.notices import notice as notice_of  # with the templates

        own = None if template is None else _template(template)
        say_all(notice_of(made, host_given(notice), lang or "en", own).splitlines())
    elif as_json:
        print_json(to_json(made))
    else:
        say_all(lines(made))
    sys.exit(FOUND if made.copies else NONE_FOUND)


def _template(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NotFound(f"no file {path!r}; name the text of a notice with --template") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputRefused(f"{path!r} cannot be read: {reason}") from error


def _write(
    made: InfringementReport, html: str | None, csv_path: str | None, lang: str | None
) -> None:
    if csv_path is not None:
        save(csv_file(made), csv_path, "--csv")
        note(f"wrote {csv_path}")
    if html is not None:
        from dupdex.infringement.infringement_page import infringement_page

        save(infringement_page(made, lang).encode("utf-8"), html, "--html")
        note(f"wrote {html}")
