"""banks retro, hits: which stored documents entries of a bank would have caught."""

from __future__ import annotations

import sys

import click

from dupdex.banks.bank_forms import RetroLines
from dupdex.banks.retro import Retro
from dupdex.banks.retro import retro as run_retro
from dupdex.banks.retro_hits import hits_of, run_of
from dupdex.cli.bank_options import banks_at, place_options
from dupdex.cli.jobs import show_run
from dupdex.cli.parameters import FOUND, NONE_FOUND, Words, print_json
from dupdex.cli.screen import note, progress, say
from dupdex.wire.bank_lines import retro_columns
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json


@click.command()
@click.argument("bank", metavar="BANK", type=Words())
@click.argument("entries", metavar="[ID]...", nargs=-1, type=Words())
@click.option(
    "--index",
    "indices",
    multiple=True,
    metavar="NAME",
    type=Words(),
    help="Only in this index. May be repeated. [default: all that the bank is for]",
)
@place_options
def retro(
    bank: str,
    entries: tuple[str, ...],
    indices: tuple[str, ...],
    store: str | None,
    as_json: bool,
) -> None:
    """Find the stored documents that entries of a bank would have caught: these, or all.

    Prints the record of the run; 'dupdex banks hits RUN' lists what it found, for 30 days.

    Exit status: 0 documents were found, 1 none, 2 and more an error.
    """
    wanted = Retro(bank, entries, indices or None)
    with banks_at(store) as opened, progress(None, "looking") as step:
        run = run_retro(opened, wanted, step)
    show_run(run, as_json)
    found = bool(run.counts.get("hits"))
    if found and not as_json:
        note(f"'dupdex banks hits {run.id}' lists them")
    sys.exit(FOUND if found else NONE_FOUND)


@click.command()
@click.argument("run", metavar="RUN", type=Words())
@click.option(
    "--size", type=click.IntRange(1, 1_000), default=20, show_default=True, help="Rows shown."
)
@click.option("--after", default="", metavar="WORD", type=Words(), help="Go on after a page.")
@place_options
def hits(run: str, size: int, after: str, store: str | None, as_json: bool) -> None:
    """List what a run of 'dupdex banks retro' found, the most similar first.

    Exit status: 0 it found documents, 1 none, 3 there is no such run, 2 and more another error.
    """
    with banks_at(store) as opened:
        run_of(opened.home, run)
        page = hits_of(opened.home, run, size, from_word(after) if after else None)
    lines = RetroLines(run, page.total, page.hits, to_word(page.next) if page.next else None)
    if as_json:
        print_json(to_json(lines))
    else:
        for row in retro_columns(lines):
            say(*row)
        more = f"; more: --after {lines.next}" if lines.next else ""
        say(f"({lines.total:,} in all{more})")
    sys.exit(FOUND if lines.hits else NONE_FOUND)
