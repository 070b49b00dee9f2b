"""Works on both stores: what a sweep finds of them in pages, and what it does a second time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dupdex.index import Index
from dupdex.infringement.infringement_analysis import infringement_report
from dupdex.infringement.infringement_findings import ReportScope
from dupdex.jobs.run_store import Run, State
from dupdex.location import Location
from dupdex.session import Session
from dupdex.works import works_sweep
from dupdex.works.arrivals import Arrivals
from dupdex.works.infringement_store import InfringementStore
from dupdex.works.work_model import Chapter, Infringement, Work
from dupdex.works.work_store import Works
from dupdex.works.works_sweep import WorksSweep, counts_of, sweep_works
from indexer.model import Document
from mappings.errors import InputRefused, NotFound
from query.answers import Verdict
from tests.texts import METRO, TEA, chinese

ONE, TWO, THREE = (chinese(2_400, seed) for seed in (31, 32, 33))
OTHER = chinese(4_000, 34)
NOTE = chinese(150, 35)


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was written before a run is taken for new."""
    monkeypatch.setattr(works_sweep, "MARGIN", 0)


@pytest.fixture
def works(place: Location) -> Iterator[Works]:
    """A novel of three chapters, each with the same note at its end, and an article."""
    with Session(place) as session:
        made = Works(session)
        made.put(Work("novel", "the author", sites=("own.example",)))
        made.put(Work("daily", outlet="daily"))
        texts = {f"c{at}": text + NOTE for at, text in enumerate((ONE, TWO, THREE), 1)}
        chapters = [Chapter("novel", n, t, number=int(n[1:])) for n, t in texts.items()]
        article = Chapter("daily", "metro", METRO, url="https://www.daily.example/1.html")
        assert [each.status for each in made.add([*chapters, article])] == ["created"] * 4
        yield made


def put(works: Works, **pages: str) -> None:
    """Store pages; the site is the first part of an id."""
    with Index.create(works.home.session) as index:
        index.add(page(name, text) for name, text in pages.items())
        index.refresh()


def page(name: str, text: str) -> Document:
    site = f"{name.partition('_')[0]}.example"
    body = {"text": text, "url": f"https://{site}/{name}", "site": site, "title": f"<b>{name}"}
    return Document(name, body=body)


def records(works: Works) -> dict[tuple[str, str], Infringement]:
    """By document and chapter."""
    store = InfringementStore.stored(works.home.session)
    if store is None:
        return {}
    store.refresh()
    return {(e.document.partition("|")[2], e.chapter.partition("/")[2]): e for e in store.all()}


def swept(bank: Works, **wanted: object) -> Run:
    run = sweep_works(bank, WorksSweep(**wanted))  # type: ignore[arg-type]
    assert run.state is State.DONE
    return run


def settled(works: Works) -> dict[tuple[str, str], Infringement]:
    """Without what a second run may change."""
    return {key: replace(each, last_seen="") for key, each in records(works).items()}


def test_whole_parts_and_several(works: Works) -> None:
    cut = ONE.find("。", 1_000) + 1
    put(
        works,
        a_copy=ONE,
        a_many=ONE + "\n" + TWO + "\n" + THREE,
        b_first=OTHER[:700] + ONE[:cut],
        b_second=ONE[cut:],
        c_small=OTHER[:1_500] + TWO[700:830] + OTHER[1_500:],
        c_none=OTHER,
        own_copy=ONE,
        d_tea=TEA,
    )
    counts = counts_of(swept(works))
    found = records(works)
    copies = {"a_copy": "c1", "b_first": "c1", "b_second": "c1", "c_small": "c2"}
    many = {("a_many", name) for name in ("c1", "c2", "c3")}
    assert set(found) == {*copies.items(), *many}
    assert counts == {"pages": 8, "new": 7, "changed": 0, "gone": 0, "standing": 7}
    whole = found["a_copy", "c1"]
    assert whole.finding.verdict is Verdict.NEAR
    assert whole.finding.share == pytest.approx(len(ONE) / len(ONE + NOTE), abs=0.02)
    assert whole.finding.page_share == pytest.approx(1.0)
    assert (whole.site, whole.url, whole.title) == (
        "a.example",
        "https://a.example/a_copy",
        "<b>a_copy",
    )
    (second,) = found["a_many", "c2"].finding.passages
    assert second.chapter == (0, len(TWO))
    assert second.page[0] == pytest.approx(len(ONE) + 1, abs=2)
    small = found["c_small", "c2"].finding
    assert small.verdict is Verdict.PARTIAL
    (passage,) = small.passages
    assert passage.chapter == pytest.approx((700, 830), abs=3)
    assert passage.page == pytest.approx((1_500, 1_630), abs=3)
    parts = [found[name, "c1"].finding.share for name in ("b_first", "b_second")]
    assert sum(parts) == pytest.approx(whole.finding.share, abs=0.02)


