"""One index, for programs and the command line alike: everything dupdex does, by one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, Self

from dupdex.admission import Admission, Admitted
from dupdex.arguments import ids_in, session_of, told
from dupdex.attach.attachable import Attachable
from dupdex.description import described
from dupdex.groups.group_search import search_groups
from dupdex.groups.kept import KeptGroups, are_kept
from dupdex.learning import change_meta, learned_from, learned_if_grown
from dupdex.location import Location
from dupdex.matches.decisions import Decided
from dupdex.matches.forgetting import Forgetting, Receipt
from dupdex.matches.match_store import MatchPage, MatchQuery
from dupdex.matches.review_queue import ReviewQueue
from dupdex.matches.upkeep import Upkeep
from dupdex.rebuild import rebuild
from dupdex.report.findings import DuplicateReport, ReportOptions
from dupdex.session import Session
from indexer.boilerplate import NOTHING, Learned
from indexer.closing import Closing
from indexer.grouping import Grouping
from indexer.meta import IndexMeta, check_settled
from indexer.model import Document, Outcome, Status
from indexer.pipeline import OnlyDocuments
from indexer.pipeline import index as index_documents
from indexer.stores import StoreWriter
from indexer.stores.collection_store import Cursor
from mappings.errors import InputRefused
from mappings.plan import STANDARD, Plan
from query.answers import Answer, Decision, Filter, GroupHits, Hits, Ref, Stored
from query.decided import decided_all
from query.explain.explanation import Explanation, Subject, explain
from query.questions import EVERYTHING, Options, Question, question_of
from query.stores import StoreReader
from query.sweep import SweepReport, VerifiedPair, all_pairs
from query.two_plans import answers_now

SAMPLE: Final = 20_000
"""Documents from which boilerplate is learned, unless said otherwise."""

_CLOSED: Final = "the index is closed; open it again"


class Index(Attachable, Closing):
    """An open index. `open` reads; `create` reads and writes, making the index when it is absent.

    with Index.create(Location("my-folder")) as index:
        index.add([Document("1", "some text")])
        answer = index.lookup("some other text")

    Threads may share one. Every method raises InputRefused once the index is closed.
    """

    def __init__(
        self,
        session: Session,
        reader: StoreReader,
        writer: StoreWriter | None,
        owns: bool,
        index: str | None = None,
    ) -> None:
        """Everybody calls `open` or `create`; `owns`: the session is closed with the index."""
        self._session, self._owns, self._name = session, owns, index
        self._upkeep = Upkeep(session, index, reader)
        self._store, self._writer, self._name = reader, writer, index
        self._admission: Admission | None = None
        self.reviews = ReviewQueue(session, index, reader)
        self.groups = KeptGroups(session, index, self._for_writing)
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
            return cls(session, session.reader(index, plan), None, owns, index)
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
        grouping: Grouping | None = None,
    ) -> Self:
        """Open for writing; an absent index is made as `meta` says, with the user's `mappings`
        (Elasticsearch only). An existing index keeps its own. `grouping`: how the index keeps
        groups from now on; documents that were there before are grouped by `group`.

        Raises StoreRefused for an index that dupdex did not make or that has another writer,
        PlanMismatch when this machine lacks what a new index's plan reads texts with.
        """
        session, owns = session_of(where)
        try:
            if grouping is not None:
                meta = replace(meta or IndexMeta(plan=plan or STANDARD), grouping=grouping)
            writer = session.writer(index, meta, plan, mappings)
            made = cls(session, session.reader(index, plan), writer, owns, index)
            if grouping is not None and writer.meta.grouping != grouping:
                change_meta(writer, grouping=grouping)
            return made
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
    ) -> list[Outcome]:
        """Bring every document of an index that is not open for writing to `plan`, or end an
        unfinished rebuild; returns the outcomes of those that cannot be: they stay as they were.

        The errors are those of `dupdex.rebuild.rebuild`, which yields all outcomes as they come.
        """
        outcomes = rebuild(where, plan, workers, progress)
        return [outcome for outcome in outcomes if outcome.status is Status.REJECTED]

    @property
    def meta(self) -> IndexMeta:
        return self._reader.meta

    @property
    def plan(self) -> Plan:
        return self.meta.plan

    @property
    def keeps_groups(self) -> bool:
        """Whether documents are in groups: from when they are written, or since a sweep."""
        return are_kept(self._session, self._name)

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
        outcomes = chain(index_documents(taken, plan, writer, workers, meta), taken.refusal())
        return self.groups.written(self._upkeep.written(outcomes, writer.refresh))

    def admit(self, document: Document, options: Options | None = None, **more: Any) -> Admitted:
        """Look a document up and store it as one step, so that of equal ones that are admitted at
        the same moment one is the first; see `Admission.admit`."""
        self._for_writing()
        if self._admission is None:
            self._admission = Admission(self._session, self, self._name)
        return self._admission.admit(document, options, **more)

    def group(self, progress: Callable[[int], None] = lambda _: None) -> None:
        """Group every document, also those that were stored while the index kept no groups.
        `progress` is told of documents. Raises InputRefused where it still keeps none.
        """
        self.groups.bring_up_to_date(progress)

    def learn(self, sample: int = SAMPLE) -> Learned:
        """Learn from up to `sample` documents, drawn from the whole index, which sentences are
        boilerplate, and keep it in the index; lookups leave them out from then on.

        Raises StoreRefused for a name of several indices, or when the meta of the index
        was changed meanwhile, twice in a row.
        """
        return learned_from(self._reader, self._for_writing(), sample)

    def forget(self) -> None:
        """Let every sentence have its say again, until something is learned anew."""
        change_meta(self._for_writing(), boilerplate=NOTHING)

    def learn_if_grown(self) -> None:
        """Learn from few documents when the index is twice what it was the last time, or more."""
        learned_if_grown(self._reader, self._for_writing())

    def delete(self, ids: Iterable[str]) -> list[str]:
        """Remove documents, with the pairs that are kept of them; returns the ids that were there.
        What was decided about them stays, for when they come back."""
        names = ids_in(ids)
        deleted = self.groups.delete(names)
        self._upkeep.deleted(names)
        return deleted

    def find(self, filters: Sequence[Filter] = (), text: str = "") -> Iterator[Stored]:
        """Every document that all filters accept and that full-text search for `text` finds."""
        return self._reader.find(filters, text)

    def ref_of(self, name: str) -> Ref:
        """The stored document that an id names, or INDEX/ID where several indices have the id.

        Raises NotFound, and InputRefused for an id of several documents.
        """
        return self._upkeep.ref_of(name)

    def refs_of(self, name: str) -> list[Ref]:
        """The documents that an id, or INDEX/ID, may name, stored or not."""
        _ = self._reader
        return self._upkeep.refs_of(name)

    def decide(
        self, first: str, second: str, decision: Decision | None, why: str = "", by: str = ""
    ) -> Decided:
        """Decide whether two stored documents are duplicates, or take that back (None). It goes
        before verdicts, in lookups and in groups, and outlives updates, sweeps and other plans.

        Raises as `ref_of` does, and InputRefused when there is nothing to take back.
        """
        _ = self._reader
        refs = (self.ref_of(first), self.ref_of(second))
        done = self._upkeep.decide(*refs, decision, why, by)
        self.groups.affected(refs)
        return done

    def matches(
        self, wanted: MatchQuery | None = None, limit: int = 100, after: Cursor | None = None
    ) -> MatchPage:
        """A page of the verified pairs that are kept, the ones found last first."""
        _ = self._reader
        return self._upkeep.matches(wanted or MatchQuery(), limit, after)

    def pair(self, pair_id: str) -> tuple[Ref, Ref]:
        """A verified pair, or listed copy and original, by the id of its record, or NotFound."""
        _ = self._reader
        return self._upkeep.pair(pair_id)

    def forget_document(self, name: str) -> Receipt:
        """Remove a document and all that is kept of it: pairs, decisions with their history, pins,
        its place in groups. The receipt says what was removed where, and what is left."""
        writer = self._for_writing()
        around = self.groups.around(self._upkeep.refs([name]))
        forgetting = Forgetting(self._session, self._upkeep, self._reader)
        return forgetting.forget(name, writer, lambda: self.groups.affected(around))

    def left_of(self, name: str) -> list[str]:
        """Where a document that was to be forgotten is still found; nothing when it is gone."""
        return Forgetting(self._session, self._upkeep, self._reader).left(name)

    def refresh(self) -> None:
        """Make everything written so far visible, and the pairs that are kept of it."""
        self._upkeep.refresh(self._for_writing())

    def lookup(self, text: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a text, indexed or not."""
        return answers_now([Question(text)], self._current(), self._reader, options)[0]

    def lookup_id(self, document_id: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a stored document."""
        self._current()
        return self.lookup_all([question_of(document_id, self._reader)], options)[0]

    def lookup_all(
        self, questions: Sequence[Question], options: Options | None = None
    ) -> list[Answer]:
        """Many lookups together: one round trip for candidates, one for texts. What somebody
        decided about a stored document, which the question names to leave it out, goes before
        verdicts."""
        meta, reader = self._current(), self._reader
        decisions = self._upkeep.decisions([question.exclude for question in questions])
        if decisions is None:
            return answers_now(questions, meta, reader, options)
        return decided_all(questions, decisions, meta, reader, options)

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

    def search_groups(
        self, text: str, size: int = 10, after: str | None = None, filters: Sequence[Filter] = ()
    ) -> GroupHits:
        """The same with one hit a group of near duplicates; `after`: the `next` of the page before,
        of the same search. Raises InputRefused for a cursor of another search, and one that has
        expired, as it does in Elasticsearch after five minutes.
        """
        return search_groups(self._reader, text, size, after, filters)

    def get(self, ids: Iterable[str]) -> dict[str, Stored]:
        """Stored documents by id; absent ids are left out. Behind an alias over several indices
        the first one of each id; `get_all` gives every one.
        """
        return {name: stored[0] for name, stored in self.get_all(ids).items()}

    def get_all(self, ids: Iterable[str]) -> dict[str, tuple[Stored, ...]]:
        """Every stored document of each id, one for each index that has it."""
        return self._reader.by_ids(ids_in(ids))

    def scan(self) -> Iterator[Stored]:
        """Every stored document, with bounded memory."""
        return self._reader.scan()

    def count(self) -> int:
        return self._reader.count()

    def describe(self) -> dict[str, object]:
        """Where the index is, how large, under which plan, and what lookups cannot count on; see
        `dupdex.description`."""
        return described(self._reader)

    def report(self, options: ReportOptions | None = None) -> DuplicateReport:
        """What the duplicates look like as a whole, counted in the store, as of the last refresh:
        rates, who copies whom, longest chains, health. It changes nothing.

        Raises InputRefused for a field that documents cannot be counted by, or that none has.
        """
        from dupdex.report.analysis import analyse  # only used here

        _ = self._reader
        return analyse(self._session, options, self._name)

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
