"""A store of a test's own: an index on the real server, removed afterwards, or a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.contract import OBJECT_FIELD
from mappings.index_body import template_name
from tests.command import run, write_lines
from tests.hostile_site import Routes, Serve, Site
from tests.service.elastic_data import settings_for
from tests.unit.dupdex.cli.conftest import NEWS


@pytest.fixture
def settings(es_url: str) -> Iterator[ElasticSettings]:
    settings = settings_for(es_url)
    yield settings
    with connect(settings) as client:
        beside = client.indices.get(
            index=f"{settings.index}*-{OBJECT_FIELD}-*", expand_wildcards="all"
        )
        names = [settings.index, f"{settings.index}-1", *beside]  # those are hidden
        client.indices.delete(index=",".join(names), ignore_unavailable=True)
        client.options(ignore_status=404).indices.delete_index_template(
            name=template_name(settings.index)
        )


@pytest.fixture
def raw(settings: ElasticSettings) -> Iterator[Elasticsearch]:
    """A client of its own, for looking behind the store's back."""
    with connect(settings) as client:
        yield client


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """A folder with news.jsonl: four documents to be indexed."""
    write_lines(tmp_path / "news.jsonl", NEWS)
    return tmp_path


@pytest.fixture
def stored(news: Path) -> Path:
    """The same, with its documents in the default store."""
    assert run("index", "news.jsonl", folder=news).status == 0
    return news


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves sites of fixed answers, until the test ends."""
    sites: list[Site] = []

    def one(routes: Routes, at: str = "127.0.0.1") -> Site:
        sites.append(Site(routes, at))
        return sites[-1]

    yield one
    for site in sites:
        site.server.shutdown()
        site.server.server_close()
