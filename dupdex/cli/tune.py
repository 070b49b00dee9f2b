"""tune: thresholds for a user's own texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dupdex.cli.parameters import Share, plan_option, print_json
from dupdex.cli.planning import USE_PLAN, write_plan
from dupdex.cli.saving import check_not_read
from dupdex.cli.screen import progress, say_all
from mappings.plan import STANDARD, Plan

if TYPE_CHECKING:
    from dupdex.evaluation.tuning import Score, Tuned


@click.command()
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--write",
    "path",
    metavar="FILE",
    help=f"Write the plan to a file. {USE_PLAN.format('FILE')}.",
)
@plan_option("Plan to start from. [default: standard]")
@click.option(
    "--least-precision",
    type=Share(0, 1, min_open=True),
    metavar="P",
    help="Take the highest recall at this precision or more, not the highest F1.",
)
@click.option(
    "--folds", type=click.IntRange(2, 100), default=5, show_default=True, metavar="N",
    help="Parts of the texts; each is scored by thresholds chosen without it.",
)  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Of the parts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tune(
    folder: str,
    path: str | None,
    plan: Plan | None,
    least_precision: float | None,
    folds: int,
    seed: int,
    as_json: bool,
) -> None:
    """Choose thresholds on the labelled pairs of a FOLDER.

    It holds corpus.jsonl and truth.tsv, as for evaluate. Chosen are near, short_near, partial and
    shared, by cross-validation: a text and its copies are always in one part. Recall is of
    duplicates and partial copies. The figures are of the parts that thresholds were not chosen on;
    the plan has those chosen on all. Answers change, stored values do not: the plan goes with the
    indexes of the one it started from.

    Exit status 0 when done, 2 when there are too few labelled pairs.
    """
    from dupdex.evaluation import tuning  # heavy, and only used here

    check_not_read(path, "--write", folder)
    start = plan or STANDARD
    objective = tuning.Objective(least_precision)
    with progress(None, "tuning") as step:
        tuned = tuning.tune(Path(folder), start, folds, objective, seed, step)
    if as_json:
        print_json(_facts(tuned, start))
    else:
        say_all(_lines(tuned, start))
    if path is not None:
        write_plan(tuned.plan, path)


def _facts(tuned: Tuned, start: Plan) -> dict[str, object]:
    from dupdex.evaluation.tuning import TUNED, values_of

    return {
        "default": tuned.before.to_json(),
        "tuned": tuned.after.to_json(),
        "clusters": tuned.clusters,
        "folds": [dict(zip(TUNED, chosen, strict=True)) for chosen in tuned.folds],
        "thresholds": {
            "default": dict(zip(TUNED, values_of(start.thresholds), strict=True)),
            "tuned": dict(zip(TUNED, values_of(tuned.plan.thresholds), strict=True)),
        },
    }


def _lines(tuned: Tuned, start: Plan) -> list[str]:
    from dupdex.evaluation.tuning import TUNED, values_of

    lines = [
        f"out of fold, {len(tuned.folds)} folds of {tuned.clusters:,} clusters",
        f"{'':<10}  {'recall':>6}  {'95 %':^13}  {'precision':>9}  {'95 %':^13}  {'F1':>6}  "
        f"{'found':>7}  {'false':>6}",
        _line("as it was", tuned.before),
        _line("tuned", tuned.after),
        "",
        f"{'threshold':<10}  {'was':>6}  {'tuned':>6}  of each fold",
    ]
    was, now = values_of(start.thresholds), values_of(tuned.plan.thresholds)
    for at, name in enumerate(TUNED):
        folds = " ".join(f"{chosen[at]:g}" for chosen in tuned.folds)
        lines.append(f"{name:<10}  {was[at]:>6g}  {now[at]:>6g}  {folds}")
    return lines


def _line(name: str, score: Score) -> str:
    from dupdex.evaluation.intervals import wilson
    from dupdex.evaluation.methods import interval_text, share_text

    recall = interval_text(wilson(score.hits, score.listed))
    precision = interval_text(wilson(score.right, score.found))
    return (
        f"{name:<10}  {share_text(score.recall):>6}  {recall:>13}  "
        f"{share_text(score.precision):>9}  {precision:>13}  {share_text(score.f1):>6}  "
        f"{score.found:>7,}  {score.found - score.right:>6,}"
    )
