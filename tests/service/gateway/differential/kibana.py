"""What Kibana 8 sends when it starts and in Discover, by its public sources (saved-object
migrations, health and licence checks, data views, searches of tables and histograms). It is not
run here; the server under test is without X-Pack, so several answers are refusals, the same ones.
"""

from __future__ import annotations

from typing import Any, Final

from tests.service.gateway.differential.case import Case

_PRODUCT: Final = (
    "x-elastic-product-origin: kibana",
    "x-opaque-id: unknownId;kibana:application:discover:new",
    "User-Agent: Kibana/8.19.7",
    "x-elastic-client-meta: es=8.19.0p,js=20.19.0,t=8.9.6,hc=20.19.0",
    "Accept: application/vnd.elasticsearch+json; compatible-with=8",
)
_TYPED: Final = (
    *_PRODUCT,
    "Content-Type: application/vnd.elasticsearch+json; compatible-with=8",
)
_LINES: Final = (
    *_PRODUCT,
    "Content-Type: application/vnd.elasticsearch+x-ndjson; compatible-with=8",
)
_MAPPINGS: Final[dict[str, Any]] = {
    "dynamic": False,
    "properties": {
        "type": {"type": "keyword"},
        "namespaces": {"type": "keyword"},
        "updated_at": {"type": "date"},
        "migrationVersion": {"dynamic": "true", "type": "object"},
        "index-pattern": {"dynamic": False, "properties": {"title": {"type": "text"}}},
    },
}
_VIEW: Final = {
    "index-pattern": {"title": "news*", "timeFieldName": "day"},
    "type": "index-pattern",
    "references": [],
    "updated_at": "2026-01-01T00:00:00.000Z",
}
_RANGE: Final = {
    "range": {
        "day": {
            "format": "strict_date_optional_time",
            "gte": "2026-01-01T00:00:00.000Z",
            "lte": "2026-02-01T00:00:00.000Z",
        }
    }
}
_QUERY: Final = {"bool": {"must": [], "filter": [_RANGE], "should": [], "must_not": []}}
_DISCOVER: Final[dict[str, Any]] = {
    "sort": [{"day": {"order": "desc", "format": "strict_date_optional_time"}}],
    "fields": [
        {"field": "*", "include_unmapped": "true"},
        {"field": "day", "format": "strict_date_optional_time"},
    ],
    "size": 500,
    "version": True,
    "script_fields": {},
    "stored_fields": ["*"],
    "runtime_mappings": {},
    "_source": False,
    "query": _QUERY,
    "highlight": {
        "pre_tags": ["@kibana-highlighted-field@"],
        "post_tags": ["@/kibana-highlighted-field@"],
        "fields": {"*": {}},
        "fragment_size": 2147483647,
    },
}
_HISTOGRAM: Final[dict[str, Any]] = {
    "aggs": {
        "0": {
            "date_histogram": {
                "field": "day",
                "fixed_interval": "12h",
                "time_zone": "Europe/Berlin",
                "extended_bounds": {"min": 1767222000000, "max": 1767308400000},
            }
        }
    },
    "size": 0,
    "query": _QUERY,
}
_NODES: Final = "nodes.*.version,nodes.*.http.publish_address,nodes.*.ip"
_FLAGS: Final = "?ignore_unavailable=true&track_total_hits=true&timeout=30000ms&preference=1"
_INDEX: Final = "/@kibana_8.19.7_001"

