"""decide: what people say about a pair."""

from __future__ import annotations

import click

from dupdex.cli.parameters import Words, location, print_json, store_options
from dupdex.cli.screen import note, say_all
from dupdex.index import Index
from dupdex.matches.decisions import UNDO
from dupdex.wire.forms import to_json
from dupdex.wire.record_lines import decided_lines
from query.answers import Decision


@click.command()
@click.argument("first", metavar="ID", type=Words())
@click.argument("second", metavar="ID", type=Words())
@click.argument(
    "decision",
    metavar="duplicate|not-duplicate|undo",
    type=click.Choice([*(each.value for each in Decision), UNDO]),
)
@click.option("--why", default="", metavar="TEXT", type=Words(), help="The reason, for others.")
@click.option("--by", default="", metavar="NAME", type=Words(), help="Who decides.")
@store_options
def decide(
    first: str,
    second: str,
    decision: str,
    why: str,
    by: str,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Decide whether two stored documents are duplicates.

    A decision goes before the verdict: in lookups by --id and --self, in groups, and in what
    'dupdex matches' lists. It outlives updates of the documents, sweeps and other plans. 'undo'
    takes it back; what was decided before is kept as its history.

    Exit status: 0 done, 2 and more an error.
    """
    said = None if decision == UNDO else Decision(decision)
    with Index.open(location(store, index)) as opened:
        decided = opened.decide(first, second, said, why, by)
        waits = opened.meta.grouping is None and opened.keeps_groups
    if as_json:
        print_json(to_json(decided))
    else:
        say_all(decided_lines(decided))
    if waits:
        note("the groups of this index follow with the next 'dupdex sweep'")
