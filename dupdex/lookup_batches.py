"""Many lookups in batches, on several processes if wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from dupdex.index import Index
from dupdex.location import Location
from indexer.workers import made_in_processes
from mappings.errors import TextRefused
from query.answers import Answer
from query.questions import Options, Question

Batch = TypeVar("Batch")


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
    lookups = _Lookups(where, options, index)
    yield from made_in_processes(batches, questions_of, _answers, lookups, workers)


class _Lookups:
    """Looks up in the index that this process has open; a process that has none opens its own and
    keeps it until it ends: connections do not survive a fork.
    """

    def __init__(self, where: Location, options: Options, index: Index | None = None) -> None:
        self._where, self._options = where, options
        self._index, self._process = index, os.getpid()

    def __reduce__(self) -> tuple[type[_Lookups], tuple[Location, Options]]:
        return _Lookups, (self._where, self._options)

    def answers(self, questions: list[Question]) -> list[Answer]:
        if self._index is None or self._process != os.getpid():
            self._index, self._process = Index.open(self._where), os.getpid()
        return self._index.lookup_all(questions, self._options)


def _answers(questions: list[Question], lookups: _Lookups) -> list[Answer | TextRefused]:
    try:
        return [*lookups.answers(questions)]
    except TextRefused:
        return [_alone(question, lookups) for question in questions]


def _alone(question: Question, lookups: _Lookups) -> Answer | TextRefused:
    try:
        return lookups.answers([question])[0]
    except TextRefused as error:
        return error
