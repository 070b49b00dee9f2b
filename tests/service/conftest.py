"""An index of a test's own on the real server, removed afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.index_body import template_name
from tests.service.elastic_data import settings_for


@pytest.fixture
def settings(es_url: str) -> Iterator[ElasticSettings]:
    settings = settings_for(es_url)
    yield settings
    with connect(settings) as client:
        client.indices.delete(index=f"{settings.index},{settings.index}-1", ignore_unavailable=True)
        client.options(ignore_status=404).indices.delete_index_template(
            name=template_name(settings.index)
        )


@pytest.fixture
def raw(settings: ElasticSettings) -> Iterator[Elasticsearch]:
    """A client of its own, for looking behind the store's back."""
    with connect(settings) as client:
        yield client
