"""API keys before a real server: made on the command line, sent by clients, held against what
there is."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from elasticsearch import ApiError, Elasticsearch
from elasticsearch.helpers import scan

from tests.command import run
from tests.service.gateway.asking import ask
from tests.service.gateway.running import Running, gateway_before

Keys = dict[str, str]


def created(folder: Path, *options: str) -> str:
    """The key that clients send."""
    done = run("keys", "create", *options, "--keys", "keys.json", folder=folder)
    assert done.status == 0, done.err
    return done.out.strip()


@pytest.fixture(scope="module")
def names(es_url: str) -> Iterator[tuple[str, str]]:
    """Two indices with two documents each, of two tenants."""
    client = Elasticsearch(es_url)
    base = f"guard-{uuid4().hex[:8]}"
    found = (f"{base}-a", f"{base}-b")
    for name in found:
        client.index(index=name, id="1", document={"tenant": "x", "text": "one"})
        client.index(index=name, id="2", document={"tenant": "y", "text": "two"}, refresh=True)
    yield found
    client.indices.delete(index=found)
    client.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="module")
def keys(names: tuple[str, str], folder: Path) -> Keys:
    first, second = names
    return {
        "admin": created(folder, "admin", "--right", "admin"),
        "reader": created(folder, "reader"),
        "one": created(folder, "one", "--right", "write", "--index", first),
        "tenant": created(
            folder, "tenant", "--index", f"{first[:-1]}*", "--filter", first, "tenant.keyword=x",
            "--filter", second, '{"term": {"tenant.keyword": "x"}}',
        ),
        "slow": created(folder, "slow", "--rate", "1"),
    }  # fmt: skip


@pytest.fixture(scope="module")
def guarded(es_url: str, keys: Keys, folder: Path) -> Iterator[Running]:
    assert keys
    with gateway_before(
        es_url, "--keys", str(folder / "keys.json"), "--host", "0.0.0.0"
    ) as running:
        yield running


def test_without_a_key_there_is_nothing_but_health(
    guarded: Running, names: tuple[str, str]
) -> None:
    for headers in ({}, {"authorization": "Basic !"}, {"authorization": "ApiKey eDp5"}):
        answer = ask(guarded.url, "GET", f"/{names[0]}/_search", **headers)
        assert answer.status == 401
        assert "API key" in answer.reason()
        assert "ApiKey" in answer.headers["www-authenticate"]
    problem = ask(guarded.url, "GET", "/_dupdex/v1/info")
    assert problem.status == 401
    assert problem.headers["content-type"] == "application/problem+json"
    assert problem.json()["code"] == "unauthorized"
    assert ask(guarded.url, "GET", "/healthz").status == 200
    assert ask(guarded.url, "GET", "/readyz").status == 200
    assert ask(guarded.url, "GET", "/metrics").status == 401
    assert ask(guarded.url, "GET", "/version").status == 401


def test_every_form_in_which_clients_send_keys(guarded: Running, keys: Keys) -> None:
    encoded = keys["reader"]
    plain = base64.b64decode(encoded).decode()
    for sent in (
        f"ApiKey {encoded}", f"apikey {plain}", f"Bearer {encoded}", f"Bearer {plain}",
        f"Basic {encoded}",
    ):  # fmt: skip
        assert ask(guarded.url, "GET", "/_cluster/health", authorization=sent).status == 200
    key_id, _, secret = plain.partition(":")
    for login in ({"api_key": encoded}, {"api_key": (key_id, secret)},
                  {"basic_auth": (key_id, secret)}, {"bearer_auth": plain}):  # fmt: skip
        with Elasticsearch(guarded.url, **login) as client:
            assert client.cluster.health()["status"]
    wrong = f"{key_id}:{secret[:-1]}"
    assert (
        ask(guarded.url, "GET", "/_cluster/health", authorization=f"ApiKey {wrong}").status == 401
    )


def test_a_key_for_one_index(guarded: Running, keys: Keys, names: tuple[str, str]) -> None:
    first, second = names
    key = keys["one"]
    assert (
        ask(guarded.url, "GET", f"/{first}/_search", key=key).json()["hits"]["total"]["value"] == 2
    )
    refused = ask(guarded.url, "GET", f"/{second}/_search", key=key)
    assert refused.status == 403
    assert "may not use index" in refused.reason()
    lines = f'{{"index":{{"_index":"{first}","_id":"9"}}}}\n{{"text":"x"}}\n'
    other = f'{{"index":{{"_index":"{second}","_id":"9"}}}}\n{{"text":"x"}}\n'
    media = "application/x-ndjson"
    stopped = ask(guarded.url, "POST", "/_bulk", (lines + other).encode(), key, content_type=media)
    assert stopped.status == 403
    assert ask(guarded.url, "HEAD", f"/{first}/_doc/9", key=key).status == 404
    done = ask(guarded.url, "POST", "/_bulk", lines.encode(), key, content_type=media)
    assert (done.status, done.json()["errors"]) == (200, False)
    assert ask(guarded.url, "DELETE", f"/{first}/_doc/9?refresh=true", key=key).status == 200
    assert ask(guarded.url, "PUT", f"/{first}/_mapping", {}, key).status == 403
    assert ask(guarded.url, "PUT", f"/{first}/_doc/9", {}, keys["reader"]).status == 403


def test_a_large_bulk_of_a_key_for_one_index_streams(
    guarded: Running, keys: Keys, names: tuple[str, str]
) -> None:
    line = b'{"index":{"_index":"%s"}}\n{"text":"%s"}\n' % (names[1].encode(), b"x" * 1_000)
    answer = ask(guarded.url, "POST", "/_bulk", line * 5_000, keys["one"])
    assert answer.status == 403
    assert ask(guarded.url, "GET", f"/{names[1]}/_count", key=keys["reader"]).json()["count"] == 2


def test_a_tenant_sees_its_documents_alone(
    guarded: Running, keys: Keys, names: tuple[str, str]
) -> None:
    with Elasticsearch(guarded.url, api_key=keys["tenant"]) as client:
        for name in names:
            hits = client.search(index=name, query={"match_all": {}})["hits"]
            assert [hit["_id"] for hit in hits["hits"]] == ["1"]
            assert client.count(index=name)["count"] == 1
        several = client.msearch(searches=[{"index": names[0]}, {"query": {"match_all": {}}}])
        assert several["responses"][0]["hits"]["total"]["value"] == 1
        found = client.search(
            index=names[0],
            query={"bool": {"should": [{"match_all": {}}]}},
            aggs={"tenants": {"terms": {"field": "tenant.keyword"}}},
        )
        assert [b["key"] for b in found["aggregations"]["tenants"]["buckets"]] == ["x"]
    for method, path in (
        ("GET", f"/{names[0]}/_doc/2"), ("GET", f"/{names[0]}/_search?q=two"),
        ("POST", f"/{names[0]}/_doc/3"), ("GET", f"/{names[0]}/_terms_enum"),
    ):  # fmt: skip
        assert ask(guarded.url, method, path, {}, keys["tenant"]).status == 403


def test_a_tenant_pages_through_its_documents(
    guarded: Running, keys: Keys, names: tuple[str, str]
) -> None:
    with (
        Elasticsearch(guarded.url, api_key=keys["tenant"]) as client,
        Elasticsearch(guarded.url, api_key=keys["one"]) as other,
    ):
        opened = client.open_point_in_time(index=names[0], keep_alive="1m")["id"]
        page = client.search(pit={"id": opened, "keep_alive": "1m"}, sort=["_shard_doc"])
        assert [hit["_id"] for hit in page["hits"]["hits"]] == ["1"]
        after = page["hits"]["hits"][-1]["sort"]
        rest = client.search(pit={"id": page["pit_id"]}, sort=["_shard_doc"], search_after=after)
        assert rest["hits"]["hits"] == []
        with pytest.raises(ApiError, match="security_exception"):
            other.search(pit={"id": opened})
        assert client.close_point_in_time(id=rest["pit_id"])["succeeded"]
        found = list(scan(client, index=names[0]))
        assert [hit["_id"] for hit in found] == ["1"]
        found = list(scan(other, index=names[0], size=1))
        assert sorted(hit["_id"] for hit in found) == ["1", "2"]


def test_a_key_for_admins_passes_on_what_it_sends(guarded: Running, keys: Keys) -> None:
    assert ask(guarded.url, "GET", "/_nodes/_local/http", key=keys["admin"]).status == 200
    assert ask(guarded.url, "GET", "/_nodes/_local/http", key=keys["reader"]).status == 403
    assert ask(guarded.url, "GET", "/metrics", key=keys["reader"]).status == 200


def test_more_than_the_rate_is_told_to_come_back(guarded: Running, keys: Keys) -> None:
    answers = [ask(guarded.url, "GET", "/_cluster/health", key=keys["slow"]) for _ in range(3)]
    assert [each.status for each in answers[:1]] == [200]
    late = answers[-1]
    assert late.status == 429
    assert int(late.headers["retry-after"]) >= 1
    assert late.json()["error"]["type"] == "es_rejected_execution_exception"


def test_keys_come_and_go_while_it_runs(guarded: Running, keys: Keys, folder: Path) -> None:
    assert keys
    encoded = created(folder, "later", "--expires", "1d")
    wait_for(guarded, encoded, 200)
    key_id = base64.b64decode(encoded).decode().partition(":")[0]
    listed = run("keys", "list", "--keys", "keys.json", folder=folder)
    assert key_id in listed.out
    assert base64.b64decode(encoded).decode().partition(":")[2] not in listed.out
    assert run("keys", "revoke", key_id, "--keys", "keys.json", folder=folder).status == 0
    wait_for(guarded, encoded, 401)
    (folder / "keys.json").chmod(0o600)
    content = (folder / "keys.json").read_text()
    (folder / "keys.json").write_text("{")
    time.sleep(1.2)
    assert ask(guarded.url, "GET", "/_cluster/health", key=keys["reader"]).status == 200
    (folder / "keys.json").write_text(content)


def wait_for(guarded: Running, key: str, status: int) -> None:
    deadline = time.monotonic() + 10
    while ask(guarded.url, "GET", "/_cluster/health", key=key).status != status:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_no_secret_is_in_the_log(guarded: Running, keys: Keys) -> None:
    log = guarded.log.read_text()
    assert '"http.response.status_code":401' in log
    for encoded in keys.values():
        assert encoded not in log
        assert base64.b64decode(encoded).decode().partition(":")[2] not in log


def test_the_file_is_for_its_owner_and_holds_no_secret(keys: Keys, folder: Path) -> None:
    path = folder / "keys.json"
    assert path.stat().st_mode & 0o077 == 0
    content = path.read_text()
    assert all(
        base64.b64decode(each).decode().partition(":")[2] not in content for each in keys.values()
    )
