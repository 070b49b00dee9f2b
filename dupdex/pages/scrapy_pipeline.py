"""An item pipeline for Scrapy: what a spider of yours yields goes into an index of dupdex.

    ITEM_PIPELINES = {"dupdex.pages.scrapy_pipeline.DupdexPipeline": 300}
    DUPDEX_STORE = "http://localhost:9200"   # or a folder; else as for the command line
    DUPDEX_INDEX = "news"
    DUPDEX_COPIES = "mark"                   # store (default), mark, drop

An item has a `text` (and `url`, `title`, whatever else), or `response`: the Response, or `body`:
its bytes, with `url`. What is not stored is dropped with the reason; `mark` puts the copies that
were found into the field `near_duplicates`, where the item has room for it.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final, Self

from dupdex.location import Location
from dupdex.pages.extraction import MISSING
from dupdex.pages.item_storing import Copies, ItemOutcome, ItemStore
from dupdex.session import Session
from mappings.errors import InputRefused

try:
    from itemadapter import ItemAdapter
    from scrapy.crawler import Crawler
    from scrapy.exceptions import DropItem
    from scrapy.http import Response
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.defer import Deferred
except ImportError as error:
    raise InputRefused(MISSING) from error

FIELD: Final = "near_duplicates"
_AT_ONCE: Final = 100
_log: Final = logging.getLogger(__name__)

_Waiting = tuple[Mapping[str, Any], Future[ItemOutcome]]


class DupdexPipeline:
    """Stores items on a thread of its own: those that wait at the same time are stored together.

    An item is passed on once it is durable.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._stats = crawler.stats
        self._location = Location.from_environment(
            store=settings.get("DUPDEX_STORE"), index=settings.get("DUPDEX_INDEX")
        )
        wanted = settings.get("DUPDEX_COPIES", Copies.STORE.value)
        if wanted not in list(Copies):
            raise InputRefused(f"DUPDEX_COPIES {wanted!r}: use one of {', '.join(Copies)}")
        self._copies = Copies(wanted)
        self._waiting: queue.Queue[_Waiting | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="dupdex items", daemon=True)
        self._told = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """What Scrapy makes it by. Raises InputRefused for settings that cannot be."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Open the index, or make it. The errors are those of an index that cannot be opened."""
        self._session = Session(self._location)
        self._store = ItemStore(self._session, None, self._copies)
        self._thread.start()

    async def process_item(self, item: Any) -> Any:
        """Store an item. Raises DropItem for what is not stored."""
        adapter = ItemAdapter(item)
        outcome = await self._stored(_plain(adapter))
        if outcome.copies:
            self._count("copies")
        if not outcome.stored:
            self._count("dropped")
            raise DropItem(f"not stored by dupdex: {outcome.why}")
        self._count("stored")
        if outcome.copies:
            self._mark(adapter, outcome)
        return item

    def close_spider(self) -> None:
        """Store what waits, and close the index."""
        self._waiting.put(None)
        self._thread.join()
        self._store.finish()
        self._store.close()
        self._session.close()

    async def _stored(self, item: Mapping[str, Any]) -> ItemOutcome:
        from twisted.internet import reactor  # the one that Scrapy has chosen by now

        told: Deferred[ItemOutcome] = Deferred()
        future: Future[ItemOutcome] = Future()
        future.add_done_callback(lambda done: reactor.callFromThread(_tell, told, done))
        self._waiting.put((item, future))
        return await maybe_deferred_to_future(told)

    def _run(self) -> None:
        """Store what waits, until the spider is closed."""
        is_open = True
        while is_open:
            batch: list[_Waiting] = []
            entry = self._waiting.get()
            while entry is not None:
                batch.append(entry)
                if len(batch) >= _AT_ONCE or self._waiting.empty():
                    break
                entry = self._waiting.get()
            is_open = entry is not None
            if batch:
                self._take(batch)

    def _take(self, batch: list[_Waiting]) -> None:
        try:
            outcomes = self._store.take([item for item, _ in batch])
        except Exception as error:  # each item hears of it
            outcomes = [error] * len(batch)
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, InputRefused):
                future.set_result(ItemOutcome("", False, str(outcome)))
            elif isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _mark(self, adapter: ItemAdapter, outcome: ItemOutcome) -> None:
        try:
            adapter[FIELD] = [dict(each) for each in outcome.copies]
        except KeyError:
            if not self._told:
                _log.warning("items have no field %r, so copies are counted, not marked", FIELD)
            self._told = True

    def _count(self, what: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(f"dupdex/{what}")


def _tell(told: Deferred[ItemOutcome], done: Future[ItemOutcome]) -> None:
    error = done.exception()
    if error is not None:
        told.errback(error)
    else:
        told.callback(done.result())


def _plain(adapter: ItemAdapter) -> dict[str, Any]:
    """An item as plain data; a Response as the body of a page."""
    fields = {str(name): value for name, value in adapter.asdict().items() if name != FIELD}
    response = adapter.get("response")
    if not isinstance(response, Response):
        return fields
    kind = response.headers.get(b"Content-Type") or b""
    return {
        "url": response.url,
        "status": response.status,
        "body": response.body,
        "content_type": kind.decode("latin-1"),
    }
