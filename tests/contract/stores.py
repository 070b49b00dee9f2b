"""The stores under test behind one way to open them, and records to put into them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from elasticsearch import NotFoundError

from dupdex.location import Location
from indexer.fingerprints import fingerprint_of
from indexer.meta import IndexMeta
from indexer.model import Document, Fingerprint, Outcome, Record, Status
from indexer.stores import StoreWriter
from indexer.stores.elastic.client import ElasticSettings, connect
from indexer.stores.elastic.elastic_writer import ElasticWriter
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.collections import collection_index
from mappings.contract import Field
from mappings.index_body import template_name
from mappings.page_records import CRAWL_URLS, PAGES
from mappings.plan import CHARACTERS, Plan
from mappings.records import RECORDS
from query.answers import Candidate, CandidatePage, Filter, Request
from query.stores import StoreReader
from query.stores.elastic.elastic_reader import ElasticReader
from query.stores.embedded.embedded_reader import EmbeddedReader

META: Final = IndexMeta(plan=CHARACTERS)


class Opener(Protocol):
    """How one kind of store is opened on one index."""

    @property
    def location(self) -> Location: ...

    def writer(self, meta: IndexMeta, wanted: Plan | None, rebuilding: bool) -> StoreWriter: ...

    def reader(self, wanted: Plan | None, rebuilding: bool) -> StoreReader: ...

    def remove(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    folder: Path
    index: str

    @property
    def location(self) -> Location:
        return Location(str(self.folder), self.index)

    def writer(self, meta: IndexMeta, wanted: Plan | None, rebuilding: bool) -> StoreWriter:
        return EmbeddedWriter.open(self.folder, self.index, meta, wanted, rebuilding=rebuilding)

    def reader(self, wanted: Plan | None, rebuilding: bool) -> StoreReader:
        return EmbeddedReader.open(self.folder, self.index, wanted, rebuilding=rebuilding)

    def remove(self) -> None:
        """The folder is the test's own."""


@dataclass(frozen=True, slots=True)
class Elastic:
    settings: ElasticSettings

    @property
    def location(self) -> Location:
        return Location(self.settings.url, self.settings.index)

    def writer(self, meta: IndexMeta, wanted: Plan | None, rebuilding: bool) -> StoreWriter:
        return ElasticWriter.open(self.settings, meta, wanted, rebuilding=rebuilding)

    def reader(self, wanted: Plan | None, rebuilding: bool) -> StoreReader:
        return ElasticReader.open(self.settings, wanted, rebuilding=rebuilding)

    def remove(self) -> None:
        with closing(connect(self.settings)) as client:
            beside = [
                collection_index(self.settings.index, each)
                for each in (*RECORDS, PAGES, CRAWL_URLS)
            ]
            client.indices.delete(index=[self.settings.index, *beside], ignore_unavailable=True)
            with suppress(NotFoundError):
                client.indices.delete_index_template(name=template_name(self.settings.index))


@dataclass(slots=True)
class Store:
    """One index of one kind of store. What is opened through it is closed at the end."""

    opener: Opener
    opened: ExitStack
    _writer: StoreWriter | None = None
    _reader: StoreReader | None = None

    @property
    def writer(self) -> StoreWriter:
        """The test's writer; the first use makes the index."""
        if self._writer is None:
            self._writer = self.opened.enter_context(closing(self.opener.writer(META, None, False)))
        return self._writer

    @property
    def reader(self) -> StoreReader:
        """The test's reader, opened after the index was made."""
        if self._reader is None:
            _ = self.writer
            self._reader = self.open_reader()
        return self._reader

    def open_reader(self, wanted: Plan | None = None, rebuilding: bool = False) -> StoreReader:
        return self.opened.enter_context(closing(self.opener.reader(wanted, rebuilding)))

    def close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def write(self, *records: Record) -> list[Status]:
        """Write, make visible, and tell the statuses."""
        return [outcome.status for outcome in self.put(records)]

    def put(self, records: Iterable[Record]) -> list[Outcome]:
        outcomes = list(self.writer.write(records))
        self.writer.refresh()
        return outcomes

    def page(self, *terms: str, **options: Any) -> CandidatePage:
        """The candidates of a text with these passage keys."""
        keys = {Field.PASSAGE_KEYS: terms}
        (page,) = self.reader.candidates([Request(keys, **options)])
        return page

    def ids(self, *terms: str, **options: Any) -> list[str]:
        return ids_of(self.page(*terms, **options).candidates)

    def found(self, text: str, filters: Sequence[Filter] = ()) -> set[str]:
        """The ids that full text finds, checked against the total."""
        hits = self.reader.search(text, size=100, filters=filters)
        assert hits.total == len(hits.hits)
        return {hit.id for hit in hits.hits}


def made(
    name: str,
    *terms: str,
    text: str = "正文",
    text_hash: str = "",
    simhash_keys: tuple[str, ...] = (),
    **fields: Any,
) -> Record:
    """A record whose passage keys are `terms`."""
    digest = text_hash or f"hash-of-{name}"
    keys = {
        Field.TEXT_HASH: (digest,),
        Field.SIMHASH_KEYS: simhash_keys,
        Field.PASSAGE_KEYS: terms,
    }
    fingerprint = Fingerprint(digest, (1 << 63) + len(terms), len(text), keys)
    document = Document(name, text, {"text": text, **fields})
    return Record(document, fingerprint, CHARACTERS.id)


def real(name: str, text: str, plan: Plan = CHARACTERS, **fields: Any) -> Record:
    """A record as the pipeline makes it."""
    document = Document(name, text, {"text": text, **fields})
    return Record(document, fingerprint_of(text, plan), plan.id)


def ids_of(candidates: Iterable[Candidate]) -> list[str]:
    return [candidate.id for candidate in candidates]
