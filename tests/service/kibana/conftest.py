"""An index of the sample with groups, pairs, a decision and a run, on the real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from dupdex import Document, Index, Location, Session
from dupdex.jobs.sweep_job import sweep
from dupdex.kibana.index_facts import facts_of
from dupdex.kibana.kibana_objects import kibana_objects
from dupdex.kibana.saved_objects import as_lines
from dupdex.matches.match_store import MatchQuery
from dupdex.report.copy_list import CopyFields, list_copies
from indexer.grouping import Grouping
from indexer.stores.elastic.client import connect
from mappings.collections import collection_index
from mappings.index_body import template_name
from mappings.plan import CHARACTERS
from mappings.records import COPIES, GROUPS, MATCHES, RECORDS, RUNS
from query.answers import Decision, Verdict
from tests.service.elastic_data import chinese, settings_for
from tests.texts import METRO, METRO_TRADITIONAL

MAPPING = {"properties": {"date": {"type": "date"}}}

MORE = [
    {"id": "post-1", "text": METRO, "source": "甲号", "date": "2025-03-05"},
    {"id": "post-2", "text": METRO_TRADITIONAL, "source": "甲号", "date": "2025-03-20"},
    {
        "id": "post-3",
        "text": METRO.replace("十七座", "十九座"),
        "source": "乙号",
        "date": "2025-03-21",
    },
    {
        "id": "post-4",
        "text": chinese(4, 400) + METRO,
        "source": "乙号",
        "date": "2025-04-01",
    },
]
"""An account that posts a text again within a month, and another one: one of its posts has another
number in it, one quotes the text in a longer one."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """Everything that is stored, as it is stored; other tests may add runs."""

    location: Location
    client: Elasticsearch
    documents: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    groups: list[dict[str, Any]]
    runs: list[dict[str, Any]]
    copies: list[dict[str, Any]]

    @property
    def index(self) -> str:
        return self.location.index

    def objects(self, date_field: str = "date") -> dict[str, dict[str, Any]]:
        """The exported objects by id."""
        with Session(self.location) as session:
            facts = facts_of(session, date_field, "source")
        lines = [json.loads(line) for line in as_lines(kibana_objects(facts))]
        return {each["id"]: each for each in lines}


@pytest.fixture(scope="package")
def sampled(es_url: str) -> Iterator[Sampled]:
    settings = settings_for(es_url)
    location = Location(settings.url, settings.index)
    client = connect(settings)
    try:
        _fill(location)
        yield Sampled(
            location,
            client,
            stored_items(client, settings.index),
            *(
                stored_items(client, collection_index(settings.index, each))
                for each in (MATCHES, GROUPS, RUNS, COPIES)
            ),
        )
    finally:
        with closing(client):
            names = [collection_index(settings.index, each) for each in RECORDS]
            client.indices.delete(index=[settings.index, *names], ignore_unavailable=True)
            client.options(ignore_status=404).indices.delete_index_template(
                name=template_name(settings.index)
            )


def _fill(location: Location) -> None:
    lines = (files("dupdex.data") / "sample.jsonl").read_text("utf-8").splitlines()
    bodies = [json.loads(line) for line in lines]
    documents = [
        Document(each.pop("id"), each["text"], each) for each in (*bodies, *map(dict, MORE))
    ]
    with Session(location) as session:
        made = Index.create(
            session, plan=CHARACTERS, mappings=MAPPING, grouping=Grouping(live=True)
        )
        with made as index:
            outcomes = list(index.add(documents))
            assert all(not each.reason for each in outcomes)
        sweep(session)
        with Index.create(session) as index:
            # many were found in one millisecond: the first of them is any
            found = index.matches(MatchQuery(verdicts=(Verdict.NEAR,))).records
            near = max(found, key=lambda each: (each.first.id, each.second.id))
            index.decide(near.first.id, near.second.id, Decision.NOT_DUPLICATE, by="tester")
        list_copies(session, CopyFields("source", "date"))


def stored_items(client: Elasticsearch, index: str) -> list[dict[str, Any]]:
    """All documents of an index, with their ids."""
    client.indices.refresh(index=index)
    found = client.search(index=index, size=1_000)["hits"]["hits"]
    return [{"_id": hit["_id"], **hit["_source"]} for hit in found]
