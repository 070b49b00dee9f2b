"""The names of the indices of a server or folder: those that dupdex answers from, and no others."""

from __future__ import annotations

import sqlite3

from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.model import Document
from mappings.records import RUNS
from tests.texts import TEA


def test_only_our_indices_are_listed(place: Location) -> None:
    first, second = place.index, f"{place.index}-2"
    with Session(place) as session:
        before = session.indices()
        assert first not in before
        for name in (first, second):
            with Index.create(session, index=name) as index:
                index.add([Document("1", TEA)])
                assert name in session.indices()  # also while it is written
        session.collection(RUNS, first)
        if place.is_server:
            client, _ = session.connection(first)
            client.indices.create(index=f"{place.index}-foreign")
        else:
            (place.folder / "text.sqlite").write_text("no database")
            with sqlite3.connect(place.folder / "other.sqlite") as other:
                other.execute("CREATE TABLE t (x)")
            (place.folder / "folder.sqlite").mkdir()
        ours = [name for name in session.indices() if name.startswith(place.index)]
        assert ours == [first, second]
        if not place.is_server:
            assert session.indices() == [first, second]
