"""banks: named sets of known texts that people allow or deny."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from dupdex.banks.bank_check import BankQuestion, check_banks
from dupdex.banks.bank_forms import BankLine, BankLines
from dupdex.banks.bank_model import BankKind, Ruling
from dupdex.banks.flood_guard import FloodGuard, FloodRule
from dupdex.cli.bank_entries import add, export, remove, show
from dupdex.cli.bank_options import banks_at, place_options
from dupdex.cli.bank_retro import hits, retro
from dupdex.cli.parameters import AT_LEAST_ONE, FOUND, NONE_FOUND, Words, print_json
from dupdex.cli.screen import confirmed, note, say, say_all
from dupdex.wire.bank_lines import bank_answer_lines, bank_columns
from dupdex.wire.counted import counted
from dupdex.wire.forms import to_json


@click.group()
def banks() -> None:
    """Keep banks: named sets of known texts that are denied or allowed.

    A bank is of the whole store, and is for all its indices or for some. Its entries are found as
    documents are, small edits and excerpts included. 'dupdex check --banks' names those that match.

    Exit status: each command tells its own.
    """


@banks.command("list")
@place_options
def list_banks(store: str | None, as_json: bool) -> None:
    """List the banks.

    Exit status: 0 there are banks, 1 there are none, 2 and more an error.
    """
    with banks_at(store) as opened:
        lines = BankLines.of(opened)
    if as_json:
        print_json(to_json(lines))
    else:
        for bank in lines.banks:
            say(*bank_columns(bank))
        if not lines.banks:
            note("there are no banks; 'dupdex banks create' makes one")
    sys.exit(FOUND if lines.banks else NONE_FOUND)


@banks.command()
@click.argument("name", metavar="BANK", type=Words())
@click.option(
    "--kind",
    required=True,
    type=click.Choice([kind.value for kind in BankKind]),
    help="What its entries say of a text.",
)
@click.option(
    "--for",
    "indices",
    multiple=True,
    metavar="PATTERN",
    type=Words(),
    help="Names of indices that it is for, with * and ?. May be repeated. [default: all]",
)
@click.option("--about", default="", metavar="TEXT", type=Words(), help="What it is about.")
@click.option("--by", default="", metavar="NAME", type=Words(), help="Who makes it.")
@place_options
def create(
    name: str,
    kind: str,
    indices: tuple[str, ...],
    about: str,
    by: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Make a bank, or change what an existing one is for.

    Exit status: 0 done, 2 and more an error.
    """
    with banks_at(store) as opened:
        bank = opened.create(name, BankKind(kind), indices or ("*",), about, by)
        line = BankLine.of(bank, opened.count().get(name, 0))
    if as_json:
        print_json(to_json(BankLines((line,))))
    else:
        say(*bank_columns(line))


@banks.command()
@click.argument("name", metavar="BANK", type=Words())
@click.option("--yes", is_flag=True, help="Do not ask. Only a terminal is asked at all.")
@place_options
def drop(name: str, yes: bool, store: str | None, as_json: bool) -> None:
    """Remove a bank with all its entries.

    Exit status: 0 done, 1 not agreed to, 2 and more an error.
    """
    with banks_at(store) as opened:
        opened.get(name)
        count = opened.count().get(name, 0)
        if (
            sys.stdin.isatty()
            and not yes
            and not confirmed(f"Drop {name} with {counted(count, 'entry')}?")
        ):
            note("nothing was removed")
            sys.exit(NONE_FOUND)
        removed = opened.drop(name)
    if as_json:
        print_json({"dropped": name, "entries": removed})
    else:
        say(f"{name} is gone, with {counted(removed, 'entry')}")


@banks.command()
@click.argument("text", metavar="TEXT", type=Words())
@click.option(
    "--bank",
    "names",
    multiple=True,
    metavar="BANK",
    type=Words(),
    help="Only this bank. May be repeated.",
)
@click.option(
    "--index", metavar="NAME", type=Words(), help="Only banks for this index. [default: all]"
)
@click.option("--size", type=AT_LEAST_ONE, default=10, show_default=True, help="Entries shown.")
@click.option(
    "--flood",
    metavar="TIMES/WINDOW",
    type=Words(),
    help="Count the text as one that has just arrived, and say whether so many like it have within "
    "a window: 20/10m, 5/1h.",
)
@place_options
def check(
    text: str,
    names: tuple[str, ...],
    index: str | None,
    size: int,
    flood: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Say which entries of banks a TEXT matches.

    An allow entry goes before a deny entry: where the text as a whole is a copy of it, as good a
    one as of the deny entry, and it has what the text and the deny entry have in common.

    Exit status: 0 denied, or a flood, 1 neither, 2 and more an error.
    """
    rule = None if flood is None else FloodRule.read(flood)
    with banks_at(store) as opened:
        (answer,) = check_banks(opened, [text], BankQuestion(index, names, size))
        if rule is not None:
            answer = replace(answer, flood=FloodGuard(opened.home, rule).arrived(text))
    if as_json:
        print_json(to_json(answer))
    else:
        say_all(bank_answer_lines(answer, text))
    is_flood = answer.flood is not None and answer.flood.is_flood
    sys.exit(FOUND if answer.ruling is Ruling.DENIED or is_flood else NONE_FOUND)


for command in (add, remove, show, export, retro, hits):
    banks.add_command(command)
