"""The Elasticsearch store on a real server: what the contract suite cannot ask of every store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta
from indexer.model import Document, Record, Status
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.elastic.elastic_writer import ElasticWriter
from mappings.contract import Field
from mappings.errors import InputRefused, NotFound, PlanMismatch, StoreRefused
from mappings.index_body import object_mapping
from mappings.plan import STANDARD
from query.answers import FREQUENT_ONLY, Ref, Request
from query.stores.elastic.elastic_reader import ElasticReader
from tests.service.elastic_data import (
    META,
    PLAN,
    chinese,
    keyed,
    reader_on,
    record_of,
    records,
    statuses,
    store,
    writer_on,
)


def test_what_is_written_is_read_back(settings: ElasticSettings) -> None:
    made = list(records(1_200))
    assert statuses(store(settings, made)) == [Status.CREATED] * 1_200
    assert statuses(store(settings, made[:3])) == [Status.UPDATED] * 3
    with reader_on(settings) as reader:
        assert reader.count() == 1_200
        ((name, (found,)),) = reader.by_ids(["d7", "absent", "", "d7"]).items()
        assert (name, found.index) == ("d7", settings.index)
        assert found.fingerprint == made[7].fingerprint
        assert found.body == made[7].document.body
        assert found.text == made[7].document.text
        (page,) = reader.candidates([Request(made[7].fingerprint.keys)])
        assert page.candidates[0].id == "d7"
        assert page.candidates[0].simhash == made[7].fingerprint.simhash
        assert page.candidates[0].text_hash == made[7].fingerprint.text_hash
        facts = reader.describe()
        assert facts["documents"] == 1_200
        assert isinstance(facts["bytes"], int) and facts["bytes"] > 1_200 * 100
        assert str(facts["version"]).split(".")[0] in ("8", "9")


def test_user_mapping_and_settings_are_kept(settings: ElasticSettings, raw: Elasticsearch) -> None:
    mappings = {"properties": {"n": {"type": "integer"}, "text": {"type": "keyword"}}}
    store(settings, records(1), user_mappings=mappings, user_settings={"number_of_shards": 2})
    made_twice = []
    for _ in range(2):
        held = raw.indices.get(index=settings.index)[settings.index]
        made_twice.append(held["mappings"])
        properties = held["mappings"]["properties"]
        assert properties["n"] == {"type": "integer"}
        assert properties["text"] == {"type": "keyword"}
        assert properties["title"] == {"type": "text"}
        assert properties["dupdex"]["dynamic"] == "strict"
        assert {
            name: each["type"] for name, each in properties["dupdex"]["properties"].items()
        } == {name: each["type"] for name, each in object_mapping()["properties"].items()}
        assert IndexMeta.from_json(held["mappings"]["_meta"]["dupdex"]) == META
        assert held["settings"]["index"]["number_of_shards"] == "2"
        raw.indices.delete(index=settings.index)
        raw.index(index=settings.index, id="1", document={})  # by a program that only writes
    assert made_twice[0] == made_twice[1]


def test_a_foreign_index_of_a_longer_name_is_unaffected(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    other, name = f"{settings.index}-1", f"users-own-{settings.index}"
    own = {"mappings": {"properties": {"mine": {"type": "ip"}}}}
    raw.indices.put_index_template(name=name, index_patterns=[f"{settings.index}*"], template=own)
    try:
        store(settings, records(1))
        raw.index(index=other, id="1", document={"mine": "::1", "dupdex": "a string"})
        held = raw.indices.get(index=other)[other]
        assert set(held["mappings"]) == {"properties"}
        assert held["mappings"]["properties"]["mine"] == {"type": "ip"}
        assert held["mappings"]["properties"]["dupdex"]["type"] == "text"
        assert "query" not in held["settings"]["index"]
    finally:
        raw.indices.delete_index_template(name=name)


def test_an_alias_over_rollover_indices(settings: ElasticSettings, raw: Elasticsearch) -> None:
    first, second = records(2)
    store(settings, [first])
    store(replace(settings, index=f"{settings.index}-1"), [second])
    alias = replace(settings, index=f"{settings.index}-all")
    raw.indices.put_alias(index=[settings.index, f"{settings.index}-1"], name=alias.index)
    with reader_on(alias) as reader:
        assert reader.count() == 2
        assert set(reader.by_ids(["d0", "d1", "d2"])) == {"d0", "d1"}
        pages = reader.candidates([Request(one.fingerprint.keys) for one in (first, second)])
        assert [page.candidates[0].id for page in pages] == ["d0", "d1"]
        assert {stored.id for stored in reader.scan()} == {"d0", "d1"}
    with writer_on(alias) as writer, pytest.raises(StoreRefused, match="2 indices"):
        list(writer.delete(["d0"]))


def test_query_string_never_reads_our_keys(settings: ElasticSettings, raw: Elasticsearch) -> None:
    (one,) = records(1)
    store(settings, [one])
    for _, term in one.fingerprint.terms():
        body = {"query_string": {"query": f'"{term}"'}}
        assert raw.search(index=settings.index, query=body)["hits"]["hits"] == []
    phrase = {"query_string": {"query": f'"{one.document.text[:4]}"'}}
    assert len(raw.search(index=settings.index, query=phrase)["hits"]["hits"]) == 1


def test_strings_that_look_like_dates_are_plain_strings(settings: ElasticSettings) -> None:
    made = [record_of("a", chinese(1), day="2024-01-05"), record_of("b", chinese(1), day="?")]
    assert statuses(store(settings, made)) == [Status.CREATED] * 2
    with reader_on(settings) as reader:
        keys = made[0].fingerprint.keys
        (page,) = reader.candidates([Request(keys, filters=({"term": {"day": "2024-01-05"}},))])
        assert [each.id for each in page.candidates] == ["a"]


def test_foreign_index_is_refused_and_left_alone(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    raw.indices.create(index=settings.index)
    before = raw.indices.get(index=settings.index).body
    with pytest.raises(StoreRefused, match="not made by dupdex"):
        ElasticWriter.open(settings, META)
    with pytest.raises(StoreRefused, match="not made by dupdex"):
        ElasticReader.open(settings)
    assert raw.indices.get(index=settings.index).body == before


def test_absent_index_and_other_plan(settings: ElasticSettings) -> None:
    with pytest.raises(NotFound, match=settings.index):
        ElasticReader.open(settings)
    with writer_on(settings) as writer:
        with pytest.raises(PlanMismatch, match="you asked for"):
            ElasticWriter.open(settings, META, STANDARD)
        with pytest.raises(PlanMismatch, match="you asked for"):
            ElasticReader.open(settings, STANDARD)
        writer.set_meta(META.started(STANDARD))
    with pytest.raises(PlanMismatch, match="not finished"):
        ElasticReader.open(settings)
    rebuild = ElasticWriter.open(settings, META, rebuilding=True)
    assert rebuild.meta.rebuilding == STANDARD
    rebuild.close()


def test_set_meta_reaches_template_and_keeps_the_users_part(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    with writer_on(settings, user_mappings={"_meta": {"team": "news"}}) as writer:
        writer.set_meta(META.started(STANDARD))
        writer.set_meta(writer.meta.finished(STANDARD))
        said = writer.meta
    for _ in range(2):
        held = raw.indices.get_mapping(index=settings.index)[settings.index]["mappings"]["_meta"]
        assert held["team"] == "news"
        assert IndexMeta.from_json(held["dupdex"]) == said
        raw.indices.delete(index=settings.index)
        raw.indices.create(index=settings.index)


@pytest.mark.parametrize("name", ["UPPER", "a*", "a,b", "_all", "", "a b", "n" * 256])
def test_bad_index_names(es_url: str, name: str) -> None:
    with pytest.raises(InputRefused, match="no index name"):
        ElasticReader.open(ElasticSettings(es_url, name))


def test_one_bad_document_costs_the_others_nothing(settings: ElasticSettings) -> None:
    text = chinese(1)
    bad = [
        record_of("conflict", text, n="not a number"),
        record_of("ours", text, dupdex={"plan": "x"}),
        Record(
            Document("dotted", text, {"text": text, "dupdex.plan": "x"}),
            record_of("x", text).fingerprint,
            PLAN.id,
        ),
        record_of("nan", text, n=float("nan")),
        record_of("deep", text, n=[{"m": float("inf")}]),
        record_of("surrogate", text, lead="\ud800"),
        record_of("bytes", text, lead=b"x"),
        record_of("large", text, lead=2**70),
        record_of("i" * 513, text),
        record_of("", text),
        record_of("\udfff", text),
        record_of("metadata", text, _id="x"),
    ]
    good = [record_of("first", text, n=1), record_of("last", text, n=2)]
    outcomes = store(settings, [good[0], *bad, good[1]])
    assert [outcome.document for outcome in outcomes] == [
        record.document for record in [good[0], *bad, good[1]]
    ]
    assert statuses(outcomes) == [
        Status.CREATED,
        *[Status.REJECTED] * len(bad),
        Status.CREATED,
    ]
    reasons = {outcome.document.id: outcome.reason for outcome in outcomes}
    assert "[n]" in reasons["conflict"] and "not a number" in reasons["conflict"]
    for name, field in (("ours", "dupdex"), ("dotted", "dupdex.plan"), ("nan", "n")):
        assert repr(field) in reasons[name]
    assert "'lead'" in reasons["surrogate"]
    with reader_on(settings) as reader:
        assert reader.count() == 2


def test_the_later_of_two_records_with_one_id_stays(settings: ElasticSettings) -> None:
    made = [record_of("same", chinese(at), n=at) for at in range(3)]
    made.insert(1, record_of("other", chinese(9), n=9))
    outcomes = store(settings, made)
    assert statuses(outcomes) == ["created", "created", "updated", "updated"]
    with reader_on(settings) as reader:
        assert reader.by_ids(["same"])["same"][0].body["n"] == 2
        assert len(list(reader.scan())) == 2


def test_delete_names_what_was_there(settings: ElasticSettings) -> None:
    store(settings, records(5))
    with writer_on(settings, chunk_documents=2) as writer:
        gone = writer.delete(["d1", "absent", "d1", "", "i" * 600, "\ud800", "d4", "d0"])
        assert gone == ["d1", "d4", "d0"]
        writer.refresh()
    with reader_on(settings) as reader:
        assert {stored.id for stored in reader.scan()} == {"d2", "d3"}


def test_an_error_of_the_caller_comes_after_all_outcomes(settings: ElasticSettings) -> None:
    def failing() -> Iterator[Record]:
        yield from records(25)
        raise OSError("the disk is gone")

    outcomes = []
    with writer_on(settings, chunk_documents=10) as writer:
        with pytest.raises(OSError, match="the disk is gone"):
            for outcome in writer.write(failing()):
                outcomes.append(outcome)  # noqa: PERF402  (a comprehension would lose them)
        writer.refresh()
    assert statuses(outcomes) == [Status.CREATED] * 25
    with reader_on(settings) as reader:
        assert reader.count() == 25


def test_closing_a_write_early_keeps_what_was_yielded(settings: ElasticSettings) -> None:
    seen: list[str] = []
    with writer_on(settings, chunk_documents=10) as writer:
        outcomes = writer.write(records(10_000))
        for outcome in outcomes:
            seen.append(outcome.document.id)
            if len(seen) == 35:
                break
        outcomes.close()  # type: ignore[attr-defined]
        writer.refresh()
    with reader_on(settings) as reader:
        assert set(reader.by_ids(seen)) == set(seen)
        assert reader.count() < 200


def test_a_frequent_key_hides_no_true_match(settings: ElasticSettings) -> None:
    boiler = {Field.SENTENCES: ("boiler",)}
    many = [keyed(f"n{at}", boiler) for at in range(3_000)]
    pairs = [keyed(f"pair{at}", {**boiler, Field.PASSAGE_KEYS: (f"rare{at}",)}) for at in range(20)]
    store(settings, [*many[:1_500], *pairs, *many[1_500:]], user_settings={"number_of_shards": 3})
    asked = [{Field.SENTENCES: ("boiler",), Field.PASSAGE_KEYS: (f"rare{at}",)} for at in range(20)]
    with reader_on(settings) as reader:
        some = reader.candidates([Request(keys, limit=20) for keys in asked])
        every = reader.candidates([Request(keys, limit=None) for keys in asked])
    for at, (page, whole) in enumerate(zip(some, every, strict=True)):
        assert [each.id for each in page.candidates] == [f"pair{at}"]
        assert page.rare_only and not page.truncated and page.frequent == ()
        assert whole.candidates[0].id == f"pair{at}"
        assert len(whole.candidates) >= FREQUENT_ONLY  # with those that share the frequent key only
        assert whole.frequent == ((Field.SENTENCES, "boiler"),)
        assert whole.truncated  # 3,000 share it


def test_all_candidates_beyond_the_first_look(settings: ElasticSettings) -> None:
    shared = {Field.MINHASH_KEYS: ("m",)}
    store(settings, [keyed(f"n{at}", shared) for at in range(250)])
    with reader_on(settings) as reader:
        page, none, rare = reader.candidates(
            [
                Request(shared, limit=None, exclude=Ref("", "n0")),
                Request({Field.MINHASH_KEYS: ("unknown",)}, limit=None),
                Request({**shared, Field.TEXT_HASH: ("hash-n3",)}, limit=None, max_df=249),
            ]
        )
        assert {each.id for each in page.candidates} == {f"n{at}" for at in range(1, 250)}
        assert not page.truncated and page.frequent == ()
        assert none.candidates == () and not none.truncated
        assert rare.candidates[0].id == "n3"
        assert rare.frequent == ((Field.MINHASH_KEYS, "m"),)
        assert reader.candidates([]) == []
        assert reader.candidates([Request({})])[0].candidates == ()


@pytest.mark.parametrize(("limit", "truncated"), [(9, True), (10, False), (11, False)])
def test_truncated_is_exact(settings: ElasticSettings, limit: int, truncated: bool) -> None:
    shared = {Field.MINHASH_KEYS: ("m",)}
    store(settings, [keyed(f"n{at}", shared) for at in range(10)])
    with reader_on(settings) as reader:
        (page,) = reader.candidates([Request(shared, limit=limit)])
    assert len(page.candidates) == min(limit, 10)
    assert page.truncated is truncated


def test_a_novel_has_more_terms_than_a_query_may(settings: ElasticSettings) -> None:
    passages = tuple(f"p{at}" for at in range(2_000))
    novel = {Field.PASSAGE_KEYS: passages}
    store(
        settings,
        [
            keyed("whole", novel),
            keyed("ends", {Field.PASSAGE_KEYS: (*passages[:3], *passages[-3:])}),
            keyed("last", {Field.PASSAGE_KEYS: passages[-1:]}),
        ],
    )
    with reader_on(settings) as reader:
        for limit in (5, None):
            (page,) = reader.candidates([Request(novel, limit=limit)])
            assert [each.id for each in page.candidates] == ["whole", "ends", "last"]
            assert not page.truncated
        stored = reader.by_ids(["whole"])["whole"][0].fingerprint
        assert stored is not None and stored.keys[Field.PASSAGE_KEYS] == passages


def test_full_text(settings: ElasticSettings) -> None:
    store(
        settings,
        [
            record_of("a", "台风在福建登陆。", n=1),
            record_of("b", "台风没有登陆，福建晴。", n=2),
            record_of("c", "A typhoon hits the coast", n=3),
        ],
    )
    with reader_on(settings) as reader:
        assert {hit.id for hit in reader.search("台风 登陆").hits} == {"a", "b"}
        assert [hit.id for hit in reader.search("福建登陆").hits] == ["a"]
        assert [hit.id for hit in reader.search('"hits the" typhoon').hits] == ["c"]
        assert [hit.id for hit in reader.search("标题b").hits] == ["b"]
        assert reader.search("台风", size=1).total == 2
        assert len(reader.search("台风", size=1, offset=1).hits) == 1
        assert [h.id for h in reader.search("台风", filters=[{"term": {"n": 2}}]).hits] == ["b"]
        assert reader.search("").total == reader.search("。").total == 0
        assert "dupdex" not in reader.search("coast").hits[0].body
        with pytest.raises(InputRefused, match="10,000"):
            reader.search("台风", size=10, offset=9_995)


def test_scan_sees_one_moment_and_every_document_once(settings: ElasticSettings) -> None:
    store(settings, records(1_000))
    with reader_on(settings) as reader, writer_on(settings) as writer:
        other = [Record(one.document, one.fingerprint, "another-plan") for one in records(300)]
        list(writer.write(other))
        writer.refresh()
        seen: list[str] = []
        for stored in reader.scan(without_plan=PLAN.id):
            if len(seen) % 100 == 0:
                list(writer.write([record_of(stored.id, stored.text)]))
                writer.refresh()
            seen.append(stored.id)
        assert sorted(seen) == sorted(one.document.id for one in other)
        assert len({stored.id for stored in reader.scan()}) == 1_000
