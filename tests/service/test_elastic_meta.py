"""Programs that change the meta of one index at once: one succeeds, no change is lost."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Barrier

import pytest
from elasticsearch import Elasticsearch

from indexer.boilerplate import Boilerplate
from indexer.meta import IndexMeta
from indexer.meta_watch import MetaChanged
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.elastic.elastic_writer import ElasticWriter
from mappings.contract import OBJECT_FIELD
from mappings.plan import STANDARD
from tests.service.elastic_data import META, store
from tests.service.proxy import CutAfter, Proxy, Reply, Seen, proxied

WRITERS, ROUNDS = 3, 12


@pytest.fixture
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


def opened(settings: ElasticSettings) -> closing[ElasticWriter]:
    return closing(ElasticWriter.open(settings, META))


def with_sentence(meta: IndexMeta, sentence: str) -> IndexMeta:
    sentences = {**meta.boilerplate.sentences, sentence: 9}
    return replace(meta, boilerplate=Boilerplate(sentences, 20, 40))


def test_of_several_writers_in_a_race_none_loses_a_change(settings: ElasticSettings) -> None:
    """All change the same revision at once, many times; each tries until its change stands."""
    together = Barrier(WRITERS)

    def add_sentences(number: int) -> int:
        refusals = 0
        with opened(settings) as writer:
            for turn in range(ROUNDS):
                together.wait(60)
                while True:
                    writer.watch.check()
                    try:
                        writer.set_meta(with_sentence(writer.meta, f"{number} {turn}"))
                        break
                    except MetaChanged:
                        refusals += 1
        return refusals

    store(settings, [])
    with ThreadPoolExecutor(WRITERS) as pool:
        refusals = list(pool.map(add_sentences, range(WRITERS)))
    with opened(settings) as writer:
        every = {f"{number} {turn}" for number in range(WRITERS) for turn in range(ROUNDS)}
        assert set(writer.meta.boilerplate.sentences) == every
        assert writer.meta.revision == WRITERS * ROUNDS
    assert sum(refusals) > 0  # they did meet


def test_a_change_between_the_comparison_and_the_update_is_refused(
    settings: ElasticSettings, proxy: Proxy
) -> None:
    store(settings, [])

    def changed_first(seen: Seen) -> Reply | None:
        if seen.method == "PUT" and seen.path.endswith("/_mapping"):
            proxy.rule = lambda _: None
            with opened(settings) as other:
                other.set_meta(with_sentence(other.meta, "theirs"))
        return None

    proxy.rule = changed_first
    with opened(replace(settings, url=proxy.url)) as writer:
        with pytest.raises(MetaChanged, match="that change stands; run the same command again"):
            writer.set_meta(with_sentence(writer.meta, "ours"))
        writer.watch.check()
        assert set(writer.meta.boilerplate.sentences) == {"theirs"}
        writer.set_meta(with_sentence(writer.meta, "ours"))
        assert set(writer.meta.boilerplate.sentences) == {"theirs", "ours"}


def test_a_change_whose_answer_is_lost_is_made_once(
    settings: ElasticSettings, proxy: Proxy
) -> None:
    store(settings, [])

    def cut(seen: Seen) -> Reply | None:
        if seen.method == "PUT" and seen.path.endswith("/_mapping"):
            proxy.rule = lambda _: None
            raise CutAfter
        return None

    proxy.rule = cut
    with opened(replace(settings, url=proxy.url)) as writer:
        writer.set_meta(with_sentence(writer.meta, "ours"))
        assert writer.meta.revision == 1
    puts = [seen for seen in proxy.seen if seen.method == "PUT" and "/_mapping" in seen.path]
    assert len(puts) == 1
    with opened(settings) as writer:
        assert writer.meta.revision == 1


def test_an_index_without_room_for_a_field_can_still_be_changed(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """The claim of a change is a field, and the number of fields has a limit."""
    store(settings, [])
    mapping = raw.indices.get_mapping(index=settings.index)[settings.index]["mappings"]
    count = len(mapping["properties"]) + len(mapping["properties"][OBJECT_FIELD]["properties"])
    limit = {"index.mapping.total_fields.limit": count}
    raw.indices.put_settings(index=settings.index, settings=limit)
    with opened(settings) as writer:
        writer.set_meta(with_sentence(writer.meta, "one"))
        writer.set_meta(writer.meta.started(STANDARD))
    mapping = raw.indices.get_mapping(index=settings.index)[settings.index]["mappings"]
    assert "changes" not in mapping["properties"][OBJECT_FIELD]["properties"]
    assert mapping["_meta"][OBJECT_FIELD]["revision"] == 2
    assert mapping["_meta"][OBJECT_FIELD]["rebuilding"]
