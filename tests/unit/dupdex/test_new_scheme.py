"""A stored scheme is one entry: from it follow the plan, the store, answers and forecasts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from dupdex import Document, Index, Location, Subject
from dupdex.forecast.forecast_lines import lines
from dupdex.forecast.recommend import forecast
from dupdex.forecast.sampling import take
from dupdex.wire.output import answer_lines
from indexer.fingerprints.registry import REGISTRY, register
from indexer.fingerprints.scheme import Entry, Terms
from indexer.model import Record
from indexer.stores.stored_object import fingerprint_in, object_of
from indexer.text import Streams
from mappings.contract import Field, new_field
from mappings.index_body import object_mapping
from mappings.plan import STANDARD, Plan
from mappings.schemes import SCHEME_FIELDS, STORED, StoredScheme
from tests.texts import chinese


class Beginnings:
    """The first six letters and digits of a text."""

    def __init__(self, plan: Plan) -> None:
        pass

    def values(self, streams: Streams) -> list[str]:
        folded = streams.prepared.folded
        return [folded[row][:6].tobytes().decode("utf-32-le") for row in range(len(folded))]

    def terms(self, values: Sequence[str]) -> list[Terms]:
        return [(value,) for value in values]

    def similarity(self, left: str, right: str) -> float:
        return float(left == right)


ENTRY = Entry(
    name="beginnings",
    make=Beginnings,
    threshold=lambda _plan: 1.0,
    catches="texts that begin alike",
    misses="everything else",
    source="a toy",
    stored=StoredScheme(
        name="beginnings",
        field=new_field("beginning_keys"),
        label="first letters",
        keys=lambda _plan: 1,
        bits=lambda _plan: 30.0,
        bytes=lambda _plan: 11.0,
    ),
)


@pytest.fixture
def plan() -> Iterator[Plan]:
    register(ENTRY)
    yield replace(STANDARD, name="toy", schemes=(*STANDARD.schemes, "beginnings"))
    for table in (REGISTRY, STORED, SCHEME_FIELDS):
        del table["beginnings"]


def test_one_entry_makes_a_scheme(plan: Plan, tmp_path: Path) -> None:
    text, other = chinese(300, 1), chinese(300, 2)
    documents = [
        Document(str(at), words, {"text": words}) for at, words in enumerate((text, other))
    ]
    assert plan.id != replace(plan, schemes=STANDARD.schemes).id
    with Index.create(Location(str(tmp_path)), plan=plan) as index:
        assert len(list(index.add(documents))) == 2
        index.refresh()
    with Index.open(Location(str(tmp_path))) as index:
        assert index.plan == plan
        answer = index.lookup(text + "又及")
        assert [match.id for match in answer.matches] == ["0"]
        assert "first letters 1" in "\n".join(answer_lines(answer, index.meta))
        explained = index.explain(Subject(text), Subject(text + "又及", "0"))
        assert new_field("beginning_keys") in [each.field for each in explained.keys]
        stored = index.get(["0"])["0"].fingerprint
        assert stored
        assert stored.keys[Field("beginning_keys")] == (text[:6],)
        as_json = orjson.dumps(object_of(Record(documents[0], stored, plan.id)))
        assert fingerprint_in(orjson.loads(as_json)) == stored  # as Elasticsearch has it
    assert object_mapping()["properties"]["beginning_keys"]["type"] == "keyword"
    facts = forecast(plan, 1_000_000, take(documents, plan)).facts
    assert facts["keys_per_document"]["beginning_keys"] == 1
    assert facts["index_bytes_per_key_field"]["beginning_keys"] == 11
    assert facts["candidates_per_lookup"]["beginning_keys"]["uniform"]["sharing_a_key"] > 0
    assert any("beginning_keys" in line for line in lines(facts))
