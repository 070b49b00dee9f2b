"""banks add, remove, show, export: the entries of a bank."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import click

from dupdex.banks.bank_forms import EntryLines
from dupdex.banks.bank_model import BankEntry, EntryOutcome
from dupdex.banks.entry_reading import entry_of
from dupdex.cli.bank_options import banks_at, place_options
from dupdex.cli.nothing_read import refuse_nothing
from dupdex.cli.parameters import FOUND, NONE_FOUND, Words, print_json
from dupdex.cli.screen import note, progress, say
from dupdex.cli.times import Expiry
from dupdex.wire.bank_lines import entry_columns
from dupdex.wire.counted import counted
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json
from indexer.sources import BadLine, ReadOptions, read, total_bytes
from mappings.collections import moment
from mappings.errors import InputRefused

_REJECTED = "rejected"
_OWN_NAMES = ("labels", "reason", "by", "expires")
_SLIPS = {
    **{name: name for name in _OWN_NAMES},
    **dict.fromkeys(("expire", "expiry", "expiration", "expires_at", "expire_at"), "expires"),
}
"""Names in small letters, and what they are meant as."""


@click.command()
@click.argument("bank", metavar="BANK", type=Words())
@click.argument("text", metavar="TEXT", required=False, type=Words())
@click.option(
    "--file",
    "file",
    metavar="FILE|-",
    help="Add every line of a JSON lines file: text, and id, labels, reason, by, expires.",
)
@click.option("--id", "name", default="", metavar="ID", type=Words(), help="Id of the entry.")
@click.option(
    "--label", "labels", multiple=True, metavar="WORD", type=Words(), help="May be repeated."
)
@click.option("--reason", default="", metavar="TEXT", type=Words(), help="Why it is in the bank.")
@click.option("--by", default="", metavar="NAME", type=Words(), help="Who adds it.")
@click.option(
    "--expires",
    type=Expiry(),
    metavar="AGE|DATE",
    help="When it acts no more: in 30d, 12h, 4w, or on 2027-01-31.",
)
@place_options
def add(
    bank: str,
    text: str | None,
    file: str | None,
    name: str,
    labels: tuple[str, ...],
    reason: str,
    by: str,
    expires: datetime | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Add a TEXT to a bank, or all of a file; an entry of the same id is replaced.

    Labels, reason, name and expiry are for entries of a file that name none. It acts at once, in
    all programs. 'dupdex banks retro' lists what is stored already.

    Exit status: 0 all were added, 1 some were not, 2 and more an error.
    """
    if (text is None) == (file is None) or (file is not None and name):
        raise InputRefused("give a TEXT, with --id if you like, or --file FILE")
    until = None if expires is None else moment(expires)
    defaults = BankEntry(name, text or "", labels, reason, by, "", until)
    bad = False
    with banks_at(store) as opened:
        opened.get(bank)
        if file is None:
            outcomes = iter(opened.add(bank, [defaults]))
        else:
            read_ones = _FileEntries(file, defaults)
            outcomes = opened.add_iter(bank, read_ones.entries())
        for outcome in outcomes:
            bad |= _shown(outcome, as_json, brief=file is not None)
        if file is not None:
            bad |= read_ones.bad > 0
            if not (read_ones.count or bad):
                refuse_nothing(file, hint="write one JSON object a line", what="entry")
            read_of_it = counted(read_ones.count, "entry")
            note(f"{read_of_it} read, {counted(read_ones.bad, 'line')} could not be")
    sys.exit(NONE_FOUND if bad else FOUND)


def _shown(outcome: EntryOutcome, as_json: bool, brief: bool) -> bool:
    """Tell of an outcome; whether the entry was rejected."""
    rejected = outcome.status == _REJECTED
    if as_json:
        print_json(to_json(outcome))
    elif rejected:
        note(f"entry {outcome.id!r}: {outcome.reason}")
    elif not brief:
        say(outcome.id, outcome.status)
    return rejected


