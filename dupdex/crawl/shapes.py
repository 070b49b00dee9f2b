"""A budget for addresses of one shape, so that calendars and the like do not go on for ever.

An address bears fruit when it leads to something new: a text, or a way to where texts are. A shape
of which so many in a row bore none is a trap. It is looked at from near and from far: filters and
endless folders lead to a new shape with every step.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from itertools import islice
from typing import Final

_SHAPES: Final = 10_000
_SENTENCES: Final = 2_000
"""The latest of one shape, or half as many."""

_SENTENCES_IN_ALL: Final = 100_000
"""Some 10 MB; beyond that the shapes with the most of them lose some. A trap has few, and is known
by them however many other shapes there are."""

_NEW: Final = 0.3
"""A text is new when at least this part of its sentences was not in one of the same shape."""

Shapes = Sequence[str]
"""Those of an address, from near to far, as `dupdex.crawl.address.shapes_of` gives them."""


@dataclass(slots=True)
class _Shape:
    asked: int = 0
    fruitless: int = 0
    proven: bool = False
    trapped: bool = False


class _Latest:
    """The latest sentences of a shape, in two sets: when the newer is full, the older goes."""

    __slots__ = ("_new", "_old")

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._old: set[int] = set()

    def __len__(self) -> int:
        return len(self._new) + len(self._old)

    def take(self, sentences: Sequence[int]) -> int:
        """Keep these; how many were not here."""
        fresh = sum(each not in self._new and each not in self._old for each in sentences)
        for sentence in sentences:
            if len(self._new) >= _SENTENCES // 2 and sentence not in self._new:
                self._new, self._old = set(), self._new
            self._new.add(sentence)
        return fresh

    def shrink(self) -> int:
        """Let go of the older ones, else of half of them; how many."""
        before = len(self)
        if self._old:
            self._old = set()
        else:
            self._new = set(islice(self._new, before // 2))
        return before - len(self)


class ShapeBudget:
    """What is known of the shapes of addresses; as much as a fixed number of shapes needs."""

    def __init__(self, fruitless: int, trapped: Iterable[str] = ()) -> None:
        """`fruitless`: how many in a row make a trap, as many again with each step away;
        `trapped`: shapes that earlier runs took for traps."""
        self._most = fruitless
        self._shapes: OrderedDict[str, _Shape] = OrderedDict()
        self._texts: OrderedDict[str, _Latest] = OrderedDict()
        self._held = 0
        for shape in trapped:
            self._of(shape).trapped = True

    def trap(self, shapes: Shapes) -> str:
        """The shape for which an address of these is not to be asked; empty where it may be. What
        gave texts from near is asked whatever its surroundings gave."""
        near = self._shapes.get(shapes[0])
        far = () if near is not None and near.proven else shapes[1:]
        for shape in (shapes[0], *far):
            known = self._shapes.get(shape)
            if known is not None and known.trapped:
                return shape
        return ""

    def note(self, shapes: Shapes, sentences: Sequence[int], led_to: Iterable[Shapes]) -> None:
        """What an address, asked for the first time, had and what it led to. `sentences`: of its
        text, by hash, none where that was not taken; `led_to`: addresses that nobody had met."""
        text = self._is_new(shapes[0], sentences)
        fruit = text or any(self._has_promise(others, shapes) for others in led_to)
        for steps, shape in enumerate(shapes, 1):
            known = self._of(shape)
            known.asked += 1
            known.proven = known.proven or text
            known.fruitless = 0 if fruit else known.fruitless + 1
            known.trapped = known.trapped or known.fruitless >= steps * self._most

    def _has_promise(self, others: Shapes, own: Shapes) -> bool:
        """Whether a way to an address is worth something: its like gave texts, or it lies
        elsewhere and nothing speaks against it."""
        if self.trap(others):
            return False
        near = self._shapes.get(others[0])
        if near is not None and near.proven:
            return others[0] != own[0]
        far = self._shapes.get(others[-1])
        return others[-1] != own[-1] and (far is None or far.proven or far.asked < self._most)

    def _of(self, shape: str) -> _Shape:
        known = self._shapes.setdefault(shape, _Shape())
        self._shapes.move_to_end(shape)
        if len(self._shapes) > _SHAPES:
            self._forget_one()
        return known

    def _forget_one(self) -> None:
        oldest = (shape for shape, known in self._shapes.items() if not known.trapped)
        shape = next(oldest, None) or next(iter(self._shapes))
        del self._shapes[shape]
        self._held -= len(self._texts.pop(shape, ()))

    def _is_new(self, shape: str, sentences: Sequence[int]) -> bool:
        """Whether a text is another one than those of its shape, whose sentences are kept."""
        if not sentences:
            return False
        known = self._texts.setdefault(shape, _Latest())
        self._texts.move_to_end(shape)
        before = len(known)
        fresh = known.take(sentences)
        self._held += len(known) - before
        if self._held > _SENTENCES_IN_ALL:
            self._make_room()
        return fresh >= _NEW * len(sentences)

    def _make_room(self) -> None:
        """Take sentences from the largest shapes, of equal ones from that asked longest ago; enough
        that it is not done for every page."""
        largest = [(-len(each), at, name) for at, (name, each) in enumerate(self._texts.items())]
        heapify(largest)
        while self._held > _SENTENCES_IN_ALL - _SENTENCES_IN_ALL // 16:
            _, at, name = largest[0]
            known = self._texts[name]
            self._held -= known.shrink()
            if known:
                heapreplace(largest, (-len(known), at, name))
            else:
                heappop(largest)
                del self._texts[name]