CASES: Final = [
    Case("GET /", headers=_PRODUCT),
    Case("HEAD /", headers=_PRODUCT),
    Case(f"GET /_nodes?filter_path={_NODES}", headers=_PRODUCT),
    Case("GET /_xpack?accept_enterprise=true", headers=_PRODUCT),
    Case(
        "GET /_cluster/settings?include_defaults=true&flat_settings=true&filter_path=*.no",
        headers=_PRODUCT,
    ),
    Case("GET /_cluster/health/@kibana?filter_path=timed_out&timeout=1s", headers=_PRODUCT),
    Case("GET /@kibana,@kibana_8.19.7?ignore_unavailable=true", headers=_PRODUCT),
    Case("GET /_alias/@kibana?ignore_unavailable=true", headers=_PRODUCT),
    Case(
        f"PUT {_INDEX}?wait_for_active_shards=all&timeout=60s",
        {
            "mappings": _MAPPINGS,
            "aliases": {"@kibana": {}, "@kibana_8.19.7": {}},
            "settings": {
                "index": {"number_of_shards": 1, "auto_expand_replicas": "0-1", "priority": 10}
            },
        },
        _TYPED,
    ),
    Case(
        f"GET /_cluster/health{_INDEX}?wait_for_status=yellow&filter_path=timed_out",
        headers=_PRODUCT,
    ),
    Case(f"PUT {_INDEX}/_mapping?timeout=60s", _MAPPINGS, _TYPED),
    Case(f"POST {_INDEX}/_pit?keep_alive=10m", headers=_PRODUCT, take={"pit": "id"}),
    Case(
        "POST /_search?allow_partial_search_results=false",
        {
            "size": 1000,
            "sort": "_shard_doc:asc",
            "pit": {"id": "{pit}", "keep_alive": "10m"},
            "track_total_hits": True,
            "query": {"bool": {"should": [{"term": {"type": "index-pattern"}}]}},
        },
        _TYPED,
    ),
    Case("DELETE /_pit", {"id": "{pit}"}, _TYPED),
    Case(f"POST {_INDEX}/_refresh", headers=_PRODUCT),
    Case(
        "POST /_aliases",
        {"actions": [{"add": {"index": _INDEX[1:], "alias": "@kibana_alerting_cases"}}]},
        _TYPED,
    ),
    Case(
        "PUT /@kibana/_create/config%3A8.19.7?refresh=wait_for&require_alias=true",
        {"config": {"buildNum": 1}, "type": "config", "references": []},
        _TYPED,
    ),
    Case("GET /@kibana/_doc/space%3Adefault", headers=_PRODUCT),
    Case("PUT /@kibana/_create/index-pattern%3A1?refresh=true&require_alias=true", _VIEW, _TYPED),
    Case(
        "POST /_mget",
        {"docs": [{"_id": "index-pattern:1", "_index": "@kibana_8.19.7"}]},
        _TYPED,
    ),
    Case(
        "POST /_bulk?refresh=wait_for&require_alias=true&_source_includes=originId",
        [{"index": {"_id": "search:1", "_index": "@kibana_8.19.7"}}, {"type": "search"}],
        _LINES,
    ),
    Case(
        "POST /@kibana_8.19.7/_update/index-pattern%3A1?refresh=wait_for&require_alias=true",
        {"doc": {"updated_at": "2026-01-02T00:00:00.000Z"}},
        _TYPED,
    ),
    Case(
        "POST /@kibana_8.19.7/_search?size=20&from=0&rest_total_hits_as_int=true",
        {
            "seq_no_primary_term": True,
            "query": {"bool": {"filter": [{"terms": {"type": ["index-pattern"]}}]}},
            "_source": {"includes": ["type", "index-pattern.title"]},
        },
        _TYPED,
    ),
    Case(
        "POST /@kibana_8.19.7/_update_by_query?conflicts=proceed",
        {"query": {"match_all": {}}},
        _TYPED,
    ),
    Case("DELETE /@kibana_8.19.7/_doc/search%3A1?refresh=wait_for", headers=_PRODUCT),
    Case("POST /_security/user/_has_privileges", {"cluster": ["monitor"], "index": []}, _TYPED),
    Case("GET /_security/_authenticate", headers=_PRODUCT),
    Case("GET /_license?accept_enterprise=true", headers=_PRODUCT),
    Case("GET /_ilm/policy/@kibana-event-log-policy", headers=_PRODUCT),
    Case("HEAD /_index_template/@kibana-event-log-template", headers=_PRODUCT),
    Case("HEAD /_alias/@kibana-event-log", headers=_PRODUCT),
    Case(
        "PUT /@news",
        {"mappings": {"properties": {"day": {"type": "date"}, "t": {"type": "text"}}}},
        _TYPED,
    ),
    Case(
        "POST /_bulk?refresh=true",
        [
            {"index": {"_index": "@news", "_id": "1"}},
            {"day": "2026-01-01T10:00:00Z", "t": "大橋 通車"},
            {"index": {"_index": "@news", "_id": "2"}},
            {"day": "2026-01-02T10:00:00Z", "t": "大橋 典禮"},
        ],
        _LINES,
    ),
    Case("GET /_resolve/index/@n*?expand_wildcards=open", headers=_PRODUCT),
    Case("GET /_resolve/cluster/@n*", headers=_PRODUCT, mask=("version",)),
    Case(
        "POST /@n*/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=false",
        {"index_filter": _RANGE},
        _TYPED,
    ),
    Case("GET /@n*/_field_caps?fields=_source,_id,day&include_unmapped=true", headers=_PRODUCT),
    Case(f"POST /@n*/_search{_FLAGS}", _DISCOVER, _TYPED),
    Case(f"POST /@n*/_search{_FLAGS}", _HISTOGRAM, _TYPED),
    Case(
        "POST /@n*/_async_search?batched_reduce_size=64&ccs_minimize_roundtrips=true&"
        "wait_for_completion_timeout=200ms&keep_on_completion=false&keep_alive=60000ms&"
        "ignore_unavailable=true&preference=1",
        _DISCOVER,
        _TYPED,
    ),
    Case("DELETE /_async_search/FnNvbWUgaWQ=", headers=_PRODUCT),
    Case("POST /@n*/_terms_enum", {"field": "t", "string": "", "size": 10}, _TYPED),
    Case("GET /@news/_doc/1", headers=_PRODUCT),
    Case(
        "POST /@n*/_search",
        {
            "query": {"ids": {"values": ["1"]}},
            "fields": ["*"],
            "version": True,
            "stored_fields": ["*"],
        },
        _TYPED,
    ),
    Case(
        "POST /_msearch?ignore_unavailable=true&max_concurrent_shard_requests=5",
        [{"index": "@n*", "preference": 1}, {**_HISTOGRAM, "track_total_hits": False}],
        _LINES,
    ),
    Case("POST /@news/_search?q=t%3A%22%E5%A4%A7%E6%A9%8B%22", headers=_PRODUCT),
    Case("GET /_cat/indices/@news?format=json&h=i&s=i", headers=_PRODUCT),
    Case("GET /_tasks?actions=*/_update_by_query&filter_path=none", headers=_PRODUCT),
    Case("DELETE /@news,@kibana_8.19.7_001", headers=_PRODUCT),
]
