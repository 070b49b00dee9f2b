"""An evaluation at a server: a temporary index beside the user's, and nothing left of it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from dupdex.evaluation import evaluate
from dupdex.index import Index
from dupdex.location import Location
from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.stores.elastic.client import connect
from mappings.errors import InputRefused
from mappings.index_body import template_name
from mappings.plan import CHARACTERS, STANDARD
from query.stores.elastic.more_like_this import more_like_this

TEXT = "春茶上市以来，山区茶农忙着采摘，合作社的烘干机昼夜不停，收购价格每斤上涨了二十元。"


@pytest.fixture
def location(es_url: str) -> Iterator[Location]:
    """The user's index, with one document, under another plan and another text field."""
    found = Location(es_url, f"evaluated-{uuid.uuid4().hex[:12]}")
    with closing(connect(found.elastic)) as client:
        meta = IndexMeta(plan=STANDARD, text_fields=("body",))
        mappings = {"properties": {"text": {"type": "integer"}}}
        try:
            with Index.create(found, meta, mappings=mappings) as index:
                list(index.add([Document("mine", TEXT, {"body": TEXT})]))
                index.refresh()
            yield found
        finally:
            client.indices.delete(index=found.index, ignore_unavailable=True)
            client.indices.delete_index_template(name=template_name(found.index))


@pytest.fixture
def client(location: Location) -> Iterator[Elasticsearch]:
    with closing(connect(location.elastic)) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + "本报讯"}]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    truth = "id_a\tid_b\tlabel\tkind\tstrength\na\tb\t1\ttail\t1\n"
    (tmp_path / "truth.tsv").write_text(truth, "utf-8")
    return tmp_path


def names(client: Elasticsearch, location: Location) -> tuple[set[str], set[str]]:
    """The indices that are named after the user's, and their templates."""
    pattern = f"{location.index}*"
    templates = client.indices.get_index_template(name=template_name(pattern))["index_templates"]
    return set(client.indices.get(index=pattern).body), {each["name"] for each in templates}


def test_nothing_is_left_and_the_index_is_untouched(
    location: Location, client: Elasticsearch, folder: Path
) -> None:
    before = names(client, location)
    report = evaluate(folder, location, CHARACTERS)
    assert (report.overall.recall, report.coverage.rejected) == (1.0, 0)
    assert names(client, location) == before
    with Index.open(location) as index:
        assert (index.count(), index.plan.id) == (1, STANDARD.id)


def test_nothing_is_left_after_an_interruption(
    location: Location, client: Elasticsearch, folder: Path
) -> None:
    before = names(client, location)
    seen: list[set[str]] = []

    def interrupt(_count: int, _total: int) -> None:
        seen.append(names(client, location)[0] - before[0])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(folder, location, CHARACTERS, progress=interrupt)
    assert [name.startswith(f"{location.index}-evaluate-") for name in seen[0]] == [True]
    assert names(client, location) == before


def test_more_like_this_is_asked_and_leaves_nothing(
    location: Location, client: Elasticsearch
) -> None:
    # the server asks for terms that come twice in a text, and in five texts or more
    texts = {
        "tea": TEXT,
        "bridge": "白鹭大桥通车以后，两岸居民过江只要五分钟，老船工退休了。",
    }
    documents = [
        Document(f"{name}-{number}", f"{text}{text}第{number}版")
        for name, text in texts.items()
        for number in range(6)
    ]
    before = names(client, location)
    found = set(more_like_this(documents, location.elastic))
    assert {("tea-0", "tea-5"), ("bridge-3", "bridge-1")} <= found
    assert names(client, location) == before


def test_wrong_index_names_are_refused(es_url: str, folder: Path) -> None:
    with pytest.raises(InputRefused):
        evaluate(folder, replace(Location(es_url), index="Upper"))
