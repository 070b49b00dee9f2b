"""Goes over an index in slices, a thread each, changing documents over the versions read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from dupdex.attach.pace import Pace
from indexer.stores.elastic.bulk import BulkSender, Item
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.storable import CHANGED
from query.stores.elastic.versioned import LARGEST_PAGE, Versioned, slices

if TYPE_CHECKING:
    from indexer.stores.elastic.client import Client

READING: Final = 0.1
"""What a document that is only read counts for, against one that is written."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of a document: the lines that change it, or the reason why it cannot be.
    `counts`: whether the change is told as one that was written."""

    id: str
    operation: bytes = b""
    reason: str = ""
    counts: bool = True


Changes = Callable[[Sequence[Versioned]], list[Change]]
"""What is to become of a page of documents; those that stay as they are are left out."""


@dataclass(slots=True)
class PassReport:
    """`written`: documents changed; `edited`: documents that another program changed in between, so
    that they are as it left them; `refused`: why a document cannot be changed, by id; `failed`: of
    how many of these the server said so.
    """

    written: int = 0
    edited: int = 0
    failed: int = 0
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether there was nothing to do."""
        return not self.written and not self.edited


@dataclass(frozen=True, slots=True)
class Walk:
    """How passes over one index are made; the fields do not change between them."""

    client: Client
    settings: ElasticSettings
    parts: int
    pace: Pace
    step: Callable[..., None]
    check: Callable[[], None]
    """Called before each request; raises when the index is no longer what it was."""
    target: ElasticSettings | None = None
    """Where changes are sent to, when that is another index than the one read."""

    def once(self, query: Mapping[str, Any], fields: Sequence[str], changes: Changes) -> PassReport:
        """One pass over what `query` finds. The error of a thread stops the others."""
        report, stopped, turn = PassReport(), threading.Event(), threading.Lock()
        most = self.pace.page(LARGEST_PAGE)

        def run(pages: Iterator[list[Versioned]]) -> None:
            target = self.target or self.settings
            sender = BulkSender(self.client, target, target.retry_seconds, self.check)
            try:
                for page in pages:
                    if stopped.is_set():
                        return
                    self._take(page, changes(page), sender, stopped, report, turn)
            except BaseException:
                stopped.set()
                raise

        with (
            slices(self.client, self.settings, query, self.parts, fields, most) as parts,
            ThreadPoolExecutor(len(parts), thread_name_prefix="dupdex-attach") as pool,
        ):
            futures = [pool.submit(run, part) for part in parts]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                stopped.set()
                raise
        return report

    def _take(
        self,
        page: Sequence[Versioned],
        wanted: Sequence[Change],
        sender: BulkSender,
        stopped: threading.Event,
        report: PassReport,
        turn: threading.Lock,
    ) -> None:
        due = [change for change in wanted if change.operation]
        self.pace.take(READING * len(page) + (1 - READING) * len(due), stopped)
        settled = sender.send([change.operation for change in due]) if due else None
        with turn:
            report.refused |= {change.id: change.reason for change in wanted if change.reason}
            for change, item in zip(due, settled.items if settled else (), strict=True):
                _count(report, change, item)
            self.step(len(page))
        if settled is not None and settled.failure is not None:
            raise settled.failure


def _count(report: PassReport, change: Change, item: Item | None) -> None:
    if item is None or item.missing:  # not known, or deleted in between
        return
    if item.reason == CHANGED:
        report.edited += 1
    elif item.reason:
        report.refused[change.id] = item.reason
        report.failed += 1
    elif change.counts:
        report.written += 1
