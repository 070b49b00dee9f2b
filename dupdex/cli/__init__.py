"""The command line: thin commands over `dupdex.Index`. No traceback reaches a user."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click
from click.shell_completion import get_completion_class

import dupdex
from dupdex.cli.lazy_commands import LazyCommands
from dupdex.cli.parameters import FAILED, INTERRUPTED, Interrupted, status_of
from dupdex.cli.screen import OutputLost, note, open_missing_streams, say, say_all
from mappings.errors import DupdexError


class _Program(click.Group):
    """Keeps from click what it would turn into a status of its own: a broken pipe into 1, which
    means "no duplicate" here, and Ctrl-C into an empty line.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _before_click():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _before_click():
            return super().invoke(ctx)


@contextmanager
def _before_click() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None
    except BrokenPipeError as error:
        raise OutputLost from error


@click.group(
    cls=_Program, commands=LazyCommands(), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(dupdex.__version__, prog_name="dupdex")
def cli() -> None:
    """Find near duplicates of texts, in Elasticsearch or in a folder.

    Exit status of every command: 0 done (or found), 1 nothing found or something not stored, 2 bad
    input or usage or output that cannot be written, 3 no such file, index or document, 4 another
    plan or an index that is not ours, 5 access refused, 6 server not reachable, 7 store full, 8 a
    worker process lost, 70 a fault of dupdex, 130 interrupted.
    """


@cli.command()
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a shell's completion script.

    For the shell at hand: eval "$(dupdex completion bash)"
    """
    kind = get_completion_class(shell)
    assert kind is not None  # the choice holds only shells that click knows
    say_all(kind(cli, {}, "dupdex", "_DUPDEX_COMPLETE").source().splitlines())


def main() -> NoReturn:
    """Run the command line; every error is one line on standard error and an exit status."""
    open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a character still gets all
            stream.reconfigure(errors="backslashreplace")
    try:
        result = cli(prog_name="dupdex", standalone_mode=False)
    except Interrupted as error:
        _leave_interrupted(str(error))
    except (click.exceptions.Abort, KeyboardInterrupt):
        _leave_interrupted("interrupted")
    except click.ClickException as error:
        _leave_by_click(error)
    except DupdexError as error:
        _leave(error.for_command_line, status_of(error))
    except OutputLost as error:
        if str(error):
            note(str(error))
        sys.exit(FAILED)
    except OSError as error:
        _leave(f"{error.filename or 'input or output'}: {error.strerror or error}", FAILED)
    except Exception as error:
        if os.environ.get("DUPDEX_DEBUG"):
            raise
        _leave(
            f"internal error: {type(error).__name__}: {_one_line(str(error))}; please report it "
            "with the traceback that DUPDEX_DEBUG=1 shows",
            70,
        )
    sys.exit(result if isinstance(result, int) else 0)


def _leave(message: str, status: int) -> NoReturn:
    note(message)
    sys.exit(status)


def _leave_interrupted(message: str) -> NoReturn:
    if sys.stderr.isatty():
        say("", err=True)  # the terminal has written ^C
    _leave(message, INTERRUPTED)


def _leave_by_click(error: click.ClickException) -> NoReturn:
    context: click.Context | None = getattr(error, "ctx", None)
    message = error.format_message()
    if context is not None and message == context.get_help():  # given nothing at all
        for line in message.splitlines():
            say(line, err=True)
        sys.exit(FAILED)
    command = context.command_path if context else "dupdex"
    _leave(f"{_one_line(message).rstrip('.')}; see '{command} --help'", FAILED)


def _one_line(message: str) -> str:
    return " ".join(message.split())
