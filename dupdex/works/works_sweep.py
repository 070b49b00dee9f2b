"""The daily comparison of an index of pages with the works that are for it.

pages that are new or changed + pages that new or changed chapters are found in + pages whose
records rest on chapters that changed -> each checked as a whole (`page_check`) -> records
-> records of all other pages: seen again, or gone

One runs at a time, under a lease. It notes how far it came, and the next one goes on there if it is
killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final

from dupdex.index import Index
from dupdex.jobs.heartbeat import WAIT, Held, held
from dupdex.jobs.run_store import Progress, Run, RunStore, State, told_as_stopped
from dupdex.session import Session
from dupdex.works.infringement_store import InfringementStore
from dupdex.works.page_check import PageCheck
from dupdex.works.page_facts import PageFacts
from dupdex.works.text_sections import blocks, sections
from dupdex.works.work_model import Chapter, Infringement
from dupdex.works.work_store import Works
from indexer.meta import check_settled
from indexer.model import Ref
from indexer.stores.collection_store import Condition, Equals
from indexer.stores.lease import SECONDS
from mappings.collections import moment
from mappings.errors import AccessRefused, InputRefused, TextRefused
from mappings.records import LEASES, key_of, parts_of_key
from query.questions import Options, Question

JOB: Final = "works-sweep"

PART: Final = 20
"""Pages that are checked and kept together."""

MARGIN: Final = 60_000
"""Milliseconds between the time that a document carries and its being seen, at the most."""

_RECORDS: Final = 500
_RESUMABLE: Final = timedelta(days=1)
_LOOKUP: Final = Options(
    size=None,
    candidates=1_000,
    verify=None,
    boilerplate=True,  # that many pages have a passage of a work is what is looked for
    facts=False,
    located=False,
    as_meant=False,
    bodies=False,
)

Step = Callable[..., None]


@dataclass(frozen=True, slots=True)
class WorksSweep:
    """What is compared. `since`: pages and chapters that were written then or later, in
    milliseconds since 1970; None for since the last run that left nothing uncompared. `whole`: all
    pages. `works`: with nothing but these. A run that compares less than what is new since the last
    one leaves that time as it is."""

    since: int | None = None
    whole: bool = False
    works: tuple[str, ...] = ()


def sweep_works(
    works: Works,
    wanted: WorksSweep | None = None,
    index: str | None = None,
    step: Step = lambda *_: None,
    seconds: float = SECONDS,
    wait: float = WAIT,
) -> Run:
    """Compare the pages of an index with works; returns the record of the run. `step` is told of
    pages, and of how many there are. `seconds`: how long others wait when this one is killed.

    Raises NotFound for an index or a work that is not there, StoreUnavailable when another run is
    under way for longer than `wait` seconds.
    """
    wanted = wanted or WorksSweep()
    session = works.home.session
    name = index or session.location.index
    if name == works.home.name:
        raise InputRefused(f"index {name!r} holds the works themselves; name an index of pages")
    check_settled(session.reader(name).meta)
    check = PageCheck(works, name, wanted.works)
    with ExitStack() as opened:
        lease = opened.enter_context(held(session.collection(LEASES, name), JOB, seconds, wait))
        _show_written(session, name)
        runs = RunStore.open(session, name)
        run = _run_of(runs, wanted, "" if check.plan is None else check.plan.id)
        progress = opened.enter_context(runs.recorded(run))
        _Sweeping(works, check, name, lease, progress, step).all()
    return progress.run


def _show_written(session: Session, index: str) -> None:
    """A folder shows everything at once, and may have a writer."""
    if session.location.is_server:
        with suppress(AccessRefused), closing(session.writer(index)) as writer:
            writer.refresh()


def _run_of(runs: RunStore, wanted: WorksSweep, plan: str) -> Run:
    """The run that goes on where an interrupted one stopped, or a new one."""
    last = runs.latest(JOB, limit=50)
    complete = _since_complete(last, plan)
    since = None if wanted.whole else wanted.since or complete
    mark = {
        "after": "",
        "plan": plan,
        "since": since,
        "works": sorted(wanted.works),
        "complete": _leaves_nothing(since, wanted.works, complete),
    }
    found: Run | None = None
    for number, run in enumerate(last):
        fresh = datetime.fromisoformat(run.started) > datetime.now(UTC) - _RESUMABLE
        same = run.mark is not None and {**run.mark, "after": ""} == mark
        if number == 0 and fresh and same and run.state is not State.DONE:
            counts = {**run.counts, "resumed": run.counts.get("resumed", 0) + 1}
            found = replace(run, state=State.RUNNING, ended=None, error="", counts=counts)
            runs.put(found)
        elif run.ended is None:  # the lease is held here
            runs.put(told_as_stopped(run))
    return found or runs.begin(JOB, mark)


def _since_complete(last: Sequence[Run], plan: str) -> int | None:
    """When the last run began that was done and left nothing uncompared; None for none, and where
    the bank has another plan by now."""
    for run in last:
        if run.state is State.DONE and run.counts.get("complete") and run.counts["plan"] == plan:
            return _milliseconds(run.started) - MARGIN
    return None


def _leaves_nothing(since: int | None, works: Sequence[str], last: int | None) -> bool:
    """Whether, after a run of this kind, all pages and all works up to then were compared. `last`:
    up to when they are already."""
    return not works and (since is None or (last is not None and since <= last))


class _Sweeping:
    """One run that is under way."""

    def __init__(
        self,
        works: Works,
        check: PageCheck,
        index: str,
        lease: Held,
        progress: Progress,
        step: Step,
    ) -> None:
        self._works, self._check, self._index = works, check, index
        self._lease, self._progress, self._step = lease, progress, step
        self._session = works.home.session
        self._reader = self._session.reader(index)
        self._facts = PageFacts(self._session, index)
        self._store = InfringementStore.open(self._session, index)
        self._mark = dict(progress.run.mark or {})
        self._since: int | None = self._mark["since"]
        self._only: tuple[str, ...] = tuple(self._mark["works"])
        self._counts: dict[str, Any] = {
            name: int(progress.run.counts.get(name, 0))
            for name in ("pages", "new", "changed", "gone")
        }

    def all(self) -> None:
        """Every page that has to be checked, then every record of the others."""
        self._store.refresh()
        late: set[str] = set()
        keys = sorted(self._keys(late))
        after = self._mark["after"]
        left = [key for key in keys if key > after or key in late]
        self._step(len(keys) - len(left), len(keys))
        for at in range(0, len(left), PART):
            self._lease.check()
            batch = left[at : at + PART]
            self._settle(batch)
            self._mark["after"] = max(after, batch[-1])
            self._progress.note(self._mark, of=len(keys), **self._counts)
            self._step(len(batch))
        self._store.refresh()
        standing = self._see_others()
        self._store.refresh()
        self._progress.note(
            plan=self._mark["plan"],
            works=self._mark["works"],
            complete=self._mark["complete"],
            standing=standing,
            **self._counts,
        )

    def _settle(self, keys: Sequence[str]) -> None:
        refs = [Ref(*parts_of_key(key)) for key in keys]
        documents = self._reader.documents(refs)
        pages = self._facts.pages(refs, documents)
        found = self._check.check(pages)
        now, urls = self._progress.run.started, self._check.urls
        pairs = list(zip(pages, found, strict=True))
        done = self._store.settle(pairs, urls, now, self._only)
        for name in ("new", "changed", "gone"):
            self._counts[name] += getattr(done, name)
        self._counts["pages"] += len(keys)

    def _keys(self, late: set[str]) -> set[str]:
        """The keys of the pages to check; those found by chapters that came after the run began
        are `late`: a run that goes on has not checked them with these."""
        if self._since is None:
            return self._all_pages()
        since = moment(datetime.fromtimestamp(self._since / 1_000, UTC))
        chapters = list(self._changed_chapters(since))
        texts = sum(each.sections + 1 for each in chapters)
        if texts > max(PART, self._reader.count()):  # it is less work to check every page
            return self._all_pages()
        keys = {key_of(each.index, each.id) for each in self._reader.scan(since=self._since)}
        for chapter in chapters:
            found = self._pages_with(chapter)
            keys |= found
            if chapter.changed >= self._progress.run.started:
                late |= found
        return keys | self._pages_of_changed(since)

    def _all_pages(self) -> set[str]:
        stored = {key_of(ref.index, ref.id) for ref, _ in self._reader.all_standings()}
        return stored | {record.document for record in self._records() if record.gone is None}

    def _changed_chapters(self, since: str) -> Iterator[Chapter]:
        """Chapters that changed since then, and all of works whose sites or indices did."""
        for name, work in self._check.works.items():
            yield from self._works.chapters(name, None if work.changed >= since else since)

    def _pages_with(self, chapter: Chapter) -> set[str]:
        """The pages that have something of a chapter, as far as the keys of whole pages tell."""
        self._lease.check()
        with Index.open(self._session, index=self._index) as pages:
            plan = pages.plan
            parts = [*blocks(chapter.text), *sections(chapter.text, plan)]
            try:
                answers = pages.lookup_all([Question(part.text) for part in parts], _LOOKUP)
            except TextRefused:  # the plan of these pages cannot compare it
                return set()
        return {key_of(match.index, match.id) for each in answers for match in each.matches}

    def _pages_of_changed(self, since: str) -> set[str]:
        """Pages whose records rest on chapters that are gone, or have changed."""
        out: set[str] = set()
        records = self._records()
        while batch := list(islice(records, _RECORDS)):
            chapters = self._works.these(record.chapter for record in batch)
            for record in batch:
                chapter = chapters.get(record.chapter)
                there = chapter is not None and record.work in self._check.works
                if not there or (chapter is not None and chapter.changed >= since):
                    out.add(record.document)
        return out

    def _records(self) -> Iterator[Infringement]:
        wanted: list[Condition] = [Equals("work", self._only)] if self._only else []
        return self._store.all(wanted)

    def _see_others(self) -> int:
        """Say of every record whose page was not checked whether it stands, and remove those that
        rest on nothing any more; how many stand."""
        standing = 0
        records = self._records()
        while batch := list(islice(records, _RECORDS)):
            self._lease.check()
            chapters = self._works.these(record.chapter for record in batch)
            over = [each.id for each in batch if not self._rests(each, chapters)]
            batch = [each for each in batch if each.id not in over]
            seen = self._seen([each for each in batch if each.gone is None])
            self._store.put(seen)
            self._store.remove(over)
            self._counts["gone"] += sum(each.gone is not None for each in seen)
            ended = {each.id for each in seen if each.gone is not None}
            standing += sum(each.gone is None and each.id not in ended for each in batch)
        return standing

    def _rests(self, record: Infringement, chapters: dict[str, Chapter]) -> bool:
        """Whether its work and chapter are there, and its site is none of their own."""
        there = record.chapter in chapters and record.work in self._check.works
        return there and not self._check.is_own(record.chapter, record.site, chapters)

    def _seen(self, records: Sequence[Infringement]) -> list[Infringement]:
        """The records as of now, of pages that this run has not checked."""
        now = self._progress.run.started
        old = [each for each in records if each.last_seen < now]
        refs = [Ref(*parts_of_key(each.document)) for each in old]
        there = self._reader.standings(refs)
        standing = self._facts.standing(refs)
        out = []
        for record, ref in zip(old, refs, strict=True):
            if ref in there and ref in standing:
                fetched = max(standing[ref] or "", record.fetched or "") or None
                out.append(replace(record, last_seen=now, fetched=fetched))
            else:
                out.append(replace(record, gone=now))
        return out


def _milliseconds(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1_000)


def counts_of(run: Run) -> dict[str, Any]:
    """What a run did, for people and programs."""
    names = ("pages", "new", "changed", "gone", "standing")
    return {name: run.counts.get(name, 0) for name in names}
