"""A temporary folder for texts, of which nothing stays behind however the run ends."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

PREFIX: Final = "dupdex-texts-"
_LOCK: Final = "in-use"
_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that nobody else may read; it is removed at the end, also on SIGTERM and SIGHUP (in
    the main thread: no other can handle signals).

    What a run left that was killed outright is removed by the next one: the lock that each holds on
    a file in its folder ends with the process.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    handled = _SIGNALS if threading.current_thread() is threading.main_thread() else ()
    heard = [number for number in handled if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _leave) for number in heard}  # not under nohup
    try:
        with tempfile.TemporaryDirectory(prefix=PREFIX) as name, _locked(Path(name)):
            yield Path(name)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    # Under its final name only once it is locked: nobody takes it for abandoned in between.
    fresh = folder / f"{_LOCK}.new"
    with fresh.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fresh.rename(folder / _LOCK)
        yield


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        # of another user, or going away at this moment
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            with (folder / _LOCK).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
