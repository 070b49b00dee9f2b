"""One index, for programs and the command line alike: everything dupdex does, by one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

from dupdex.location import Location
from indexer.boilerplate import Learned, Learner
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, RecordWriter
from indexer.pipeline import index as index_documents
from indexer.stores import StoreWriter
from mappings.errors import DupdexError, InputRefused, NotFound
from mappings.plan import STANDARD, Plan
from query.bloom_reader import CachedCandidates, LearningWriter
from query.explain import Explanation, Subject, explain
from query.lookup import (
    Options,
    Question,
    near_duplicates,
    near_duplicates_all,
    near_duplicates_of,
)
from query.model import Answer, CandidateReader, Filter, Hits, Stored
from query.stores import StoreReader

SAMPLE: Final = 20_000
"""Documents from which boilerplate is learned, unless said otherwise."""

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
        self._known = reader.meta.boilerplate
        self._candidates: CandidateReader = reader
        self._cache: CachedCandidates | None = None

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

        Raises StoreRefused for an index that dupdex did not make or that has another writer.
        """
        wanted = meta or IndexMeta(plan=plan or STANDARD)
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
        writer: RecordWriter = self._for_writing()
        if self._cache is not None:
            writer = LearningWriter(writer, self._cache)
        return index_documents(documents, self.plan, writer, workers, self.meta)

    def learn(self, sample: int = SAMPLE) -> Learned:
        """Learn from up to `sample` documents which sentences are boilerplate, and keep it in the
        index; lookups leave them out from then on.
        """
        writer = self._for_writing()
        learner = Learner(self.plan)
        documents = islice(self._reader.scan(), sample)
        while some := list(islice(documents, _AT_ONCE)):
            learner.add([each.text for each in some], [each.fingerprint for each in some])
        learned = learner.learned()
        self._known = learned.boilerplate
        writer.set_meta(replace(self.meta, boilerplate=self._known))
        return learned

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids that were there."""
        return self._for_writing().delete(ids)

    def refresh(self) -> None:
        """Make everything written so far visible."""
        self._for_writing().refresh()

    def lookup(self, text: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a text, indexed or not."""
        return near_duplicates(text, self.plan, self._candidates, options, self._known)

    def lookup_id(self, document_id: str, options: Options | None = None) -> Answer:
        """The verified near duplicates of a stored document."""
        return near_duplicates_of(document_id, self.plan, self._reader, options, self._known)

    def lookup_all(
        self, questions: Sequence[Question], options: Options | None = None
    ) -> list[Answer]:
        """Many lookups together: one round trip for candidates, one for texts."""
        return near_duplicates_all(questions, self.plan, self._candidates, options, self._known)

    def cache_terms(self, step: Callable[[int], None] | None = None) -> CachedCandidates:
        """Read all stored keys into a Bloom filter: from now on `lookup` and `lookup_all` ask the
        store about texts only that may share one. What other programs write from now on is
        missed; `Completeness.as_of` says where that may be. `step` is told of documents read.
        """
        self._cache = self._candidates = CachedCandidates(self._reader, step)
        return self._cache

    def explain(self, first: Subject, second: Subject) -> Explanation:
        """Why two texts are duplicates, or are not: what they share, by passages and keys."""
        return explain(first, second, self.plan, self._reader)

    def explain_ids(self, first: str, second: str) -> Explanation:
        """The same for two stored documents. Raises NotFound."""
        stored = self._reader.documents([first, second])
        for document_id in (first, second):
            if document_id not in stored:
                raise NotFound(
                    f"no document {document_id!r} in the index; 'dupdex search' finds ids"
                )
        left, right = (Subject(stored[name].text, name) for name in (first, second))
        return self.explain(left, right)

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
        """Where the index is, how large, under which plan."""
        meta = self.meta
        return {
            **self._reader.describe(),
            "plan": meta.plan.id,
            "text_fields": list(meta.text_fields),
            "title_field": meta.title_field,
        }

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
        from query.stores.elastic import ElasticReader

        return ElasticReader.open(location.elastic, plan, rebuilding)
    from query.stores.embedded import EmbeddedReader

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
        from indexer.stores.elastic import ElasticWriter

        return ElasticWriter.open(
            location.elastic, meta, plan, user_mappings=mappings, rebuilding=rebuilding
        )
    if mappings:
        raise InputRefused("a mapping is for Elasticsearch; the embedded store keeps any field")
    from indexer.stores.embedded import EmbeddedWriter

    return EmbeddedWriter.open(location.folder, location.index, meta, plan, rebuilding=rebuilding)
