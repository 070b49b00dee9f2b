"""report: what the duplicates of an index look like as a whole."""

from __future__ import annotations

from pathlib import Path

import click

from dupdex.cli.parameters import AT_LEAST_ONE, Words, location, print_json, store_options
from dupdex.cli.saving import check_not_read, make_folder, save
from dupdex.cli.screen import note, say_all
from dupdex.report.findings import DuplicateReport, ReportOptions
from dupdex.session import Session
from dupdex.wire.forms import to_json
from query.tally import Every


@click.command()
@click.option(
    "--date-field",
    metavar="FIELD",
    default="",
    type=Words(),
    help="Field with the time of a document, for rates over time and the fastest copiers. "
    "[default: when it was written to the index]",
)
@click.option(
    "--source-field",
    metavar="FIELD",
    default="",
    type=Words(),
    help="Field with the source of a document (a site, a paper), for who copies whom.",
)
@click.option(
    "--kind-field",
    metavar="FIELD",
    default="",
    type=Words(),
    help="Field with the kind of a document (a section, a category).",
)
@click.option(
    "--every",
    type=click.Choice([each.value for each in Every]),
    help="Length of the periods over time. [default: what fits the times]",
)
@click.option("--top", type=AT_LEAST_ONE, default=20, show_default=True, help="Rows of each list.")
@click.option("--csv", "csv_folder", metavar="DIR", help="Write every table as a CSV file, too.")
@click.option("--html", metavar="FILE", help="Write a page with charts that needs no other file.")
@click.option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    help="Language that the page begins in. [default: the reader's]",
)
@store_options
def report(
    date_field: str,
    source_field: str,
    kind_field: str,
    every: str | None,
    top: int,
    csv_folder: str | None,
    html: str | None,
    lang: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Report how much is copied, by whom, from whom, and how soon.

    Rates over time, by source and by kind, sizes of groups, most copied originals, fastest copiers,
    who copies whom, longest chains, boilerplate, and the health of the index. Copies are the
    members of groups but for the canonical one. All is counted in the store; nothing is changed.

    Exit status: 0 done, 2 and more an error.
    """
    from dupdex.report.analysis import analyse  # only used here

    if csv_folder is not None:
        make_folder(csv_folder, "--csv")
    options = ReportOptions(
        date_field, source_field, kind_field, Every(every) if every else None, top
    )
    where = location(store, index)
    check_not_read(html, "--html", None if where.is_server else str(where.folder))
    with Session(where) as session:
        made = analyse(session, options)
    if as_json:
        print_json(to_json(made))
    else:
        from dupdex.report.report_lines import report_lines

        say_all(report_lines(made))
    _write(made, csv_folder, html, lang)


def _write(
    made: DuplicateReport, csv_folder: str | None, html: str | None, lang: str | None
) -> None:
    if csv_folder is not None:
        from dupdex.report.csv_files import csv_files

        for name, content in csv_files(made):
            path = str(Path(csv_folder) / name)
            save(content, path, "--csv")
            note(f"wrote {path}")
    if html is not None:
        from dupdex.report.report_page import report_page

        save(report_page(made, lang).encode("utf-8"), html, "--html")
        note(f"wrote {html}")
