"""The report of an index: the same figures as counting all documents one by one, on both stores."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from typing import Any

import pytest

from dupdex.groups.group_store import GroupRecord, GroupStore, now
from dupdex.index import Index
from dupdex.matches.match_record import Decision, MatchRecord
from dupdex.report.analysis import analyse
from dupdex.report.findings import (
    CopyFlow,
    CopyRate,
    DuplicateReport,
    Fault,
    PairCount,
    ReportOptions,
    SchemeCount,
)
from dupdex.report.groups_behind import Figure, GroupsBehind, Part, groups_behind
from dupdex.session import Session
from indexer.grouping import Grouping, Policy
from indexer.model import Document, Ref, Status
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS
from mappings.records import GROUPS, MATCHES, RUNS
from query.answers import Verdict
from query.tally import Every, instant_of, period_of
from tests.contract.stores import Store, made
from tests.texts import METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA

SOURCES = ["甲报", "乙报", "丙网", "丁台", None]
KINDS = ["news", "sport"]
OPTIONS = ReportOptions("at", "site.name", "kind", Every.DAY, 50)


@dataclass
class World:
    """Documents in groups, as the index has them; a canonical member for each group of several."""

    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)
    group: dict[str, str] = field(default_factory=dict)
    canonical: dict[str, str] = field(default_factory=dict)

    def groups(self) -> dict[str, list[str]]:
        out: dict[str, list[str]] = defaultdict(list)
        for name, group in self.group.items():
            out[group].append(name)
        return {group: names for group, names in out.items() if len(names) > 1}

    def copies(self) -> set[str]:
        return {n for g, names in self.groups().items() for n in names if n != self.canonical[g]}

    def source(self, name: str) -> str | None:
        value = self.bodies[name].get("site", {}).get("name")
        return value if value is None else str(value)

    def time(self, name: str) -> int | None:
        return instant_of(self.bodies[name].get("at"))


def world(seed: int) -> World:
    chance, out = random.Random(seed), World()
    for at in range(60):
        name = f"d{at:02}"
        source, day = chance.choice(SOURCES), chance.randrange(1, 29)
        body: dict[str, Any] = {"kind": chance.choice(KINDS), "title": f"题{at}"}
        if source is not None:
            body["site"] = {"name": source}
        if at % 7:
            body["at"] = f"2026-02-{day:02}T{chance.randrange(24):02}:00:00Z"
        out.bodies[name] = body
        out.group[name] = name
    for first in range(0, 40, 5):
        names = [f"d{at:02}" for at in range(first, first + chance.randrange(1, 6))]
        out.group.update(dict.fromkeys(names, names[0]))
        out.canonical[names[0]] = chance.choice(names)
    return out


@pytest.fixture
def session(store: Store) -> Session:
    return store.opened.enter_context(Session(store.opener.location))


def stored(store: Store, session: Session, shown: World) -> None:
    store.write(*(made(name, **body) for name, body in shown.bodies.items()))
    changed = {Ref("", n): g for n, g in shown.group.items() if n != g}
    store.writer.set_groups(changed)
    store.writer.refresh()
    refs = store.reader.refs_of(list(shown.bodies))
    records = [
        GroupRecord(group, refs[shown.canonical[group]][0], len(names), now(), now())
        for group, names in shown.groups().items()
    ]
    gone = GroupRecord("gone", None, 0, now(), now(), merged_into="d00")
    groups = GroupStore(session.collection(GROUPS))
    groups.put([*records, gone])
    groups.refresh()


def rates(shown: World, names: dict[str, str | None]) -> set[CopyRate]:
    """By a name of each document."""
    copies, grouped = shown.copies(), {n for names in shown.groups().values() for n in names}
    return {
        CopyRate.of(
            each,
            sum(names[n] == each for n in names),
            sum(names[n] == each for n in grouped),
            sum(names[n] == each for n in copies),
        )
        for each in set(names.values())
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_rates_are_those_of_counting_documents(
    store: Store, session: Session, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupdex.report.group_tallies.GROUPS_AT_ONCE", 3)
    monkeypatch.setattr("query.stores.elastic.elastic_tally._PAGE", 4)
    shown = world(seed)
    stored(store, session, shown)
    report = analyse(session, OPTIONS)
    groups, copies = shown.groups(), shown.copies()
    assert report.total == CopyRate.of("", 60, len(copies) + len(groups), len(copies))
    assert (report.groups, report.largest) == (len(groups), max(map(len, groups.values())))
    times = {n: shown.time(n) for n in shown.group}
    days = {n: None if t is None else period_of(t, Every.DAY) for n, t in times.items()}
    assert set(report.over_time) == rates(shown, days)
    assert [r.name or "" for r in report.over_time] == sorted(
        day or "" for day in set(days.values())
    )
    assert set(report.by_source) == rates(shown, {n: shown.source(n) for n in shown.group})
    assert set(report.by_kind) == rates(shown, {n: shown.bodies[n]["kind"] for n in shown.group})
    counted = [r.copies for r in report.by_source]
    assert counted == sorted(counted, reverse=True)
    sizes = Counter(map(len, groups.values()))
    assert {(c.least, c.most, c.groups, c.documents) for c in report.sizes} == {
        (size, size, count, size * count) for size, count in sizes.items()
    }
    assert not report.health.problems


@pytest.mark.parametrize("seed", [3, 4])
def test_who_copies_whom_and_how_fast(store: Store, session: Session, seed: int) -> None:
    shown = world(seed)
    stored(store, session, shown)
    report = analyse(session, OPTIONS)
    copies: Counter[tuple[str | None, str | None]] = Counter()
    together: Counter[tuple[str | None, str | None]] = Counter()
    delays: dict[str, list[int]] = defaultdict(list)
    earlier: Counter[str] = Counter()
    for group, names in shown.groups().items():
        original = shown.canonical[group]
        by_source = defaultdict(list)
        for name in names:
            if name != original:
                by_source[shown.source(name)].append(name)
        for source, several in by_source.items():
            pair = source, shown.source(original)
            copies[pair] += len(several)
            together[pair] += 1
            times = [t for t in map(shown.time, several) if t is not None]
            begun = shown.time(original)
            if source in (None, shown.source(original)) or not times or begun is None:
                continue
            if min(times) < begun:
                earlier[source] += 1
            else:
                delays[source].append(min(times) - begun)
    assert set(report.flows) == {CopyFlow(*p, n, together[p]) for p, n in copies.items()}
    found = {s.source: (s.originals, s.median, s.least, s.earlier) for s in report.fastest}
    assert found == {
        source: (
            len(delays[source]),
            median(delays[source]) / 1_000 if delays[source] else None,
            min(delays[source]) / 1_000 if delays[source] else None,
            earlier[source],
        )
        for source in {*delays, *earlier}
    }
    short = analyse(session, replace(OPTIONS, top=2))
    assert short.flows == report.flows[:2]
    assert short.fastest == report.fastest[:2]
    assert short.by_source == report.by_source[:2]
    assert short.most_copied == report.most_copied[:2]
    assert short.lengths == report.lengths
    assert report.lengths.flows == len(report.flows)
    assert report.lengths.by_source == len(report.by_source)
    for each in report.most_copied:
        names = shown.groups()[each.group]
        name = each.document.id
        assert name == shown.canonical[each.group]
        assert each.copies == len(names) - 1
        assert each.source == shown.source(name)
        assert each.sources == len({shown.source(n) for n in names} - {None})
        assert each.time == shown.time(name)
        assert each.title == shown.bodies[name]["title"]
    assert [o.copies for o in report.most_copied] == sorted(
        (len(names) - 1 for names in shown.groups().values()), reverse=True
    )


def near(refs: dict[str, Ref], one: str, other: str, **more: Any) -> MatchRecord:
    first, second = sorted((refs[one], refs[other]))
    values: dict[str, Any] = {"verdict": Verdict.NEAR, "similarity": 0.9, "facts": "same"} | more
    return MatchRecord(first, second, plan=CHARACTERS.id, found=now(), **values)


@pytest.mark.parametrize("seed", [1, 2])
def test_groups_behind_a_figure(
    store: Store, session: Session, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lists add up to the figures, and each group of them has such a document."""
    monkeypatch.setattr("dupdex.report.groups_behind.GROUPS_AT_ONCE", 3)
    made_up = world(seed)
    stored(store, session, made_up)
    report = analyse(session, OPTIONS)

    def behind(part: Part, value: str | None = None, **more: Any) -> GroupsBehind:
        return groups_behind(session, OPTIONS, Figure(part, value, **more), 1_000)

    parts = ((Part.TIME, report.over_time), (Part.SOURCE, report.by_source))
    for part, rates in (*parts, (Part.KIND, report.by_kind)):
        for rate in rates:
            assert behind(part, rate.name).documents == rate.grouped, (part, rate)
    for each in report.sizes:
        found = behind(Part.SIZE, least=each.least, most=each.most)
        assert (found.total, found.documents) == (each.groups, each.documents)
    for flow in report.flows:
        if None not in (flow.copier, flow.original) and flow.copier != flow.original:
            found = behind(Part.SOURCE, flow.copier, original=flow.original)
            assert (found.total, found.documents) == (flow.groups, flow.copies)
            for group in found.groups:
                members = made_up.groups()[group.id]
                assert flow.copier in map(made_up.source, members)
                assert group.size == len(members)
    short = groups_behind(session, OPTIONS, Figure(Part.SIZE), 1)
    assert (len(short.groups), short.total) == (1, report.groups)
    with pytest.raises(InputRefused, match="source_field"):
        groups_behind(session, ReportOptions(), Figure(Part.SOURCE, "甲报"))


