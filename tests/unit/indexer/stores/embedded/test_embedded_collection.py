"""What of a collection waits until it is on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex.index import Index
from dupdex.location import Location
from indexer.stores.embedded.embedded_collection import EmbeddedCollection
from mappings.collections import Collection
from mappings.records import LEASES, MATCHES, PINS

_WAITS, _ORDERED = 2, 1  # FULL and NORMAL of SQLite

LEASE = {"owner": "somebody", "until": "2026-01-01T00:00:00.000Z"}


def opened(folder: Path, collection: Collection) -> EmbeddedCollection:
    Index.create(Location(str(folder), "news")).close()
    return EmbeddedCollection.open(folder, "news", collection)


def waits(store: EmbeddedCollection) -> int:
    (level,) = store._db.execute("PRAGMA synchronous").fetchone()
    return int(level)


@pytest.mark.parametrize("collection", [MATCHES, PINS])
def test_what_is_kept_waits_for_the_disk(tmp_path: Path, collection: Collection) -> None:
    store = opened(tmp_path, collection)
    assert waits(store) == _WAITS
    store.close()


def test_a_lease_is_in_the_log_before_what_it_is_for(tmp_path: Path) -> None:
    store = opened(tmp_path, LEASES)
    version = store.create("grouping", LEASE)
    assert version and store.update("grouping", LEASE, version)
    assert waits(store) == _ORDERED
    store.close()


def test_a_sync_brings_the_log_to_the_disk(tmp_path: Path) -> None:
    """A commit without a change writes nothing, and waits for nothing."""
    store = opened(tmp_path, PINS)
    log = tmp_path / "news.sqlite-wal"
    for _ in range(3):
        before = log.read_bytes()
        store.sync()
        assert log.read_bytes() != before
    assert waits(store) == _WAITS
    store.close()
