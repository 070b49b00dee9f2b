"""evaluate: recall and precision on a labelled corpus."""

from __future__ import annotations

from pathlib import Path

import click

from dupdex.cli.parameters import Words, location, plan_option, print_json
from dupdex.cli.saving import make_folder, save
from dupdex.cli.screen import note, progress, say_all
from mappings.plan import STANDARD, Plan


@click.command()
@click.argument("folder", metavar="FOLDER")
@plan_option("Plan to evaluate. [default: standard]")
@click.option("--schemes", is_flag=True, help="Measure every scheme alone, too.")
@click.option(
    "--peers",
    is_flag=True,
    help="Measure datasketch, rensa, simhash and gaoya, too, where they are installed; "
    "more_like_this when --store is a server.",
)
@click.option(
    "--plots",
    metavar="DIR",
    help="Draw recall by strength and the precision-recall curve of every scheme; implies "
    "--schemes, needs matplotlib.",
)
@click.option(
    "--store",
    metavar="URL",
    help="Elasticsearch server to evaluate on. "
    "[env: DUPDEX_STORE, if it is a URL; default: an embedded store in a temporary folder]",
)
@click.option(
    "--index",
    metavar="NAME",
    type=Words(),
    help="What the name of the index on the server begins with. "
    "[env: DUPDEX_INDEX; default: dupdex]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(
    folder: str,
    plan: Plan | None,
    schemes: bool,
    peers: bool,
    plots: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Recall, precision and F1 on a FOLDER with corpus.jsonl and truth.tsv.

    With the 95 % intervals of Wilson. Boilerplate is learned first, as by 'dupdex learn'.
    Uses an index of its own, which it removes: in a temporary folder, or on the server that
    --store names.
    """
    from dupdex.evaluation import evaluate as run_evaluation  # heavy, and only used here

    if plots is not None:
        from dupdex.evaluation.plots import check

        check()
        make_folder(plots, "--plots")
    where = location(store, index)
    with progress(None, "evaluating") as step:
        report = run_evaluation(
            Path(folder),
            where if where.is_server else None,
            plan or STANDARD,
            progress=step,
            schemes=schemes or plots is not None,
            peers=peers,
            curves=plots is not None,
        )
    if as_json:
        print_json(report.to_json())
    else:
        say_all(report.table().splitlines())
    if plots is not None:
        from dupdex.evaluation.plots import draw

        for name, drawing in draw(report.methods).items():
            path = str(Path(plots) / name)
            save(drawing, path, "--plots")
            note(f"wrote {path}")
