"""The objects that Kibana imports: sound, the same every time, and of fields that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.kibana.chinese_titles import TITLES, in_chinese
from dupdex.kibana.console_links import ConsoleLinks
from dupdex.kibana.data_views import DataView, data_views, object_id
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.kibana_objects import kibana_objects
from dupdex.kibana.lens_columns import metric, unique
from dupdex.kibana.saved_objects import as_lines
from mappings.collections import ID, collection_index
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.records import COPIES, GROUPS, MATCHES, RUNS
from tests.unit.dupdex.kibana.object_checks import missing_references, problems

FACTS = IndexFacts(
    "articles",
    "title",
    "published",
    "site",
    {"published": "date", "site": "keyword", "title": "text"},
)


def lines(facts: IndexFacts = FACTS) -> list[bytes]:
    return as_lines(kibana_objects(facts))


def objects(facts: IndexFacts = FACTS) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(facts)]


def test_the_objects_are_sound() -> None:
    assert problems(lines()) == []
    assert missing_references(objects()) == []
    assert [(each["type"], each["id"]) for each in objects()] == [
        ("index-pattern", "dupdex-articles-documents"),
        ("index-pattern", "dupdex-articles-matches"),
        ("index-pattern", "dupdex-articles-groups"),
        ("index-pattern", "dupdex-articles-jobs"),
        ("index-pattern", "dupdex-articles-copies"),
        ("search", "dupdex-articles-document-list"),
        ("search", "dupdex-articles-pair-list"),
        ("dashboard", "dupdex-articles-duplicates"),
        ("dashboard", "dupdex-articles-copying"),
    ]


def test_they_are_the_same_every_time() -> None:
    assert lines() == lines()
    other = {each["id"] for each in objects(IndexFacts("mail"))}
    assert not other & {each["id"] for each in objects()}


def test_without_a_source_there_is_no_dashboard_of_sources() -> None:
    bare = IndexFacts("articles")
    assert problems(lines(bare)) == []
    assert [each["id"] for each in objects(bare) if each["type"] == "dashboard"] == [
        "dupdex-articles-duplicates"
    ]


def test_data_views_read_what_the_stores_write() -> None:
    found = {
        each["id"]: (each["attributes"]["title"], each["attributes"]["timeFieldName"])
        for each in objects()
        if each["type"] == "index-pattern"
    }
    assert found == {
        "dupdex-articles-documents": ("articles", "published"),
        "dupdex-articles-matches": (collection_index("articles", MATCHES), "found"),
        "dupdex-articles-groups": (collection_index("articles", GROUPS), "changed"),
        "dupdex-articles-jobs": (collection_index("articles", RUNS), "started"),
        "dupdex-articles-copies": (collection_index("articles", COPIES), "time"),
    }
    assert data_views(IndexFacts("i")).documents.time_field == Field.INDEXED.path


def fields_named(value: Any) -> Iterator[str]:
    """Every field that an object names anywhere: columns, formulas, queries, sorting, times."""
    if isinstance(value, list):
        for each in value:
            yield from fields_named(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name in ("sourceField", "timeFieldName"):
                yield each
            elif name == "fieldFormatMap":
                yield from json.loads(each)
            elif name == "panelsJSON":
                yield from fields_named(json.loads(each))
            elif name == "formula":
                yield from re.findall(r"\(([\w.]+)\)", each)
            elif name == "query" and isinstance(each, str):
                yield from re.findall(r"([\w.]+) ?(?::|>=)", each)
            elif name == "columns" and isinstance(each, list):
                yield from (column for column in each if isinstance(column, str))
            elif name == "sort":
                yield from (field for field, _ in each)
            else:
                yield from fields_named(each)


def test_every_field_that_is_named_is_in_a_mapping() -> None:
    views = data_views(FACTS)
    there = {field for view in views.all for field in view.shown}
    named = {field for each in objects() for field in fields_named(each)} - {"___records___"}
    assert named <= there
    assert {"similarity", "canonical", "state", "dupdex.group", "site", "size", ID} <= named


def test_a_field_that_a_mapping_lacks_is_refused() -> None:
    views = data_views(FACTS)
    with pytest.raises(InputRefused, match="has no field 'source' of that use"):
        unique(views.matches, "n", "source", "Sources")
    with pytest.raises(InputRefused):  # it is there, but aggregations cannot read it
        unique(views.documents, "n", Field.MINHASH_KEYS.path, "Keys")
    with pytest.raises(InputRefused):
        unique(views.documents, "n", "title", "Titles")
    with pytest.raises(InputRefused):
        unique(views.matches, "n", "evidence", "Evidence")
    with pytest.raises(InputRefused):
        metric(views.groups, "n", "max", "complete", "Complete")
    assert views.documents.field(Field.SIMHASH.path)  # not indexed, but with doc values


def test_links_lead_to_the_console() -> None:
    facts = IndexFacts("articles", links=ConsoleLinks("https://dup.example.com/base/"))
    formats = {
        each["attributes"]["name"]: {
            field: value["params"]["urlTemplate"]
            for field, value in json.loads(each["attributes"]["fieldFormatMap"]).items()
        }
        for each in objects(facts)
        if each["type"] == "index-pattern"
    }
    root = "https://dup.example.com/base/_dupdex/console"
    compare, group = f"{root}/compare?first={{{{value}}}}", f"{root}/groups/{{{{value}}}}"
    assert formats == {
        "articles: documents": {"_id": compare, "dupdex.group": group},
        "articles: matches": {
            "id": f"{root}/compare?pair={{{{value}}}}",
            "first": compare,
            "second": compare,
        },
        "articles: groups": {"id": group, "merged_into": group, "canonical": compare},
        "articles: jobs": {},
        "articles: copies": {
            "id": f"{root}/compare?pair={{{{value}}}}",
            "document": compare,
            "original": compare,
            "group": group,
        },
    }


def test_links_name_the_index() -> None:
    links = ConsoleLinks("http://x", "新闻 a")
    root, name = "http://x/_dupdex/console", "index=%E6%96%B0%E9%97%BB%20a"
    assert links.pair == f"{root}/compare?{name}&pair={{{{value}}}}"
    assert links.document == f"{root}/compare?{name}&first={{{{value}}}}"
    assert links.group == f"{root}/groups/{{{{value}}}}?{name}"


def said(value: Any) -> Iterator[str]:
    """Every title, label and description in JSON, also in JSON inside of JSON."""
    if isinstance(value, list):
        for each in value:
            yield from said(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name in ("title", "label", "description") and isinstance(each, str):
                yield each
            elif name.endswith("JSON") and isinstance(each, str):
                yield from said(json.loads(each))
            else:
                yield from said(each)


def test_all_words_are_there_in_chinese() -> None:
    made = kibana_objects(FACTS)
    found = in_chinese(made, FACTS.index)
    assert problems(as_lines(found)) == []
    assert [each.id for each in found] == [each.id for each in made]
    before, after = ([list(said(e.attributes)) for e in each] for each in (made, found))
    words = {w.removesuffix(f" ({FACTS.index})") for each in before[5:] for w in each}
    words = {each for each in words if each and not each.startswith("Part of ")}
    assert words == TITLES.keys() | {"Pairs"}
    left = {w for each in after[5:] for w in each if w and not w.startswith("Part of ")}
    assert [each for each in left if not re.search("[一-鿿]", each)] == []
    assert [e.attributes["title"] for e in found[:5]] == [e.attributes["title"] for e in made[:5]]
    assert found[0].attributes["name"] == "articles：文档"
    assert found[5].attributes["title"] == "文档 (articles)"
    assert found[7].attributes["title"] == "重复情况 (articles)"


@pytest.mark.parametrize(
    "console", ["", "localhost:9280", "ftp://x", "http://", "http://[", "http://x/{{value}}"]
)
def test_a_console_that_is_no_url_is_refused(console: str) -> None:
    with pytest.raises(InputRefused, match="is no URL; write it like http://localhost:9280"):
        ConsoleLinks(console)


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_indices_share_no_id(one: str, other: str) -> None:
    assert (object_id(one, "x") == object_id(other, "x")) is (one == other)
    assert re.fullmatch(r"[a-z0-9._-]+", object_id(one, "x"))


NAMES = st.text(min_size=1, max_size=30)


@given(NAMES, NAMES, NAMES)
def test_any_names_make_sound_objects(index: str, title: str, source: str) -> None:
    """Whatever an index and its fields are called."""
    kinds = {title: "text"} | {source: "keyword"}
    facts = IndexFacts(index, title, source_field=source, kinds=kinds)
    assert problems(lines(facts)) == []


# --- the checks can fail


def changed(change: Callable[[dict[str, Any]], None], number: int = -1) -> list[str]:
    """The problems once the last object, or another one, has been changed."""
    made = objects()
    change(made[number])
    return problems([f"{json.dumps(each)}\n".encode() for each in made])


def in_panels(change: Callable[[list[Any]], None]) -> Callable[[dict[str, Any]], None]:
    def changing(board: dict[str, Any]) -> None:
        panels = json.loads(board["attributes"]["panelsJSON"])
        change(panels)
        board["attributes"]["panelsJSON"] = json.dumps(panels)

    return changing


def layer_of(panel: dict[str, Any]) -> dict[str, Any]:
    state = panel["embeddableConfig"]["attributes"]["state"]
    (layer,) = state["datasourceStates"]["formBased"]["layers"].values()
    assert isinstance(layer, dict)
    return layer


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda board: board.update(version="1"), "its keys are"),
        (lambda board: board.update(typeMigrationVersion="10.2.0"), "not the lowest"),
        (lambda board: board.update(coreMigrationVersion="8.9.0"), "core version"),
        (lambda board: board["references"].pop(), "its references are not those of its panels"),
        (lambda board: board["references"][0].update(id="other"), "leads to no object"),
        (lambda board: board["attributes"].update(panelsJSON=[]), "panelsJSON is no string"),
        (in_panels(lambda panels: panels.pop()), "its references are not those of its panels"),
        (in_panels(lambda panels: panels[0]["gridData"].update(i="x")), "under another id"),
        (in_panels(lambda panels: panels[1]["gridData"].update(x=1)), "lies on another one"),
        (in_panels(lambda panels: panels[3]["gridData"].update(w=40)), "leaves the grid"),
        (
            in_panels(lambda panels: layer_of(panels[0])["columnOrder"].clear()),
            "leaves one out",
        ),
        (
            in_panels(lambda panels: layer_of(panels[3])["columns"].pop("shareX1")),
            "leaves one out",
        ),
        (
            in_panels(lambda panels: layer_of(panels[5])["columnOrder"].reverse()),
            "a metric comes before a bucket",
        ),
    ],
)
def test_a_mistake_is_seen(change: Callable[[dict[str, Any]], None], problem: str) -> None:
    found = changed(change)
    assert any(problem in each for each in found), found


def test_pretty_lines_are_seen() -> None:
    assert problems([b"{\n}\n"]) == ["line 1 is not one line"]


def test_a_view_of_a_scripted_field_is_seen() -> None:
    def scripted(view: dict[str, Any]) -> None:
        view["attributes"]["runtimeFieldMap"] = '{"x": {"type": "long"}}'

    assert any("scripted" in each for each in changed(scripted, 0))


def test_types_are_those_of_kibana() -> None:
    view: DataView = data_views(FACTS).matches
    assert [view.type_of(name) for name in ("verdict", "similarity", "found")] == [
        "string",
        "number",
        "date",
    ]
