"""What memory the gateway takes: for one large bulk body, and over a longer run."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final
from urllib.parse import urlsplit

import orjson

from dupdex.index import Index
from indexer.meta import IndexMeta
from mappings.plan import STANDARD
from scripts.benchmark.gateway_process import Gateway, gateway_before
from scripts.benchmark.http_load import loaded, write_bodies
from scripts.benchmark.results import Line, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Corpus, document

_PEAK: Final = Target(most=300)
_FLAT: Final = Target(most=1.1)
_MEBI: Final = 1 << 20
_SECONDS: Final = 3_600


def measure_memory(setting: Setting) -> Iterator[Line]:
    place = setting.server.new_location("large")
    with Index.create(place, IndexMeta(STANDARD)):
        pass
    megabytes = setting.gateway_megabytes or setting.size(200, 20)
    with gateway_before(setting.server.url) as gateway:
        with _peak(gateway) as peak:
            sent = _one_body(gateway.url, place.index, setting.corpus, megabytes * _MEBI)
        setting.server.client.indices.refresh(index=place.index)
        stored = int(setting.server.client.count(index=place.index)["count"])
        if stored != sent:
            raise RuntimeError(f"{stored} of {sent} documents of one body were stored")
        yield Line(f"a bulk body of {megabytes:,} MB, peak", peak[0], "MB", _PEAK)
        yield _flatness(setting, gateway, place.index)
    setting.server.drop(place)


def _flatness(setting: Setting, gateway: Gateway, index: str) -> Line:
    """Memory at the end of a run against a third of it, searches and bulk in turns."""
    seconds = setting.gateway_minutes * 60 if setting.gateway_minutes else setting.size(60, 3)
    searches, bulks = setting.folder / "few-searches", setting.folder / "few-bulks"
    texts = [document(setting.corpus, number) for number in range(500)]
    clause = ({"near_duplicate": {"text": str(each.body["text"])}} for each in texts[:50])
    write_bodies(searches, (orjson.dumps({"query": each}) for each in clause))
    lines = (b'{"index":{"_id":"%d"}}\n' % at + orjson.dumps(d.body) for at, d in enumerate(texts))
    write_bodies(bulks, [b"\n".join(lines) + b"\n"])
    kind = "application/x-ndjson"
    began = time.perf_counter()
    at: dict[str, float] = {}
    while (passed := time.perf_counter() - began) < seconds:
        loaded(gateway.url, f"/{index}/_search", "application/json", 8, 200, searches)
        loaded(gateway.url, f"/{index}/_bulk", kind, 2, 4, bulks)
        if passed > seconds / 3 and "MB at a third" not in at:
            at["MB at a third"] = gateway.resident()
    at["MB at the end"] = gateway.resident()
    at.setdefault("MB at a third", at["MB at the end"])
    growth = at["MB at the end"] / at["MB at a third"]
    return Line(f"{seconds / 60:.3g} minutes of load, growth of memory", growth, "times", _FLAT, at)


def _one_body(url: str, index: str, corpus: Corpus, size: int) -> int:
    """Send one body in chunks; returns how many documents were in it."""
    sent = 0

    def lines() -> Iterator[bytes]:
        nonlocal sent
        written = 0
        for number in count():
            line = b'{"index":{}}\n' + orjson.dumps(document(corpus, number % 20_000).body) + b"\n"
            written += len(line)
            sent += 1
            yield line
            if written >= size:
                return

    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_SECONDS)
    try:
        path = f"/{index}/_bulk?filter_path=errors"
        headers = {"Content-Type": "application/x-ndjson"}
        connection.request("POST", path, lines(), headers, encode_chunked=True)
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    if answer.status != 200 or orjson.loads(content) != {"errors": False}:
        raise RuntimeError(f"the body was answered with {answer.status} {content[:200]!r}")
    return sent


@contextmanager
def _peak(gateway: Gateway) -> Iterator[list[float]]:
    """The peak of its memory in megabytes while the block runs."""
    peak, done = [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            peak[0] = max(peak[0], gateway.resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()
