"""What all schemes have in common: features -> value -> index terms -> similarity.

A scheme is one way to tell near duplicates. Some have index terms, so that candidates can be looked
up; the others only compare two texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from indexer.text import Streams
from mappings.contract import Field
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS, StoredScheme

Value = TypeVar("Value")

Terms = tuple[str, ...]


class Scheme(Protocol[Value]):
    """One scheme under one plan. Pure and deterministic."""

    def values(self, streams: Streams) -> Sequence[Value]:
        """The value of each text of a batch; a text has the same value in any batch."""
        ...

    def terms(self, values: Sequence[Value]) -> list[Terms]:
        """The index terms of each value, each term once; empty for a scheme that only compares."""
        ...

    def similarity(self, left: Value, right: Value) -> float:
        """How alike two values are, 0 to 1; symmetric, and 1 for equal values that say anything."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A scheme as the registry lists it.

    `threshold`: the similarity from which it calls two texts near duplicates when it is used
    alone, under a plan. The texts are for people: what it catches, what it misses, where it is
    from. `stored`: what an index holds of it, where `mappings.schemes` has no row for it.
    """

    name: str
    make: Callable[[Plan], Scheme[Any]]
    threshold: Callable[[Plan], float]
    catches: str
    misses: str
    source: str
    stored: StoredScheme | None = None

    @property
    def field(self) -> Field | None:
        """The field that holds its terms, None for a scheme that only compares."""
        return SCHEME_FIELDS.get(self.name)
