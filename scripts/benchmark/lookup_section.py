"""Lookup from text to verified answer, half light copies of stored texts, half unrelated ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.fingerprints import fingerprint_of
from indexer.meta import IndexMeta
from indexer.model import Keys, Record, Status
from indexer.pipeline import to_records
from indexer.stores import StoreWriter
from mappings.plan import STANDARD
from query.answers import Answer, CandidatePage, CandidateReader, Ref, Request, Stored, Term
from query.lookup import near_duplicates_all
from query.questions import Options, Question
from scripts.benchmark.measure import percentile, settled
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Corpus, document, edited

_BATCH: Final = 50
_WARM: Final = 3
"""Lookups before those that count, in times of these: a server compiles what it does often, and
grows faster for some thousands of lookups."""
_WRITTEN_AT_ONCE: Final = 2_000
_ELASTIC: Final = (Target(most=5), Target(most=20))
_EMBEDDED: Final = (Target(most=4), Target(most=8))
_ASKED: Final = ("candidates", "texts", "frequencies")
"""What a store is asked for."""

_PLAIN: Final = Options(facts=False, located=False)
_DETAILED: Final = Options()

Targets = tuple[Target, Target]


@dataclass(frozen=True, slots=True)
class Query:
    """A text to look up, and the document it was copied from."""

    text: str
    source: str | None


@dataclass(slots=True)
class Latencies:
    """Seconds of single lookups by kind, of batches, and what was found."""

    copies: list[float] = field(default_factory=list)
    unrelated: list[float] = field(default_factory=list)
    batches: list[float] = field(default_factory=list)
    found: int = 0
    examined: int = 0
    matched_unrelated: int = 0


def measure(setting: Setting) -> Section:
    section = Section("lookup", "Lookup, from text to verified answer, in milliseconds")
    amount = setting.stored(100_000, 2_000)
    queries = _Queries(setting.corpus, amount, setting.size(500, 100))
    rounds = setting.size(3, 2)
    embedded = Location(store=str(setting.folder / "lookup"))
    elastic = setting.server.new_location("lookup")
    _build(setting.corpus, amount, (elastic, embedded))
    with ExitStack() as stack:
        stack.enter_context(settled())
        as_is, folder = (stack.enter_context(Index.open(at)) for at in (elastic, embedded))
        segments = setting.server.segments(elastic)
        name = f"Elasticsearch, as indexed ({segments} segments)"
        both = {name: (as_is, _ELASTIC), "embedded": (folder, _EMBEDDED)}
        _measured(section, both, queries, rounds)
        setting.server.merge(elastic)
        _measured(section, {"Elasticsearch, one segment": (as_is, _ELASTIC)}, queries, rounds)
    for name, at in (("Elasticsearch, one segment", elastic), ("embedded", embedded)):
        _split(section, name, at, queries.next())
    setting.server.drop(elastic)
    section.notes.append(
        f"{amount:,} documents; default options (50 candidates, 20 verified from their text at "
        f"most), boilerplate learned as 'dupdex index' does; copies: 3 % of the characters edited; "
        f"{rounds} x {queries.size} queries, no text asked twice, after {_WARM} times as many; "
        "the search for garbage passes over the libraries, as in dupdex serve, and the texts"
    )
    return section


class _Queries:
    """Fresh queries for every round, copies and unrelated texts in turns."""

    def __init__(self, corpus: Corpus, stored: int, size: int) -> None:
        self.size = size
        self._corpus, self._stored, self._given = corpus, stored, 0

    def next(self) -> list[Query]:
        out = []
        for number in range(self._given, self._given + self.size):
            if number % 2:
                out.append(Query(self._corpus.unseen(number), None))
                continue
            source = number * 7_919 % self._stored
            text = edited(self._corpus.text(source), number)
            out.append(Query(text, document(self._corpus, source).id))
        self._given += self.size
        return out


def _build(corpus: Corpus, amount: int, places: Sequence[Location]) -> None:
    """The same records into every store, fingerprinted once."""
    with ExitStack() as stack:
        writers: list[StoreWriter] = []
        for place in places:
            session = stack.enter_context(Session(place))
            writers.append(session.writer(meta=IndexMeta(STANDARD)))
            stack.callback(writers[-1].close)
        stored = (document(corpus, number) for number in range(amount))
        for chunk in _chunks(to_records(stored, STANDARD, 2)):
            for writer in writers:
                if any(each.status is Status.REJECTED for each in writer.write(chunk)):
                    raise RuntimeError("a store refused documents")
        for writer in writers:
            writer.refresh()
    for place in places:  # as 'dupdex index' does in the end
        with Index.create(place) as index:
            index.learn_if_grown()


def _chunks(items: Iterator[object]) -> Iterator[list[Record]]:
    records = (item for item in items if isinstance(item, Record))
    while chunk := list(islice(records, _WRITTEN_AT_ONCE)):
        yield chunk


def _measured(
    section: Section,
    indices: dict[str, tuple[Index, Targets]],
    queries: _Queries,
    rounds: int,
) -> None:
    found = {name: Latencies() for name in indices}
    for _ in range(_WARM * rounds):
        warm = queries.next()
        for index, _ in indices.values():
            _single(index, warm, Latencies())
    for _ in range(rounds):
        asked, together = queries.next(), queries.next()
        for name, (index, _) in indices.items():
            _single(index, asked, found[name])
            _batched(index, together, found[name])
    for name, (_, targets) in indices.items():
        section.lines += _lines(name, found[name], targets)


def _single(index: Index, queries: Sequence[Query], into: Latencies) -> None:
    for query in queries:
        began = time.perf_counter()
        answer = index.lookup(query.text)
        seconds = time.perf_counter() - began
        (into.unrelated if query.source is None else into.copies).append(seconds)
        _count(query, answer, into)


def _count(query: Query, answer: Answer, into: Latencies) -> None:
    into.examined += answer.completeness.examined
    if query.source is None:
        into.matched_unrelated += bool(answer.matches)
    else:
        into.found += any(match.id == query.source for match in answer.matches)


def _batched(index: Index, queries: Sequence[Query], into: Latencies) -> None:
    for start in range(0, len(queries) - _BATCH + 1, _BATCH):
        questions = [Question(query.text) for query in queries[start : start + _BATCH]]
        began = time.perf_counter()
        index.lookup_all(questions)
        into.batches.append(time.perf_counter() - began)


def _lines(name: str, taken: Latencies, targets: Targets) -> Iterator[Line]:
    every = taken.copies + taken.unrelated
    more = {
        "mean": sum(every) / len(every) * 1e3,
        "texts verified per lookup": taken.examined / len(every),
        "copies found": taken.found / len(taken.copies),
        "unrelated with a match": taken.matched_unrelated / len(taken.unrelated),
    }
    for share, target in zip((0.5, 0.99), targets, strict=True):
        parts = {
            f"{kind} p{share * 100:.0f}": percentile(values, share) * 1e3
            for kind, values in (("copies", taken.copies), ("unrelated", taken.unrelated))
        }
        value = percentile(every, share) * 1e3
        yield Line(f"{name}, single p{share * 100:.0f}", value, "ms", target, parts | more)
        more = {}
    rate = _BATCH / percentile(taken.batches, 0.5)
    slowest = {"batch p50 ms": percentile(taken.batches, 0.5) * 1e3}
    slowest["batch p99 ms"] = percentile(taken.batches, 0.99) * 1e3
    yield Line(f"{name}, batches of {_BATCH}", rate, "lookups/s", None, slowest)


class _Timed:
    """A reader that notes how long it was asked for what."""

    def __init__(self, inner: CandidateReader) -> None:
        self._inner, self.at_once = inner, inner.at_once
        self.seconds = dict.fromkeys(_ASKED, 0.0)

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        with self._noted("candidates"):
            return self._inner.candidates(requests)

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        with self._noted("texts"):
            return self._inner.documents(refs)

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        with self._noted("texts"):
            return iter(list(self._inner.each(refs)))

    def frequencies(self, keys: Keys) -> Mapping[Term, int]:
        with self._noted("frequencies"):
            return self._inner.frequencies(keys)

    def stored_ids(self, ids: Sequence[str]) -> set[str]:
        return self._inner.stored_ids(ids)

    @contextmanager
    def _noted(self, what: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[what] += time.perf_counter() - began


def _split(section: Section, name: str, location: Location, queries: Sequence[Query]) -> None:
    """Where the time of a single lookup goes: means over all queries. Each is asked twice, with and
    without facts, and in turns the one or the other first: the second finds caches warm.
    """
    spent = {_PLAIN: 0.0, _DETAILED: 0.0}
    asked = dict.fromkeys(_ASKED, 0.0)
    with Session(location) as session:
        reader = session.reader()
        timed, boilerplate = _Timed(reader), reader.meta.boilerplate
        for number, query in enumerate(queries):
            question = Question(query.text)
            for options in (_PLAIN, _DETAILED) if number % 4 < 2 else (_DETAILED, _PLAIN):
                timed.seconds = dict.fromkeys(_ASKED, 0.0)
                began = time.perf_counter()
                near_duplicates_all([question], STANDARD, timed, options, boilerplate)
                spent[options] += time.perf_counter() - began
                if options is _PLAIN:
                    asked = {what: asked[what] + timed.seconds[what] for what in _ASKED}
    prints = _seconds(queries, lambda text: fingerprint_of(text, STANDARD))
    parts = {"fingerprint": prints, **asked}
    parts["verification"] = spent[_PLAIN] - sum(parts.values())
    parts["then for differing facts and places"] = spent[_DETAILED] - spent[_PLAIN]
    each = {part: seconds / len(queries) * 1e3 for part, seconds in parts.items()}
    mean = spent[_PLAIN] / len(queries) * 1e3
    section.lines.append(Line(f"{name}, where a lookup's time goes (mean)", mean, "ms", None, each))


def _seconds(queries: Sequence[Query], work: Callable[[str], object]) -> float:
    began = time.perf_counter()
    for query in queries:
        work(query.text)
    return time.perf_counter() - began
