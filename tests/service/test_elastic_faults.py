"""The Elasticsearch store when the server or the way to it fails."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import orjson
import pytest
from elasticsearch import Elasticsearch

from indexer.model import Outcome, Status
from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.contract import Field
from mappings.errors import (
    AccessRefused,
    InputRefused,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
)
from mappings.index_body import template_name
from query.answers import Request
from scripts.devnode.nodes import Cluster
from tests.service.elastic_data import (
    keyed,
    reader_on,
    record_of,
    records,
    settings_for,
    statuses,
    store,
    writer_on,
)
from tests.service.proxy import CutAfter, Proxy, Reply, Seen, forward, proxied

FLOOD_STAGE = {
    "type": "cluster_block_exception",
    "reason": "index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage "
    "watermark, index has read-only-allow-delete block];",
}
BUSY = {"type": "es_rejected_execution_exception", "reason": "rejected execution of bulk"}


@pytest.fixture
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


@pytest.fixture
def settings(es_url: str, proxy: Proxy) -> Iterator[ElasticSettings]:
    """An index behind the proxy."""
    settings = settings_for(proxy.url)
    yield settings
    with connect(replace(settings, url=es_url)) as client:
        client.options(ignore_status=404).indices.delete(index=settings.index)
        client.options(ignore_status=404).indices.delete_index_template(
            name=template_name(settings.index)
        )


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_wrong_credentials_never_show_in_the_message(proxy: Proxy) -> None:
    refusal = {"error": {"type": "security_exception", "reason": "unable to authenticate"}}
    proxy.rule = lambda _: (401, refusal)
    secret = "geheim+1"
    url = proxy.url.replace("//", f"//someone:{secret}@")
    for settings in (
        settings_for(url),
        settings_for(proxy.url, username="someone", password=secret),
        settings_for(proxy.url, api_key=secret),
    ):
        assert secret not in repr(settings)
        with pytest.raises(AccessRefused, match="credentials") as caught, writer_on(settings):
            pass
        assert proxy.url in str(caught.value)
        assert secret not in str(caught.value) and "\n" not in str(caught.value)
    assert len(proxy.seen) == 3


def test_server_down_at_start() -> None:
    settings = settings_for(f"http://127.0.0.1:{free_port()}")
    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match="cannot be reached"), writer_on(settings):
        pass
    with pytest.raises(StoreUnavailable, match=settings.place), reader_on(settings):
        pass
    assert time.monotonic() - started < 60  # far from the minute and a half of a lost server


@pytest.mark.parametrize("url", ["", "localhost:9200", "http://", "http://host", "ftp://host:1"])
def test_bad_url(url: str) -> None:
    with pytest.raises(InputRefused, match="http://localhost:9200"), reader_on(settings_for(url)):
        pass


def test_bad_certificate_file(tmp_path: object) -> None:
    settings = settings_for("https://localhost:9200", ca_file=f"{tmp_path}/absent.pem")
    with pytest.raises(InputRefused, match=r"absent\.pem"), reader_on(settings):
        pass


def test_something_else_answers(proxy: Proxy) -> None:
    proxy.rule, proxy.product = (lambda _: (200, {})), "some other"
    with pytest.raises(InputRefused, match="is not Elasticsearch"):
        reader_on(settings_for(proxy.url)).__enter__()


def first_bulks(answers: list[Reply | type[CutAfter]]) -> object:
    """A rule that uses up `answers` on the bulk requests, then forwards."""
    lock = threading.Lock()

    def rule(seen: Seen) -> Reply | None:
        with lock:
            if "/_bulk" not in seen.path or not answers:
                return None
            answer = answers.pop(0)
        if isinstance(answer, tuple):
            return answer
        raise answer

    return rule


def test_busy_server_is_asked_again(settings: ElasticSettings, proxy: Proxy) -> None:
    with writer_on(settings, chunk_documents=50) as writer:
        proxy.rule = first_bulks(  # type: ignore[assignment]
            [(429, {"error": BUSY}), (503, {"error": {"type": "no_master"}}), (502, "bad gateway")]
        )
        outcomes = list(writer.write(records(120)))
        writer.refresh()
    assert statuses(outcomes) == [Status.CREATED] * 120
    assert len(proxy.bulks()) == 3 + 3
    with reader_on(settings) as reader:
        assert reader.count() == 120


def test_only_refused_items_are_sent_again(settings: ElasticSettings, proxy: Proxy) -> None:
    def every_other(seen: Seen) -> Reply | None:
        """Store nothing, claim that the even items were rejected and the odd ones created."""
        if "/_bulk" not in seen.path or len(proxy.bulks()) > 1:
            return None
        count = seen.body.count(b'{"index":')
        item = (
            {"index": {"status": 429, "error": BUSY}},
            {"index": {"status": 201, "result": "created"}},
        )
        return 200, {"items": [item[at % 2] for at in range(count)]}

    proxy.rule = every_other
    with writer_on(settings) as writer:
        outcomes = list(writer.write(records(10)))
    assert [outcome.document.id for outcome in outcomes] == [f"d{at}" for at in range(10)]
    assert statuses(outcomes) == [Status.CREATED] * 10
    again = [orjson.loads(line) for line in proxy.bulks()[1].body.splitlines()[::2]]
    assert [line["index"]["_id"] for line in again] == [f"d{at}" for at in range(0, 10, 2)]


def test_lost_answers_double_and_lose_nothing(settings: ElasticSettings, proxy: Proxy) -> None:
    with writer_on(settings, chunk_documents=20) as writer:
        proxy.rule = first_bulks([CutAfter, CutAfter])  # type: ignore[assignment]
        outcomes = list(writer.write(records(100)))
        writer.refresh()
    assert len(outcomes) == 100
    assert set(statuses(outcomes)) <= {Status.CREATED, Status.UPDATED}
    with reader_on(settings) as reader:
        assert reader.count() == 100


def test_patience_ends(settings: ElasticSettings, proxy: Proxy) -> None:
    outcomes: list[Outcome] = []
    with writer_on(replace(settings, retry_seconds=1.0), chunk_documents=10) as writer:
        proxy.rule = lambda seen: (
            (429, {"error": BUSY}) if "_bulk" in seen.path and len(proxy.bulks()) > 2 else None
        )
        started = time.monotonic()
        with pytest.raises(StoreUnavailable, match="gave up after 1 s"):
            for outcome in writer.write(records(1_000)):
                outcomes.append(outcome)  # noqa: PERF402  (a comprehension would lose them)
        assert time.monotonic() - started < 60  # not the minute and a half that is the default
        proxy.rule = forward
        writer.refresh()
    assert [outcome.document.id for outcome in outcomes] == [f"d{at}" for at in range(20)]
    with reader_on(settings) as reader:
        assert reader.count() == 20


def test_full_disk_stops_at_once(settings: ElasticSettings, proxy: Proxy) -> None:
    with writer_on(settings) as writer:
        item = {"index": {"status": 429, "error": FLOOD_STAGE}}
        proxy.rule = lambda seen: (200, {"items": [item] * 5}) if "_bulk" in seen.path else None
        with pytest.raises(StoreFull, match="flood-stage"):
            list(writer.write(records(5)))
    assert len(proxy.bulks()) == 1


def test_blocked_index(settings: ElasticSettings) -> None:
    store(settings, records(1))
    with connect(settings) as client:
        client.indices.put_settings(index=settings.index, settings={"index.blocks.write": True})
        with writer_on(settings) as writer, pytest.raises(StoreRefused, match="blocked"):
            list(writer.write(records(3)))


def test_a_request_too_large_is_halved(settings: ElasticSettings, proxy: Proxy) -> None:
    def at_most(seen: Seen) -> Reply | None:
        large = "_bulk" in seen.path and len(seen.body) > 20_000
        return (413, "Request Entity Too Large") if large else None

    proxy.rule = at_most
    made = [*records(60), record_of("huge", "巨" * 20_000), record_of("last", "末尾")]
    outcomes = store(settings, made)
    assert statuses(outcomes) == [Status.CREATED] * 60 + [Status.REJECTED, Status.CREATED]
    with reader_on(settings) as reader:
        assert reader.count() == 61


def test_searches_that_a_busy_server_refuses_are_sent_again(
    settings: ElasticSettings, proxy: Proxy
) -> None:
    """Each by itself: a request of several searches succeeds when some of them are refused."""
    shared = {Field.MINHASH_KEYS: ("m",)}
    assert statuses(store(settings, [keyed("a", shared)])) == [Status.CREATED]
    times, sizes = 0, []

    def busy(seen: Seen) -> Reply | None:
        if "/_msearch" not in seen.path:
            return None
        sizes.append(len(seen.body.splitlines()) // 2)
        if len(sizes) > times:
            return None
        whole = {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": []}}
        refused = {"error": BUSY, "status": 429}
        return 200, {"took": 1, "responses": [whole] * (sizes[-1] - 1) + [refused]}

    with reader_on(settings) as reader:
        reader.candidates([Request(shared)])  # the scale of the index is known from here on
        proxy.rule, times = busy, 2
        pages = reader.candidates([Request(shared)] * 3)
        assert [len(page.candidates) for page in pages] == [0, 0, 1]  # the first two had answers
        assert sizes == [3, 1, 1]
        sizes.clear()
        times = 9
        with pytest.raises(StoreUnavailable, match="status 429"):
            reader.candidates([Request(shared)])
        assert sizes == [1, 1, 1, 1]


def test_an_answer_from_part_of_the_index_is_an_error() -> None:
    with Cluster(nodes=2, short_lived=True) as cluster:
        settings = settings_for(cluster.urls[0], request_timeout=30.0)
        shards = {"number_of_shards": 2, "number_of_replicas": 0}
        shared = {Field.MINHASH_KEYS: ("m",)}
        made = [keyed(f"n{at}", shared) for at in range(40)]
        assert statuses(store(settings, made, user_settings=shards)) == [Status.CREATED] * 40
        with reader_on(settings) as reader:
            assert len(reader.candidates([Request(shared)])[0].candidates) == 40
            wait_until_spread(cluster.urls[0], settings.index)
            cluster.kill(1)
            time.sleep(3)
            for requests in ([Request(shared)], [Request(shared)] * 3, [Request(shared, None)]):
                with pytest.raises(StoreUnavailable):
                    reader.candidates(requests)
            for ask in (
                reader.count,
                lambda: reader.by_ids([f"n{at}" for at in range(40)]),
                lambda: reader.search("文"),
                lambda: list(reader.scan()),
            ):
                with pytest.raises(StoreUnavailable):
                    ask()


def wait_until_spread(url: str, index: str) -> None:
    """Until each node holds one of the two shards."""
    with Elasticsearch(url) as client:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            rows = client.cat.shards(index=index, format="json", h="node,state")
            if len({row["node"] for row in rows}) == 2:  # type: ignore[index]
                return
            time.sleep(0.2)
    raise AssertionError("the shards stay on one node")
