"""Checking and mending an index, in either store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from dupdex.location import Location, target_of
from dupdex.session import Session
from indexer.model import Document
from indexer.soundness import Report, StoredDocument, check_fingerprints
from indexer.sources.dead_letters import DeadLetters
from mappings.errors import NotFound

if TYPE_CHECKING:
    from query.stores import StoreReader

Progress = Callable[..., None]


def check_store(location: Location, progress: Progress = lambda *_: None) -> Report:
    """All that is wrong with the index; nothing is changed. `progress` is told the documents done,
    and at first the number there are.

    Raises NotFound for no index, StoreRefused for one that dupdex did not make, PlanMismatch when
    a rebuild is unfinished.
    """
    if location.is_server:
        return _check_server(location, progress)
    from indexer.stores.embedded import schema
    from indexer.stores.embedded.embedded_check import check

    path = _database(location)
    with schema.translated(path), closing(schema.connect_to_read(path)) as db:
        return check(db, path, progress)


def repair_store(
    location: Location, rejects: Path, progress: Progress = lambda *_: None
) -> tuple[Report, Report]:
    """Mend what can be mended; what was wrong, and what still is.

    Fingerprints are made again from the texts; in the embedded store so are postings and full text,
    and rows that cannot be read are moved to the file `rejects`. Raises as `check_store`, and
    StoreRefused for an index that cannot be mended or has another writer.
    """
    if location.is_server:
        return _repair_server(location, progress)
    from indexer.stores.embedded.embedded_repair import repair

    with DeadLetters(rejects, target_of(location)) as letters:
        return repair(_database(location), letters, progress)


def _database(location: Location) -> Path:
    from indexer.stores.embedded import schema

    path = schema.path_of(location.folder, location.index)
    if schema.identity(path) is None:
        raise NotFound(f"there is no index at {path}; make one with 'dupdex index'")
    return path


def _check_server(location: Location, progress: Progress) -> Report:
    from indexer.stores.elastic.elastic_check import check_mapping, mapped_in

    report = Report()
    with Session(location) as session:
        reader = session.reader()
        check_mapping(mapped_in(location.elastic, reader.meta), reader.meta, report)
        for _ in check_fingerprints(_kept(reader, progress), reader.meta, report):
            pass
    return report


def _repair_server(location: Location, progress: Progress) -> tuple[Report, Report]:
    """Documents are written only over what was read: a program that writes on is not undone."""
    from indexer.stores.elastic.elastic_check import check_mapping, mend_mapping

    before = Report()
    with Session(location) as session:
        meta = session.reader().meta
        check_mapping(location.elastic, meta, before)
        reader, writer = session.for_rebuild()
        with closing(reader), closing(writer):
            writer.check_changeable()
            mend_mapping(location.elastic, meta)
            wrong = check_fingerprints(_kept(reader, progress), meta, before)
            for _ in writer.write(record for _, record in wrong):
                pass
            writer.refresh()
    return before, _check_server(location, progress)


def _kept(reader: StoreReader, progress: Progress) -> Iterator[StoredDocument]:
    progress(0, reader.count())
    for stored in reader.scan():
        progress(1)
        yield StoredDocument(
            Document(stored.id, "", stored.body), stored.fingerprint, stored.plan_id
        )
