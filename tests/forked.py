"""Runs to be killed, forked from a process that has all their modules loaded.

Loading them is most of a short run: of twenty kills nearly all would hit it, and cost seconds each.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from tests.command import environment

_LOOP: Final = """
import os, sys, traceback
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            run(*line.split("\\t")[:-1])
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


class Forked:
    """A program that defines `run(*arguments)` and imports what that needs; one run at a time."""

    def __init__(self, program: str, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", program + _LOOP],
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._pid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pid:
            self.kill()
        self._process.communicate()

    def start(self, *arguments: str) -> None:
        """Begin a run."""
        assert self._process.stdin is not None
        self._process.stdin.write(("\t".join((*arguments, "")) + "\n").encode())
        self._pid = int(self._line())

    def ends(self, seconds: float) -> bool:
        """Whether the run ends by itself within so many seconds, which it does without an error."""
        assert self._process.stdout is not None
        if self._pid and select.select([self._process.stdout], [], [], seconds)[0]:
            self._ended(0)
        return not self._pid

    def kill(self) -> bool:
        """kill -9 of the run; whether that was what ended it."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        return self._ended(0, -signal.SIGKILL) != 0

    def _ended(self, *codes: int) -> int:
        """How the run has ended, which is one of these."""
        self._pid = 0
        code = int(self._line())
        assert code in codes, f"the run ended with {code}, its error stands above"
        return code

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process that runs are forked from has ended"
        return bytes(line)
