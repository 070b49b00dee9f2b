"""Counting documents by aggregations where mappings are a user's own, and behind an alias."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from elasticsearch import Elasticsearch

from indexer.model import Ref
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.elastic.elastic_writer import ElasticWriter
from mappings.errors import InputRefused
from query.stores.elastic.elastic_tally import ElasticTally
from query.stores.elastic.searches import Searches
from query.tally import ByGroup, ByPeriod, ByPlan, ByValue, Every, InGroups, Tally, TallyRow, These
from tests.service.elastic_data import META, PLAN, chinese, reader_on, record_of, store

MAPPINGS = {
    "properties": {
        "at": {"type": "date"},
        "site": {"type": "text", "fields": {"keyword": {"type": "keyword"}}},
        "place": {"type": "geo_point"},
        "fresh": {"type": "boolean"},
    }
}
TIMES = ["2026-01-31T23:30:00-01:00", "2026-02-02", "1969-12-31T23:59:59Z", None]


@pytest.fixture
def mapped(settings: ElasticSettings) -> ElasticSettings:
    with closing(ElasticWriter.open(settings, META, user_mappings=MAPPINGS)) as writer:
        for number, time in enumerate(TIMES):
            fields = {} if time is None else {"at": time}
            site, fresh = "甲报 乙报"[:2] if number % 2 else "丙网", bool(number)
            document = record_of(str(number), chinese(number), site=site, fresh=fresh, **fields)
            list(writer.write([document]))
        writer.refresh()
    return settings


def test_times_and_names_of_a_users_mapping(mapped: ElasticSettings) -> None:
    with reader_on(mapped) as reader:
        rows = reader.tally(Tally((ByPeriod("at", Every.WEEK),)))
        assert {row.keys: row.documents for row in rows} == {
            ("2026-01-26",): 1,
            ("2026-02-02",): 1,
            ("1969-12-29",): 1,
            (None,): 1,
        }
        rows = reader.tally(Tally((ByValue("site"),), earliest="at"))
        assert {(*row.keys, row.documents, row.earliest) for row in rows} == {
            ("丙网", 2, -1_000),
            ("甲报", 2, 1_769_990_400_000),
        }
        rows = reader.tally(Tally((ByValue("fresh"),)))
        assert {row.keys: row.documents for row in rows} == {("true",): 3, ("false",): 1}


def test_a_field_that_no_engine_counts_by(mapped: ElasticSettings) -> None:
    with reader_on(mapped) as reader, pytest.raises(InputRefused, match=r"'place'.* geo_point; "):
        reader.tally(Tally((ByValue("place"),)))


def test_documents_that_dupdex_did_not_write(mapped: ElasticSettings, raw: Elasticsearch) -> None:
    raw.index(index=mapped.index, id="x", document={"text": "某处"}, refresh=True)
    with reader_on(mapped) as reader:
        rows = reader.tally(Tally((ByPlan(),)))
        assert {row.keys: row.documents for row in rows} == {(PLAN.id,): 4, (None,): 1}


def test_an_id_in_two_indices(settings: ElasticSettings, raw: Elasticsearch) -> None:
    second = replace(settings, index=f"{settings.index}-1")
    alias = replace(settings, index=f"{settings.index}-all")
    store(settings, [record_of("1", chinese(1), site="甲报"), record_of("2", chinese(2))])
    store(second, [record_of("1", chinese(3), site="乙报")])
    raw.indices.put_alias(index=[settings.index, second.index], name=alias.index)
    with reader_on(alias) as reader:
        site = ByValue("site")
        assert len(reader.tally(Tally((site,), InGroups(("1",))))) == 2
        (row,) = reader.tally(Tally((site,), These((Ref(second.index, "1"),))))
        assert (row.keys, row.documents) == (("乙报",), 1)
        (row,) = reader.tally(Tally((ByGroup(),), These((Ref("", "1"),))))
        assert row.documents == 2


def test_an_index_without_a_place_for_groups_and_times(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """As earlier versions made them."""
    raw.index(index=settings.index, id="x", document={"text": "某处"}, refresh=True)
    tallies = ElasticTally(raw, settings, Searches(raw, settings))
    axes = (ByGroup(), ByPlan(), ByPeriod("", Every.DAY), ByValue("absent"))
    assert tallies.count(Tally(axes, earliest="")) == [TallyRow((None, None, None, None), 1)]
    assert tallies.count(Tally((), InGroups(("x",)))) == []
    assert tallies.count(Tally((), earliest="")) == [TallyRow((), 1)]
