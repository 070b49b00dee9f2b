"""An alias over two indices that hold the same ids: every document stays one of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from dupdex.index import Index
from dupdex.location import Location
from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import Field
from mappings.errors import StoreRefused
from mappings.index_body import template_name
from mappings.plan import STANDARD
from query.answers import CUT_FROM, Ref, Request
from query.questions import EVERYTHING, Options, Question
from tests.command import run
from tests.service.elastic_data import (
    META,
    chinese,
    keyed,
    reader_on,
    record_of,
    records,
    store,
    writer_on,
)

BOTH, OTHER = chinese("both"), chinese("other")


@pytest.fixture
def second(settings: ElasticSettings) -> ElasticSettings:
    return replace(settings, index=f"{settings.index}-1")


@pytest.fixture
def alias(
    settings: ElasticSettings, second: ElasticSettings, raw: Elasticsearch
) -> Iterator[ElasticSettings]:
    """Document "1" is in both indices, with the same text; "2" and "3" are in one each."""
    store(settings, [record_of("1", BOTH, n=1), record_of("2", OTHER)])
    store(second, [record_of("1", BOTH, n=2), record_of("3", OTHER)])
    name = f"{settings.index}-all"
    raw.indices.put_alias(index=[settings.index, second.index], name=name)
    yield replace(settings, index=name)


def test_an_id_in_two_indices_hides_no_other(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings
) -> None:
    first_one, second_one = Ref(settings.index, "1"), Ref(second.index, "1")
    with reader_on(alias) as reader:
        by_id = reader.by_ids(["1", "2", "3", "absent"])
        assert {name: [one.index for one in many] for name, many in by_id.items()} == {
            "1": [settings.index, second.index],
            "2": [settings.index],
            "3": [second.index],
        }
        wanted = [first_one, second_one, Ref(second.index, "3"), Ref(settings.index, "3")]
        stored = reader.documents(wanted)
        assert set(stored) == {first_one, second_one, Ref(second.index, "3")}
        assert stored[first_one].body["n"] == 1
        assert stored[second_one].body["n"] == 2
        assert {one.ref for one in reader.scan()} == {*stored, Ref(settings.index, "2")}
        hits = reader.search(BOTH[:8])
        assert {Ref(hit.index, hit.id) for hit in hits.hits} == {first_one, second_one}


def test_documents_of_one_id_are_candidates_of_their_own(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings
) -> None:
    keys = record_of("x", BOTH).fingerprint.keys
    with reader_on(alias) as reader:
        left_out: list[Ref | None] = [None, Ref(settings.index, "1"), Ref("", "1")]
        pages = reader.candidates([Request(keys, exclude=each) for each in left_out])
        refs = [{candidate.ref for candidate in page.candidates} for page in pages]
        one, other = Ref(settings.index, "1"), Ref(second.index, "1")
        assert refs == [{one, other}, {other}, set()]
        assert len({candidate.score for candidate in pages[0].candidates}) == 1  # none was summed


@pytest.mark.parametrize("options", [None, EVERYTHING, Options(verify=0)])
def test_a_lookup_finds_both(
    alias: ElasticSettings,
    settings: ElasticSettings,
    second: ElasticSettings,
    options: Options | None,
) -> None:
    with Index.open(Location(alias.url, alias.index)) as index:
        answer = index.lookup(BOTH, options)
        assert [(m.index, m.id) for m in answer.matches] == [
            (settings.index, "1"),
            (second.index, "1"),
        ]
        assert answer.completeness.candidates == 2
        of_first = index.lookup_id("1", options)
        assert [(m.index, m.id) for m in of_first.matches] == [(second.index, "1")]
        (of_second,) = index.lookup_all([Question(BOTH, "1", Ref(second.index, "1"))], options)
        assert [(m.index, m.id) for m in of_second.matches] == [(settings.index, "1")]
        (of_any,) = index.lookup_all([Question(BOTH, "1", Ref("", "1"))], options)
        assert of_any.matches == ()


def test_get_gives_the_first_and_get_all_every_one(
    alias: ElasticSettings, settings: ElasticSettings
) -> None:
    with Index.open(Location(alias.url, alias.index)) as index:
        assert index.get(["1", "3"])["1"].index == settings.index
        assert [one.body["n"] for one in index.get_all(["1", "3"])["1"]] == [1, 2]


def test_many_terms_and_many_documents_of_one_id(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings
) -> None:
    """Parts of a request are summed by document, and pages hold every index's documents."""
    terms = tuple(f"k{n:04d}" for n in range(2_000))
    many = [keyed(f"{n}", {Field.PASSAGE_KEYS: (terms[n], terms[-n - 1])}) for n in range(300)]
    store(settings, many)
    store(second, many)
    request = Request({Field.PASSAGE_KEYS: terms}, limit=None, max_df=1_000)
    with reader_on(alias) as reader:
        (page,) = reader.candidates([request])
        assert len(page.candidates) == 600
        refs = [candidate.ref for candidate in page.candidates]
        assert len(set(refs)) == 600
        assert set(reader.documents(refs)) == set(refs)
        every = reader.by_ids([record.document.id for record in many])
        assert sum(map(len, every.values())) == 600


