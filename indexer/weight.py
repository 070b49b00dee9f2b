"""How much memory documents take, so that what is held at once is bounded by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from indexer.model import Body

HELD_BYTES: Final = 8 << 20
"""What a batch of documents may weigh before it ends; a single one may weigh more."""

_VALUE: Final = 16

Item = TypeVar("Item")


def weight(body: Body) -> int:
    """About the bytes that a body takes as JSON, never much fewer up to HELD_BYTES; counting ends
    there, as it does for a body that holds itself.
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
            waiting += value
    return total


def batches(
    items: Iterable[Item], size: int, weight_of: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """Lists of `size` items, shorter ones when these are heavy."""
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
