"""What all commands share: store options, exit codes, plans, filters, JSON."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from stat import S_IROTH
from typing import Any, Final, NoReturn, TypeVar

import click
import orjson

from dupdex.cli.screen import note
from dupdex.cli.screen import print_json as print_json
from dupdex.location import SECRETS, Location, configuration_file
from dupdex.wire.escapes import shortened
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


def status_of(error: DupdexError) -> int:
    """The exit status of an error, by its nearest kind that has one."""
    return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)


_DEEPEST: Final = 50
"""Levels of a JSON filter: a server takes fewer, and encoders have limits of their own."""

Command = TypeVar("Command", bound=Callable[..., Any])


class Interrupted(Exception):
    """Ctrl-C, where there is something to say about it."""


MOST: Final = 10**9
"""The largest number an option takes; what stores compute from it still fits into 64 bits."""

AT_LEAST_NONE: Final = click.IntRange(0, MOST)
_SIZE: Final = re.compile(r"([0-9]{1,6})([kmg])(?:i?b)?", re.ASCII | re.IGNORECASE)
_SHIFTS: Final = {"k": 10, "m": 20, "g": 30}

AT_LEAST_ONE: Final = click.IntRange(1, MOST)


class Number(click.FloatRange):
    """A number of a range; not nan, which no number is below or above."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


class Share(Number):
    """A number from 0 to 1."""


class Words(click.types.StringParamType):
    """Text from the command line; bytes that are no text are refused."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_text(str(value)):
            self.fail("not valid UTF-8, check the encoding of your terminal", param, ctx)
        return str(value)


def size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A number of bytes, given as 500m or 2g: a click callback."""
    if value is None:
        return None
    found = _SIZE.fullmatch(value.strip())
    if found is None or not int(found[1]):
        raise click.BadParameter(f"{value!r} is no size; write one like 500m or 2g", ctx, param)
    return int(found[1]) << _SHIFTS[found[2].lower()]


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


def filter_option(name: str) -> Callable[[Command], Command]:
    """--filter, or by another name, several times."""
    return click.option(
        "filters",
        name,
        multiple=True,
        type=Words(),
        callback=_filters,
        metavar="FIELD=VALUE|JSON",
        help="Only documents that have this value in a field, or that match an Elasticsearch query "
        "clause. May be repeated.",
    )


def plan_option(help_text: str) -> Callable[[Command], Command]:
    """--plan NAME|FILE, as a Plan or None."""
    return click.option("--plan", "plan", callback=_plan, help=help_text, metavar="NAME|FILE")


def location(store: str | None, index: str | None) -> Location:
    """Where the index is, by option, environment, file and default."""
    where = Location.from_environment(store=store, index=index)
    _warn_of_readers(configuration_file())
    return where


def _warn_of_readers(path: Path) -> None:
    """Say so when a file with secrets may be read by every user of the machine."""
    try:
        if not path.stat().st_mode & S_IROTH:
            return
        secrets = set(tomllib.loads(path.read_text("utf-8"))) & SECRETS
    except (OSError, ValueError):  # it was read a moment ago, so it has just been changed
        return
    if secrets:
        note(f"every user may read {path}, which holds a {secrets.pop()}; run 'chmod 600' on it")


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
        content = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"no file {path!r}; {hint}") from error
    except OSError as error:
        raise InputRefused(f"{path}: {error.strerror}; {hint}") from error
    try:
        content.decode("utf-8")  # of such bytes the parser tells no place
        return orjson.loads(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputRefused(f"{path}: not valid UTF-8 at line {line:,}") from error
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"{path}: not valid JSON: {error}") from error


def _plan(_context: click.Context, _option: click.Parameter, value: str | None) -> Plan | None:
    return None if value is None else read_plan(value)


def _filters(
    _context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[Filter, ...]:
    return tuple(filter_clause(value, option.opts[0]) for value in values)


def filter_clause(text: str, option: str) -> Filter:
    """A query clause of what an option was given. Raises InputRefused, naming the option."""
    shown = f"{option} {shortened(text, 80)!r}"
    if text.lstrip().startswith("{"):
        try:
            clause = dict(_json(text))
        except RecursionError as error:
            raise InputRefused(f"{shown} is nested too deeply") from error
        except ValueError as error:
            raise InputRefused(f"{shown} is not valid JSON: {error}") from error
        if _depth(clause) > _DEEPEST:
            raise InputRefused(
                f"{shown} is nested more than {_DEEPEST} levels deep; write it flatter"
            )
        return clause
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputRefused(f"{shown}: write FIELD=VALUE, or a JSON query clause")
    return {"term": {name: _scalar(value)}}


def _scalar(text: str) -> str | int | float | bool:
    """Numbers and booleans as JSON has them; quote a number to mean the string.

    What is too deep, or no number that JSON can hold, is the text it is.
    """
    try:
        value = _json(text)
        orjson.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return text
    return value if isinstance(value, str | int | float | bool) else text


def _json(text: str) -> Any:
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


def _depth(clause: object) -> int:
    """How many levels deep a value is nested, without recursion."""
    level, depth = [clause], 0
    while level:
        depth += 1
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
    return depth