def test_a_second_run_changes_nothing(works: Works) -> None:
    put(works, a_copy=ONE, b_note=OTHER + NOTE)
    swept(works)
    before, first = settled(works), {each.last_seen for each in records(works).values()}
    assert {name for name, _ in before} == {"a_copy", "b_note"}
    again = counts_of(swept(works))
    assert (again["pages"], again["new"], again["changed"]) == (0, 0, 0)
    assert counts_of(swept(works, whole=True))["changed"] == 0
    assert settled(works) == before
    (seen,) = {each.last_seen for each in records(works).values()}
    assert seen > max(first)


def test_a_note_of_all_chapters_is_of_one(works: Works) -> None:
    put(works, a_copy=TWO + NOTE)
    swept(works)
    assert set(records(works)) == {("a_copy", "c2")}


def test_chapters_of_one_text_are_all_copied(works: Works) -> None:
    list(works.add([Chapter("twice", name, ONE) for name in ("old", "new")]))
    works.put(Work("twice"))
    put(works, a_once=OTHER[:900] + ONE, b_both=f"{ONE}\n{OTHER[900:1_500]}\n{ONE}")
    swept(works, works=("twice",))
    found = records(works)
    assert set(found) == {(page, name) for page in ("a_once", "b_both") for name in ("old", "new")}
    assert all(each.finding.share == pytest.approx(1.0, abs=0.01) for each in found.values())
    report = infringement_report(works, scope=ReportScope(works=("twice",)))
    assert report.works[0].share == pytest.approx(1.0, abs=0.01)
    assert (report.works[0].copied, report.works[0].pages) == (2, 2)
    works.remove("twice", ["old"])
    swept(works, works=("twice",))
    assert set(records(works)) == {("a_once", "new"), ("b_both", "new")}


def test_new_works_meet_old_pages(works: Works) -> None:
    put(works, a_tea="开头。" + TEA, b_small=OTHER[:1_500] + TEA + OTHER[1_500:], c_none=OTHER)
    swept(works)
    assert not records(works)
    works.put(Work("plants"))
    assert [each.status for each in works.add([Chapter("plants", "tea", TEA)])] == ["created"]
    assert [each.status for each in works.add([Chapter("plants", "tea", TEA)])] == ["unchanged"]
    run = swept(works)
    assert set(records(works)) == {("a_tea", "tea"), ("b_small", "tea")}
    assert run.counts["pages"] <= 3


def test_pages_that_change_and_go(works: Works) -> None:
    put(works, a_copy=ONE, b_copy=TWO, c_copy=THREE)
    swept(works)
    put(works, a_copy=OTHER)
    with Index.create(works.home.session) as index:
        index.delete(["b_copy"])
        index.refresh()
    counts = counts_of(swept(works))
    assert (counts["gone"], counts["standing"]) == (2, 1)
    found = records(works)
    assert [found[key].gone is None for key in sorted(found)] == [False, False, True]
    since = found["a_copy", "c1"].gone
    swept(works)
    assert records(works)["a_copy", "c1"].gone == since
    put(works, a_copy=ONE)
    swept(works)
    back = records(works)["a_copy", "c1"]
    assert back.gone is None
    assert back.first_seen == found["a_copy", "c1"].first_seen


def test_works_that_change_and_go(works: Works) -> None:
    put(works, a_copy=ONE, b_copy=TWO, b_metro=METRO)
    swept(works)
    works.put(Work("novel", "the author", sites=("own.example", "a.example")))
    assert works.remove("daily") == 1
    swept(works)
    assert set(records(works)) == {("b_copy", "c2")}
    list(works.add([Chapter("novel", "c2", OTHER)]))
    swept(works)
    assert {key: each.gone is None for key, each in records(works).items()} == {
        ("b_copy", "c2"): False
    }
    works.put(Work("novel", "the author", sites=()))
    swept(works)
    assert records(works)["a_copy", "c1"].gone is None
    with pytest.raises(NotFound, match="no work 'daily'"):
        works.get("daily")


