"""A crawl as a job of an index: one at a time under a lease, recorded, taken up after a kill."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from dupdex.crawl.address import UrlState
from dupdex.crawl.crawl_limits import AGENT, Limits, Scope
from dupdex.crawl.frontier import Frontier
from dupdex.crawl.net import Net
from dupdex.crawl.private_network import NetworkGuard
from dupdex.crawl.storing import Storing
from dupdex.jobs.heartbeat import WAIT, Held, held
from dupdex.jobs.run_store import Progress, Run, RunStore, told_as_stopped
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_quality import LIMIT
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from dupdex.works.arrivals import Arrivals
from indexer.grouping import Grouping
from indexer.stores.lease import SECONDS
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import LEASES

JOB: Final = "crawl"
MISSING: Final = "a crawl needs more packages; run: pip install 'dupdex[crawl]'"

_NOTED: Final = 5.0
_PAGES: Final = ("new", "changed", "unchanged", "unfit")


@dataclass(frozen=True)
class Wanted:
    """What a crawl is to do. `user_agent`: what it calls itself, "" for dupdex; `limit`: the
    quality below which a text is kept and not indexed; `delete_gone`: documents of pages that
    are gone go, too; `private`: machines of private networks may be asked; `works`: compare pages
    with the bank of works as they come."""

    starts: tuple[str, ...]
    scope: Scope
    limits: Limits = field(default_factory=Limits)
    user_agent: str = ""
    private: bool = False
    afresh: bool = False
    workers: int = 2
    limit: float = LIMIT
    delete_gone: bool = False
    grouping: Grouping | None = None
    works: bool = False


def crawl(
    session: Session,
    wanted: Wanted,
    index: str | None = None,
    step: Callable[[int], None] = lambda _: None,
    seconds: float = SECONDS,
    wait: float = WAIT,
) -> Run:
    """Crawl into an index and the page store beside it; returns the record of the run. `step` is
    told of pages; `seconds`: how long others wait when this one is killed. One process crawls once.

    Raises KeyboardInterrupt when it was interrupted: what was fetched is stored, and the next crawl
    goes on. Raises StoreUnavailable when another crawl of the index goes on for longer than `wait`
    seconds, InputRefused where packages are missing, and what the stores raise.
    """
    check_packages()
    with ExitStack() as open_ones:
        opened = open_ones.enter_context(open_index(session, index, wanted.grouping))
        leases = session.collection(LEASES, index)
        lease = open_ones.enter_context(held(leases, JOB, seconds, wait))
        runs = RunStore.open(session, index)
        run = _run_of(runs, wanted)
        progress = open_ones.enter_context(runs.recorded(run))
        frontier = Frontier.open(session, index)
        arrivals = Arrivals(session, index) if wanted.works else None
        intake = PageIntake(
            session,
            opened,
            PageStore.open(session, index),
            wanted.limit,
            delete_gone=wanted.delete_gone,
            arrived=arrivals,
        )
        storing = Storing(frontier, intake, wanted.scope, wanted.limits, lease.check)
        _Crawling(wanted, storing, progress, lease, step).all()
        opened.refresh()
        if arrivals is not None:
            progress.note(copies=arrivals.counts.new)
    return progress.run


def _run_of(runs: RunStore, wanted: Wanted) -> Run:
    """A new run; one whose program is gone is told as failed."""
    for run in runs.latest(JOB):
        if run.ended is None:  # the lease is held here
            runs.put(told_as_stopped(run))
    return runs.begin(JOB, {"starts": list(wanted.starts)})


def check_packages() -> None:
    """Raise InputRefused where the packages of the extra `crawl` are missing."""
    try:
        import feedparser  # noqa: F401
        import scrapy  # noqa: F401
        import trafilatura  # noqa: F401
    except ImportError as error:
        raise InputRefused(MISSING) from error


class _Crawling:
    """One crawl that is under way."""

    def __init__(
        self,
        wanted: Wanted,
        storing: Storing,
        progress: Progress,
        lease: Held,
        step: Callable[[int], None],
    ) -> None:
        self._wanted, self._storing, self._progress = wanted, storing, progress
        self._lease, self._step = lease, step
        self._noted, self._told = time.monotonic(), 0
        self._interrupted = False

    def all(self) -> None:
        from dupdex.crawl.reading_pool import ReadingPool
        from dupdex.crawl.scrapy_net import run_with_net

        wanted = self._wanted
        guard = NetworkGuard.of(wanted.starts, wanted.private)
        self._pool = ReadingPool(wanted.workers)
        try:
            self._pool.start()
            agent = wanted.user_agent or default_user_agent()
            run_with_net(lambda net: self._with_net(net, guard), guard, wanted.limits, agent)
        finally:
            self._pool.close()
        if self._interrupted:
            raise KeyboardInterrupt

    async def _with_net(self, net: Net, guard: NetworkGuard) -> None:
        from dupdex.crawl.asking import Asker
        from dupdex.crawl.crawling import Crawl, Order

        wanted = self._wanted
        agent = (wanted.user_agent or AGENT).partition("/")[0].split(" ")[0]
        asker = Asker(net, self._pool, guard, wanted.scope, wanted.limits, agent, wanted.afresh)
        now = moment(datetime.now(UTC))
        order = Order(wanted.starts, wanted.scope, wanted.limits, now, wanted.afresh)
        crawling = Crawl(order, asker, self._storing, self._note)
        with _signals(lambda: self._interrupt(crawling.stop)):
            try:
                await crawling.run()
            finally:
                spent = asker.spent
                counts = _counts(crawling.counts) | {
                    "fetched": spent.pages,
                    "requests": spent.requests,
                    "bytes": spent.received,
                    "ended_by": crawling.ended_by,
                    "hosts_given_up": crawling.problems,
                    "hosts_left_out": self._storing.hosts.left_out,
                }
        waiting = await asyncio.to_thread(self._storing.frontier.count, UrlState.WAITING)
        self._progress.note(**counts, waiting=waiting)

    def _interrupt(self, stop: Callable[[str], None]) -> None:
        self._interrupted = True
        stop("interrupted")

    def _note(self, counts: Counter[str]) -> None:
        self._step(counts["stored"] - self._told)
        self._told = counts["stored"]
        if time.monotonic() - self._noted > _NOTED:
            self._noted = time.monotonic()
            self._progress.note(**_counts(counts))


@contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on Ctrl-C and SIGTERM while the block runs in the event loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def default_user_agent() -> str:
    """What a crawl calls itself."""
    from dupdex import __version__

    return f"{AGENT}/{__version__}"


def _counts(counts: Counter[str]) -> dict[str, Any]:
    """The counts of addresses as a run records them: each that is not 0, failures by reason."""
    out: dict[str, Any] = {name: counts[name] for name in _PAGES}
    failed: dict[str, int] = {}
    for name, number in sorted(counts.items()):
        what, colon, reason = name.partition(": ")
        if colon:
            failed[reason] = number
        elif what != "stored":
            out[what.replace(" ", "_")] = number
    out["failed"] = sum(failed.values())
    out["failed_by_reason"] = failed
    return out
