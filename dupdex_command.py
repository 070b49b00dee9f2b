"""What the installed command runs: `dupdex.cli.main`, with Ctrl-C heard from the first moment.

Outside of the package, as importing any part of that loads all of it, for most of a second.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Final, NoReturn

INTERRUPTED: Final = 130


def main() -> NoReturn:
    """Run the command line."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored
    if ours:
        signal.signal(signal.SIGINT, _leave)
    from dupdex.cli import main as command_line

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command_line()


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """Nothing has been begun; an exception here would come out of whatever is being imported."""
    try:
        os.write(2, b"dupdex: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