def test_what_is_left_out_in_a_large_index_goes_by_document(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings
) -> None:
    keys = {Field.PASSAGE_KEYS: ("common",)}
    rare = {Field.PASSAGE_KEYS: ("common", "rare")}
    made = [keyed(f"{n}", rare if n == 0 else keys) for n in range(CUT_FROM * 3)]
    for place in (settings, second):
        store(place, made)
    with reader_on(alias) as reader:
        (page,) = reader.candidates([Request(rare, limit=10, max_df=3)])
        assert {one.ref for one in page.candidates} == {
            Ref(settings.index, "0"),
            Ref(second.index, "0"),
        }
        assert page.rare_only


def test_deleting_through_an_alias_over_several_is_refused(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings, raw: Elasticsearch
) -> None:
    raw.indices.put_alias(index=second.index, name=alias.index, is_write_index=True)
    several = f"2 indices .{settings.index}, {second.index}.*one of them"
    with writer_on(alias) as writer, pytest.raises(StoreRefused, match=several):
        writer.delete(["1"])
    with reader_on(alias) as reader:
        assert reader.count() == 4
    with writer_on(settings) as writer:
        assert writer.delete(["1"]) == ["1"]


def test_deleting_through_an_alias_over_one_is_possible(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    store(settings, records(2))
    raw.indices.put_alias(index=settings.index, name=f"{settings.index}-now")
    with writer_on(replace(settings, index=f"{settings.index}-now")) as writer:
        assert writer.delete(["d1", "d5"]) == ["d1"]


def test_indices_of_different_plans_are_refused_by_name(
    alias: ElasticSettings, settings: ElasticSettings, raw: Elasticsearch
) -> None:
    meta = replace(META, plan=STANDARD).to_json()
    held = raw.indices.get_mapping(index=settings.index)[settings.index]["mappings"]["_meta"]
    raw.indices.put_mapping(index=settings.index, meta={**held, "dupdex": meta})
    with pytest.raises(StoreRefused, match="different plans") as refused:
        Index.open(Location(alias.url, alias.index))
    for part in (f"{settings.index}: {STANDARD.id}", f"{settings.index}-1: {META.plan.id}"):
        assert part in str(refused.value)


def test_an_alias_is_read_again_after_it_moved(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings, raw: Elasticsearch
) -> None:
    with reader_on(alias) as reader:
        assert len(reader.by_ids(["1"])["1"]) == 2
        raw.indices.delete_alias(index=second.index, name=alias.index)
        assert [one.index for one in reader.by_ids(["1"])["1"]] == [settings.index]
        assert reader.documents([Ref(second.index, "1")]) == {}


def test_the_command_line_says_that_there_are_more(
    alias: ElasticSettings, settings: ElasticSettings, second: ElasticSettings, tmp_path: Path
) -> None:
    where = ("--store", alias.url, "--index", alias.index)
    shown = run("get", "1", *where, folder=tmp_path)
    assert shown.status == 0
    assert json.loads(shown.out)["n"] == 1
    assert f"'1' is in several indices ({settings.index}, {second.index})" in shown.err
    refused = run("delete", "1", *where, "--yes", folder=tmp_path)
    assert refused.status not in (0, 1, 70)
    assert "2 indices" in refused.err


def test_an_id_may_be_in_any_number_of_indices(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """More documents than one page of ids is made for."""
    places = [replace(settings, index=f"{settings.index}-{at}") for at in range(6)]
    many = list(records(100))
    try:
        for place in places:
            store(place, many)
        raw.indices.put_alias(index=[place.index for place in places], name=settings.index)
        with reader_on(settings) as reader:
            stored = reader.by_ids([record.document.id for record in many])
            assert len(stored) == 100
            indices = [place.index for place in places]
            for several in stored.values():
                assert [document.index for document in several] == indices
    finally:
        for place in places:
            raw.options(ignore_status=404).indices.delete(index=place.index)
            raw.indices.delete_index_template(name=template_name(place.index))
