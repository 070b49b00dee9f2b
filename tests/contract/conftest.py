"""The fixture `store`: a fresh index of each kind, on a real server for Elasticsearch."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from indexer.stores.elastic.client import ElasticSettings
from tests.contract.stores import Elastic, Embedded, Opener, Store


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
