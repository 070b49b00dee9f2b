"""Fingerprints on several processes, in order, with little work left to the parent.

The parent also talks to the store, so what it spends on its workers bounds the whole. With a pool
of the standard library it spent half as much again, on two threads and two queues that hand on
every batch (`scripts/bench` prints the rate of the pipeline on one process and on two).
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

_SECONDS: Final = 5.0

Batch = TypeVar("Batch")


def in_processes(
    batches: Iterable[Batch], texts_of: Callable[[Batch], list[str]], plan: Plan, count: int
) -> Iterator[tuple[Batch, list[Fingerprint]]]:
    """Each batch with the fingerprints of its texts, in order; a bounded number is under way.

    Raises WorkerLost when a process ended: the system ends one that takes too much memory.
    """
    workers = [_Worker(plan) for _ in range(count)]
    under_way: deque[tuple[Batch, _Worker]] = deque()
    try:
        for number, batch in enumerate(batches):
            if len(under_way) == _AHEAD * count:
                first, worker = under_way.popleft()
                yield first, worker.receive()
            worker = workers[number % count]
            worker.send(texts_of(batch))
            under_way.append((batch, worker))
        while under_way:
            first, worker = under_way.popleft()
            yield first, worker.receive()
    finally:
        for worker in workers:
            worker.close()


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, plan: Plan) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_work, args=(theirs, plan), daemon=True)
        self._process.start()
        theirs.close()

    def send(self, texts: list[str]) -> None:
        try:
            self._pipe.send(texts)
        except OSError as error:
            raise self._lost() from error

    def receive(self) -> list[Fingerprint]:
        try:
            answer: list[Fingerprint] | Exception = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise self._lost() from error
        if isinstance(answer, Exception):
            raise answer
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
        answer: list[Fingerprint] | Exception
        try:
            answer = fingerprints_of(texts, plan)
        except Exception as error:  # the parent raises it
            answer = error
        with suppress(OSError):  # nobody listens any more
            pipe.send(answer)


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
