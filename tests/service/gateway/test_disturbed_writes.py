"""Writes while others write, and while the cluster goes away: nothing is told that is not so."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running, gateway_before
from tests.service.gateway.writes import NDJSON, Pair, ask, current, lines, pair_of
from tests.service.proxy import CutAfter, Reply, Seen, proxied

BATCH, BATCHES = 1_000, 3


@pytest.fixture
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as pair:
        yield pair


def body_of(prefix: str) -> bytes:
    text = chinese(prefix, 60)
    return lines(
        *(
            value
            for at in range(BATCH * BATCHES)
            for value in ({"index": {"_id": f"{prefix}{at}"}}, {"text": f"{at} {text}"})
        )
    )


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_cluster_that_goes_away_between_chunks(es_url: str, pair: Pair, is_cut: bool) -> None:
    """With or without having stored the second chunk; the third one finds it back."""

    def rule(seen: Seen) -> Reply | None:
        if "/_bulk" not in seen.path or seen.body.count(b'"_id":"w1000"') == 0:
            return None
        if is_cut:
            raise CutAfter
        return 503, {"error": {"type": "unavailable", "reason": "none"}, "status": 503}

    with proxied(es_url) as proxy, gateway_before(proxy.url) as running:
        proxy.rule = rule
        path = f"/{pair.ours}/_bulk"
        headers = {"Content-Type": NDJSON}
        status, _, content = ask(running.url, "POST", path, body_of("w"), headers)
    answer = orjson.loads(content)
    assert (status, answer["errors"]) == (200, True)
    items = [item["index"] for item in answer["items"]]
    assert [item["_id"] for item in items] == [f"w{at}" for at in range(BATCH * BATCHES)]
    statuses = [item["status"] for item in items]
    assert statuses == [201] * BATCH + [503] * BATCH + [201] * BATCH
    kind = "cluster_unreachable" if is_cut else "unavailable"
    assert {item["error"]["type"] for item in items if "error" in item} == {kind}
    pair.client.indices.refresh(index=pair.ours)
    stored = pair.client.count(index=pair.ours)["count"]
    assert stored == BATCH * (BATCHES if is_cut else BATCHES - 1)


@pytest.mark.parametrize("is_large", [False, True])
def test_a_cluster_that_refuses_from_the_start(es_url: str, pair: Pair, is_large: bool) -> None:
    def rule(seen: Seen) -> Reply | None:
        refused = {"error": {"type": "too_many", "reason": "later"}, "status": 429}
        return (429, refused) if "/_bulk" in seen.path else None

    body = body_of("r") if is_large else lines({"index": {"_id": "1"}}, {"text": "一段短文字"})
    with proxied(es_url) as proxy, gateway_before(proxy.url) as running:
        proxy.rule = rule
        path = f"/{pair.ours}/_bulk"
        status, _, content = ask(running.url, "POST", path, body, {"Content-Type": NDJSON})
    assert (status, orjson.loads(content)["error"]["type"]) == (429, "too_many")


def test_updates_of_one_document_at_once(gateway: Running, pair: Pair) -> None:
    """Each merges with what the others made of it: the last text has its own object."""
    ask(gateway.url, "PUT", f"/{pair.ours}/_doc/1", orjson.dumps({"text": chinese(0), "n": 0}))

    def update(number: int) -> list[int]:
        path = f"/{pair.ours}/_update/1"
        change: dict[str, Any] = {"doc": {"text": chinese(number)}}
        if number % 3 == 0:
            return [ask(gateway.url, "POST", path, orjson.dumps(change))[0]]
        if number % 3 == 1:
            change = {"doc": {"n": number}}
            more = f"{path}?retry_on_conflict=20"
            return [ask(gateway.url, "POST", more, orjson.dumps(change))[0]]
        body = lines(*({"update": {"_id": "1"}}, change) * 2)
        path = f"/{pair.ours}/_bulk"
        _, _, content = ask(gateway.url, "POST", path, body, {"Content-Type": NDJSON})
        return [item["update"]["status"] for item in orjson.loads(content)["items"]]

    with ThreadPoolExecutor(4) as pool:
        statuses = [status for some in pool.map(update, range(1, 40)) for status in some]
    assert set(statuses) == {200}
    assert current(pair.stored(pair.ours)["1"])
