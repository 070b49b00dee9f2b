"""Fingerprints on several processes, in order, with little overhead in the parent.

The parent also talks to the store, so the time it spends on its workers limits the whole run. With
a pool of the standard library it spent half as much again, on two threads and two queues that pass
every batch on. The parent computes fingerprints as well, and those go through no pipe
(`scripts/bench` prints the rate of the pipeline on one process and on two).
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
"""Batches a worker holds: one in progress, the others queued while the parent writes."""

_BEHIND: Final = 8
"""Most batches under way per process: finished ones wait for a slow one before them."""

_SECONDS: Final = 5.0

Batch = TypeVar("Batch")
_Result = list[Fingerprint] | Exception


def in_processes(
    batches: Iterable[Batch], texts_of: Callable[[Batch], list[str]], plan: Plan, count: int
) -> Iterator[tuple[Batch, list[Fingerprint]]]:
    """Each batch with the fingerprints of its texts, in order; a bounded number is under way.

    `count` processes, two or more, compute fingerprints, including this one: it computes a batch
    whenever the others have enough to do, so that it never idles while there is work. Raises
    WorkerLost when a process ended, as the system ends one that takes too much memory.
    """
    workers = [_Worker(plan) for _ in range(count - 1)]
    under_way: deque[tuple[Batch, _Worker | _Result]] = deque()
    try:
        for batch in batches:
            idlest = min(workers, key=_Worker.batches)
            if idlest.batches() < _AHEAD:
                idlest.send(texts_of(batch))
                under_way.append((batch, idlest))
            else:
                under_way.append((batch, _fingerprint(texts_of(batch), plan)))
            while under_way and (len(under_way) > _BEHIND * count or _is_done(under_way[0][1])):
                yield _next_done(under_way)
        while under_way:
            yield _next_done(under_way)
    finally:
        for worker in workers:
            worker.close()


def _fingerprint(texts: list[str], plan: Plan) -> _Result:
    """The fingerprints, or the error to raise when it is this batch's turn."""
    try:
        return fingerprints_of(texts, plan)
    except Exception as error:
        return error


def _is_done(maker: _Worker | _Result) -> bool:
    return not isinstance(maker, _Worker) or maker.has_answer()


def _next_done(
    under_way: deque[tuple[Batch, _Worker | _Result]],
) -> tuple[Batch, list[Fingerprint]]:
    batch, maker = under_way.popleft()
    result = maker.receive() if isinstance(maker, _Worker) else maker
    if isinstance(result, Exception):
        raise result
    return batch, result


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, plan: Plan) -> None:
        self._batches = 0
        self._pipe, worker_pipe = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_work, args=(worker_pipe, plan), daemon=True)
        self._process.start()
        worker_pipe.close()

    def batches(self) -> int:
        """The number of batches sent and not yet answered."""
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

    def receive(self) -> _Result:
        self._batches -= 1
        try:
            answer: _Result = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise self._lost() from error
        return answer

    def close(self) -> None:
        """End the process, even in the middle of a batch."""
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
    """Answer one list of texts after another until the parent closes the pipe."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; the parent handles it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    requests: SimpleQueue[list[str] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, requests), daemon=True).start()
    while (texts := requests.get()) is not None:
        with suppress(OSError):  # nobody listens any more
            pipe.send(_fingerprint(texts, plan))


def _listen(pipe: Connection, requests: SimpleQueue[list[str] | None]) -> None:
    """Keep reading while an answer is being written, or two full pipes would deadlock."""
    try:
        while True:
            requests.put(pipe.recv())
    except (EOFError, OSError):
        requests.put(None)


def _end_with(sentinel: int) -> None:
    """Exit with the parent: workers hold each other's pipes open, so none sees end of file."""
    wait([sentinel])
    os._exit(1)
