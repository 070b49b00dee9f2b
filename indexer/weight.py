"""How much memory documents take, to bound what is held at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from indexer.model import Body

HELD_BYTES: Final = 8 << 20
"""The weight at which a batch of documents ends; a single document may exceed it."""

_VALUE: Final = 16
_STRING: Final = frozenset((str,))

Item = TypeVar("Item")


def weight(body: Body) -> int:
    """The approximate size of a body as JSON, in bytes; never much too low up to HELD_BYTES, where
    counting ends, as it does for a body that holds itself.
    """
    total = _VALUE
    waiting: list[object] = [body]
    while waiting and total < HELD_BYTES:
        value = waiting.pop()
        if isinstance(value, str):
            total += len(value) if value.isascii() else 3 * len(value)
        elif isinstance(value, Mapping):
            total += 2 * _VALUE * len(value)
            waiting += value.keys()
            waiting += value.values()
        elif isinstance(value, list | tuple):
            total += _VALUE * len(value)
            if _STRING.issuperset(map(type, value)):  # as keys are
                total += sum(map(len, value)) * (1 if all(map(str.isascii, value)) else 3)
            else:
                waiting += value
    return total


def batches(
    items: Iterable[Item], size: int, weight_of: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """Lists of `size` items, or fewer when they are heavy."""
    batch: list[Item] = []
    held = 0
    for item in items:
        batch.append(item)
        held += weight_of(item)
        if len(batch) >= size or held >= HELD_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
