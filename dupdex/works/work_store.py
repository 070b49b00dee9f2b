"""The works of a store: what they are called and for, and their chapters.

The texts of chapters, whole and in sections, are documents of one index (`Location.works`), found
like any others; what is said about a chapter is an item of a collection beside it, with its text.
A chapter without that item is compared with nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from dupdex.banks.bank_home import TEXT_FIELD, BankHome
from dupdex.session import Session
from dupdex.works.text_sections import sections
from dupdex.works.work_model import Chapter, Work, section_id
from indexer.model import Document
from indexer.stores.collection_store import Between, Condition, Equals, scan
from mappings.collections import moment
from mappings.errors import NotFound, StoreRefused
from mappings.plan import Plan
from mappings.work_records import CHAPTERS, WORKS

WORK_FIELD: Final = "work"

_MAPPINGS: Final[dict[str, Any]] = {
    "properties": {WORK_FIELD: {"type": "keyword"}, "section": {"type": "integer"}}
}
_BATCH: Final = 100
_NO_WORK: Final = "no work {!r}; 'dupdex works list' names those there are"


@dataclass(frozen=True, slots=True)
class ChapterOutcome:
    """What became of one chapter: `created`, `updated`, `unchanged` or `rejected` for a reason."""

    work: str
    id: str
    status: str
    reason: str = ""


class Works:
    """The works of the server or folder of a session; nothing is made before the first is added."""

    def __init__(self, session: Session) -> None:
        self.home = BankHome(session, session.location.works, _MAPPINGS)

    def put(self, wanted: Work) -> Work:
        """Make a work, or change what is said about it."""
        store = self.home.collection(WORKS)
        now = moment(datetime.now(UTC))
        item = store.get(wanted.name)
        work = replace(wanted, made=now, changed=now)
        if item is not None:
            before = Work.from_item(item)
            same = (before.sites, before.indices) == (wanted.sites, wanted.indices)
            work = replace(work, made=before.made, changed=before.changed if same else now)
            if work == before:
                return before
        store.put(work.name, work.values())
        store.refresh()
        return work

    def all(self) -> list[Work]:
        """All works, by name."""
        store = self.home.stored(WORKS)
        if store is None:
            return []
        store.refresh()
        return [Work.from_item(item) for item in scan(store)]

    def get(self, name: str) -> Work:
        """One work. Raises NotFound."""
        store = self.home.stored(WORKS)
        item = store.get(name) if store is not None and name else None
        if item is None:
            raise NotFound(_NO_WORK.format(name))
        return Work.from_item(item)

    def count(self) -> dict[str, int]:
        """How many chapters each work has."""
        store = self.home.stored(CHAPTERS)
        if store is None:
            return {}
        store.refresh()
        return {row[0]: count for row, count in store.tally(["work"])}

    def add(self, chapters: Iterable[Chapter]) -> Iterator[ChapterOutcome]:
        """Add chapters of works that are there, replacing those of the same ids; outcomes come once
        a chapter is durable, those of a batch together."""
        remaining = iter(chapters)
        try:
            while batch := list(islice(remaining, _BATCH)):
                yield from self._add(batch)
        finally:
            self._refresh()

    def chapters(self, work: str = "", since: str | None = None) -> Iterator[Chapter]:
        """The chapters of a work, or of all, with their texts, by id; with `since` only those that
        changed then or later."""
        store = self.home.stored(CHAPTERS)
        if store is None:
            return
        store.refresh()
        conditions: list[Condition] = [Equals("work", (work,))] if work else []
        if since is not None:
            conditions.append(Between("changed", since))
        yield from map(Chapter.from_item, scan(store, conditions))

    def these(self, keys: Iterable[str]) -> dict[str, Chapter]:
        """The chapters of these keys; absent ones are left out."""
        store = self.home.stored(CHAPTERS)
        names = list(dict.fromkeys(keys))
        if store is None or not names:
            return {}
        return {name: Chapter.from_item(item) for name, item in store.get_all(names).items()}

    def remove(self, work: str, ids: Sequence[str] = ()) -> int:
        """Remove chapters of a work; without ids all, and the work. How many there were. Raises
        NotFound for an absent work."""
        self.get(work)
        if not ids:
            works = self.home.collection(WORKS)
            works.delete(work)
            works.refresh()
        removed = 0
        wanted = set(ids)
        found = (each for each in self.chapters(work) if not wanted or each.id in wanted)
        while batch := list(islice(found, _BATCH)):
            removed += self.home.collection(CHAPTERS).delete_all([each.key for each in batch])
            with self.home.writing() as texts:
                texts.delete([name for each in batch for name in _names(each)])
        self._refresh()
        return removed

    def _add(self, batch: Sequence[Chapter]) -> list[ChapterOutcome]:
        # of two with one id the last stays
        store = self.home.collection(CHAPTERS)
        before = self.these(each.key for each in batch)
        with self.home.writing() as texts:
            plan, now = texts.plan, moment(datetime.now(UTC))
            new = {each.key: _ready(each, before.get(each.key), plan, now) for each in batch}
            changed = [e for key, e in new.items() if not _same_text(e, before.get(key))]
            reasons = {
                outcome.document.id: outcome.reason
                for outcome in texts.add(doc for each in changed for doc in _documents(each, plan))
            }
            over = [n for e in changed if (old := before.get(e.key)) for n in _excess(old, e)]
            texts.delete(over)
        refused = {e.key: r for e in changed if (r := reasons[section_id(e.key, 0)])}
        kept = [e for key, e in new.items() if e != before.get(key) and key not in refused]
        for outcome in store.put_all((each.key, each.values()) for each in kept):
            if outcome.reason:
                raise StoreRefused(f"chapter {outcome.id!r} cannot be kept: {outcome.reason}")
        return [_outcome(each, before.get(key), refused.get(key, "")) for key, each in new.items()]

    def _refresh(self) -> None:
        if self.home.stored(CHAPTERS) is None:
            return
        self.home.collection(CHAPTERS).refresh()
        with self.home.writing() as texts:
            texts.refresh()


def _ready(chapter: Chapter, before: Chapter | None, plan: Plan, now: str) -> Chapter:
    """The chapter with what is counted of its text, and its times."""
    made = sha256(chapter.text.encode("utf-8", "replace")).hexdigest()[:32]
    letters = sum(map(str.isalnum, chapter.text))
    parts = len(sections(chapter.text, plan))
    added = now if before is None else before.added
    changed = now if before is None or before.hash != made else before.changed
    return replace(
        chapter, hash=made, letters=letters, sections=parts, added=added, changed=changed
    )


def _same_text(chapter: Chapter, before: Chapter | None) -> bool:
    return before is not None and before.hash == chapter.hash


def _outcome(chapter: Chapter, before: Chapter | None, reason: str) -> ChapterOutcome:
    status = "created" if before is None else "unchanged" if before == chapter else "updated"
    return ChapterOutcome(chapter.work, chapter.id, "rejected" if reason else status, reason)


def _documents(chapter: Chapter, plan: Plan) -> Iterator[Document]:
    texts = [chapter.text, *(section.text for section in sections(chapter.text, plan))]
    for number, text in enumerate(texts):
        body = {TEXT_FIELD: text, WORK_FIELD: chapter.work, "section": number}
        yield Document(section_id(chapter.key, number), body=body)


def _names(chapter: Chapter) -> list[str]:
    return [section_id(chapter.key, number) for number in range(chapter.sections + 1)]


def _excess(before: Chapter, now: Chapter) -> list[str]:
    """Documents of sections that a chapter has no more."""
    return _names(before)[now.sections + 1 :]
