"""keys: the API keys of a gateway."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click

from dupdex.cli.parameters import Number, Words, filter_clause
from dupdex.cli.screen import note, print_json, say
from dupdex.cli.serve import KEYS_FILE, keys_file
from dupdex.gateway.callers import Caller, Right
from dupdex.gateway.guard.api_keys import ApiKey, new_key
from dupdex.gateway.guard.key_file import change_keys, read_keys
from dupdex.retention import time_of
from mappings.errors import InputRefused, NotFound

_RIGHTS: Final = tuple(right.value for right in Right)
_DAYS: Final = re.compile(r"(\d{1,5})([hdw])", re.ASCII)
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}

_file_option = click.option(
    "--keys",
    "file",
    metavar="FILE",
    help=f"The file of the keys; made when it is not there. [env: {KEYS_FILE}]",
)
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def keys() -> None:
    """API keys of 'dupdex serve --keys FILE'.

    Gateways read the file again when it changes: a new key works, and a revoked one stops, within
    a second.

    Exit status: 0 done, 2 a file or an option that cannot be used, 3 no such file or key.
    """


@keys.command()
@click.argument("name", type=Words())
@click.option(
    "--right",
    "rights",
    type=click.Choice(_RIGHTS),
    multiple=True,
    default=("read",),
    show_default=True,
    help="What it may do; may be repeated.",
)
@click.option(
    "--index",
    "indices",
    metavar="PATTERN",
    multiple=True,
    default=("*",),
    show_default=True,
    type=Words(),
    help="Indices it may use, like news-*; may be repeated.",
)
@click.option(
    "--filter",
    "filters",
    metavar="PATTERN FIELD=VALUE|JSON",
    type=(Words(), Words()),
    multiple=True,
    help="In indices of this name, only documents with this value, or that match an Elasticsearch "
    "query clause; may be repeated.",
)
@click.option(
    "--rate",
    type=Number(0.001, 1_000_000),
    help="Requests a second of each process. [default: any number]",
)
@click.option("--expires", metavar="DATE|AGE", help="Like 2027-01-31, or 90d for in 90 days.")
@_file_option
@_json_option
def create(
    name: str,
    rights: tuple[str, ...],
    indices: tuple[str, ...],
    filters: tuple[tuple[str, str], ...],
    rate: float | None,
    expires: str | None,
    file: str | None,
    as_json: bool,
) -> None:
    """Make a key and print it, once.

    It is printed in the form that Elasticsearch clients take for api_key. The file holds no more
    than a salted hash of it.
    """
    by_pattern: dict[str, list[Any]] = {}
    for pattern, clause in filters:
        by_pattern.setdefault(pattern, []).append(filter_clause(clause, "--filter"))
    granted = frozenset(Right(right) for right in rights)
    caller = Caller(name, granted, indices, by_pattern, rate)
    made = new_key(caller, datetime.now(UTC), _expiry(expires))
    path = Path(keys_file(file))
    if not path.parent.is_dir():
        raise InputRefused(
            f"{path} cannot be written: there is no folder {path.parent}; make it, or name another "
            "file with --keys"
        )
    change_keys(path, lambda known: known.update({made.key.id: made.key}))
    if as_json:
        print_json({"id": made.key.id, "api_key": made.secret, "encoded": made.encoded})
        return
    say(made.encoded)
    note(f"key {made.key.id} ({name}): send it as 'Authorization: ApiKey …'; it is not shown again")


@keys.command("list")
@_file_option
@_json_option
def list_keys(file: str | None, as_json: bool) -> None:
    """List the keys, without what opens them."""
    for key in read_keys(Path(keys_file(file))).values():
        value = key.to_json()
        shown = {name: each for name, each in value.items() if name not in ("salt", "sha256")}
        if as_json:
            print_json(shown)
        else:
            rights, indices = ",".join(value["rights"]), ",".join(value["indices"])
            say(key.id, key.caller.name, rights, indices, value["expires"] or "never")


@keys.command()
@click.argument("key_id", metavar="ID", type=Words())
@_file_option
def revoke(key_id: str, file: str | None) -> None:
    """Remove a key. Gateways refuse it within a second."""
    revoked: list[ApiKey] = []

    def remove(known: dict[str, ApiKey]) -> None:
        if key_id not in known:
            raise NotFound(f"no key {key_id!r}; 'dupdex keys list' shows what there is")
        revoked.append(known.pop(key_id))

    change_keys(Path(keys_file(file)), remove)
    note(f"key {key_id} ({revoked[0].caller.name}) is revoked")


def _expiry(text: str | None) -> datetime | None:
    """The time of a date, or so long from now. Raises InputRefused."""
    if text is None:
        return None
    if age := _DAYS.fullmatch(text):
        return datetime.now(UTC) + timedelta(**{_UNITS[age[2]]: int(age[1])})
    time = time_of(text)
    if time is None or time <= datetime.now(UTC):
        raise InputRefused(
            f"--expires {text!r} is no time to come; write 2027-01-31, or 90d for in 90 days"
        )
    return time
