"""Filebeat and Logstash before the gateway, as far as that can be told without them.

The programs themselves come from no package registry, so what they send is sent here: the requests
of their Elasticsearch outputs (libbeat 8, logstash-output-elasticsearch 11 and 12), with their
headers, parameters and forms of bodies. The configurations in examples are checked for the options
that make them send just that.
"""

from __future__ import annotations

import gzip
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running
from tests.service.gateway.writes import Pair, ask, current, lines, pair_of

SHIPPERS = Path(__file__).resolve().parents[3] / "examples" / "shippers"
FILTER = "filter_path=errors,items.*.error,items.*.status"
BEAT = {
    "User-Agent": "Elastic-filebeat/8.19.0 (linux; amd64; 0; 2026-01-01 00:00:00 +0000 UTC)",
    "Accept": "application/json",
    "X-Elastic-Product-Origin": "observability",
}
LOGSTASH = {
    "User-Agent": "Logstash/8.19.0 (OS=Linux-6; JVM=Oracle-21) logstash-output-elasticsearch/12.0",
    "Connection": "Keep-Alive",
    "x-elastic-product-origin": "logstash-output-elasticsearch",
}
TEXTS = [chinese(number) for number in range(4)]


@pytest.fixture(scope="module")
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as made:
        yield made


def bulk(
    gateway: Running, path: str, headers: dict[str, str], kind: str, body: bytes
) -> dict[str, Any]:
    packed = {"Content-Type": kind, "Content-Encoding": "gzip"}
    status, _, content = ask(
        gateway.url, "POST", path, gzip.compress(body, 1), {**headers, **packed}
    )
    assert status == 200, content
    said: dict[str, Any] = orjson.loads(content)
    return said


def event(number: int, **more: Any) -> dict[str, Any]:
    return {"@timestamp": f"2026-01-0{number + 1}T00:00:00.000Z", "text": TEXTS[number], **more}


@pytest.mark.parametrize("headers", [BEAT, LOGSTASH])
@pytest.mark.parametrize("path", ["/", "/_license", "/_xpack"])
def test_what_they_ask_first(
    gateway: Running, pair: Pair, headers: dict[str, str], path: str
) -> None:
    """The version, the product and the licence are the cluster's."""
    urls = (gateway.url, pair.settings.url)
    got, expected = (ask(url, "GET", path, None, headers) for url in urls)
    assert got[0] == expected[0]
    assert got[1].get("x-elastic-product") == "Elasticsearch"
    assert orjson.loads(got[2]) == orjson.loads(expected[2])


@pytest.mark.parametrize("headers", [BEAT, LOGSTASH])
def test_whether_it_is_well(gateway: Running, pair: Pair, headers: dict[str, str]) -> None:
    """Whatever the cluster answers to HEAD."""
    urls = (gateway.url, pair.settings.url)
    through, direct = (ask(url, "HEAD", "/", None, headers)[0] for url in urls)
    assert through == direct


def test_templates_pass(gateway: Running, pair: Pair) -> None:
    """With a configuration that is not ours: HEAD, PUT and HEAD of a template."""
    name = f"filebeat-{uuid.uuid4().hex}"
    path = f"/_index_template/{name}"
    template = orjson.dumps({"index_patterns": [f"{name}*"], "priority": 150})
    try:
        assert ask(gateway.url, "HEAD", path, None, BEAT)[0] == 404
        assert ask(gateway.url, "PUT", path, template, BEAT)[0] == 200
        assert ask(gateway.url, "HEAD", path, None, BEAT)[0] == 200
        # what dupdex knows nothing of is written to as without the gateway
        body = lines({"create": {"_index": f"{name}-1"}}, event(0))
        said = bulk(gateway, f"/_bulk?{FILTER}", BEAT, "application/x-ndjson; charset=UTF-8", body)
        assert said == {"errors": False, "items": [{"create": {"status": 201}}]}
    finally:
        pair.client.indices.delete(index=f"{name}-1", ignore_unavailable=True)
        pair.client.indices.delete_index_template(name=name)


def test_filebeat(gateway: Running, pair: Pair) -> None:
    """It creates; what was sent before comes back as a conflict, which it counts as done."""

    def sent(*numbers: int) -> bytes:
        pairs = (({"create": {"_index": pair.ours, "_id": f"beat-{n}"}}, event(n)) for n in numbers)
        return lines(*(each for both in pairs for each in both))

    kind = "application/x-ndjson; charset=UTF-8"
    said = bulk(gateway, f"/_bulk?{FILTER}", BEAT, kind, sent(0, 1))
    assert said == {"errors": False, "items": [{"create": {"status": 201}}] * 2}
    again = bulk(gateway, f"/_bulk?{FILTER}", BEAT, kind, sent(1, 2))
    assert again["errors"] is True
    assert [each["create"]["status"] for each in again["items"]] == [409, 201]
    assert again["items"][0]["create"]["error"]["type"] == "version_conflict_engine_exception"
    stored = {name: each for name, each in pair.stored(pair.ours).items() if "beat" in name}
    assert len(stored) == 3
    assert all(current(each) for each in stored.values())


def test_logstash(gateway: Running, pair: Pair) -> None:
    """It indexes, and calls lines of JSON plain JSON."""
    actions = [{"index": {"_id": f"stash-{n}", "_index": pair.ours}} for n in range(3)]
    body = lines(*(x for n, action in enumerate(actions) for x in (action, event(n))))
    for status in (201, 200):
        said = bulk(gateway, f"/_bulk?{FILTER}", LOGSTASH, "application/json", body)
        assert said == {"errors": False, "items": [{"index": {"status": status}}] * 3}
    stored = {name: each for name, each in pair.stored(pair.ours).items() if "stash" in name}
    assert len(stored) == 3
    assert all(current(each) for each in stored.values())


def test_an_event_that_is_refused_comes_back_alone(gateway: Running, pair: Pair) -> None:
    body = lines(
        {"index": {"_index": pair.ours, "_id": "good"}},
        event(0),
        {"index": {"_index": pair.ours, "_id": "bad"}},
        event(1, n="no number"),
    )
    said = bulk(gateway, f"/_bulk?{FILTER}", LOGSTASH, "application/json", body)
    assert [each["index"]["status"] for each in said["items"]] == [201, 400]


def test_the_configuration_of_filebeat() -> None:
    said = yaml.safe_load((SHIPPERS / "filebeat.yml").read_text("utf-8"))
    assert said["output.elasticsearch"]["index"] == "news"
    assert said["setup.template.enabled"] is False
    assert said["setup.ilm.enabled"] is False
    (read,) = said["filebeat.inputs"]
    assert read["parsers"][0]["ndjson"]["document_id"] == "id"


def test_the_configuration_of_logstash() -> None:
    text = re.sub(r"#.*", "", (SHIPPERS / "logstash.conf").read_text("utf-8"))
    assert text.count("{") == text.count("}")
    options = dict(re.findall(r'(\w+) => "?([^"\n]+?)"?\n', text))
    assert (options["index"], options["document_id"]) == ("news", "%{id}")
    assert (options["manage_template"], options["data_stream"]) == ("false", "false")
    assert options["ilm_enabled"] == "false"
