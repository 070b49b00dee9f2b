"""What the commands around banks share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from dupdex.banks.bank_store import Banks
from dupdex.cli.parameters import Command, location
from dupdex.session import Session


def place_options(command: Command) -> Command:
    """--store and --json; banks belong to a store, whatever the index."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option(
            "--store",
            metavar="URL|DIR",
            help="Elasticsearch URL, or folder of an embedded store. "
            "[env: DUPDEX_STORE; default: the folder dupdex-store]",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def banks_at(store: str | None) -> Iterator[Banks]:
    """The banks of a store, open."""
    with Session(location(store, None)) as session:
        yield Banks(session)