def test_only_some_works_or_indices(works: Works, place: Location) -> None:
    put(works, a_copy=ONE, b_metro=METRO)
    swept(works, works=("daily",))
    assert set(records(works)) == {("b_metro", "metro")}
    works.put(Work("daily", outlet="daily", indices=("elsewhere-*",)))
    swept(works)
    assert set(records(works)) == {("a_copy", "c1")}
    with pytest.raises(NotFound, match="no work 'none'"):
        swept(works, works=("none",))
    with pytest.raises(InputRefused, match="holds the works themselves"):
        sweep_works(works, index=place.works)


def test_a_narrow_run_leaves_the_rest_to_the_next(works: Works) -> None:
    put(works, a_copy=ONE)
    later = round(time.time() * 1_000) + 60_000
    assert counts_of(swept(works, since=later))["pages"] == 0
    assert counts_of(swept(works))["new"] == 1
    put(works, b_copy=TWO)
    swept(works, since=later)
    swept(works, works=("daily",))
    assert counts_of(swept(works))["new"] == 1
    put(works, c_copy=THREE)
    assert counts_of(swept(works, since=1))["new"] == 1  # that far back nothing is left
    assert counts_of(swept(works))["pages"] == 0


def test_a_report_on_sites(works: Works) -> None:
    """A name stands for the sites below it, and for all ports, as in a notice."""
    put(works, a_copy=ONE, b_copy=TWO)
    own = {**page("c_copy", THREE).body, "site": "m.a.example:8080"}
    with Index.create(works.home.session) as index:
        index.add([Document("c_copy", body=own)])
        index.refresh()
    swept(works)
    found = infringement_report(works, scope=ReportScope(sites=("a.example",))).copies
    assert [copy.document for copy in found] == ["a_copy", "c_copy"]
    found = infringement_report(works, scope=ReportScope(sites=("m.a.example:8080",))).copies
    assert [copy.document for copy in found] == ["c_copy"]


def test_as_they_come_or_at_night(works: Works) -> None:
    """Arrivals keep what a sweep finds."""
    pages = {"a_copy": ONE, "b_part": OTHER[:700] + ONE[:900], "c_none": OTHER, "own_copy": TWO}
    put(works, **pages)
    arrivals = Arrivals(works.home.session)
    arrivals([page(name, text) for name, text in pages.items()])
    before = settled(works)
    assert (arrivals.counts.new, set(before)) == (2, {("a_copy", "c1"), ("b_part", "c1")})
    counts = counts_of(swept(works))
    assert (counts["new"], counts["changed"]) == (0, 0)
    assert settled(works) == before
    arrivals([page("a_copy", OTHER)])
    assert records(works)["a_copy", "c1"].gone


def test_a_run_goes_on_where_it_stopped(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    put(works, **{f"a_{at:02}": chinese(300, at) + ONE[at * 50 :] for at in range(12)})
    monkeypatch.setattr(works_sweep, "PART", 3)

    def step(steps: int, *_: object) -> None:
        if steps == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep_works(works, step=step)
    store = InfringementStore.open(works.home.session)
    store.refresh()
    assert len(list(store.all())) == 3
    done: list[int] = []
    run = sweep_works(works, step=lambda steps, *_: done.append(steps))
    assert done == [3, 3, 3, 3]
    assert (run.counts["resumed"], run.counts["pages"], len(records(works))) == (1, 12, 12)


def test_a_forgotten_page_leaves_no_record(works: Works) -> None:
    put(works, a_copy=ONE, b_copy=TWO)
    swept(works)
    with Index.create(works.home.session) as index:
        assert index.forget_document("a_copy").left == ()
    assert set(records(works)) == {("b_copy", "c2")}


def test_chapters_are_listed_replaced_and_removed(works: Works) -> None:
    assert works.count() == {"novel": 3, "daily": 1}
    (found,) = works.these(["novel/c2"]).values()
    assert (found.text, found.number, found.letters > 2_000) == (TWO + NOTE, 2, True)
    assert works.remove("novel", ["c1", "none"]) == 1
    assert [each.id for each in works.chapters("novel")] == ["c2", "c3"]
    assert works.remove("novel") == 2
    assert [each.name for each in works.all()] == ["daily"]
    assert works.home.texts().get(["0|novel/c2", "1|novel/c2"]) == {}


def test_nothing_is_made_by_asking(place: Location) -> None:
    with Session(place) as session:
        works = Works(session)
        assert (works.all(), works.count(), list(works.chapters())) == ([], {}, [])
        with pytest.raises(NotFound, match="no index"):
            session.reader(place.works)
        put(works, a_copy=ONE)
        assert counts_of(swept(works))["standing"] == 0
