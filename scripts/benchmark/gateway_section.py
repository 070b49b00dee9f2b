"""The gateway beside the same requests without it, in one run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Final

import orjson

from dupdex.index import Index
from dupdex.location import Location
from indexer.meta import IndexMeta
from indexer.model import Document
from mappings.plan import STANDARD
from scripts.benchmark.gateway_memory import measure_memory
from scripts.benchmark.gateway_process import gateway_before
from scripts.benchmark.http_load import Load, loaded, write_bodies
from scripts.benchmark.measure import percentile
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import documents, edited

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_COMMAND: Final = "from dupdex.cli import main; main()"
_CHUNK: Final = 500
_LINES: Final = 8
_CHECKS: Final = 16
_PACE: Final = 200
"""Searches a second, where as many as possible would only wait for each other on shared cores."""

_JSON: Final = "application/json"
_NDJSON: Final = "application/x-ndjson"


def measure(setting: Setting) -> Section:
    section = Section("gateway", "The gateway, against the same without it")
    stored = documents(setting.corpus, setting.stored(20_000, 1_000))
    rounds = setting.size(5, 2)
    place = setting.server.new_location("gateway")
    rate = _by_command(setting, place, stored)
    with gateway_before(setting.server.url) as gateway:
        section.lines += _passing(setting, gateway.url, place, stored, rounds)
        section.lines += _checks(setting, gateway.url, place, stored, rounds)
    setting.server.drop(place)
    section.lines += _bulk(setting, stored, rate)
    section.lines += measure_memory(setting)
    section.notes.append(
        f"{len(stored):,} documents; client, gateway, and server share the cores; searches and "
        "checks: unless a pace is named, each connection asks as soon as it is answered, with and "
        "without the gateway in turns, and the difference is that of the medians of the rounds"
    )
    return section


def _passing(
    setting: Setting, url: str, place: Location, stored: list[Document], rounds: int
) -> Iterator[Line]:
    """Searches that the gateway has nothing to add to."""
    texts = [str(document.body["text"]) for document in stored[:200]]
    queries = ({"query": {"match": {"text": text[40:60]}}, "_source": False} for text in texts)
    path, target = setting.folder / "searches", f"/{place.index}/_search"
    write_bodies(path, map(orjson.dumps, queries))
    amount = setting.size(4_000, 400)
    urls = {"without": setting.server.url, "through": url}
    for connections, pace in ((1, 0), (_LINES, _PACE), (_LINES, 0)):
        seen: dict[str, list[Load]] = {name: [] for name in urls}
        for at in range(rounds + 1):
            for name in urls if at % 2 else reversed(urls):
                most = amount // 5 if pace else amount
                load = loaded(urls[name], target, _JSON, connections, most, path, pace)
                if at:  # the first round warms both
                    seen[name].append(load)
        for share, limit in ((0.5, 1), (0.99, 3)):
            per = {
                name: median(percentile(load.milliseconds, share) for load in loads)
                for name, loads in seen.items()
            }
            plural = "connection" if connections == 1 else "connections"
            speed = f"{pace} a second" if pace else "at full speed"
            label = f"search passed on, {connections} {plural}, {speed}, p{share * 100:.0f} more by"
            target_of = Target(most=limit) if connections == _LINES else None
            yield Line(label, per["through"] - per["without"], "ms", target_of, per)


def _checks(
    setting: Setting, url: str, place: Location, stored: list[Document], rounds: int
) -> Iterator[Line]:
    """Lookups through REST beside those of the library, as many at the same time."""
    amount = setting.size(480, 160)
    asked = [
        edited(str(stored[number * 7_919 % len(stored)].body["text"]), number)
        for number in range(amount)
    ]
    path = setting.folder / "checks"
    write_bodies(path, (orjson.dumps({"text": text}) for text in asked))
    target = f"/_dupdex/v1/check?target={place.index}"
    through: list[float] = []
    library: list[float] = []
    with Index.open(place) as index:
        for at in range(rounds + 1):
            load = loaded(url, target, _JSON, _CHECKS, amount, path)
            own = _looked_up(index, asked)
            if at:
                through.append(percentile(load.milliseconds, 0.5))
                library.append(percentile(own, 0.5))
    ratio = median(a / b for a, b in zip(through, library, strict=True))
    more = {"ms through": median(through), "ms of the library": median(library)}
    label = f"check, {_CHECKS} connections, p50 against {_CHECKS} threads of the library"
    yield Line(label, ratio, "times", Target(most=1.5), more)


def _looked_up(index: Index, texts: list[str]) -> list[float]:
    def one(text: str) -> float:
        began = time.perf_counter()
        index.lookup(text)
        return (time.perf_counter() - began) * 1e3

    with ThreadPoolExecutor(_CHECKS) as pool:
        return list(pool.map(one, texts))


def _by_command(setting: Setting, place: Location, stored: list[Document]) -> float:
    """Documents a second of `dupdex index`, whose index stays."""
    path = setting.folder / "documents.jsonl"
    path.write_bytes(b"".join(orjson.dumps(each.body) + b"\n" for each in stored))
    command = [sys.executable, "-c", _COMMAND, "index", str(path), "--make-ids", "--json"]
    command += ["--rejects", str(setting.folder / "rejects.ndjson")]
    command += ["--store", place.store, "--index", place.index]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return len(stored) / (time.perf_counter() - began)


def _bulk(setting: Setting, stored: list[Document], rate: float) -> Iterator[Line]:
    """Bodies of some hundred documents, which the gateway enriches on their way."""
    path = setting.folder / "bulks"
    bodies = [
        b"".join(b'{"index":{}}\n' + orjson.dumps(each.body) + b"\n" for each in chunk)
        for chunk in (stored[at : at + _CHUNK] for at in range(0, len(stored), _CHUNK))
    ]
    write_bodies(path, bodies)
    rates = {}
    for workers in (1, 2):
        place = setting.server.new_location("enriched")
        with Index.create(place, IndexMeta(STANDARD)):
            pass
        with gateway_before(setting.server.url, workers) as gateway:
            target = f"/{place.index}/_bulk"
            load = loaded(gateway.url, target, _NDJSON, 4, len(bodies), path)
        setting.server.client.indices.refresh(index=place.index)
        count = int(setting.server.client.count(index=place.index)["count"])
        if count != len(stored):
            raise RuntimeError(f"{count} of {len(stored)} documents were stored")
        rates[workers] = len(stored) / load.seconds
        setting.server.drop(place)
    label = "enriched bulk, 4 connections,"
    for workers, each in rates.items():
        name = f"{label} {workers} worker{'s' * (workers > 1)}"
        yield Line(name, each, "docs/s", None, {"docs/s of dupdex index": rate})
    best = max(rates.values()) / rate
    yield Line(f"{label} against dupdex index", best, "times", Target(least=0.75))
    yield Line(f"{label} 2 workers against 1", rates[2] / rates[1], "times")
