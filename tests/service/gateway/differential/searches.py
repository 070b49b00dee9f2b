"""Searching, paging, and what goes with it."""

from __future__ import annotations

from typing import Any, Final

from tests.service.gateway.differential.case import NDJSON, Case

_ALL: Final[dict[str, Any]] = {"query": {"match_all": {}}}
_TITLES: Final = ("大橋 通車", "大橋 通車 典禮", "新聞 報導", "a b c", "A B D", "")
_ROWS: Final = [
    row
    for number, title in enumerate(_TITLES)
    for row in (
        {"index": {"_id": str(number)}},
        {"title": title, "n": number, "tag": f"t{number % 2}", "day": f"2026-01-0{number + 1}"},
    )
]
_FIELDS: Final = {
    "title": {"type": "text"},
    "n": {"type": "long"},
    "tag": {"type": "keyword"},
    "day": {"type": "date"},
}
_SORTED: Final = {**_ALL, "sort": ["n"]}

CASES: Final = [
    Case("PUT /@s", {"mappings": {"properties": _FIELDS}, "settings": {"number_of_shards": 1}}),
    Case("POST /@s/_bulk?refresh=true", _ROWS),
    Case("GET /@s/_search"),
    Case("POST /@s/_search", b""),
    Case("POST /@s/_search", {}),
    Case("POST /@s/_search/", {}),
    Case("GET /@s/_search", _ALL),
    Case("POST /@s/_search", {"query": {"match": {"title": "大橋"}}}),
    Case(
        "POST /@s/_search?typed_keys=true", {**_SORTED, "aggs": {"t": {"terms": {"field": "tag"}}}}
    ),
    Case("POST /@s/_search", {"size": 0, "aggs": {"c": {"cardinality": {"field": "tag"}}}}),
    Case("POST /@s/_search", {**_ALL, "collapse": {"field": "tag"}, "sort": ["n"]}),
    Case(
        "POST /@s/_search",
        {
            **_SORTED,
            "collapse": {"field": "tag", "inner_hits": {"name": "more", "size": 2, "sort": ["n"]}},
        },
    ),
    Case(
        "POST /@s/_search",
        {"query": {"match": {"title": "大橋"}}, "highlight": {"fields": {"*": {}}}},
    ),
    Case("POST /@s/_search", {**_SORTED, "search_after": [2], "size": 2}),
    Case("POST /@s/_search", {**_SORTED, "fields": ["day"], "_source": False}),
    Case("POST /@s/_search", {"query": {"term": {"tag": {"value": "t1", "_name": "why"}}}}),
    Case("POST /@s/_search", {**_SORTED, "explain": True, "size": 1}, mask=("_node", "_shard")),
    Case("POST /@s/_search", {**_ALL, "profile": True, "size": 0}, mask=("profile",)),
    Case("POST /@s/_search", {"query": {"near_misses": {}}}),
    Case("POST /@s/_search", {"query": {"match_all": {}}, "siez": 1}),
    Case("POST /@s/_search", b'{"query": {"match_all": {}'),
    Case("POST /@s/_search", b"{}}"),
    Case("POST /@s/_search", b"not json at all"),
    Case("POST /@s/_search", b'{"size": 99999999999999999999}'),
    Case("POST /@s/_search", {"size": 10_001}),
    Case("POST /@s/_search", {"from": -1}),
    Case("GET /@s/_search?q=title:%E5%A4%A7%E6%A9%8B&sort=n&size=1"),
    Case("GET /@s/_search?q=title:a+b&default_operator=AND"),
    Case("GET /@s/_search?q=%28"),
    Case("GET /@s/_search?source=%7B%22size%22%3A1%7D&source_content_type=application%2Fjson"),
    Case("GET /@s/_search?size=1&size=2"),
    Case("GET /@s/_search?nonsense=1"),
    Case("GET /@s/_search?ignore_unavailable=maybe"),
    Case("GET /@s/_search?size="),
    Case("GET /@s/_search?track_total_hits=2&rest_total_hits_as_int=true"),
    Case("GET /@s/_search?rest_total_hits_as_int=true"),
    Case("GET /@s/_search?filter_path=hits.total,hits.hits._id"),
    Case("GET /@s/_search?filter_path=none"),
    Case("GET /@s/_search?format=yaml&filter_path=hits.total"),
    Case("GET /@s/_search?format=cbor&filter_path=hits.total"),
    Case("GET /@s/_search?format=nonsense"),
    Case("GET /@s/_search?pretty&filter_path=hits.hits._source"),
    Case("GET /@s/_search?preference=_local&routing=a,b&request_cache=true&size=0"),
    Case("GET /@none/_search"),
    Case("GET /@none/_search?ignore_unavailable=true"),
    Case("GET /@s,@none/_search"),
    Case("GET /@s*,-@none*/_search?size=0"),
    Case("GET /@s%2C@s/_search?size=0"),
    Case("GET /%3C@s-%7Bnow%2Fd%7D%3E/_search", mask=("resource.id", "index", "reason")),
    Case("GET /_all/_search?q=_index:@s&size=0&filter_path=hits.total"),
    Case("PUT /@s/_search", {}),
    Case("DELETE /@s/_search"),
    Case("HEAD /@s/_search"),
    Case("OPTIONS /@s/_search"),
    Case("GET /@s/_count?q=tag:t1"),
    Case("POST /@s/_count", {"query": {"range": {"n": {"gte": 2}}}}),
    Case("POST /@s/_count", {"size": 1}),
    Case("POST /_count?index=@s", {}),
    Case("POST /@s/_msearch", [{}, {"size": 0}, {"index": "@none"}, {}]),
    Case("GET /_msearch", [{"index": "@s"}, {"query": {"match": {"title": "b"}}}]),
    Case("POST /_msearch?max_concurrent_searches=1", [{"index": "@s", "preference": "x"}, {}]),
    Case("POST /@s/_msearch", b'{}\n{"size":0}'),
    Case("POST /@s/_msearch", b"{}\n{nonsense}\n"),
    Case("POST /@s/_msearch", b""),
    Case("POST /@s/_msearch", b"{}\n{}\n", ("Content-Type: application/json",)),
    Case("POST /@s/_msearch?typed_keys&rest_total_hits_as_int", [{}, {"size": 0}]),
    Case(
        "POST /@s/_msearch",
        b"{}\n{}\n",
        ("Content-Type: application/vnd.elasticsearch+x-ndjson;compatible-with=8",),
    ),
    Case("POST /@s/_search/template", {"source": {"query": {"match_all": {}}}}),
    Case("POST /_render/template", {"source": "{}"}),
    Case("POST /@s/_msearch/template", b'{}\n{"source":"{}"}\n', (NDJSON,)),
    Case("GET /@s/_validate/query?explain=true", _ALL),
    Case("GET /@s/_validate/query", {"query": {"nonsense": {}}}),
    Case("GET /@s/_explain/1", {"query": {"match": {"title": "大橋"}}}),
    Case("GET /@s/_explain/none", _ALL),
    Case("GET /@s/_field_caps?fields=*"),
    Case("POST /@s/_field_caps?fields=tag,day", {"index_filter": _ALL["query"]}),
    Case("GET /@s/_field_caps"),
    Case("GET /@s/_search_shards", mask=("nodes", "node", "relocating_node", "allocation_id")),
    Case("POST /@s/_terms_enum", {"field": "tag", "string": "t"}),
    Case("POST /@s/_knn_search", {}),
    Case("POST /@s/_async_search", _ALL),
    Case("GET /_async_search/none"),
    Case("POST /@s/_eql/search", {"query": "any where true"}),
    Case("POST /_sql", {"query": "select 1"}),
    Case("POST /_query", {"query": "row a = 1"}),
    Case("POST /@s/_rank_eval", {"requests": []}),
    Case("POST /@s/_search?scroll=1m", {**_SORTED, "size": 2}, take={"scroll": "_scroll_id"}),
    Case("POST /_search/scroll", {"scroll": "1m", "scroll_id": "{scroll}"}),
    Case("GET /_search/scroll?scroll=1m&scroll_id={scroll}"),
    Case("DELETE /_search/scroll", {"scroll_id": ["{scroll}"]}),
    Case("POST /_search/scroll", {"scroll": "1m", "scroll_id": "{scroll}"}, mask=("reason",)),
    Case("POST /_search/scroll", {"scroll_id": "nonsense"}),
    Case("DELETE /_search/scroll/nonsense"),
    Case("POST /@s/_pit?keep_alive=1m", take={"pit": "id"}),
    Case("POST /_search", {**_SORTED, "size": 2, "pit": {"id": "{pit}", "keep_alive": "1m"}}),
    Case(
        "POST /_search",
        {**_SORTED, "size": 2, "pit": {"id": "{pit}", "keep_alive": "1m"}, "search_after": [1, 1]},
    ),
    Case("POST /@s/_search", {**_ALL, "pit": {"id": "{pit}"}}),
    Case("DELETE /_pit", {"id": "{pit}"}),
    Case("DELETE /_pit", {"id": "{pit}"}),
    Case("POST /_search", {**_ALL, "pit": {"id": "nonsense"}}),
    Case("POST /@s/_pit"),
    Case("DELETE /@s"),
]
