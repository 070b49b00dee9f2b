"""What `dedup` makes of a search, and of its hits."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from dupdex.gateway.search.dedup import GROUP, Collapsed, Dedup, collapsed, dedup_in
from dupdex.gateway.search.hits_why import with_hits
from dupdex.gateway.search.search_refused import SearchRefused


def made(body: dict[str, Any], dedup: Dedup, **params: str) -> tuple[dict[str, Any], Collapsed]:
    parts = {name: orjson.dumps(value) for name, value in body.items()}
    out = collapsed(parts, dedup, params)
    return orjson.loads(out.body), out


def test_the_request() -> None:
    body = {"query": {"match": {"t": "a"}}, "size": 5, "_source": ["t"]}
    asked, out = made(body, Dedup(copies=3))
    assert asked == {
        "query": {
            "bool": {"must": [{"match": {"t": "a"}}], "filter": [{"exists": {"field": GROUP}}]}
        },
        "size": 5,
        "_source": ["t"],
        "collapse": {
            "field": GROUP,
            "inner_hits": {"name": "copies", "size": 4, "_source": ["t"]},
        },
        "sort": [{"_score": "desc"}, {GROUP: "asc"}],
        "track_total_hits": True,
    }
    assert out.first == 0
    assert out.counted is not None
    assert orjson.loads(out.counted["query"]) == {
        "bool": {"must": [{"match": {"t": "a"}}], "filter": []}
    }


def test_what_the_client_says_goes_first() -> None:
    body = {"sort": ["n"], "track_total_hits": False, "from": 20}
    asked, out = made(body, Dedup(totals=False))
    assert (asked["sort"], asked["track_total_hits"], asked["from"]) == (["n"], False, 20)
    assert asked["collapse"]["inner_hits"] == {"name": "copies", "size": 0, "sort": ["n"]}
    assert (out.first, out.counted) == (20, None)
    assert "track_total_hits" not in made({}, Dedup(), track_total_hits="false")[0]


def test_pages() -> None:
    asked, out = made({"search_after": [1.5, "g", 30]}, Dedup())
    assert (asked["from"], out.first, "search_after" in asked) == (30, 30, False)
    by_group = {"sort": [{GROUP: "asc"}], "search_after": ["g"]}
    asked, out = made(by_group, Dedup())
    assert (asked["search_after"], out.first) == (["g"], None)
    asked, out = made({**by_group, "search_after": ["g", 7, 9], "pit": {"id": "p"}}, Dedup())
    assert (asked["from"], out.first) == (9, 9)


def test_a_hit_tells_its_group_and_place() -> None:
    copies = [{"_index": "i", "_id": name} for name in "abc"]
    hit = {
        "_index": "i",
        "_id": "b",
        "sort": [1.5],
        "fields": {GROUP: ["g"]},
        "inner_hits": {"copies": {"hits": {"total": {"value": 9}, "hits": copies}}},
    }
    out = Collapsed(b"", None, 1, 40)
    answer = with_hits(orjson.dumps({"hits": {"hits": [hit, {"_id": "x"}]}}), out.edit)
    first, second = orjson.loads(answer)["hits"]["hits"]
    assert first["sort"] == [1.5, 41]
    assert first["_dupdex"] == {"group": {"id": "g", "documents": 9}}
    assert first["inner_hits"]["copies"]["hits"]["hits"] == [{"_index": "i", "_id": "a"}]
    assert second == {"_id": "x"}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"{}", Dedup()),
        (b'{"collapse":true,"copies":3}', Dedup(copies=3)),
        (b'{"totals":false}', Dedup(totals=False)),
    ],
)
def test_what_it_may_say(raw: bytes, expected: Dedup) -> None:
    assert dedup_in(raw) == expected


@pytest.mark.parametrize("raw", [b"[]", b'{"copies":100}', b'{"copies":"3"}', b'{"size":3}'])
def test_what_it_may_not_say(raw: bytes) -> None:
    with pytest.raises(SearchRefused, match=r"\[dedup\]"):
        dedup_in(raw)


@pytest.mark.parametrize("after", [[], "g", [1.5], [1.5, -1], [True], {"a": 1}])
def test_a_place_that_was_not_given(after: Any) -> None:
    with pytest.raises(SearchRefused, match="all sort values"):
        made({"search_after": after}, Dedup())