def test_pairs_and_their_chains(store: Store, session: Session) -> None:
    shown = world(5)
    stored(store, session, shown)
    refs = {name: found[0] for name, found in store.reader.refs_of(list(shown.bodies)).items()}
    line = ["d01", "d10", "d20", "d30"]
    records = [
        *(near(refs, a, b, schemes=("passages",)) for a, b in pairwise(line)),
        near(refs, "d30", "d31", verdict=Verdict.EXACT, schemes=("exact", "passages")),
        near(refs, "d31", "d32", facts=None),
        near(refs, "d32", "d33", verdict=Verdict.PARTIAL),
        near(refs, "d32", "d34", verdict=Verdict.PARTIAL, decision=Decision.DUPLICATE),
        near(refs, "d34", "d35", template=True),
        near(refs, "d35", "d36", decision=Decision.NOT_DUPLICATE),
        replace(near(refs, "d50", "d51"), plan="old"),
    ]
    matches = session.collection(MATCHES)
    items = [(record.id, record.values()) for record in records]
    assert not [o.reason for o in matches.put_all(items) if o.reason]
    matches.refresh()
    report = analyse(session, OPTIONS)
    (chain,) = report.chains
    assert {ref.id for ref in chain.documents} == {"d01", "d10", "d20", "d30", "d32", "d34"}
    assert (chain.documents[0].id, chain.texts) == ("d01", 6)
    assert chain.groups == len({shown.group[ref.id] for ref in chain.documents})
    assert PairCount("near", None, "same", False, 4) in report.pairs
    assert PairCount("near", None, None, False, 1) in report.pairs
    assert PairCount("near", None, "same", True, 1) in report.pairs
    assert PairCount("partial", "duplicate", "same", False, 1) in report.pairs
    assert sum(count.pairs for count in report.pairs) == len(records)
    assert report.schemes == (SchemeCount("passages", 4, 3), SchemeCount("exact", 1, 0))
    assert [(p.fault, p.count) for p in report.health.problems] == [(Fault.OLD_PAIRS, 1)]


