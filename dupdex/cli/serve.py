"""serve: the gateway before a cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import click

from dupdex.cli.parameters import AT_LEAST_NONE, AT_LEAST_ONE, Number, location
from dupdex.cli.screen import note
from mappings.errors import InputRefused

_MISSING: Final = "the gateway needs more packages; run: pip install 'dupdex[gateway]'"
_SIZE: Final = re.compile(r"(\d{1,12})(kb|mb|gb|)", re.IGNORECASE | re.ASCII)
_UNITS: Final = {"": 1, "kb": 1024, "mb": 1024**2, "gb": 1024**3}

KEYS_FILE: Final = "DUPDEX_KEYS_FILE"

Command = TypeVar("Command", bound=Callable[..., Any])
_SECONDS = Number(0.001, 1_000_000)


class Size(click.ParamType[int]):
    """A number of bytes: 500, 64kb, 100mb, 2gb."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = _SIZE.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is no size; write it like 100mb", param, ctx)
        return int(found[1]) * _UNITS[found[2].lower()]


_OPTIONS: Final = (
    click.option(
        "--keys",
        metavar="FILE",
        envvar=KEYS_FILE,
        help=f"Take requests with a key of this file only; see 'dupdex keys'. [env: {KEYS_FILE}]",
    ),
    click.option("--tls-cert", metavar="FILE", help="Answer https with this certificate (PEM)."),
    click.option("--tls-key", metavar="FILE", help="The key of the certificate (PEM)."),
    click.option(
        "--max-body", type=Size(), default="100mb", show_default=True, help="Largest body."
    ),
    click.option(
        "--max-stream",
        type=Size(),
        default="4gb",
        show_default=True,
        help="Largest body of _bulk and of documents, which stream.",
    ),
    click.option(
        "--max-buffered",
        type=Size(),
        default="512mb",
        show_default=True,
        help="Large bodies together, of each process; further ones wait.",
    ),
    click.option(
        "--max-requests",
        type=AT_LEAST_ONE,
        default=256,
        show_default=True,
        help="Requests at once, of each process.",
    ),
    click.option(
        "--max-waiting",
        type=AT_LEAST_NONE,
        default=512,
        show_default=True,
        help="Requests that wait for their turn; more get status 429.",
    ),
    click.option(
        "--max-seconds",
        type=_SECONDS,
        default=300.0,
        show_default=True,
        help="Until an answer begins; then status 504.",
    ),
    click.option(
        "--drain-seconds",
        type=Number(0, 3_600),
        default=0.0,
        show_default=True,
        help="After SIGTERM, how long to go on taking requests while /readyz says no.",
    ),
    click.option(
        "--log",
        type=click.Choice(["auto", "json", "text"]),
        default="auto",
        show_default=True,
        help="Form of the log on standard error; auto: text on a terminal.",
    ),
    click.option(
        "--log-requests/--no-log-requests",
        default=True,
        show_default=True,
        help="One line of log a request.",
    ),
)


def _more_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.option(
    "--store",
    metavar="URL|DIR",
    help="Elasticsearch URL, or folder of an embedded store (then only /_dupdex answers). "
    "[env: DUPDEX_STORE; default: the folder dupdex-store]",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=9280,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="0: any that is free.",
)
@click.option("--workers", default=1, show_default=True, type=AT_LEAST_ONE, help="Processes.")
@click.option(
    "--insecure", is_flag=True, help="Let other machines reach it without authentication."
)
@_more_options
def serve(store: str | None, **options: Any) -> None:
    """Answer Elasticsearch clients, with near duplicates.

    Point an Elasticsearch client at it instead of at the cluster: what is written gets its
    fingerprint, and searches may hold a near_duplicate clause. Everything else is passed on. REST
    is under /_dupdex/v1.

    It listens on this machine alone, unless --keys or --insecure is given. The login of the
    gateway at the cluster comes from DUPDEX_USERNAME and DUPDEX_PASSWORD, or DUPDEX_API_KEY, or the
    files that DUPDEX_PASSWORD_FILE and DUPDEX_API_KEY_FILE name.

    Exit status: 0 when it was told to stop, 2 and more an error.
    """
    try:
        from dupdex.gateway.guard.key_file import read_keys
        from dupdex.gateway.guard.limits import Limits
        from dupdex.gateway.serving import free_port
        from dupdex.gateway.serving import serve as run
        from dupdex.gateway.settings import ServeSettings
    except ModuleNotFoundError as error:
        raise InputRefused(_MISSING) from error
    limits = Limits(
        body=options.pop("max_body"),
        stream=options.pop("max_stream"),
        buffered=options.pop("max_buffered"),
        requests=options.pop("max_requests"),
        waiting=options.pop("max_waiting"),
        seconds=options.pop("max_seconds"),
    )
    settings = ServeSettings(store, limits=limits, **options)
    if settings.keys:
        read_keys(settings.keys_path)
    where = location(store, None)
    settings = replace(settings, port=free_port(settings.host, settings.port))
    scheme = "https" if settings.tls_cert else "http"
    note(f"serving {where.place} at {scheme}://{settings.host}:{settings.port}; stop with Ctrl-C")
    if not settings.is_loopback and settings.keys and not settings.tls_cert:
        note("keys are sent in the clear; use --tls-cert, or put TLS before it")
    run(settings)


def keys_file(named: str | None) -> str:
    """The key file of an option or the environment. Raises InputRefused where neither names it."""
    path = named or os.environ.get(KEYS_FILE)
    if not path:
        raise InputRefused(f"name the file of API keys with --keys, or {KEYS_FILE}")
    return path
