"""The roles of examples/gateway/roles.json allow all that is asked of the cluster, and not more:
what is asked is recorded, and read as the privileges that Elasticsearch documents for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from dupdex import Decision, Document, Index, Location
from dupdex.attach.attaching import attach
from indexer.stores.elastic.client import ElasticSettings
from tests.service.elastic_data import chinese, records, store
from tests.service.gateway.asking import ask
from tests.service.gateway.running import gateway_before
from tests.service.proxy import Proxy, Reply, Seen, proxied

ROLES = json.loads(
    (Path(__file__).resolve().parents[3] / "examples" / "gateway" / "roles.json").read_text("utf-8")
)

IMPLIED = {
    "manage": {"monitor", "view_index_metadata", "maintenance", "create_index", "delete_index"},
    "write": {"create", "delete", "index"},
}

OF_THE_CLUSTER = (
    (r"GET /", "monitor"),
    (r"GET /_nodes/\S*", "monitor"),
    (r"GET /_cluster/health", "monitor"),
    (r"GET /_ingest/pipeline\S*", "read_pipeline"),
    (r"(GET|PUT|DELETE) /_index_template\S*", "manage_index_templates"),
)
WITH_A_POINT_IN_TIME = re.compile(r"(POST /_search|DELETE /_pit)")
"""The rights to what a point in time covers are asked for when it is opened."""

IN_BODIES = {"/_mget": "read", "/_msearch": "read", "/_bulk": "write"}

OF_AN_INDEX = (
    (r"(GET|POST) /(?P<i>[^/]+)/_(search|count|mget|pit|termvectors|msearch)", "read"),
    (r"GET /(?P<i>[^/]+)/_doc/\S+", "read"),
    (r"(GET|HEAD) /(?P<i>[^/_][^/]*)(/_(mapping|settings|alias)(/\S+)?)?", "view_index_metadata"),
    (r"GET /_resolve/index/(?P<i>[^/]+)", "view_index_metadata"),
    (r"GET /(?P<i>[^/]+)/_stats/\w+", "monitor"),
    (r"(PUT|POST) /(?P<i>[^/]+)/_bulk", "write"),
    (r"POST /(?P<i>[^/]+)/_(update|delete)_by_query", "write"),
    (r"(PUT|POST) /(?P<i>[^/]+)/_(doc|create|update)/\S+", "write"),
    (r"POST /(?P<i>[^/]+)/_refresh", "maintenance"),
    (r"PUT /(?P<i>[^/_][^/]*)", "create_index"),
    (r"PUT /(?P<i>[^/]+)/_mapping", "manage"),
)


def needed(proxy: Proxy, name: str) -> set[tuple[str, str]]:
    """Privileges for what was asked, of the cluster ("") or an index, which is called articles."""
    wanted: set[tuple[str, str]] = set()
    for seen in proxy.seen:
        if answered(seen, proxy):
            path = seen.path.partition("?")[0]
            wanted |= in_body(seen, path) or {one_of(f"{seen.method} {path}")}
    return {(index.replace(name, "articles"), each) for index, each in wanted} - {("", "")}


def in_body(seen: Seen, path: str) -> set[tuple[str, str]]:
    """What is needed for a request that names its indices in its body."""
    privilege = IN_BODIES.get(path)
    found = re.findall(rb'"_?index":\[?"([^"]+)"', seen.body.replace(b" ", b""))
    return {(index.decode(), privilege) for index in found} if privilege else set()


def answered(seen: Seen, proxy: Proxy) -> bool:
    """Whether it was not refused: what goes on without an answer needs no privilege."""
    return proxy.rule(seen) is None


def one_of(request: str) -> tuple[str, str]:
    if WITH_A_POINT_IN_TIME.fullmatch(request):
        return "", ""
    for pattern, privilege in OF_THE_CLUSTER:
        if re.fullmatch(pattern, request):
            return "", privilege
    for pattern, privilege in OF_AN_INDEX:
        if found := re.fullmatch(pattern, request):
            return found["i"], privilege
    raise AssertionError(f"no privilege is known for: {request}")


def allowed(role: dict[str, Any], index: str, privilege: str) -> bool:
    given = (
        role["cluster"]
        if not index
        else [
            each
            for entry in role["indices"]
            if any(fnmatchcase(index, pattern) for pattern in entry["names"])
            for each in entry["privileges"]
        ]
    )
    return any(privilege == each or privilege in IMPLIED.get(each, ()) for each in given)


def without_templates(seen: Seen) -> Reply | None:
    """As the security of the server refuses it."""
    if "_index_template" not in seen.path:
        return None
    return 403, {"error": {"type": "security_exception", "reason": "action is unauthorized"}}


def check(role: str, proxy: Proxy, name: str) -> set[str]:
    """The privileges for indices that were needed; fails for what the role does not allow."""
    wanted = needed(proxy, name)
    assert wanted
    missing = [each for each in sorted(wanted) if not allowed(ROLES[role], *each)]
    assert missing == [], missing
    return {privilege for index, privilege in wanted if index}


@pytest.fixture
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


def test_lookups_read(settings: ElasticSettings, proxy: Proxy) -> None:
    store(settings, records(5))
    with Index.open(Location(proxy.url, settings.index)) as index:
        assert index.lookup(chinese("d3")).matches
        index.lookup_id("d3")
        index.search("中")
        index.get(["d3"])
    assert check("dupdex-lookup", proxy, settings.index) == {"read", "view_index_metadata"}


def test_a_gateway_at_work_writes_and_changes_no_mapping(
    settings: ElasticSettings, proxy: Proxy
) -> None:
    store(settings, records(5))
    name = settings.index
    proxy.rule = without_templates
    with gateway_before(proxy.url, DUPDEX_INDEX=name) as running:
        ask(running.url, "GET", "/readyz")
        ask(running.url, "GET", "/version")
        ask(running.url, "POST", f"/{name}/_search", {"query": {"match_all": {}}})
        near = {"near_duplicate": {"text": chinese("d3")}}
        ask(running.url, "POST", f"/{name}/_search", {"query": near})
        ask(running.url, "PUT", f"/{name}/_doc/d9", {"text": chinese("d9")})
        ask(running.url, "POST", f"/{name}/_update/d9", {"doc": {"text": chinese("d8")}})
        ask(running.url, "POST", f"/{name}/_bulk", b'{"index":{"_id":"d6"}}\n{"text":"a"}\n')
        ask(running.url, "POST", f"/{name}/_delete_by_query", {"query": {"ids": {"values": ["0"]}}})
    with Index.create(Location(proxy.url, name)) as index:
        index.add([Document("d7", chinese("d7"))])
        index.refresh()
        index.decide("d0", "d1", Decision.DUPLICATE)
        index.delete(["d2"])
        index.describe()
    assert "manage" not in check("dupdex-gateway", proxy, name)


def test_setting_up_manages(settings: ElasticSettings, proxy: Proxy) -> None:
    name = settings.index
    with closing(Elasticsearch(settings.url)) as client:
        for at in range(3):
            client.index(index=name, id=str(at), document={"text": chinese(f"d{at}")})
        client.indices.refresh(index=name)
    attach(Location(proxy.url, name))
    with Index.create(Location(proxy.url, name)) as index:
        index.learn()
    assert "manage" in check("dupdex-setup", proxy, name)


def test_the_check_sees_what_is_missing(proxy: Proxy) -> None:
    with closing(Elasticsearch(proxy.url)) as client:
        client.options(ignore_status=404).indices.put_mapping(index="absent", body={})
    with pytest.raises(AssertionError):
        check("dupdex-gateway", proxy, "absent")
