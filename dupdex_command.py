"""What the installed command runs: `dupdex.cli.main`, with Ctrl-C heard from the first moment.

Outside of the package, as importing any part of that loads all of it, for most of a second.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Final, NoReturn

INTERRUPTED: Final = 130
_USAGE: Final = 2
_PACKAGES: Final = ("mappings", "indexer", "query")
"""Where a module of the user's may stand in the way; `import dupdex` says so."""


def main() -> NoReturn:
    """Run the command line."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored
    if ours:
        signal.signal(signal.SIGINT, _leave)
    try:
        from dupdex.cli import main as command_line
    except ImportError as error:
        if error.name not in _PACKAGES:
            raise
        os.write(2, f"dupdex: {ascii(error.msg)[1:-1]}\n".encode())
        sys.exit(_USAGE)

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command_line()


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """Nothing has been begun; an exception here would come out of whatever is being imported."""
    try:
        os.write(2, b"dupdex: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
