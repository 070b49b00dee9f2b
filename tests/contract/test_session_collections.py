"""Collections beside an index that is written, and through a session."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from dupdex.session import Session
from indexer.stores.embedded.embedded_collection import EmbeddedCollection
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.collections import collection_index
from mappings.errors import InputRefused, NotFound
from tests.contract.stores import META, Store, real
from tests.contract.test_collections import JOBS, job


def test_a_collection_beside_an_index_that_is_written(tmp_path: Path) -> None:
    with EmbeddedWriter.open(tmp_path, "news", META, None, chunk=20) as writer:
        store = EmbeddedCollection.open(tmp_path, "news", JOBS)
        with closing(store), ThreadPoolExecutor(2) as pool:
            texts = (real(f"d{n}", f"第{n}篇文章，写的是{n}件事。") for n in range(400))
            writing = pool.submit(lambda: list(writer.write(texts)))
            for n in range(60):
                store.put(f"j{n}", job(n))
            assert len(writing.result()) == 400
            assert store.count() == 60


def test_a_session_opens_collections_and_closes_them(store: Store) -> None:
    _ = store.writer
    where = store.opener.location
    with Session(where) as session:
        first, second = session.collection(JOBS), session.collection(JOBS, where.index)
        first.put("a", job(1))
        first.close()
        assert second.get("a") is not None  # the client is the session's
        assert session.reader().count() == 0
    with Session(where) as session:
        again = session.collection(JOBS)
        assert again.get("a") is not None
        again.drop()
    with pytest.raises(InputRefused, match="the session is closed"):
        session.collection(JOBS)


def test_an_absent_index_has_no_collections(store: Store) -> None:
    with Session(store.opener.location) as session:
        with pytest.raises(NotFound, match="there is no index"):
            session.collection(JOBS)
        with pytest.raises(NotFound):  # nothing was made of it
            session.reader()
        if session.location.is_server:
            name = collection_index(session.location.index, JOBS)
            assert not session._connected().indices.exists(index=name)
