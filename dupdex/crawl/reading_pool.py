"""Answers read by worker processes, so that both the net and the processors are in use.

A page that stops its process, or that takes too long, costs itself and nothing else.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from types import FrameType
from typing import Final, NoReturn

from dupdex.crawl.answer_reading import Asked, Kind, Reading, read_answer

SECONDS: Final = 20
"""Of a processor; a page that takes longer to read is given up. A busy machine costs no page."""

_HUNG: Final = 5 * SECONDS
"""Seconds on the clock until a process is taken for lost."""

_REMEMBERED: Final = 500
"""Pages after which a process lets its libraries forget what they know of pages: dates, lines."""

_PAGES: Final = count(1)


class _TooSlow(BaseException):
    """Time is up; no library catches it as one of its own errors."""


class ReadingPool:
    """Reads answers in a number of processes; one that is lost is replaced."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._alone = asyncio.Lock()
        # one more than can be read: a page that waits for slow ones is not lost like them
        self._places = asyncio.Semaphore(processes + 1)
        self._pool = self._new()

    async def read(self, asked: Asked) -> Reading:
        """What an answer holds."""
        try:
            return await self._read(asked)
        except BrokenProcessPool:
            pass
        try:
            # which page stopped the process nobody knows: those under way are read one by one
            async with self._alone:
                return await self._read(asked)
        except BrokenProcessPool:
            return Reading(Kind.OTHER, why="the process that read it was lost")

    async def _read(self, asked: Asked) -> Reading:
        async with self._places:
            return await self._read_now(asked)

    async def _read_now(self, asked: Asked) -> Reading:
        pool = self._pool
        try:
            future = asyncio.wrap_future(pool.submit(_read_in_time, asked))
            return await asyncio.wait_for(future, _HUNG)
        except BrokenProcessPool:
            self._replace(pool)
            raise
        except TimeoutError:
            self._replace(pool)
            return Reading(Kind.OTHER, why="the process that read it did not come back")

    def start(self) -> None:
        """Have the processes ready."""
        for _ in range(self._processes):
            self._pool.submit(int)

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _replace(self, pool: ProcessPoolExecutor) -> None:
        if pool is self._pool:  # the first one to notice does it
            self._pool = self._new()
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)

    def _new(self) -> ProcessPoolExecutor:
        # neither the event loop nor a client's sockets go along with a process that starts anew
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, context, _begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends in good order
    signal.signal(signal.SIGPROF, _stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import dupdex.pages.extraction  # noqa: F401  (takes a second, before the first page comes)


def _end_with_parent() -> None:
    """A parent that is killed tells nobody; its pipes stay open among those that it started."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _TooSlow


def _read_in_time(asked: Asked) -> Reading:
    if next(_PAGES) % _REMEMBERED == 0:
        from trafilatura.meta import reset_caches

        reset_caches()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return read_answer(asked)
    except _TooSlow:
        return Reading(Kind.OTHER, why=f"its text could not be read in {SECONDS} seconds")
    except Exception as error:
        return Reading(Kind.OTHER, why=f"it could not be read: {type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
