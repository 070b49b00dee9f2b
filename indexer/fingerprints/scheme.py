"""The interface of all schemes: features -> value -> index terms -> similarity.

A scheme is one way to recognise near duplicates. Some have index terms, by which candidates are
looked up; others only compare two texts.
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
        """The similarity of two values, 0 to 1; symmetric, and 1 for equal non-empty values."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A scheme as the registry lists it.

    `threshold`: the similarity from which two texts are near duplicates, under a plan, when the
    scheme is used alone. `catches`, `misses` and `source` are for readers. `stored`: what an index
    stores for it, unless `mappings.schemes` has a row for it.
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
        """The field that holds its terms; None for a scheme that only compares."""
        return SCHEME_FIELDS.get(self.name)
