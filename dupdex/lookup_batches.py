"""Many lookups in batches, on several processes if wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from dupdex.index import Index
from dupdex.location import Location
from indexer.workers import made_in_processes
from mappings.errors import TextRefused
from query.answers import Answer
from query.lookup import Options, Question

Batch = TypeVar("Batch")

_open: dict[tuple[int, Location], Index] = {}
"""The index that a process asks. Connections do not survive a fork: each process has its own."""


def answered(
    batches: Iterable[Batch],
    questions_of: Callable[[Batch], list[Question]],
    index: Index,
    where: Location,
    options: Options,
    workers: int = 1,
) -> Iterator[tuple[Batch, list[Answer | TextRefused]]]:
    """Each batch with the answers to its questions, in order; an error stands for a text that
    cannot be looked up. Of `workers` processes this one asks `index`, and the others open that of
    `where`; with more than one, batches are taken ahead.

    Raises what is wrong for every text, as a filter, what `Index.lookup_all` raises of the store,
    and WorkerLost when a process ended.
    """
    with _kept(index, where):
        yield from made_in_processes(batches, questions_of, _answers, (where, options), workers)


@contextmanager
def _kept(index: Index, where: Location) -> Iterator[None]:
    """Inside, this process asks an index that is open already."""
    key = os.getpid(), where
    _open[key] = index
    try:
        yield
    finally:
        _open.pop(key, None)


def _answers(
    questions: list[Question], context: tuple[Location, Options]
) -> list[Answer | TextRefused]:
    where, options = context
    key = os.getpid(), where
    if key not in _open:
        _open[key] = Index.open(where)  # until the process ends
    index = _open[key]
    try:
        return [*index.lookup_all(questions, options)]
    except TextRefused:
        return [_alone(index, question, options) for question in questions]


def _alone(index: Index, question: Question, options: Options) -> Answer | TextRefused:
    try:
        return index.lookup_all([question], options)[0]
    except TextRefused as error:
        return error
