"""Turns of one program: its threads wait for each other here, not at the lease of the index.

Whoever has the turn takes along what the others are waiting to have grouped, so that documents that
are posted one by one at the same time cost one step together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

from indexer.model import Ref
from mappings.errors import StoreUnavailable
from query.stores import StoreReader

Settle = Callable[[Callable[[], list[Ref]]], None]
"""Groups documents. It asks for them once nobody else can come before it, and at most once."""


@dataclass(slots=True, eq=False)
class _Asked:
    """What one caller wants grouped. `failure`: why a step that took it along did not end."""

    refs: Sequence[Ref]
    done: bool = False
    failure: StoreUnavailable | None = None


class Turns:
    """The turns of all that group documents of one index in this program; one at a time."""

    def __init__(self) -> None:
        self._turn, self._change = Lock(), Lock()
        self._waiting: list[_Asked] = []

    @contextmanager
    def alone(self, wait: float) -> Iterator[None]:
        """Have the turn. Raises StoreUnavailable when it does not come within `wait` seconds."""
        if not self._turn.acquire(timeout=wait):
            raise StoreUnavailable(
                "other threads of this program still group documents; write fewer at a time, or "
                "try again later"
            )
        try:
            yield
        finally:
            self._turn.release()

    def together(self, refs: Sequence[Ref], most: int, wait: float, settle: Settle) -> None:
        """Have documents grouped, by `settle` or by that of a caller whose turn comes before. A
        step has `most` documents, unless one caller has more.

        Raises StoreUnavailable as `alone` does, and when the store failed whoever took them along;
        after any other error of that caller they have a step of their own.
        """
        asked = _Asked(refs)
        with self._change:
            self._waiting.append(asked)
        try:
            with self.alone(wait):
                if not (asked.done or asked.failure):
                    self._lead(asked, most, settle)
        finally:
            with self._change:
                self._waiting.remove(asked)
        if asked.failure is not None:
            raise StoreUnavailable(str(asked.failure)) from asked.failure

    def _lead(self, asked: _Asked, most: int, settle: Settle) -> None:
        taken: list[_Asked] = []

        def take() -> list[Ref]:
            taken.extend(self._along_with(asked, most))
            return list(dict.fromkeys(chain.from_iterable(each.refs for each in taken)))

        try:
            settle(take)
        except StoreUnavailable as error:
            for each in taken:
                each.failure = error if each is not asked else None
            raise
        for each in taken:
            each.done = True

    def _along_with(self, asked: _Asked, most: int) -> list[_Asked]:
        """The caller itself and those that wait, in the order in which they came."""
        out, size = [asked], len(asked.refs)
        with self._change:
            for each in self._waiting:
                if each is asked or each.done or each.failure:
                    continue
                size += len(each.refs)
                if size > most:
                    break
                out.append(each)
        return out


_TURNS: Final[WeakKeyDictionary[StoreReader, Turns]] = WeakKeyDictionary()
_MAKING: Final = Lock()


def turns_of(reader: StoreReader) -> Turns:
    """The turns of an index: the same for all that share a reader, as users of a session do."""
    with _MAKING:
        return _TURNS.setdefault(reader, Turns())
