"""Candidate pairs of a corpus: documents that share keys, joined in memory (`disk_join.py`: past
it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from indexer.text.hashing import Hashes
from indexer.workers import made_in_processes
from mappings.contract import Field
from query.key_join import (
    PAIRS,
    Candidates,
    KeyColumn,
    Mask,
    Numbers,
    block,
    blocks,
    candidate_blocks,
)
from query.near_screen import NearScreen

Screened = tuple[Numbers, Numbers, int]
"""Pairs that can be near duplicates, and how many candidates they were among."""


class Spread(Protocol):
    """In how many nodes the keys of one field are."""

    def frequencies(self, keys: Hashes) -> Numbers:
        """Of keys that two nodes or more have."""
        ...

    def with_key_in(self, least: int, documents: int) -> Mask:
        """Which of so many nodes have a key that `least` nodes have, or more."""
        ...


class CandidateJoin(Protocol):
    """The keys of all nodes, joined. `frequent`: keys in so many nodes that they have no vote."""

    frequent: int

    def keys_of(self) -> Numbers:
        """How many keys each node has."""
        ...

    def pairs(self) -> Iterator[Candidates]:
        """All pairs that share a key, by ascending first node."""
        ...

    def screened(self, screen: NearScreen, workers: int) -> Iterator[Screened]:
        """The same, but for what the screen passes over."""
        ...

    def spread(self, fields: tuple[Field, ...], least: int) -> Mapping[Field, Spread]:
        """Of those of the fields that were joined; `least` is what it will be asked with."""
        ...


@dataclass(frozen=True, slots=True)
class _Joining:
    """What every process that joins keys needs."""

    columns: Mapping[Field, KeyColumn]
    screen: NearScreen


class MemoryJoin:
    """A `CandidateJoin` in memory."""

    def __init__(self, entries: dict[Field, Hashes], nodes: int, hot: int) -> None:
        """`entries`: the keys of each field, packed; they are sorted in place. `hot`: the most
        nodes of a key that has a vote."""
        self._columns = {name: KeyColumn(packed, hot) for name, packed in entries.items()}
        self._nodes = nodes
        self.frequent = sum(column.frequent for column in self._columns.values())

    def keys_of(self) -> Numbers:
        counts = np.zeros(self._nodes, np.int64)
        for column in self._columns.values():
            counts += column.keys_of(self._nodes)
        return counts

    def pairs(self) -> Iterator[Candidates]:
        return candidate_blocks(self._columns, self._nodes)

    def screened(self, screen: NearScreen, workers: int) -> Iterator[Screened]:
        parts = blocks(self._columns, self._nodes, PAIRS // workers)
        joining = _Joining(self._columns, screen)
        for _, found in made_in_processes(parts, _itself, _screened, joining, workers):
            yield found

    def spread(self, fields: tuple[Field, ...], least: int) -> Mapping[Field, Spread]:
        del least
        return {name: self._columns[name] for name in fields if name in self._columns}


def _itself(part: tuple[int, int]) -> tuple[int, int]:
    return part


def _screened(part: tuple[int, int], joining: _Joining) -> Screened:
    found = block(joining.columns, *part, joining.screen.simhashes_are_near)
    kept = found.kept(joining.screen.could_be_near(found))
    return kept.first, kept.second, len(found)