def faults(report: DuplicateReport) -> dict[Fault, int]:
    return {problem.fault: problem.count for problem in report.health.problems}


def test_an_index_without_groups(store: Store, session: Session) -> None:
    store.write(*(made(str(at), rank=at % 2) for at in range(4)))
    report = analyse(session, ReportOptions(source_field="rank"))
    assert report.total == CopyRate.of("", 4, 0, 0)
    assert report.by_source == (CopyRate.of("0", 2, 0, 0), CopyRate.of("1", 2, 0, 0))
    assert (report.every, len(report.over_time)) == (Every.DAY, 1)
    assert (report.sizes, report.flows, report.chains, report.pairs) == ((), (), (), ())
    assert faults(report) == {Fault.UNGROUPED: 4}
    assert session.stored_collection(GROUPS) is None


def test_what_is_wrong_is_counted(store: Store, session: Session) -> None:
    shown = world(6)
    stored(store, session, shown)
    ids = [group for group in shown.groups() if shown.canonical[group] != group]
    store.writer.delete([shown.canonical[ids[0]]])
    store.writer.refresh()
    runs = session.collection(RUNS)
    for at, (job, state) in enumerate(
        [("sweep", "done"), ("sweep", "failed"), ("a", "failed"), ("a", "done")]
    ):
        runs.put(
            str(at), {"job": job, "state": state, "started": f"2026-02-0{at + 1}T00:00:00.000Z"}
        )
    runs.refresh()
    report = analyse(session, OPTIONS)
    left = len(shown.groups()[ids[0]]) - 1
    expected = {Fault.SIZES: 1, Fault.FAILED_RUN: 1}
    assert faults(report) == (expected | {Fault.NO_ORIGINAL: 1} if left > 1 else expected)
    assert [run.job for run in report.health.runs] == ["a", "a", "sweep", "sweep"]


