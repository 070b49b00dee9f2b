"""plan: what an index will cost and promise, before it is made."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click
import orjson

from dupdex.cli.parameters import Words, plan_option, print_json
from dupdex.cli.saving import check_not_read, save
from dupdex.cli.screen import note, progress, say_all
from dupdex.cli.sources import Report, meta_of, read_options, source_options
from dupdex.forecast.forecast_lines import lines
from dupdex.forecast.recommend import forecast
from dupdex.forecast.sampling import DOCUMENTS, Sample, take
from indexer.sources import read
from mappings.plan import STANDARD, Plan

MOST_DOCUMENTS = 10**12

USE_PLAN = "New index: 'dupdex index --plan {0}'; existing one: 'dupdex rebuild --plan {0}'"


@click.command()
@click.option(
    "--documents",
    type=click.IntRange(min=1, max=MOST_DOCUMENTS),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="How many there will be.",
)
@plan_option("Plan to look at: standard, characters, or a file. [default: standard]")
@click.option(
    "--sample",
    metavar="FILE|DIR|-",
    type=Words(),
    help=f"Some of your texts, to measure how often they share keys by chance. The first "
    f"{DOCUMENTS:,} are read; take them from all over the collection.",
)
@click.option(
    "--write",
    "path",
    metavar="FILE",
    help=f"Write the recommended plan to a file. {USE_PLAN.format('FILE')}.",
)
@source_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    documents: int,
    plan: Plan | None,
    sample: str | None,
    path: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """What an index of a size will cost and find, before it is made.

    Keys and bytes per document, candidates per lookup for every kind of key, what each layout
    guarantees, and which to take. With --sample as your own texts have it; the options that say
    how files are read are for it.
    """
    check_not_read(path, "--write", sample)
    chosen = plan or STANDARD
    texts = None if sample is None else _sample(sample, chosen, options)
    made = forecast(chosen, documents, texts)
    if as_json:
        print_json(made.facts)
    else:
        say_all(lines(made.facts))
    if path is not None:
        write_plan(made.recommended, path)


def _sample(source: str, plan: Plan, options: dict[str, Any]) -> Sample:
    report = Report()
    with progress(None, "documents of the sample") as step:
        items = read(
            source,
            read_options(options, meta_of(plan, options)),
            ignored=report.ignore,
            noted=report.note,
        )
        found = take(islice(report.documents(items), DOCUMENTS), plan, step)
    if report.problems:
        note(f"of the sample were left out or doubled{report.problems.replace(',', ':', 1)}")
    return found


def write_plan(plan: Plan, path: str) -> None:
    """Write a plan file and say how it is used. Raises InputRefused."""
    pretty = orjson.dumps(plan.to_meta(), option=orjson.OPT_INDENT_2)
    save(pretty + b"\n", path, "--write")
    note(f"wrote plan {plan.id} to {path}. {USE_PLAN.format(path)}")
