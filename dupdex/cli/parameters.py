"""What all commands share: store options, exit codes, plans, filters, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import orjson

from dupdex.cli.screen import clear_bar
from dupdex.location import Location
from indexer.model import is_text
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    NotFound,
    PlanMismatch,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
    WorkerLost,
)
from mappings.plan import PLANS, Plan
from query.answers import Filter

FOUND: Final = 0
NONE_FOUND: Final = 1
FAILED: Final = 2
INTERRUPTED: Final = 130

EXIT_CODES: Final[dict[type[DupdexError], int]] = {
    InputRefused: 2,
    NotFound: 3,
    PlanMismatch: 4,
    StoreRefused: 4,
    AccessRefused: 5,
    StoreUnavailable: 6,
    StoreFull: 7,
    WorkerLost: 8,
}
"""Exit status by error; README.md lists them for people."""

Command = TypeVar("Command", bound=Callable[..., Any])


class Interrupted(Exception):
    """Ctrl-C, where there is something to say about it."""


class Words(click.types.StringParamType):
    """Text from the command line; bytes that are no text are refused."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_text(str(value)):
            self.fail("not valid UTF-8, check the encoding of your terminal", param, ctx)
        return str(value)


def store_options(command: Command) -> Command:
    """--store, --index and --json."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option(
            "--index",
            metavar="NAME",
            type=Words(),
            help="Name of the index. [env: DUPDEX_INDEX; default: dupdex]",
        ),
        click.option(
            "--store",
            metavar="URL|DIR",
            help="Elasticsearch URL, or folder of an embedded store. "
            "[env: DUPDEX_STORE; default: the folder dupdex-store]",
        ),
    ):
        command = option(command)
    return command


def filter_option(command: Command) -> Command:
    """--filter, several times."""
    return click.option(
        "filters",
        "--filter",
        multiple=True,
        type=Words(),
        callback=_filters,
        metavar="FIELD=VALUE|JSON",
        help="Only documents that have this value in a field, or that match an Elasticsearch query "
        "clause. May be repeated.",
    )(command)


def plan_option(help_text: str) -> Callable[[Command], Command]:
    """--plan NAME|FILE, as a Plan or None."""
    return click.option("--plan", "plan", callback=_plan, help=help_text, metavar="NAME|FILE")


def location(store: str | None, index: str | None) -> Location:
    """Where the index is, by option, environment, file and default."""
    return Location.from_environment(store=store, index=index)


def read_plan(value: str) -> Plan:
    """A plan by name, or from a JSON file. Raises InputRefused or NotFound."""
    if value in PLANS:
        return PLANS[value]
    meta = read_json(value, f"a plan is a file, or one of: {', '.join(PLANS)}")
    try:
        return Plan.from_meta(meta)
    except InputRefused as error:
        raise InputRefused(f"{value}: {error}") from error


def read_json(path: str, hint: str) -> Any:
    """A JSON file. Raises NotFound or InputRefused, naming the file and the hint."""
    try:
        return orjson.loads(Path(path).read_bytes())
    except FileNotFoundError as error:
        raise NotFound(f"no file {path!r}; {hint}") from error
    except OSError as error:
        raise InputRefused(f"{path}: {error.strerror}; {hint}") from error
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"{path}: not valid JSON: {error}") from error


def print_json(value: object) -> None:
    """One JSON value on one line of standard output, in UTF-8 whatever the terminal's encoding."""
    if sys.stdout.isatty():
        clear_bar()
    click.echo(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))


def _plan(_context: click.Context, _option: click.Parameter, value: str | None) -> Plan | None:
    return None if value is None else read_plan(value)


def _filters(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> tuple[Filter, ...]:
    return tuple(map(_filter, values))


def _filter(text: str) -> Filter:
    if text.lstrip().startswith("{"):
        try:
            clause = json.loads(text)
        except ValueError as error:
            raise InputRefused(f"--filter {text!r} is not valid JSON: {error}") from error
        return dict(clause)
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputRefused(f"--filter {text!r}: write FIELD=VALUE, or a JSON query clause")
    return {"term": {name: _scalar(value)}}


def _scalar(text: str) -> str | int | float | bool:
    """Numbers and booleans as JSON has them; quote a number to mean the string."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str | int | float | bool) else text
