"""What people see on standard error: messages, and a bar on a terminal while work goes on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

import click

CELLS: Final = 30
SECONDS: Final = 0.1
"""The shortest time between two drawings."""

_CLEAR: Final = "\r\x1b[K"


def note(message: str) -> None:
    """A message for people: one line on standard error."""
    clear_bar()
    click.echo(f"dupdex: {' '.join(message.split())}", err=True)


def say(line: str) -> None:
    """A line of the result, on standard output."""
    if sys.stdout.isatty():
        clear_bar()
    click.echo(line)


def clear_bar() -> None:
    """Make way for a line; the bar comes back with its next step."""
    if _Bar.shown:
        _Bar.shown = False
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()


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
            sys.stderr.write(f"{_CLEAR}{self._line(now - self._begun)}")
            sys.stderr.flush()
            _Bar.shown = True

    def _line(self, seconds: float) -> str:
        if not self._total:
            return f"{self._label}  {self._done:,}"
        share = min(1.0, self._done / self._total)
        full = round(share * CELLS)
        left = _clock(seconds / share - seconds) if share and seconds >= 1 else ""
        return f"{self._label}  {'#' * full}{'-' * (CELLS - full)}  {share:4.0%}  {left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
