"""A fresh index of each kind (`store`), and a fresh place (`place`), on a real server for
Elasticsearch."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dupdex.location import Location
from indexer.stores.elastic.client import ElasticSettings
from tests.contract.stores import Elastic, Embedded, Opener, Store
from tests.servers import remove_all


@pytest.fixture(params=["embedded", "elasticsearch"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An index that does not exist yet; the test's first use of the writer makes it."""
    opener: Opener
    if request.param == "embedded":
        opener = Embedded(tmp_path / "store", "contract")
    else:
        url = request.getfixturevalue("es_url")
        opener = Elastic(ElasticSettings(url, f"contract-{uuid.uuid4().hex[:12]}"))
    try:
        with ExitStack() as opened:
            yield Store(opener, opened)
    finally:
        opener.remove()


@pytest.fixture(params=["embedded", "elasticsearch"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    """A folder, or a server with names of the test's own for an index, banks and works: all indices
    of these names are removed at the end."""
    if request.param == "embedded":
        yield Location(tmp_path / "store", "news")
        return
    name = f"banks-{uuid.uuid4().hex[:12]}"
    url = request.getfixturevalue("es_url")
    where = Location(url, f"{name}-news", banks=f"{name}-texts", works=f"{name}-works")
    try:
        yield where
    finally:
        remove_all(where.store, name)
