"""All that leaves the command line: results on standard output, messages on standard error, and a
bar on a terminal while work goes on.

Every value passes `visible` here, so no id, name or text moves the cursor or forges a line.
Nothing else in `dupdex` prints.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EBADF
from typing import ClassVar, Final, TextIO

import click
import orjson

from dupdex.wire.escapes import escaped_json, shortened, visible
from mappings.errors import InputRefused

CELLS: Final = 30
SECONDS: Final = 0.1
"""The shortest time between two drawings."""

MOST_CHARACTERS: Final = 1_000
"""Of a longer message or column the beginning and the end are shown; JSON is never cut."""

_CLEAR: Final = "\r\x1b[K"
_STYLE: Final = re.compile("(\x1b\\[[0-9;]*m)")


class OutputLost(Exception):
    """Standard output cannot be written. The message is empty when its reader has left."""


class _ClosedInput(io.RawIOBase):
    """Reading it fails: input that is closed is not input that is empty."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> int:
        raise OSError(EBADF, "standard input is closed")


def open_missing_streams() -> None:
    """Put streams that do nothing in the place of closed ones, which Python leaves out."""
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(_ClosedInput()))
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123


def note(message: str) -> None:
    """Print a message as one line on standard error. Never raises: that nobody can read it
    changes nothing about what happened, and so nothing about the exit status."""
    clear_bar()
    _tell(f"dupdex: {_plain(message)}\n")


def say(*columns: str, err: bool = False, styled: bool = False) -> None:
    """A line of the result, its columns set apart by tabs. Raises OutputLost.

    `err`: on standard error. `styled`: escape sequences of `click.style` stay; what comes from
    outside has to be `visible` before it is styled.
    """
    line = "\t".join(map(_styled if styled else _plain, columns))
    if err:
        clear_bar()
        _tell(f"{line}\n")
    else:
        _print(line)


def say_all(lines: Iterable[str]) -> None:
    """Lines of the result. Raises OutputLost."""
    for line in lines:
        say(line)


def print_json(value: object, *, pretty: bool = False) -> None:
    """One JSON value, on one line unless `pretty`, in UTF-8 whatever the terminal's encoding.

    Characters that act on a terminal are escaped. Raises OutputLost.
    """
    option = orjson.OPT_NON_STR_KEYS | (orjson.OPT_INDENT_2 if pretty else 0)
    _print(escaped_json(orjson.dumps(value, option=option)))


def print_bytes(value: bytes) -> None:
    """Bytes as they are, for a file or a pipe. Raises OutputLost, and InputRefused at a terminal,
    where they could do anything."""
    if sys.stdout.isatty():
        raise InputRefused("a terminal is shown no bytes of a page; write them to a file: > FILE")
    _print(value, newline=False)


def confirmed(question: str) -> bool:
    """Ask for confirmation on the terminal; the default is no. Raises click.Abort at Ctrl-C."""
    return click.confirm(visible(question), err=True)


def clear_bar() -> None:
    """Erase the bar to print a line; its next step draws it again."""
    if _Bar.shown:
        _Bar.shown = False
        _tell(_CLEAR)


def _plain(text: str) -> str:
    return visible(shortened(text, MOST_CHARACTERS))


def _styled(text: str) -> str:
    parts = _STYLE.split(text)
    return "".join(part if at % 2 else visible(part) for at, part in enumerate(parts))


def _print(line: str | bytes, newline: bool = True) -> None:
    if sys.stdout.isatty():
        clear_bar()
    try:
        click.echo(line, nl=newline, color=True)
    except BrokenPipeError as error:
        _discard(sys.stdout)
        raise OutputLost from error
    except OSError as error:
        _discard(sys.stdout)
        raise OutputLost(f"standard output: {error.strerror or error}") from error


def _tell(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    """Let what the stream still holds go nowhere: Python flushes it at its end, and would make an
    exit status of its own of a failure."""
    with suppress(OSError, ValueError):  # a stream without a descriptor has nothing to let go
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


@contextmanager
def progress(total: int | None, label: str) -> Iterator[Callable[..., None]]:
    """A bar on standard error when that is a terminal, else nothing; without a `total` it counts.

    Call it with the steps done since the last call and, where it is known only then, the total.
    """
    if not _is_terminal():
        yield lambda *_: None
        return
    bar = _Bar(total, label)
    try:
        yield bar
    finally:
        clear_bar()


class _Bar:
    shown: ClassVar[bool] = False  # there is one standard error, so one for all

    def __init__(self, total: int | None, label: str) -> None:
        self._total, self._label = total, label
        self._done = 0
        self._begun = time.monotonic()
        self._drawn = 0.0
        self(0)

    def __call__(self, steps: int, total: int | None = None) -> None:
        self._total = self._total if total is None else total
        self._done += steps
        now = time.monotonic()
        if now - self._drawn >= SECONDS:
            self._drawn = now
            _tell(f"{_CLEAR}{self._line(now - self._begun)}")
            _Bar.shown = True

    def _line(self, seconds: float) -> str:
        if not self._total:
            return f"{self._label}  {self._done:,}"
        share = min(1.0, self._done / self._total)
        full = round(share * CELLS)
        left = _clock(seconds / share - seconds) if share and seconds >= 1 else ""
        return f"{self._label}  {'#' * full}{'-' * (CELLS - full)}  {share:4.0%}  {left}"


def _clock(seconds: float) -> str:
    minutes, second = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{second:02}" if hours else f"{minutes:02}:{second:02}"


def _is_terminal() -> bool:
    return sys.stderr.isatty()
