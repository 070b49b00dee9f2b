"""matches: the verified pairs that are kept of an index."""

from __future__ import annotations

import sys
from datetime import datetime

import click

from dupdex.cli.nothing_found import note_document, note_run
from dupdex.cli.parameters import FOUND, NONE_FOUND, Words, location, print_json, store_options
from dupdex.cli.screen import note, say
from dupdex.cli.times import Time
from dupdex.index import Index
from dupdex.matches.match_record import UNDECIDED, KeptPair
from dupdex.matches.match_store import MatchQuery
from dupdex.session import Session
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json
from dupdex.wire.record_lines import name_of, record_columns
from mappings.collections import moment
from query.answers import Decision, Verdict


@click.command()
@click.option(
    "--pair", metavar="ID", type=Words(), help="The pair of this record, or copy and original."
)
@click.option("--of", "document_id", metavar="ID", type=Words(), help="Pairs of this document.")
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    type=click.Choice([verdict.value for verdict in Verdict]),
    help="Pairs of this verdict. May be repeated.",
)
@click.option("--undecided", is_flag=True, help="Pairs that nobody has decided about.")
@click.option(
    "--decided",
    type=click.Choice([decision.value for decision in Decision]),
    help="Pairs about which this was decided.",
)
@click.option(
    "--since", type=Time(), metavar="DATE|AGE", help="Found since 2026-01-31, or since 7d ago."
)
@click.option("--run", default="", metavar="NAME", type=Words(), help="Found by this run.")
@click.option(
    "--size",
    type=click.IntRange(1, 1_000),
    default=100,
    show_default=True,
    help="Pairs shown at most.",
)
@click.option("--after", metavar="WORD", type=Words(), help="Go on where a page ended.")
@store_options
def matches(
    pair: str | None,
    document_id: str | None,
    verdicts: tuple[str, ...],
    undecided: bool,
    decided: str | None,
    since: datetime | None,
    run: str,
    size: int,
    after: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """List the verified pairs that are kept of an index.

    The ones found last come first. A sweep, and indexing with groups, keeps what it finds. Where
    there are more pairs, a note says how to go on; in JSON a last line has `next`. With --pair it
    names the two documents of one record, by the id that links of Kibana carry.

    Exit status: 0 there are such pairs, 1 none, 2 and more an error.
    """
    narrowed = document_id, verdicts, undecided, decided, since, run, after
    if pair is not None and any(narrowed):
        raise click.UsageError("--pair names one record; leave the other conditions out")
    if undecided and decided:
        raise click.UsageError("--undecided and --decided exclude each other")
    where = location(store, index)
    with Session(where) as session, Index.open(session) as opened:
        if pair is not None:
            _show_pair(KeptPair(*opened.pair(pair)), as_json)
            return
        wanted = MatchQuery(
            tuple(opened.refs_of(document_id)) if document_id is not None else (),
            tuple(map(Verdict, verdicts)),
            UNDECIDED if undecided else decided or "",
            moment(since) if since else None,
            run=run,
        )
        page = opened.matches(wanted, size, from_word(after) if after else None)
        records = page.records
        if not records and document_id is not None:
            note_document(opened, document_id)
        if not records and run:
            note_run(session, run)
        several = len({ref.index for each in records for ref in (each.first, each.second)}) > 1
    for record in records:
        if as_json:
            print_json(to_json(record))
        else:
            say(*record_columns(record, several))
    if page.next is not None:
        word = to_word(page.next)
        if as_json:
            print_json({"next": word})
        else:
            note(f"there are more: --after {word}")
    sys.exit(FOUND if records else NONE_FOUND)


def _show_pair(pair: KeptPair, as_json: bool) -> None:
    """The two documents of a record, as REST names them."""
    if as_json:
        print_json(to_json(pair))
    else:
        several = pair.first.index != pair.second.index
        say(name_of(pair.first, several), name_of(pair.second, several))
