"""One index, for programs and the command line alike: everything dupdex does, by one object."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

from dupdex.location import Location
from indexer.boilerplate import NOTHING, Learned, Learner
from indexer.meta import IndexMeta, check_servable, check_unchanged
from indexer.model import Document, Outcome
from indexer.pipeline import index as index_documents
from indexer.stores import StoreWriter
from mappings.errors import DupdexError, InputRefused, NotFound
from mappings.plan import STANDARD, Plan
from query.answers import Answer, Filter, Hits, Stored
from query.explain.explanation import Explanation, Subject, explain
from query.lookup import (
    Options,
    Question,
    near_duplicates,
    near_duplicates_all,
    near_duplicates_of,
)
from query.stores import StoreReader

LOOK_SECONDS: Final = 1.0
"""How long lookups may go on under a plan that a rebuild has replaced."""

_REBUILD_AGAIN: Final = (
    "lookups may miss the documents with keys of another plan; 'dupdex rebuild' moves them, or "
    "says of each why it cannot"
)

SAMPLE: Final = 20_000
"""Documents from which boilerplate is learned, unless said otherwise."""

FROM: Final = 1_000
"""Documents an index must hold before `learn_if_grown` learns: fewer say little."""

AUTOMATIC: Final = 5_000
"""How many `learn_if_grown` learns from: few, as all their sentences are held in memory."""

_AT_ONCE: Final = 100


class Index:
    """An open index. `open` reads; `create` reads and writes, making the index when it is absent.

    with Index.create(Location("my-folder")) as index:
        for outcome in index.add([Document("1", "some text", {"text": "some text"})]): ...
        answer = index.lookup("some other text")
    """

    def __init__(self, location: Location, reader: StoreReader, writer: StoreWriter | None) -> None:
        self.location = location
        self._reader, self._writer = reader, writer
        self._next_look = time.monotonic() + LOOK_SECONDS
        self._known = reader.meta.boilerplate

    @classmethod
    def open(cls, location: Location, plan: Plan | None = None) -> Self:
        """Open for reading.

        Raises NotFound when there is no index, PlanMismatch when `plan` is not the index's.
        """
        return cls(location, open_reader(location, plan), None)

    @classmethod
    def create(
        cls,
        location: Location,
        meta: IndexMeta | None = None,
        plan: Plan | None = None,
        mappings: Mapping[str, Any] | None = None,
    ) -> Self:
        """Open for writing; an absent index is made as `meta` says, with the user's `mappings`
        (Elasticsearch only). An existing index keeps its own.

        Raises StoreRefused for an index that dupdex did not make or that has another writer,
        PlanMismatch when this machine lacks what a new index's plan reads texts with.
        """
        wanted = meta or IndexMeta(plan=plan or STANDARD)
        try:
            open_reader(location, plan).close()
        except NotFound:
            check_servable(wanted.plan)  # an index under another could never be filled
        writer = open_writer(location, wanted, plan, mappings)
        try:
            return cls(location, open_reader(location, plan), writer)
        except DupdexError:
            writer.close()
            raise

    @property
    def meta(self) -> IndexMeta:
        return self._reader.meta

    @property
    def plan(self) -> Plan:
        return self._reader.meta.plan

    def add(self, documents: Iterable[Document], workers: int = 1) -> Iterator[Outcome]:
        """Fingerprint and store documents, overwriting those of the same id; one outcome for
        each, in order, once it is durable. New documents show in lookups after `refresh`.
        """
        writer = self._for_writing()
        # The writer's own plan, as it is what the writer looks after while it writes.
        return index_documents(documents, writer.meta.plan, writer, workers, writer.meta)

    def learn(self, sample: int = SAMPLE) -> Learned:
        """Learn from up to `sample` documents which sentences are boilerplate, and keep it in the
        index; lookups leave them out from then on.
        """
        writer = self._for_writing()
        learner = Learner(writer.meta.plan)
        documents = islice(self._reader.scan(), sample)
        while some := list(islice(documents, _AT_ONCE)):
            learner.add([each.text for each in some], [each.fingerprint for each in some])
        learned = learner.learned()
        self._known = learned.boilerplate
        writer.set_meta(replace(writer.meta, boilerplate=self._known))
        return learned

    def forget(self) -> None:
        """Let every sentence have its say again, until something is learned anew."""
        writer = self._for_writing()
        self._known = NOTHING
        writer.set_meta(replace(writer.meta, boilerplate=NOTHING))

    def learn_if_grown(self) -> None:
        """Learn from few documents when the index is twice what was learned from, or more."""
        known, documents = self._known.documents, self._reader.count()
        if documents >= max(FROM, 2 * known) and known < AUTOMATIC:
            self.learn(AUTOMATIC)

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids that were there."""
        return self._for_writing().delete(ids)

    def refresh(self) -> None:
        """Make everything written so far visible."""
        self._for_writing().refresh()

    def lookup(self, text: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a text, indexed or not."""
        self._look()
        return near_duplicates(text, self.plan, self._reader, options, self._known)

    def lookup_id(self, document_id: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a stored document."""
        self._look()
        return near_duplicates_of(document_id, self.plan, self._reader, options, self._known)

    def lookup_all(
        self, questions: Sequence[Question], options: Options | None = None
    ) -> list[Answer]:
        """Many lookups together: one round trip for candidates, one for texts."""
        self._look()
        return near_duplicates_all(questions, self.plan, self._reader, options, self._known)

    def explain(self, first: Subject, second: Subject, *, boilerplate: bool = False) -> Explanation:
        """Why two texts are duplicates, or are not: what they share, by passages and keys.
        `boilerplate`: let sentences have their say that many unrelated documents share, and
        passages that they have.
        """
        self._look()
        known = None if boilerplate else self._known
        return explain(first, second, self.plan, self._reader, known)

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """Full-text search over title and text."""
        return self._reader.search(text, size, offset, filters)

    def get(self, ids: Sequence[str]) -> dict[str, Stored]:
        """Stored documents by id; absent ids are left out."""
        return self._reader.documents(ids)

    def scan(self) -> Iterator[Stored]:
        """Every stored document, with bounded memory."""
        return self._reader.scan()

    def count(self) -> int:
        return self._reader.count()

    def describe(self) -> dict[str, object]:
        """Where the index is, how large, under which plan, and how many documents carry keys of
        another plan (`other_plans`), which lookups cannot count on; then also the `next_step`.
        `boilerplate`: sentences that have no say in lookups, learned from so many documents."""
        meta = self.meta
        others = sum(1 for _ in self._reader.scan(without_plan=meta.plan.id))
        facts = {
            **self._reader.describe(),
            "plan": meta.plan.id,
            "other_plans": others,
            "text_fields": list(meta.text_fields),
            "title_field": meta.title_field,
            "boilerplate": len(self._known.sentences),
            "boilerplate_learned_from": self._known.documents,
        }
        return {**facts, "next_step": _REBUILD_AGAIN} if others else facts

    def close(self) -> None:
        self._reader.close()
        if self._writer is not None:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _look(self) -> None:
        """Notice a rebuild under an index that stays open, whose lookups would find nothing, and
        boilerplate that was learned meanwhile.

        Raises PlanMismatch, or NotFound when the index was removed.
        """
        if time.monotonic() < self._next_look:
            return
        with closing(open_reader(self.location, rebuilding=True)) as fresh:
            check_unchanged(self.meta, fresh.meta)
            self._known = fresh.meta.boilerplate
        self._next_look = time.monotonic() + LOOK_SECONDS

    def _for_writing(self) -> StoreWriter:
        if self._writer is None:
            raise InputRefused("the index was opened for reading; open it with Index.create")
        return self._writer


def open_reader(
    location: Location, plan: Plan | None = None, *, rebuilding: bool = False
) -> StoreReader:
    """The read side of the store that `location` names."""
    # A store is imported when it is used: the client of a server takes longer than a lookup.
    if location.is_server:
        from query.stores.elastic.elastic_reader import ElasticReader

        return ElasticReader.open(location.elastic, plan, rebuilding)
    from query.stores.embedded.embedded_reader import EmbeddedReader

    return EmbeddedReader.open(location.folder, location.index, plan, rebuilding)


def open_writer(
    location: Location,
    meta: IndexMeta,
    plan: Plan | None = None,
    mappings: Mapping[str, Any] | None = None,
    *,
    rebuilding: bool = False,
) -> StoreWriter:
    """The write side of the store that `location` names; makes the index when it is absent."""
    if location.is_server:
        from indexer.stores.elastic.elastic_writer import ElasticWriter

        return ElasticWriter.open(
            location.elastic, meta, plan, user_mappings=mappings, rebuilding=rebuilding
        )
    if mappings:
        raise InputRefused("a mapping is for Elasticsearch; the embedded store keeps any field")
    from indexer.stores.embedded.embedded_writer import EmbeddedWriter

    return EmbeddedWriter.open(location.folder, location.index, meta, plan, rebuilding=rebuilding)
