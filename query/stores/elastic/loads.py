"""How heavy the documents of an index are, as far as answers have shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from indexer.weight import HELD_BYTES, weight
from mappings.contract import OBJECT_FIELD

_SAMPLE: Final = 4
_UNKNOWN: Final = 5
"""Documents in the first page, when nothing is known of their weight."""

_LIGHT: Final = 24_000
"""Up to this many bytes, a Chinese text of some 6,000 characters, a page of documents costs less
than a second request for those that are read: a document and its id lie in one block."""


Item = TypeVar("Item")


class Loads:
    """An estimate of the weight of a document: quick to rise, slow to fall. Threads may share it:
    an update that is lost is made up for by the next one."""

    def __init__(self) -> None:
        self._mean, self._whole = 0.0, False

    def note(self, documents: Sequence[Item], held: Callable[[Item], tuple[int, bool]]) -> None:
        """Learn from documents that were read. `held`: the bytes of one, and whether it holds the
        object of dupdex."""
        sample = [held(document) for document in islice(documents, _SAMPLE)]
        if sample:
            weights, whole = zip(*sample, strict=True)
            self._whole = all(whole)
            few = len(documents) <= _SAMPLE
            mean = max(weights) if few else sum(weights) / len(weights)
            self._mean = max(mean, 0.9 * self._mean + 0.1 * mean)

    @property
    def are_light(self) -> bool:
        """Whether documents may come along with their ids. They have to hold the object of dupdex:
        a mapping may keep it out of `_source`."""
        return self._whole and 0 < self._mean <= _LIGHT

    def page(self, most: int) -> int:
        """How many documents to read in one request, `most` at most."""
        if not self._mean:
            return min(_UNKNOWN, most)
        return max(1, min(most, int(HELD_BYTES / self._mean)))


def held_in(document: Mapping[str, Any]) -> tuple[int, bool]:
    """What `Loads.note` asks of a document."""
    return weight(document), OBJECT_FIELD in document
