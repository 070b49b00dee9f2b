"""Lookups where sentences recur, beside the bare query of the same keys, as an index grows."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from elasticsearch import Elasticsearch

from dupdex.index import Index
from dupdex.location import Location
from dupdex.lookup_batches import answered
from indexer.fingerprints import fingerprint_of
from indexer.meta import IndexMeta
from indexer.model import Document, Status
from mappings.plan import STANDARD
from query.questions import EVERYTHING, Options, Question
from scripts.benchmark.measure import percentile, settled
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Corpus, Recombined, edited

_BATCH: Final = 50
_WARM: Final = 3
"""Lookups before those that count, in times of these: a server compiles what it does often."""

_LONGER: Final = 4
"""Times as many lookups in batches as single ones: a process takes a while to begin."""

_FIRST: Final = 0.1
"""The share of the documents that are stored when lookups are timed for the first time."""

_DEFAULT: Final = {0.5: Target(most=1.7), 0.99: Target(most=3)}
_EVERYTHING: Final = {0.5: None, 0.99: Target(most=4)}
_GROWTH: Final = Target(most=1.6)
"""Of an index that grows to `_LARGE` documents; a tenth of fewer is in two or three segments."""

_LARGE: Final = 1_000_000


@dataclass(slots=True)
class Timed:
    """Seconds by what was asked; `found`: copies, of which there were `copies`."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    read: list[int] = field(default_factory=list)
    found: int = 0
    copies: int = 0

    def p(self, what: str, share: float) -> float:
        return percentile(self.seconds[what], share)


def measure(setting: Setting) -> Section:
    section = Section("real", "Lookups where sentences recur, and the bare query of the same keys")
    texts = Recombined(setting.corpus)
    amount, size = setting.stored(100_000, 3_000), setting.size(400, 60)
    server = setting.server
    at = server.new_location("real")
    before: Timed | None = None
    for stored, first in ((round(amount * _FIRST), 0), (amount, round(amount * _FIRST))):
        rate = _fill(at, texts, first, stored)
        with Index.open(at) as index, settled():
            timed = _timed(index, server.client, at, texts, stored, size)
            section.lines += _lines(f"{stored:,} texts", timed)
            section.lines += _batches(index, at, texts, stored, size, f"{stored:,} texts")
        more = {"segments": server.segments(at)}
        name = f"{stored:,} texts, indexed on 2 processes"
        section.lines.append(Line(name, rate, "docs/s", more=more))
        if before is not None:
            grown = timed.p("default", 0.5) / before.p("default", 0.5)
            name = f"default p50 at {amount:,} against a tenth of them"
            target = _GROWTH if amount >= _LARGE else None
            section.lines.append(Line(name, grown, "times", target))
        before = timed
    server.merge(at)
    with Index.open(at) as index, settled():
        name = f"{amount:,} texts in one segment"
        section.lines += _batches(index, at, texts, amount, size, name)
    server.drop(at)
    section.notes.append(
        f"texts: {texts.name}; {size} lookups, light copies and unseen texts in turns, after "
        f"{_WARM} times as many, one kind of query after the other for each text; the bare query "
        "is a bool/should of the text's keys that fetches 50 ids, beside a lookup without limits "
        "10,000; the search for garbage passes "
        "over the libraries, as in dupdex serve, and over the texts of the measurement, for both"
    )
    return section


def _fill(at: Location, texts: Corpus, first: int, last: int) -> float:
    """Add texts; the rate in documents a second, with everything that `dupdex index` does."""
    began = time.perf_counter()
    with Index.create(at, IndexMeta(STANDARD)) as index:
        documents = (_document(texts, number) for number in range(first, last))
        for outcome in index.add_iter(documents, workers=2):
            if outcome.status is Status.REJECTED:
                raise RuntimeError(outcome.reason)
        index.refresh()
        index.learn_if_grown()
    return (last - first) / (time.perf_counter() - began)


def _document(texts: Corpus, number: int) -> Document:
    text = texts.text(number)
    return Document(str(number), text, {"text": text})


def _asked(texts: Corpus, stored: int, count: int, seed: int) -> Iterator[tuple[str, str | None]]:
    """Texts, copies and unseen ones in turns, with the id of what a copy was made from."""
    choose = random.Random(seed)
    for number in range(count):
        if number % 2:
            yield texts.unseen(seed * count + number), None
        else:
            source = choose.randrange(stored)
            yield edited(texts.text(source), number), str(source)


def _timed(
    index: Index, client: Elasticsearch, at: Location, texts: Corpus, stored: int, size: int
) -> Timed:
    out = Timed({what: [] for what in ("bare", "bare of all", "default", "everything")})

    def bare(body: dict[str, Any]) -> object:
        return client.search(index=at.index, body=body)

    for text, _ in _asked(texts, stored, _WARM * size, seed=1):
        index.lookup(text)
        bare(_bare(text, 50))
    for text, source in _asked(texts, stored, size, seed=2):
        few, every = _bare(text, 50), _bare(text, 10_000)
        clock = [time.perf_counter()]
        bare(few)
        clock.append(time.perf_counter())
        bare(every)
        clock.append(time.perf_counter())
        answer = index.lookup(text)
        clock.append(time.perf_counter())
        index.lookup(text, EVERYTHING)
        clock.append(time.perf_counter())
        for what, (began, ended) in zip(out.seconds, pairwise(clock), strict=True):
            out.seconds[what].append(ended - began)
        out.read.append(answer.completeness.examined)
        if source is not None:
            out.copies += 1
            out.found += any(match.id == source for match in answer.matches)
    return out


def _bare(text: str, size: int) -> dict[str, Any]:
    keys = fingerprint_of(text, STANDARD).keys
    should = [{"term": {name.path: term}} for name, terms in keys.items() for term in terms]
    query = {"bool": {"should": should}}
    return {"size": size, "_source": False, "track_total_hits": False, "query": query}


def _lines(name: str, timed: Timed) -> Iterator[Line]:
    kinds: tuple[tuple[str, str, str, Mapping[float, Target | None]], ...] = (
        ("default", "default", "bare", _DEFAULT),
        ("without limits", "everything", "bare of all", _EVERYTHING),
    )
    for label, what, floor, targets in kinds:
        for share, target in targets.items():
            ours, theirs = timed.p(what, share) * 1e3, timed.p(floor, share) * 1e3
            more = {"ms": ours, "bare query ms": theirs}
            if what == "default" and share == 0.5:
                more["texts read"] = sum(timed.read) / len(timed.read)
                more["copies found"] = timed.found / max(1, timed.copies)
            line = f"{name}, {label}, p{share * 100:.0f} against the bare query"
            yield Line(line, ours / theirs, "times", target, more)


def _batches(
    index: Index, at: Location, texts: Corpus, stored: int, size: int, name: str
) -> Iterator[Line]:
    """Lookups a second in batches, by one process and by two, both beside the server."""
    target = Target(least=400 if stored <= 100_000 else 200)
    for workers in (1, 2):
        count = workers * max(_LONGER * size, _BATCH) // _BATCH * _BATCH
        asked = [Question(text) for text, _ in _asked(texts, stored, count, seed=2 + workers)]
        batches = [asked[start : start + _BATCH] for start in range(0, count, _BATCH)]
        began = time.perf_counter()
        done = answered(batches, list, index, at, Options(), workers)
        rate = sum(len(answers) for _, answers in done) / (time.perf_counter() - began)
        how = f"batches of {_BATCH}" + (", 2 processes" if workers > 1 else "")
        yield Line(f"{name}, {how}", rate, "lookups/s", target, {"lookups": count})
