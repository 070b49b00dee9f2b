"""`dedup` in searches: one hit a group, its copies, exact totals, and pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from indexer.grouping import Grouping
from indexer.model import Document
from tests.service.elastic_data import chinese
from tests.service.gateway.near_data import Corpus, copy_of, corpus, ids_in, near
from tests.service.gateway.running import Running

SIZES = {"a": 5, "b": 4, "c": 1, "d": 1, "e": 1}
"""Documents of each group."""

DOCUMENTS = sum(SIZES.values())


def _documents() -> list[Document]:
    out = []
    for name, size in SIZES.items():
        text = chinese(f"group {name}", 200)
        for n in range(size):
            changed = copy_of(text, 9 * n) if n else text
            body = {"text": changed, "n": n, "topic": name, "published": f"2026-01-{n + 1:02}"}
            out.append(Document(f"{name}{n}", changed, body))
    return out


@pytest.fixture(scope="module")
def grouped(gateway: Running, es_url: str) -> Iterator[Corpus]:
    with corpus(gateway, es_url, _documents(), Grouping()) as made:
        yield made


def groups_in(answer: dict[str, Any]) -> list[str]:
    return [hit["_id"][0] for hit in answer["hits"]["hits"]]


def test_one_hit_a_group_with_copies_and_totals(grouped: Corpus) -> None:
    answer = grouped.search(grouped.first, {"dedup": {"collapse": True, "copies": 3}, "size": 10})
    assert sorted(groups_in(answer)) == sorted(SIZES)
    assert answer["hits"]["total"] == {"value": DOCUMENTS, "relation": "eq"}
    totals = {"total": len(SIZES), "documents": DOCUMENTS, "without_group": 0}
    assert answer["_dupdex"] == {"groups": totals}
    for hit in answer["hits"]["hits"]:
        name = hit["_id"][0]
        copies = hit["inner_hits"]["copies"]["hits"]["hits"]
        assert hit["_dupdex"]["group"]["documents"] == SIZES[name]
        assert len(copies) == min(3, SIZES[name] - 1)
        assert hit["_id"] not in ids_in(hit["inner_hits"]["copies"])
        assert {each["_id"][0] for each in copies} <= {name}


def test_copies_come_as_their_hit_does(grouped: Corpus) -> None:
    body = {"dedup": {"copies": 9}, "sort": [{"n": "desc"}], "_source": ["n"]}
    best = grouped.search(grouped.first, body)["hits"]["hits"][0]
    assert best["_source"] == {"n": 4}
    copies = best["inner_hits"]["copies"]["hits"]["hits"]
    assert [each["_source"]["n"] for each in copies] == [3, 2, 1, 0]


def test_among_near_duplicates(grouped: Corpus) -> None:
    body = {"query": near(chinese("group b", 200)), "dedup": {"copies": 1}}
    answer = grouped.search(grouped.first, body)
    (hit,) = answer["hits"]["hits"]
    assert (hit["_id"], hit["_dupdex"]["verdict"]) == ("b0", "exact")
    assert hit["_dupdex"]["group"]["documents"] == SIZES["b"]
    (copy,) = hit["inner_hits"]["copies"]["hits"]["hits"]
    assert copy["_dupdex"]["verdict"] == "near"
    assert answer["hits"]["total"]["value"] == SIZES["b"]
    assert answer["_dupdex"]["groups"]["total"] == 1
    assert answer["_dupdex"]["clauses"][0]["found"] == SIZES["b"]


def test_totals_are_of_what_the_search_finds(grouped: Corpus) -> None:
    body = {
        "query": {"range": {"n": {"lte": 1}}},
        "post_filter": {"terms": {"topic": ["a", "b", "c"]}},
        "dedup": {},
    }
    answer = grouped.search(grouped.first, body)
    assert answer["hits"]["total"]["value"] == 5
    assert answer["_dupdex"]["groups"] == {"total": 3, "documents": 5, "without_group": 0}
    uncounted = grouped.search(grouped.first, {**body, "dedup": {"totals": False}})
    assert "_dupdex" not in uncounted
    plain = grouped.search(grouped.first, {**body, "dedup": {"collapse": False}})
    assert len(plain["hits"]["hits"]) == 5


@pytest.mark.parametrize(
    "sort", [None, [{"published": "desc"}], ["dupdex.group"], [{"topic": "asc"}, "n"]]
)
@pytest.mark.parametrize("in_pit", [False, True])
def test_pages_show_every_group_once(grouped: Corpus, sort: Any, in_pit: bool) -> None:
    body: dict[str, Any] = {"dedup": {"copies": 1}, "size": 2}
    if sort:
        body["sort"] = sort
    path = f"/{grouped.first}/_search"
    if in_pit:
        pit = grouped.client.open_point_in_time(index=grouped.first, keep_alive="1m")["id"]
        body["pit"], path = {"id": pit}, "/_search"
    seen: list[str] = []
    while True:
        status, answer = grouped.post(path, body)
        assert status == 200, answer
        assert answer["_dupdex"]["groups"]["total"] == len(SIZES)
        hits = answer["hits"]["hits"]
        if not hits:
            break
        seen += groups_in(answer)
        body["search_after"] = hits[-1]["sort"]
    assert sorted(seen) == sorted(SIZES)
    if in_pit:
        grouped.client.close_point_in_time(id=pit)


@pytest.mark.parametrize(
    ("more", "path", "named"),
    [
        ({"rescore": {"query": {}}}, "", "[rescore]"),
        ({"collapse": {"field": "topic"}}, "", "[collapse]"),
        ({}, "?scroll=1m", "[scroll]"),
        ({}, "?sort=n", "[sort]"),
        ({"search_after": [1.0, "a0"]}, "", "all sort values"),
        ({"search_after": [1.0, 4], "from": 2}, "", "[from] and [search_after]"),
        ({"search_after": [1.0, 10_000]}, "", "10,000"),
    ],
)
def test_what_does_not_go_together(
    grouped: Corpus, more: dict[str, Any], path: str, named: str
) -> None:
    status, answer = grouped.post(f"/{grouped.first}/_search{path}", {"dedup": {}, **more})
    assert (status, answer["error"]["type"]) == (400, "illegal_argument_exception")
    assert named in answer["error"]["reason"]


@pytest.mark.parametrize(
    ("dedup", "named"),
    [
        ({"colapse": True}, "[colapse]"),
        ({"copies": -1}, "[copies]"),
        ({"copies": True}, "[copies]"),
        ({"collapse": "yes"}, "[collapse]"),
        (True, "[dedup]"),
    ],
)
def test_a_wrong_key_is_named(grouped: Corpus, dedup: Any, named: str) -> None:
    status, answer = grouped.post(f"/{grouped.first}/_search", {"dedup": dedup})
    assert (status, answer["error"]["type"]) == (400, "parsing_exception")
    assert named in answer["error"]["reason"]


def test_only_where_groups_are_kept(grouped: Corpus, gateway: Running, es_url: str) -> None:
    status, answer = grouped.post(f"/{grouped.first}/_count", {"dedup": {}})
    assert (status, answer["error"]["type"]) == (400, "illegal_argument_exception")
    with corpus(gateway, es_url) as without:
        status, answer = without.post(f"/{without.first}/_search", {"dedup": {}})
    assert status == 400
    assert "keeps no groups" in answer["error"]["reason"]


@pytest.mark.parametrize(
    "paths",
    [
        "hits.hits.inner_hits.copies.hits.total",
        "hits.hits.inner_hits.copies.hits.hits._source",
        "hits.hits.sort",
        "hits.total,_dupdex.groups.total",
        "hits.hits._dupdex.group.id,hits.hits.fields",
        "-hits.hits.inner_hits",
        "-_dupdex,-hits.hits._dupdex",
    ],
)
def test_filter_path(grouped: Corpus, paths: str) -> None:
    """What is not wanted is not there, and costs no answer."""
    body = {"query": near(chinese("group b", 200)), "dedup": {"copies": 1}}
    answer = grouped.search(grouped.first, body, f"?filter_path={paths}")
    wanted = [path for path in paths.split(",") if not path.startswith("-")]
    for path in wanted:
        found: Any = answer
        for name in path.split("."):
            found = found[0][name] if isinstance(found, list) else found[name]
    shown = {path.split(".")[0] for path in wanted} or {"took", "timed_out", "_shards", "hits"}
    assert answer.keys() - {"_dupdex"} == shown - {"_dupdex"}
    assert ("_dupdex" in answer) is (paths == "-hits.hits.inner_hits" or "_dupdex.groups" in paths)
