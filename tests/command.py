"""The command line as its users start it: the installed console script, in a process of its own.

A plain `run` begins with everything loaded (`loaded.py`); all else starts as a user starts it.
Every run gets a folder to work in and a home of its own, and nothing of this process's DUPDEX_*.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.loaded import Loaded

SCRIPT: Final = str(Path(sys.executable).with_name("dupdex"))
SECONDS: Final = 500.0
"""How long a process may take on the slowest machine; nothing is concluded from it."""
_OF_PYTHON: Final = ("PYTHON", "LANG", "LC_", "MALLOC_")
"""Variables that are read when a process starts."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run left: its exit status and what it printed."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON value that was printed."""
        (value,) = self.json_lines()
        return value

    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    def error(self) -> str:
        """The one line of an error, without the program's name."""
        (line,) = self.err.splitlines()
        assert line.startswith("dupdex: ")
        assert "Traceback" not in self.err
        assert self.status not in (0, 70)
        return line.removeprefix("dupdex: ")


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a run in `folder`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DUPDEX_", "_DUPDEX", "XDG_"))
    }
    return {**kept, "HOME": str(folder / "home"), **more}


def start(
    *arguments: str, folder: Path, program: Iterable[str] = (SCRIPT,), **more: str
) -> subprocess.Popen[str]:
    """A run that goes on beside the test; a group of its own, as in a terminal."""
    return subprocess.Popen(
        [*program, *arguments],
        cwd=folder,
        env=environment(folder, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
        preexec_fn=_hears_ctrl_c,
    )


def _hears_ctrl_c() -> None:
    """Tests that a shell started in the background ignore it, and what they start would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(
    *arguments: str,
    folder: Path,
    stdin: str | bytes = b"",
    program: Iterable[str] = (SCRIPT,),
    **more: str,
) -> Result:
    """One run to its end; `more` is for its environment."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    if program == (SCRIPT,) and not any(name.startswith(_OF_PYTHON) for name in more):
        status, out, err = _loaded().run(
            arguments, folder, environment(folder, **more), given, SECONDS
        )
        return Result(status, out.decode("utf-8", "replace"), err.decode())
    done = subprocess.run(
        [*program, *arguments],
        cwd=folder,
        env=environment(folder, **more),
        input=given,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode())


@cache
def _loaded() -> Loaded:
    loaded = Loaded(SCRIPT)
    atexit.register(loaded.close)
    return loaded


def run_on_a_full_disk(*arguments: str, folder: Path, largest_file: int) -> Result:
    """One run for which the system lets no file grow beyond so many bytes."""
    limit = f'ulimit -f {largest_file // 1024}; exec "$0" "$@"'
    return run(*arguments, folder=folder, program=("bash", "-c", limit, SCRIPT))


HALTING: Final = """
import os, signal, sys
import indexer.sources.checkpoint
from dupdex.cli import main
from dupdex.cli.sources import Report
indexer.sources.checkpoint.SECONDS = 0.0
after, taken = int(sys.argv.pop(1)), Report.take
def take(report, outcome):
    taken(report, outcome)
    if report.stored == after + 1:
        os.kill(os.getpid(), signal.SIGSTOP)
Report.take = take
"""
"""The command line that stops itself once a number of documents is stored and its checkpoint kept:
no machine is fast enough to be done before, and none so slow that it has not begun."""


def halting(after: int) -> tuple[str, ...]:
    """For `start`: the command line that halts after so many documents."""
    return (sys.executable, "-c", f"{HALTING}main()", str(after))


def halted(process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """Wait until it has stopped itself; it is sure to be in the middle of its work then."""
    # Left for `Popen` to collect if it has ended instead.
    found = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert found is not None
    if found.si_code != os.CLD_STOPPED:
        out, err = process.communicate(timeout=SECONDS)
        raise AssertionError(f"it ended with {process.returncode}: {out}{err}")
    return process


def goes_on(process: subprocess.Popen[str]) -> None:
    """Let a halted process go on."""
    os.killpg(process.pid, signal.SIGCONT)


def interrupted(process: subprocess.Popen[str]) -> Result:
    """Ctrl-C: the signal goes to the whole group."""
    os.killpg(process.pid, signal.SIGINT)
    goes_on(process)  # one that is stopped gets its signals then
    out, err = process.communicate(timeout=SECONDS)
    return Result(process.returncode, out, err)


def killed(process: subprocess.Popen[str]) -> None:
    """kill -9 of the process alone; whatever it started has to notice."""
    process.kill()
    process.communicate(timeout=SECONDS)  # returns when nobody holds the pipes any more


def on_a_terminal(
    *arguments: str, folder: Path, typed: bytes = b"", output: Path | None = None
) -> Result:
    """A run on a terminal: `err` is all that it showed. `typed` answers its first question.

    With `output` the standard output goes to that file.
    """
    screen, keyboard = pty.openpty()

    def own_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background job's tests have it ignored

    stdout = output.open("wb") if output else None
    process = subprocess.Popen(
        [SCRIPT, *arguments],
        cwd=folder,
        env=environment(folder, TERM="xterm"),
        stdin=keyboard,
        stdout=stdout or keyboard,
        stderr=keyboard,
        start_new_session=True,
        preexec_fn=own_terminal,
    )
    os.close(keyboard)
    if stdout:
        stdout.close()
    shown = _shown(screen, typed)
    os.close(screen)
    status = process.wait(timeout=SECONDS)
    return Result(status, output.read_text() if output else "", shown.decode())


def _shown(screen: int, typed: bytes) -> bytes:
    """All that comes to be shown until the other side is closed.

    `typed` answers a question, again and again until something follows: a Ctrl-C that comes before
    `input` has begun to read would wait for the next key.
    """
    shown, pause = b"", 0.3
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([screen], [], [], pause)[0]:
            try:
                chunk = os.read(screen, 65_536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
        elif typed and b"[y/N]: " in shown:
            with contextlib.suppress(OSError):
                os.write(screen, typed)
            pause = 10.0  # long, as a slow machine may still be at work on the first
    return shown


def wait_until(holds: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Fails when it does not come true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def write_lines(path: Path, documents: Iterable[dict[str, object]]) -> Path:
    """A file of JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for each in documents:
            file.write(json.dumps(each, ensure_ascii=False) + "\n")
    return path
