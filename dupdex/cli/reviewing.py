"""review: pairs that wait for a decision, and what reviewers did."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

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
from dupdex.cli.screen import note, say, say_all
from dupdex.cli.times import Time
from dupdex.index import Index
from dupdex.matches.review_queue import MOST, Seat
from dupdex.wire.forms import to_json
from dupdex.wire.record_lines import record_columns
from dupdex.wire.review_lines import figure_lines
from mappings.collections import moment


@click.command()
@click.option("--by", default="", metavar="NAME", type=Words(), help="Who reviews.")
@click.option(
    "--size", type=click.IntRange(1, MOST), default=5, show_default=True, help="Pairs, at most."
)
@click.option(
    "--second-opinions",
    "second",
    type=Share(0, 1),
    default=0.0,
    metavar="SHARE",
    help="Also this share, 0 to 1, of what another reviewer alone has decided.",
)
@click.option("--figures", is_flag=True, help="Say what is left, and what was decided by whom.")
@click.option(
    "--since",
    type=Time(),
    metavar="DATE|AGE",
    help="With --figures: recent is since 2026-01-31, or since 7d ago. [default: 1d]",
)
@store_options
def review(
    by: str,
    size: int,
    second: float,
    figures: bool,
    since: datetime | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """List near pairs that nobody decided about, the most doubtful first.

    Doubtful are those near the threshold of the plan, with facts that differ, and fillings of one
    form. They are held for five minutes: who reviews under another name, here or in the console of
    'dupdex serve', gets others. 'dupdex decide' decides.

    Exit status: 0 there are such pairs, 1 none, 2 and more an error.
    """
    if since and not figures:
        raise click.UsageError("--since goes with --figures")
    with Index.open(location(store, index)) as opened:
        if figures:
            recent = since or datetime.now(UTC) - timedelta(days=1)
            found = opened.reviews.figures(moment(recent))
            if as_json:
                print_json(to_json(found))
            else:
                say_all(figure_lines(found))
            return
        turns = opened.reviews.next(Seat(f"terminal/{by}", by), size, second)
        left = opened.reviews.left()
    several = len({r.index for t in turns for r in (t.record.first, t.record.second)}) > 1
    for turn in turns:
        if as_json:
            print_json({**to_json(turn), "record": to_json(turn.record)})
        else:
            asked = ("second opinion",) if turn.second_opinion else ()
            say(*record_columns(turn.record, several), turn.cause.value, *asked)
    if not as_json:
        note(f"{left:,} pairs wait for a decision; 'dupdex decide ID ID duplicate' decides")
    sys.exit(FOUND if turns else NONE_FOUND)
