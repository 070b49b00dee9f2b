"""What a source of documents is, whatever it reads: files, a crawl, a list in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from indexer.model import Mark
from indexer.sources.options import Item


class Source(Protocol):
    """Items in an order that holds from run to run, each with the mark to go on after.

    What a `Checkpoint` needs to take an interrupted run up again, and all that it knows of it.
    """

    @property
    def identity(self) -> str:
        """The same in every run over this source, and in no other: a path, a URL."""
        ...

    def state(self) -> str | None:
        """Changes whenever earlier marks are worth nothing any more; None for what cannot be read
        a second time, so that no run over it can be taken up.
        """
        ...

    def items(self, after: Mark | None = None) -> Iterator[Item]:
        """All items, or those after the one of that mark, just as the whole reading gives them.

        Raises InputRefused when there is no such mark.
        """
        ...

    def describe(self, mark: Mark) -> str:
        """A mark in words, for a message: "line 17 of news.jsonl"."""
        ...
