"""Fingerprints, and whatever else is made of texts, on several processes, in order, with little
overhead in the parent.

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
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, Final, TypeVar, cast

from indexer.fingerprints import fingerprints_of
from indexer.model import Fingerprint
from mappings.errors import WorkerLost
from mappings.plan import Plan

AHEAD: Final = 2
"""Batches a worker holds: one in progress, and the next. Of few batches more would leave nothing to
the parent, which then waits for the last ones."""

WHILE_WRITING: Final = 4
"""The same where the parent has to store what is made, so that workers do not wait for it."""

_BEHIND: Final = 8
"""Most batches under way per process: finished ones wait for a slow one before them."""

_SECONDS: Final = 5.0

Batch = TypeVar("Batch")
Part = TypeVar("Part")
Context = TypeVar("Context")
Made = TypeVar("Made")

_Make = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class _Failure:
    """The error to raise when it is a batch's turn."""

    error: Exception


def in_processes(
    batches: Iterable[Batch], texts_of: Callable[[Batch], list[str]], plan: Plan, count: int
) -> Iterator[tuple[Batch, list[Fingerprint]]]:
    """Each batch with the fingerprints of its texts, in order; a bounded number is under way.

    `count` processes, two or more, compute fingerprints. Raises WorkerLost as `made_in_processes`.
    """
    return made_in_processes(batches, texts_of, _fingerprints, plan, count, WHILE_WRITING)


def _fingerprints(texts: list[str], plan: Plan) -> list[Fingerprint]:
    return fingerprints_of(texts, plan)


def made_in_processes(
    batches: Iterable[Batch],
    part_of: Callable[[Batch], Part],
    make: Callable[[Part, Context], Made],
    context: Context,
    count: int,
    ahead: int = AHEAD,
) -> Iterator[tuple[Batch, Made]]:
    """Each batch with what `make`, a function of a module, makes of a part of it, in order; a
    bounded number is under way, `ahead` of them in each process. Only the part goes to another
    process; the context goes once.

    `count` processes work, including this one: it takes a batch whenever the others have enough to
    do, so that it never idles while there is work. Raises WorkerLost when a process ended, as the
    system ends one that takes too much memory.
    """
    workers: list[_Worker] = []
    under_way: deque[tuple[Batch, object]] = deque()
    try:
        for batch in batches:
            workers = workers or [_Worker(make, context) for _ in range(count - 1)]
            idlest = min(workers, key=_Worker.batches, default=None)
            if idlest is not None and idlest.batches() < ahead:
                idlest.send(part_of(batch))
                under_way.append((batch, idlest))
            else:
                under_way.append((batch, _result(make, part_of(batch), context)))
            while under_way and (len(under_way) > _BEHIND * count or _is_done(under_way[0][1])):
                yield _next_done(under_way)
        while under_way:
            yield _next_done(under_way)
    finally:
        for worker in workers:
            worker.close()


def _result(make: _Make, part: object, context: object) -> object:
    try:
        return make(part, context)
    except Exception as error:
        return _Failure(error)


def _is_done(maker: object) -> bool:
    return not isinstance(maker, _Worker) or maker.has_answer()


def _next_done(under_way: deque[tuple[Batch, object]]) -> tuple[Batch, Made]:
    batch, maker = under_way.popleft()
    result = maker.receive() if isinstance(maker, _Worker) else maker
    if isinstance(result, _Failure):
        raise result.error
    return batch, cast(Made, result)


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, make: _Make, context: object) -> None:
        self._batches = 0
        self._pipe, worker_pipe = multiprocessing.Pipe()
        self._process = multiprocessing.Process(
            target=_work, args=(worker_pipe, make, context), daemon=True
        )
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

    def send(self, part: object) -> None:
        self._batches += 1
        try:
            self._pipe.send(part)
        except OSError as error:
            raise self._lost() from error

    def receive(self) -> object:
        self._batches -= 1
        try:
            answer: object = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise self._lost() from error
        return answer

    def close(self) -> None:
        """End the process, even in the middle of a batch."""
        self._pipe.close()
        self._process.kill()  # it may have begun with a handler of ours for milder signals
        self._process.join()

    def _lost(self) -> WorkerLost:
        self._process.join(_SECONDS)
        return WorkerLost(
            f"a worker process ended with status {self._process.exitcode}, perhaps for want of "
            "memory; run again with fewer --workers (what was stored stays)"
        )


def _work(pipe: Connection, make: _Make, context: object) -> None:
    """Answer one part of a batch after another until the parent closes the pipe."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; the parent handles it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    requests: SimpleQueue[object] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, requests), daemon=True).start()
    while (part := requests.get()) is not None:
        with suppress(OSError):  # nobody listens any more
            pipe.send(_result(make, part, context))


def _listen(pipe: Connection, requests: SimpleQueue[object]) -> None:
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
