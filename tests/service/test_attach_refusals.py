"""Indices that cannot be attached to: one sentence with the next step, and nothing was changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from dupdex import Index, IndexMeta
from indexer.stores.elastic.client import ElasticSettings
from mappings.errors import InputRefused, NotFound, StoreRefused
from mappings.plan import CHARACTERS
from tests.command import run, write_lines
from tests.service.foreign_data import BODY, MAPPINGS, made, place, sources, theirs

Raw = Elasticsearch


def block(name: str) -> Callable[[Raw, str], None]:
    def put(raw: Raw, index: str) -> None:
        raw.indices.put_settings(index=index, settings={f"index.blocks.{name}": True})

    return put


def close(raw: Raw, index: str) -> None:
    raw.indices.close(index=index)


def nothing(_raw: Raw, _index: str) -> None:
    """The index is refused as it was made."""


def with_source(**options: Any) -> dict[str, Any]:
    return {"mappings": {**MAPPINGS, "_source": options}}


@pytest.mark.parametrize(
    ("options", "change", "said"),
    [
        (with_source(enabled=False), nothing, "keeps no _source.*reindex"),
        (with_source(excludes=["source"]), nothing, "leaves fields out of _source.*reindex"),
        (with_source(includes=["content.*"]), nothing, "leaves fields out of _source"),
        ({}, close, r"is closed; open it \(POST"),
        ({}, block("read_only"), "has the block index.blocks.read_only; lift it"),
        ({}, block("write"), "has the block index.blocks.write; lift it"),
        ({}, block("read_only_allow_delete"), "free disk space"),
        (
            {"mappings": {"properties": {"dupdex": {"type": "keyword"}}}},
            nothing,
            "has a field 'dupdex' of its own",
        ),
        (
            {
                "mappings": {"properties": {"content": {"type": "object"}}},
                "settings": {"index.mapping.total_fields.limit": 8},
            },
            nothing,
            "no room for .* more fields; raise index.mapping.total_fields.limit",
        ),
    ],
)
def test_what_cannot_be_changed(
    settings: ElasticSettings,
    raw: Raw,
    options: dict[str, Any],
    change: Callable[[Raw, str], None],
    said: str,
) -> None:
    raw.indices.create(index=settings.index, **{"mappings": MAPPINGS, **options})
    raw.index(index=settings.index, id="1", document=theirs(1), refresh=True)
    change(raw, settings.index)
    before = raw.indices.get(index=settings.index).body
    with pytest.raises((StoreRefused, InputRefused), match=said) as refused:
        Index.attach(place(settings), BODY, plan=CHARACTERS)
    assert "\n" not in str(refused.value)
    assert raw.indices.get(index=settings.index).body == before
    if change is not close:  # else it could not be removed
        lifted = {f"index.blocks.{each}": None for each in ("read_only", "read_only_allow_delete")}
        raw.indices.put_settings(index=settings.index, settings=lifted)


def test_fields_that_no_document_has(settings: ElasticSettings, raw: Raw) -> None:
    expected = made(raw, settings.index, 3)
    for fields, said in (
        ({"text_fields": ("body",)}, "has a text in body; name the field with --text-field"),
        ({"text_fields": BODY, "title_field": "headlin"}, "has a title in headlin.*--title-field"),
    ):
        with pytest.raises(InputRefused, match=said):
            Index.attach(place(settings), plan=CHARACTERS, **fields)
        assert sources(raw, settings.index) == expected
    Index.attach(place(settings), BODY, "source", plan=CHARACTERS)


def test_what_is_no_index_of_theirs(settings: ElasticSettings, raw: Raw) -> None:
    where = place(settings)
    with pytest.raises(NotFound, match="no index"):
        Index.attach(where)
    with pytest.raises(NotFound, match="no index"):
        Index.detach(where)
    with Index.create(where, IndexMeta(plan=CHARACTERS)):
        with pytest.raises(StoreRefused, match="was made by dupdex and answers already"):
            Index.attach(where)
        with pytest.raises(StoreRefused, match="was made by dupdex, not attached"):
            Index.detach(where)
    raw.indices.create(index=f"{settings.index}-1")
    with pytest.raises(StoreRefused, match="not attached to"):
        Index.detach(place(ElasticSettings(settings.url, f"{settings.index}-1")))


def test_a_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for command in ("attach", "detach"):
        refused = run(command, "news", "--store", str(tmp_path), folder=tmp_path)
        assert refused.status == 2
        assert "name the server of your index with --store" in refused.error()


def test_a_final_pipeline_would_run_again(settings: ElasticSettings, raw: Raw) -> None:
    made(raw, settings.index, 3)
    Index.attach(place(settings), BODY, plan=CHARACTERS)
    raw.indices.put_settings(index=settings.index, settings={"index.final_pipeline": "theirs"})
    with pytest.raises(StoreRefused, match=r"set index\.final_pipeline to _none"):
        Index.detach(place(settings))
    raw.indices.put_settings(index=settings.index, settings={"index.final_pipeline": "_none"})
    Index.detach(place(settings))


def test_a_default_pipeline_sees_none_of_it(settings: ElasticSettings, raw: Raw) -> None:
    """It is not even there: a document that went through it would be refused."""
    expected = made(raw, settings.index, 3)
    raw.indices.put_settings(index=settings.index, settings={"index.default_pipeline": "absent"})
    report = Index.attach(place(settings), BODY, plan=CHARACTERS)
    assert (report.written, report.refused) == (3, {})
    assert Index.detach(place(settings)).cleaned == 3
    assert sources(raw, settings.index) == expected


def test_the_command_line(settings: ElasticSettings, raw: Raw, tmp_path: Path) -> None:
    expected = made(raw, settings.index, 12)
    raw.index(index=settings.index, id="none", document={"source": "x"}, refresh=True)
    store = ("--store", settings.url)
    refused = run("attach", settings.index, *store, folder=tmp_path)
    assert refused.status == 2
    assert "fields that hold strings: content.body, source" in refused.error()
    told = ("--text-field", "content.body", "--plan", "characters")
    done = run("attach", settings.index, *store, *told, folder=tmp_path)
    assert done.status == 1
    assert done.out == f"12 documents of {settings.index} got a fingerprint\n"
    assert "document 'none' of" in done.err
    write_lines(tmp_path / "asked.jsonl", [{"id": "q", **theirs(3)}])
    found = run("check", "--id", "d3", *store, "--index", settings.index, folder=tmp_path)
    assert found.status == 1
    info = run("info", *store, "--index", settings.index, "--json", folder=tmp_path).json()
    assert (info["attached"], info["covered"], info["documents"]) == ("done", 12, 13)
    gone = run("detach", settings.index, *store, "--json", folder=tmp_path)
    assert gone.status == 0
    assert gone.json()["cleaned"] == 12
    assert sources(raw, settings.index) == {**expected, "none": {"source": "x"}}
