"""Fingerprints on several processes, in order, with little work left to the parent.

The parent also talks to the store, so what it spends on its workers bounds the whole. With a pool
of the standard library it spent half as much again, on two threads and two queues that hand on
every batch. It is one of the workers: what it computes itself goes through no pipe (`scripts/bench`
prints the rate of the pipeline on one process and on two).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Final, TypeVar

from indexer.fingerprints import fingerprints_of
from indexer.model import Fingerprint
from mappings.errors import WorkerLost
from mappings.plan import Plan

_AHEAD: Final = 4
"""Batches a worker has at once: one under way, and some to go on with while the parent writes."""

_BEHIND: Final = 8
"""Batches under way for each process, at most: done ones wait for a slow one before them."""

_SECONDS: Final = 5.0

Batch = TypeVar("Batch")
_Made = list[Fingerprint] | Exception


def in_processes(
    batches: Iterable[Batch], texts_of: Callable[[Batch], list[str]], plan: Plan, count: int
) -> Iterator[tuple[Batch, list[Fingerprint]]]:
    """Each batch with the fingerprints of its texts, in order; a bounded number is under way.

    `count` processes, two or more, make fingerprints, this one among them: it takes a batch of its
    own whenever the others have enough to do, so that it never waits while there is work.
    Raises WorkerLost when a process ended: the system ends one that takes too much memory.
    """
    workers = [_Worker(plan) for _ in range(count - 1)]
    under_way: deque[tuple[Batch, _Worker | _Made]] = deque()
    try:
        for batch in batches:
            idlest = min(workers, key=_Worker.batches)
            if idlest.batches() < _AHEAD:
                idlest.send(texts_of(batch))
                under_way.append((batch, idlest))
            else:
                under_way.append((batch, _made(texts_of(batch), plan)))
            while under_way and (len(under_way) > _BEHIND * count or _is_done(under_way[0][1])):
                yield _taken(under_way)
        while under_way:
            yield _taken(under_way)
    finally:
        for worker in workers:
            worker.close()


def _made(texts: list[str], plan: Plan) -> _Made:
    """The fingerprints, or what is to be raised when it is this batch's turn."""
    try:
        return fingerprints_of(texts, plan)
    except Exception as error:
        return error


def _is_done(maker: _Worker | _Made) -> bool:
    return not isinstance(maker, _Worker) or maker.has_answer()


def _taken(under_way: deque[tuple[Batch, _Worker | _Made]]) -> tuple[Batch, list[Fingerprint]]:
    batch, maker = under_way.popleft()
    made = maker.receive() if isinstance(maker, _Worker) else maker
    if isinstance(made, Exception):
        raise made
    return batch, made


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, plan: Plan) -> None:
        self._batches = 0
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_work, args=(theirs, plan), daemon=True)
        self._process.start()
        theirs.close()

    def batches(self) -> int:
        """How many it has been sent and not answered."""
        return self._batches

    def has_answer(self) -> bool:
        """Whether `receive` need not wait."""
        try:
            return self._pipe.poll()
        except OSError as error:
            raise self._lost() from error

    def send(self, texts: list[str]) -> None:
        self._batches += 1
        try:
            self._pipe.send(texts)
        except OSError as error:
            raise self._lost() from error

    def receive(self) -> _Made:
        self._batches -= 1
        try:
            answer: _Made = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise self._lost() from error
        return answer

    def close(self) -> None:
        """End the process, whatever it is at."""
        self._pipe.close()
        self._process.terminate()
        self._process.join()

    def _lost(self) -> WorkerLost:
        self._process.join(_SECONDS)
        return WorkerLost(
            f"a worker process ended with status {self._process.exitcode}, perhaps for want of "
            "memory; run again with fewer --workers (what was stored stays)"
        )


def _work(pipe: Connection, plan: Plan) -> None:
    """Answer one list of texts after the other until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the parent's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    asked: SimpleQueue[list[str] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, asked), daemon=True).start()
    while (texts := asked.get()) is not None:
        with suppress(OSError):  # nobody listens any more
            pipe.send(_made(texts, plan))


def _listen(pipe: Connection, asked: SimpleQueue[list[str] | None]) -> None:
    """Read on while an answer is being written: two full pipes would wait for each other."""
    try:
        while True:
            asked.put(pipe.recv())
    except (EOFError, OSError):
        asked.put(None)


def _end_with(sentinel: int) -> None:
    """The workers hold each other's pipes open, so none would notice that the parent is gone."""
    wait([sentinel])
    os._exit(1)