class _FileEntries:
    """The entries of a file; lines that are none are reported and counted as `bad`."""

    def __init__(self, file: str, defaults: BankEntry) -> None:
        self._file, self._defaults = file, defaults
        self.count = self.bad = 0

    def entries(self) -> Iterator[BankEntry]:
        """One after the other."""
        options = ReadOptions(format="jsonl", make_ids=True, has_options=False)
        with progress(total_bytes(self._file, options.format), "adding") as step:
            for item in read(self._file, options, progress=step, noted=note):
                if isinstance(item, BadLine):
                    self._tell(item.origin, item.message)
                    continue
                try:
                    given = _own_values(item.body)
                    entry = replace(entry_of(given, self._defaults), id=item.id, text=item.text)
                except InputRefused as error:
                    self._tell(item.origin, str(error))
                    continue
                self.count += 1
                yield entry

    def _tell(self, origin: str, message: str) -> None:
        self.bad += 1
        note(f"{origin}: {message}")


def _own_values(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a line says of an entry; it may have any other fields. Raises InputRefused for a name
    that is surely meant as one of ours: an entry that was to expire would act for ever."""
    for name in body:
        meant = _SLIPS.get(name.lower())
        if meant and name != meant and meant not in body:
            raise InputRefused(f"field {name!r} is unknown; did you mean {meant!r}?")
    return {key: body[key] for key in _OWN_NAMES if key in body}


@click.command()
@click.argument("bank", metavar="BANK", type=Words())
@click.argument("ids", metavar="ID...", nargs=-1, type=Words())
@click.option("--expired", is_flag=True, help="All entries that act no more.")
@place_options
def remove(
    bank: str, ids: tuple[str, ...], expired: bool, store: str | None, as_json: bool
) -> None:
    """Remove entries of a bank; they act no more, at once.

    Exit status: 0 all were removed, 1 some were not there, 2 and more an error.
    """
    if bool(ids) == expired:
        raise InputRefused("give IDs of entries, or --expired")
    with banks_at(store) as opened:
        if expired:
            count = opened.remove_expired(bank)
            missing: list[str] = []
        else:
            gone = opened.remove(bank, ids)
            count, missing = len(gone), [name for name in ids if name not in gone]
    if as_json:
        print_json({"removed": count, "missing": missing})
    else:
        say(f"{count:,} removed, {len(missing):,} not found")
    sys.exit(NONE_FOUND if missing else FOUND)


@click.command()
@click.argument("bank", metavar="BANK", type=Words())
@click.argument("entry", metavar="ID", required=False, type=Words())
@click.option(
    "--size", type=click.IntRange(1, 1_000), default=20, show_default=True, help="Entries shown."
)
@click.option("--after", default="", metavar="WORD", type=Words(), help="Go on after a page.")
@place_options
def show(
    bank: str, entry: str | None, size: int, after: str, store: str | None, as_json: bool
) -> None:
    """Show the entries of a bank, the one added last first, or one with all of its text.

    Exit status: 0 there are entries, 1 there are none, 2 and more an error.
    """
    with banks_at(store) as opened:
        if entry is not None:
            _show_one(bank, opened.entry(bank, entry), as_json)
            return
        page = opened.entries(bank, size, from_word(after) if after else None)
    lines = EntryLines(bank, page.entries, to_word(page.next) if page.next else None)
    if as_json:
        print_json(to_json(lines))
    else:
        for each in lines.entries:
            say(*entry_columns(each))
        if lines.next:
            say(f"(more: --after {lines.next})")
    sys.exit(FOUND if lines.entries else NONE_FOUND)


def _show_one(bank: str, entry: BankEntry, as_json: bool) -> None:
    if as_json:
        print_json(to_json(EntryLines(bank, (entry,))))
        return
    said = {
        "labels": ", ".join(entry.labels),
        "reason": entry.reason,
        "by": entry.by,
        "added": entry.added,
        "expires": entry.expires,
    }
    say(entry.id)
    for name, value in said.items():
        if value:
            say(f"{name:<8} {value}")
    for line in entry.text.splitlines():
        say(line)


@click.command()
@click.argument("bank", metavar="BANK", type=Words())
@place_options
def export(bank: str, store: str | None, as_json: bool) -> None:
    """Print all entries of a bank as JSON lines, for 'dupdex banks add --file'.

    --json changes nothing. Exit status: 0 done, 2 and more an error.
    """
    del as_json
    with banks_at(store) as opened:
        for entry in opened.everything(bank):
            print_json({name: value for name, value in asdict(entry).items() if value})
