"""One index, for programs and the command line alike: everything dupdex does, by one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final, Self

from dupdex.attach.attach_reports import AttachReport, DetachReport
from dupdex.index_arguments import ids_of, session_of, told
from dupdex.location import Location
from dupdex.rebuild import rebuild
from dupdex.session import Session
from indexer.attachment import Attachment
from indexer.boilerplate import NOTHING, Boilerplate, Learned, Learner
from indexer.closing import Closing
from indexer.meta import IndexMeta, check_settled
from indexer.meta_watch import MetaChanged
from indexer.model import Document, Outcome, Status
from indexer.pipeline import OnlyDocuments
from indexer.pipeline import index as index_documents
from indexer.stores import StoreWriter
from mappings.errors import DupdexError, InputRefused
from mappings.plan import Plan
from query.answers import Answer, Filter, Hits, Stored
from query.explain.explanation import Explanation, Subject, explain
from query.lookup import (
    EVERYTHING,
    Options,
    Question,
    near_duplicates_all,
    question_of,
)
from query.stores import StoreReader
from query.sweep import SweepReport, VerifiedPair, all_pairs
from query.two_plans import Asked, near_duplicates_under

_REBUILD_AGAIN: Final = (
    "lookups may miss the documents with keys of another plan; 'dupdex rebuild' moves them, or "
    "says of each why it cannot"
)

_ATTACH_AGAIN: Final = (
    "lookups cannot find the documents that are not covered; 'dupdex attach' covers all that have "
    "a text"
)

SAMPLE: Final = 20_000
"""Documents from which boilerplate is learned, unless said otherwise."""

FROM: Final = 1_000
"""Documents an index must hold before `learn_if_grown` learns: fewer say little."""

AUTOMATIC: Final = 5_000
"""How many `learn_if_grown` learns from: few, as all their sentences are held in memory."""

_AT_ONCE: Final = 100

_CLOSED: Final = "the index is closed; open it again"


class Index(Closing):
    """An open index. `open` reads; `create` reads and writes, making the index when it is absent.

    with Index.create(Location("my-folder")) as index:
        index.add([Document("1", "some text")])
        answer = index.lookup("some other text")

    Threads may share one. Every method raises InputRefused once the index is closed.
    """

    def __init__(
        self, session: Session, reader: StoreReader, writer: StoreWriter | None, owns: bool
    ) -> None:
        """Everybody calls `open` or `create`; `owns`: the session is closed with the index."""
        self._session, self._owns = session, owns
        self._store, self._writer = reader, writer
        self._closed = False

    @classmethod
    def open(
        cls, where: Location | Session, plan: Plan | None = None, *, index: str | None = None
    ) -> Self:
        """Open for reading: the index that `where` names, or `index` there.

        Raises NotFound when there is no index, PlanMismatch when `plan` is not the index's.
        """
        session, owns = session_of(where)
        try:
            return cls(session, session.reader(index, plan), None, owns)
        except BaseException:
            if owns:
                session.close()
            raise

    @classmethod
    def create(
        cls,
        where: Location | Session,
        meta: IndexMeta | None = None,
        plan: Plan | None = None,
        mappings: Mapping[str, Any] | None = None,
        *,
        index: str | None = None,
    ) -> Self:
        """Open for writing; an absent index is made as `meta` says, with the user's `mappings`
        (Elasticsearch only). An existing index keeps its own.

        Raises StoreRefused for an index that dupdex did not make or that has another writer,
        PlanMismatch when this machine lacks what a new index's plan reads texts with.
        """
        session, owns = session_of(where)
        try:
            writer = session.writer(index, meta, plan, mappings)
            return cls(session, session.reader(index, plan), writer, owns)
        except BaseException:
            if owns:
                session.close()
            raise

    @classmethod
    def rebuild(
        cls,
        where: Location | Session,
        plan: Plan | None = None,
        workers: int = 1,
        progress: Callable[..., None] = lambda *_: None,
        *,
        online: bool = False,
    ) -> list[Outcome]:
        """Bring every document of an index that is not open for writing to `plan`, or end an
        unfinished rebuild; returns the outcomes of those that cannot be: they stay as they were.
        `online`: lookups go on meanwhile.

        The errors are those of `dupdex.rebuild.rebuild`, which yields all outcomes as they come.
        """
        outcomes = rebuild(where, plan, workers, progress, online=online)
        return [outcome for outcome in outcomes if outcome.status is Status.REJECTED]

    @classmethod
    def attach(
        cls,
        where: Location | Session,
        text_fields: Sequence[str] | None = None,
        title_field: str | None = None,
        plan: Plan | None = None,
        *,
        throttle: float | None = None,
        slices: int = 2,
        progress: Callable[..., None] = lambda *_: None,
        remark: Callable[[str], None] = lambda _: None,
    ) -> AttachReport:
        """Let an index of a server that dupdex did not make answer; see `dupdex.attach.attaching`,
        which says what is raised. None: what the index has, or "text", "title" and the standard
        plan. A single index that has grown learns boilerplate afterwards.
        """
        from dupdex.attach.attaching import Attaching, attach  # heavy; folders do without

        fields = None if text_fields is None else tuple(text_fields)
        wanted = Attaching(fields, title_field, plan, throttle, slices)
        report = attach(where, wanted, progress, remark)
        if report.written and len(report.indices) == 1:  # several cannot be changed at once
            try:
                with cls.create(where) as opened:
                    opened.learn_if_grown()
            except DupdexError as error:
                remark(f"boilerplate was not learned: {error}; 'dupdex learn' tries again")
        return report

    @classmethod
    def detach(
        cls,
        where: Location | Session,
        *,
        throttle: float | None = None,
        slices: int = 2,
        progress: Callable[..., None] = lambda *_: None,
        remark: Callable[[str], None] = lambda _: None,
    ) -> DetachReport:
        """Take everything of dupdex out of an attached index; see `dupdex.attach.detaching`."""
        from dupdex.attach.detaching import detach

        return detach(where, throttle, slices, progress, remark)

    @property
    def meta(self) -> IndexMeta:
        return self._reader.meta

    @property
    def plan(self) -> Plan:
        return self.meta.plan

    @property
    def problem(self) -> str:
        """What did not succeed and was no condition (an index template), for a note; or ""."""
        return self._writer.problem if self._writer is not None else ""

    def add(self, documents: Iterable[Document], workers: int = 1) -> list[Outcome]:
        """Fingerprint and store documents, overwriting those of the same id; returns one outcome
        for each, in order, once all are durable. New documents show in lookups after `refresh`.

        A document that cannot be stored is REJECTED and costs the others nothing. Raises
        InputRefused at an item that is no Document, once those before it are settled.
        """
        return list(self.add_iter(documents, workers))

    def add_iter(self, documents: Iterable[Document], workers: int = 1) -> Iterator[Outcome]:
        """`add` for any number of documents: outcomes come one by one, each once it is durable,
        and nothing is stored that they are not taken for.
        """
        writer = self._for_writing()
        # The writer's own plan, as it is what the writer looks after while it writes.
        plan, meta = writer.meta.writing, writer.meta
        taken = OnlyDocuments(documents)
        return chain(index_documents(taken, plan, writer, workers, meta), taken.refusal())

    def learn(self, sample: int = SAMPLE) -> Learned:
        """Learn from up to `sample` documents, drawn from the whole index, which sentences are
        boilerplate, and keep it in the index; lookups leave them out from then on.

        Raises StoreRefused for a name of several indices, or when the meta of the index
        was changed meanwhile, twice in a row.
        """
        writer = self._for_writing()
        writer.check_changeable()
        check_settled(writer.meta)
        learner, total = Learner(writer.meta.plan), self._reader.count()
        share = sample / total if total > sample else 1.0
        documents = islice(self._reader.scan(share=share), sample)
        while batch := list(islice(documents, _AT_ONCE)):
            learner.add([stored.text for stored in batch], [stored.fingerprint for stored in batch])
        learned = learner.learned(total)
        self._put_boilerplate(learned.boilerplate)
        return learned

    def forget(self) -> None:
        """Let every sentence have its say again, until something is learned anew."""
        self._put_boilerplate(NOTHING)

    def _put_boilerplate(self, boilerplate: Boilerplate) -> None:
        try:
            self._set_boilerplate(boilerplate)
        except MetaChanged:  # between the reading and the change, or at the same moment
            self._set_boilerplate(boilerplate)

    def _set_boilerplate(self, boilerplate: Boilerplate) -> None:
        writer = self._for_writing()
        writer.watch.check()  # all else is kept as it is by now, not as it was at the beginning
        writer.set_meta(replace(writer.meta, boilerplate=boilerplate))

    def learn_if_grown(self) -> None:
        """Learn from few documents when the index is twice what it was the last time, or more."""
        if self.count() >= max(FROM, 2 * self.meta.boilerplate.total):
            self.learn(AUTOMATIC)

    def delete(self, ids: Iterable[str]) -> list[str]:
        """Remove documents; returns the ids that were there."""
        return self._for_writing().delete(ids_of(ids))

    def refresh(self) -> None:
        """Make everything written so far visible."""
        self._for_writing().refresh()

    def lookup(self, text: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a text, indexed or not."""
        return self._answers(self._current(), [Question(text)], options)[0]

    def lookup_id(self, document_id: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a stored document."""
        meta = self._current()
        return self._answers(meta, [question_of(document_id, self._store)], options)[0]

    def lookup_all(
        self, questions: Sequence[Question], options: Options | None = None
    ) -> list[Answer]:
        """Many lookups together: one round trip for candidates, one for texts."""
        return self._answers(self._current(), questions, options)

    def _answers(
        self, meta: IndexMeta, questions: Sequence[Question], options: Options | None
    ) -> list[Answer]:
        reader, goal = self._reader, meta.goal
        if goal is None or goal.id == meta.plan.id:
            return near_duplicates_all(questions, meta.plan, reader, options, meta.boilerplate)
        before = Asked(meta.plan, meta.boilerplate)
        after = Asked(goal, meta.boilerplate_of(goal))
        return near_duplicates_under(questions, before, after, reader, options)

    def sweep(
        self,
        options: Options = EVERYTHING,
        report: SweepReport | None = None,
        step: Callable[[int], None] | None = None,
    ) -> Iterator[VerifiedPair]:
        """Every pair of near duplicates in the index, once. `report` says what could not be
        covered; `step` is told of documents looked up.
        """
        meta = self._current()
        check_settled(meta)
        documents = self._reader.scan()
        if step is not None:
            documents = told(documents, step)
        return all_pairs(documents, meta.plan, self._reader, meta.boilerplate, options, report)

    def explain(self, first: Subject, second: Subject, *, boilerplate: bool = False) -> Explanation:
        """Why two texts are duplicates, or are not: what they share, by passages and keys.
        `boilerplate`: let sentences have their say that many unrelated documents share, and
        passages that they have.
        """
        meta = self._current()
        left_out = None if boilerplate else meta.boilerplate
        return explain(first, second, meta.plan, self._reader, left_out)

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """Full-text search over title and text."""
        return self._reader.search(text, size, offset, filters)

    def get(self, ids: Iterable[str]) -> dict[str, Stored]:
        """Stored documents by id; absent ids are left out. Behind an alias over several indices
        the first one of each id; `get_all` gives every one.
        """
        return {name: stored[0] for name, stored in self.get_all(ids).items()}

    def get_all(self, ids: Iterable[str]) -> dict[str, tuple[Stored, ...]]:
        """Every stored document of each id, one for each index that has it."""
        return self._reader.by_ids(ids_of(ids))

    def scan(self) -> Iterator[Stored]:
        """Every stored document, with bounded memory."""
        return self._reader.scan()

    def count(self) -> int:
        return self._reader.count()

    def describe(self) -> dict[str, object]:
        """Where the index is, how large, under which plan, and how many documents carry keys of
        another plan (`other_plans`), which lookups cannot count on; then also the `next_step`.
        `boilerplate`: sentences that have no say in lookups, learned from so many documents. An
        attached index also says how far it is `attached`, and how many documents are `covered`.
        """
        meta = self.meta
        others = self._reader.count(without_plan=meta.plan.id)
        facts = {
            **self._reader.describe(),
            "plan": meta.plan.id,
            "other_plans": others,
            "text_fields": list(meta.text_fields),
            "title_field": meta.title_field,
            "boilerplate": len(meta.boilerplate.sentences),
            "boilerplate_learned_from": meta.boilerplate.documents,
        }
        if meta.attached is None:
            return {**facts, "next_step": _REBUILD_AGAIN} if others else facts
        facts |= {"attached": meta.attached.value, "covered": self._reader.count() - others}
        unfinished = others or meta.attached is not Attachment.DONE
        return {**facts, "next_step": _ATTACH_AGAIN} if unfinished else facts

    def close(self) -> None:
        """Let go of the store, and of a session that was opened with the index."""
        self._closed = True
        if self._writer is not None:
            self._writer.close()
        if self._owns:
            self._session.close()

    def _current(self) -> IndexMeta:
        """The meta for a lookup: a rebuild elsewhere, other thresholds and boilerplate that was
        learned are noticed within a second.

        Raises PlanMismatch when the plan is another, NotFound when the index was removed.
        """
        watch = self._reader.watch
        watch.look()
        return watch.meta

    @property
    def _reader(self) -> StoreReader:
        if self._closed or self._session.closed:
            raise InputRefused(_CLOSED)
        return self._store

    def _for_writing(self) -> StoreWriter:
        if self._closed or self._session.closed:
            raise InputRefused(_CLOSED)
        if self._writer is None:
            raise InputRefused("the index was opened for reading; open it with Index.create")
        return self._writer
