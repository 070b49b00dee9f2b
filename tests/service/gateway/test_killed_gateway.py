"""A gateway that is killed under a bulk load whose client tries again: nothing is lost, nothing is
there twice.
"""

from __future__ import annotations

import http.client
import os
import random
import threading
import time
from collections.abc import Iterator
from typing import Final

import orjson
import pytest

from indexer.stores.elastic.client import translated
from mappings.contract import OBJECT_FIELD
from tests.service.elastic_data import chinese
from tests.service.gateway.running import gateway_before
from tests.service.gateway.writes import NDJSON, Pair, ask, current, lines, pair_of

KILLS: Final = int(os.environ.get("DUPDEX_TEST_KILLS", "3"))
BATCH: Final = 120
CLIENTS: Final = 2


@pytest.fixture
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as pair:
        yield pair


class Load:
    """Clients that write batches until they are stopped, each until it is acknowledged."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self._url = ""
        self._there, self._stopped = threading.Event(), threading.Event()
        self.acknowledged: list[str] = []
        self.broken = 0
        self._threads = [threading.Thread(target=self._run, args=(at,)) for at in range(CLIENTS)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def goes_to(self, url: str) -> None:
        self._url = url
        self._there.set()

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive()

    def _run(self, client: int) -> None:
        number = 0
        while not self._stopped.is_set():
            names = [f"c{client}-{number}-{at}" for at in range(BATCH)]
            self._write(names)
            self.acknowledged += names
            number += 1

    def _write(self, names: list[str]) -> None:
        self._there.wait(60)
        body = lines(
            *(value for name in names for value in ({"index": {"_id": name}}, {"text": text(name)}))
        )
        path = f"/{self._pair.ours}/_bulk"
        while True:
            try:
                status, _, content = ask(self._url, "POST", path, body, {"Content-Type": NDJSON})
                if status == 200 and not orjson.loads(content)["errors"]:
                    return
            except (OSError, http.client.HTTPException):
                self.broken += 1
            time.sleep(0.05)


def text(name: str) -> str:
    return f"{name} {chinese(hash(name) % 50, 300)}"


def test_nothing_is_lost_and_nothing_doubled(es_url: str, pair: Pair) -> None:
    load, chance = Load(pair), random.Random(1)
    load.start()
    try:
        for _ in range(KILLS):
            with gateway_before(es_url) as running:
                load.goes_to(running.url)
                before = len(load.acknowledged)
                while len(load.acknowledged) == before:
                    time.sleep(0.01)
                time.sleep(chance.random())
                running.process.kill()
                running.process.wait()
        with gateway_before(es_url) as running:
            load.goes_to(running.url)
            load.stop()
    finally:
        load.goes_to(es_url)  # whatever happened, the clients come to an end
        load.stop()
    assert load.broken
    client = pair.client
    with translated("look", pair.settings):
        client.indices.refresh(index=pair.ours)
        assert client.count(index=pair.ours)["count"] == len(load.acknowledged)
        assert len(set(load.acknowledged)) == len(load.acknowledged)
        lacking = {"bool": {"must_not": {"exists": {"field": f"{OBJECT_FIELD}.text_hash"}}}}
        assert client.count(index=pair.ours, query=lacking)["count"] == 0
        hits = client.search(index=pair.ours, size=500)["hits"]["hits"]
    assert all(hit["_source"]["text"] == text(hit["_id"]) for hit in hits)
    assert all(current(hit["_source"]) for hit in hits)