@pytest.mark.parametrize(
    ("option", "options"),
    [
        ("date", ReportOptions(date_field="published")),
        ("source", ReportOptions(source_field="published")),
        ("kind", ReportOptions(kind_field="published")),
    ],
)
def test_a_field_that_no_document_has_is_named(
    store: Store, session: Session, option: str, options: ReportOptions
) -> None:
    store.write(made("1", kind="news"))
    with pytest.raises(InputRefused, match=f"field 'published'; .*--{option}-field"):
        analyse(session, options)


@pytest.mark.parametrize(
    ("days", "every"),
    [([1, 40], Every.DAY), ([1, 40, 80, 120], Every.MONTH), (range(1, 2_000, 30), Every.YEAR)],
)
def test_periods_fit_the_times(store: Store, session: Session, days: Any, every: Every) -> None:
    times = (day * 86_400_000 for day in days)
    store.write(*(made(str(at), at=time) for at, time in enumerate(times, 1_000)))
    report = analyse(session, ReportOptions("at"))
    assert report.every is every


def test_what_grouping_leaves(session: Session) -> None:
    """Groups and pairs as the index keeps them itself, not as this test writes them."""
    grouping = Grouping(Policy.EARLIEST, "at", live=True)
    texts = {"a": METRO, "b": METRO_TRADITIONAL, "c": METRO_HOMOPHONES, "t": TEA, "u": TEA + "完"}
    sites = {"a": "乙报", "b": "甲报", "c": "丙网", "t": "甲报", "u": "丙网"}
    bodies = {
        name: {"site": sites[name], "at": f"2026-03-0{day}"}
        for name, day in {"a": 2, "b": 1, "c": 4, "t": 5, "u": 6}.items()
    }
    with Index.create(session, grouping=grouping) as index:
        documents = [Document(name, text, bodies[name]) for name, text in texts.items()]
        assert Status.REJECTED not in {outcome.status for outcome in index.add(documents)}
        index.refresh()
        report = analyse(session, ReportOptions("at", "site"))
        asked = index.report(ReportOptions("at", "site"))
        assert replace(asked, made=report.made, health=report.health) == report
        assert (report.total, report.groups) == (CopyRate.of("", 5, 5, 3), 2)
        assert [(o.document.id, o.copies, o.sources) for o in report.most_copied] == [
            ("b", 2, 3),
            ("t", 1, 2),
        ]
        assert set(report.flows) == {CopyFlow("丙网", "甲报", 2, 2), CopyFlow("乙报", "甲报", 1, 1)}
        assert [(s.source, s.median) for s in report.fastest] == [
            ("乙报", 86_400.0),
            ("丙网", 2 * 86_400.0),
        ]
        assert sum(count.pairs for count in report.pairs) == 4
        assert not report.health.problems
        assert report.health.group_policy == "earliest"
        index.delete(["b"])
        index.refresh()
        report = analyse(session, ReportOptions("at", "site"))
        assert (report.total, report.groups) == (CopyRate.of("", 4, 4, 2), 2)
        assert {o.document.id for o in report.most_copied} == {"a", "t"}
        assert not report.health.problems
