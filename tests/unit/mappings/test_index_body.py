"""The index body and template, compared as plain values."""

from __future__ import annotations

import orjson
import pytest

from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused
from mappings.index_body import (
    index_body,
    index_template,
    is_ours,
    object_mapping,
    template_name,
)
from mappings.schemes import SCHEME_FIELDS

META = {"made_by": "dupdex", "plan_id": "p"}


def test_body_without_user_wishes() -> None:
    assert index_body(META, ("text", "lead"), "title") == {
        "settings": {
            "index.query.default_field": ["title", "text", "lead"],
            "index.auto_expand_replicas": "0-1",
        },
        "mappings": {
            "date_detection": False,
            "_meta": {"dupdex": META},
            "dynamic_templates": [
                {
                    "dupdex_strings": {
                        "match_mapping_type": "string",
                        "mapping": {"type": "keyword", "ignore_above": 1024},
                    }
                }
            ],
            "properties": {
                "title": {"type": "text"},
                "text": {"type": "text"},
                "lead": {"type": "text"},
                "dupdex": object_mapping(),
            },
        },
    }


def test_title_may_be_absent_or_a_text_field() -> None:
    assert index_body(META, ("text",), "")["settings"]["index.query.default_field"] == ["text"]
    both = index_body(META, ("title", "text"), "title")
    assert both["settings"]["index.query.default_field"] == ["title", "text"]


def test_dotted_paths_are_mapped_where_the_user_left_them_open() -> None:
    paths = ("content.body", "a.b.c", "kept.text", "said.raw", "flat.x")
    user = {
        "properties": {
            "content": {"properties": {"lang": {"type": "keyword"}}},
            "a.b": {"type": "object", "dynamic": False},
            "kept.text": {"type": "keyword"},
            "said": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
        }
    }
    before = orjson.dumps(user)
    body = index_body(META, paths, "content.title", {**user})
    text = {"type": "text"}
    assert body["mappings"]["properties"] == {
        "content": {"properties": {"lang": {"type": "keyword"}, "title": text, "body": text}},
        "a.b": {"type": "object", "dynamic": False, "properties": {"c": text}},
        "kept.text": {"type": "keyword"},
        "said": user["properties"]["said"],
        "flat.x": text,
        "dupdex": object_mapping(),
    }
    assert body["settings"]["index.query.default_field"] == ["content.title", *paths]
    assert orjson.dumps(user) == before


def test_a_text_below_a_nested_field_is_refused() -> None:
    user = {"properties": {"content": {"type": "nested"}}}
    with pytest.raises(InputRefused, match=r"'content\.body' .* map 'content' as an object"):
        index_body(META, ("content.body",), "title", user)


def test_every_field_of_the_contract_is_mapped_strictly() -> None:
    mapping = object_mapping()
    assert mapping["dynamic"] == "strict"
    assert set(mapping["properties"]) == {name.value for name in Field}
    for name in SCHEME_FIELDS.values():
        assert object_mapping()["properties"][name]["type"] == "keyword"
    # what a search client serialises: exact strings as keys, nothing shared with the constants
    orjson.dumps(mapping)
    mapping["properties"].clear()
    assert object_mapping()["properties"]


def test_user_mappings_win_except_in_our_object() -> None:
    body = index_body(
        META,
        ("text",),
        "title",
        user_mappings={
            "date_detection": True,
            "_meta": {"team": "news", "dupdex": "theirs"},
            "dynamic_templates": [{"own": {"match": "*_id", "mapping": {"type": "long"}}}],
            "properties": {
                "text": {"type": "text", "analyzer": "icu"},
                "published": {"type": "date"},
                "dupdex": {"type": "flattened"},
                "dupdex.simhash": {"type": "text"},
            },
        },
    )
    mappings = body["mappings"]
    assert mappings["date_detection"] is True
    assert mappings["_meta"] == {"team": "news", "dupdex": META}
    assert [next(iter(each)) for each in mappings["dynamic_templates"]] == ["own", "dupdex_strings"]
    assert mappings["properties"] == {
        "title": {"type": "text"},
        "text": {"type": "text", "analyzer": "icu"},
        "published": {"type": "date"},
        "dupdex": object_mapping(),
    }


def test_documents_must_stay_readable() -> None:
    for source in ({"enabled": False}, {"excludes": ["dupdex"]}):
        with pytest.raises(InputRefused, match="_source"):
            index_body(META, ("text",), "title", user_mappings={"_source": source})


def test_user_settings_in_any_spelling() -> None:
    settings = index_body(
        META,
        ("text",),
        "title",
        user_settings={
            "number_of_shards": 3,
            "index": {"refresh_interval": "5s", "number_of_replicas": 2},
            "index.codec": "best_compression",
            "analysis": {"analyzer": {"default": {"type": "standard"}}},
        },
    )["settings"]
    assert settings == {
        # no auto_expand_replicas: it would override the number the user chose
        "index.query.default_field": ["title", "text"],
        "index.number_of_shards": 3,
        "index.refresh_interval": "5s",
        "index.number_of_replicas": 2,
        "index.codec": "best_compression",
        "index.analysis.analyzer.default.type": "standard",
    }


def test_the_template_serves_its_very_index_alone() -> None:
    template = index_template("news", META, ("text",), "title")
    assert template["index_patterns"] == ["news"]
    assert template["template"] == index_body(META, ("text",), "title")
    assert template["priority"] > 500  # what is written in examples, and by the server itself
    assert template_name("news") == "dupdex-news"


@pytest.mark.parametrize(
    ("name", "ours"),
    [(OBJECT_FIELD, True), ("dupdex.simhash", True), ("dupdexed", False), ("text", False)],
)
def test_is_ours(name: str, ours: bool) -> None:
    assert is_ours(name) is ours
