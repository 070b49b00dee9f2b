"""What the gateway adds nothing to arrives as it was sent, and comes back as it was answered."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

import orjson
import pytest

from tests.service.gateway.running import Running, free_port, gateway_before


def ask(
    url: str, method: str, path: str, body: bytes | None = None
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    try:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/_cat/indices?format=json&h=status&index=no-such-*", None),
        ("HEAD", "/no-such-index", None),
        ("GET", "/no-such-index/_doc/1", None),
        ("GET", "/no-such-index/_search?q=%E4%B8%AD", None),
        ("POST", "/_search?ignore_unavailable=maybe", b"{}"),
        ("GET", "/_nodes/no%2Fsuch%20node", None),
        ("POST", "/_analyze", b'{"text":"a", "tokenizer":"keyword"}'),
        ("POST", "/_analyze", b"{"),
    ],
)
def test_the_answer_is_that_of_the_server(
    gateway: Running, es_url: str, method: str, path: str, body: bytes | None
) -> None:
    status, headers, content = ask(gateway.url, method, path, body)
    expected = ask(es_url, method, path, body)
    assert (status, headers, content) == expected


def test_a_large_body_goes_through(gateway: Running) -> None:
    body = b" " * 9_000_000 + orjson.dumps({"size": 0})
    path = "/_search?filter_path=timed_out"
    status, _, content = ask(gateway.url, "POST", path, body)
    assert (status, orjson.loads(content)) == (200, {"timed_out": False})


def test_without_a_cluster_clients_are_told() -> None:
    with gateway_before(f"http://127.0.0.1:{free_port()}") as running:
        status, headers, content = ask(running.url, "GET", "/_cluster/health")
    assert status == 503
    assert headers["x-elastic-product"] == "Elasticsearch"
    error = orjson.loads(content)["error"]
    assert error["type"] == "cluster_unreachable"
