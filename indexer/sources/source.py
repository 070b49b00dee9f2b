"""The interface of a source of documents, whether files, a crawl or a list in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from indexer.model import Mark
from indexer.sources.options import Item


class Source(Protocol):
    """Items in an order that is the same in every run, each with a mark to resume after.

    A `Checkpoint` needs this interface, and nothing else, to resume an interrupted run.
    """

    @property
    def identity(self) -> str:
        """Identifies the source in every run: a path, a URL."""
        ...

    def state(self) -> str | None:
        """Changes whenever earlier marks become invalid; None for a source that cannot be read a
        second time, so that no run over it can be resumed.
        """
        ...

    def items(self, after: Mark | None = None) -> Iterator[Item]:
        """All items, or those after the mark `after`, exactly as a complete run yields them.

        Raises InputRefused when there is no such mark.
        """
        ...

    def describe(self, mark: Mark) -> str:
        """A mark in words for messages, such as "line 17 of news.jsonl"."""
        ...
