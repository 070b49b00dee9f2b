"""Works and indices behind other names: what arrives is kept as a sweep keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from elasticsearch import Elasticsearch

from dupdex.index import Index
from dupdex.session import Session
from dupdex.works.arrivals import Arrivals
from dupdex.works.infringement_store import InfringementStore
from dupdex.works.work_model import Chapter, Work
from dupdex.works.work_store import Works
from dupdex.works.works_sweep import WorksSweep, counts_of, sweep_works
from indexer.model import Document
from indexer.stores.elastic.client import ElasticSettings
from tests.service.foreign_data import place
from tests.texts import chinese

TEXT = chinese(1_200, 41)
PAGE = Document("p", body={"text": TEXT, "url": "https://a.example/p"})


@pytest.fixture
def works(settings: ElasticSettings, raw: Elasticsearch) -> Iterator[Works]:
    where = replace(place(settings), works=f"{settings.index}-works")
    with Session(where) as session:
        made = Works(session)
        made.put(Work("novel"))
        list(made.add([Chapter("novel", "c1", TEXT)]))
        yield made
    raw.indices.delete(index=[where.works, f"{settings.index}-0"], ignore_unavailable=True)


def named(works: Works, index: str) -> Works:
    return Works(Session(replace(works.home.session.location, index=index)))


def keys(works: Works) -> list[str]:
    store = InfringementStore.open(works.home.session)
    store.refresh()
    return [record.document for record in store.all() if record.gone is None]


@pytest.mark.parametrize("indices", [1, 2])
def test_an_alias(
    works: Works, settings: ElasticSettings, raw: Elasticsearch, indices: int
) -> None:
    names = [f"{settings.index}-{number}" for number in range(indices)]
    for name in names:
        Index.create(named(works, name).home.session).close()
    alias = f"{settings.index}-all"
    for name in names:
        raw.indices.put_alias(index=name, name=alias, is_write_index=name == names[-1])
    bank = named(works, alias)
    with Index.create(bank.home.session) as index:
        index.add([PAGE])
        index.refresh()
    Arrivals(bank.home.session)([PAGE])
    assert keys(bank) == [f"{names[-1]}|p"]
    counts = counts_of(sweep_works(bank, WorksSweep(whole=True)))
    assert (counts["new"], counts["gone"], counts["standing"]) == (0, 0, 1)


def test_works_for_the_name_that_is_swept(
    works: Works, settings: ElasticSettings, raw: Elasticsearch
) -> None:
    alias = f"{settings.index}-all"
    Index.create(works.home.session).close()
    raw.indices.put_alias(index=settings.index, name=alias)
    works.put(Work("novel", indices=(alias,)))
    bank = named(works, alias)
    with Index.create(bank.home.session) as index:
        index.add([PAGE])
        index.refresh()
    Arrivals(bank.home.session)([PAGE])
    assert len(keys(bank)) == 1
    assert counts_of(sweep_works(bank, WorksSweep(whole=True)))["gone"] == 0
