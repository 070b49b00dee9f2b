"""Works from nothing to a report, as docs/from-a-site-to-a-report.md says it, on the sample site;
and a sweep that is killed."""

from __future__ import annotations

import csv
import os
import random
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupdex.index import Index
from dupdex.jobs.run_store import RunStore, State
from dupdex.location import Location
from dupdex.pages.addresses import identity
from dupdex.session import Session
from dupdex.works.infringement_store import InfringementStore
from dupdex.works.work_model import Chapter, Infringement, Work
from dupdex.works.work_store import Works
from dupdex.works.works_sweep import counts_of, sweep_works
from indexer.model import Document
from scripts.sample_site import SampleSite, Traps, bank_documents
from tests.command import run, write_lines
from tests.forked import Forked
from tests.servers import remove_all
from tests.texts import chinese

KILLS = int(os.environ.get("DUPDEX_TEST_KILLS", "20"))
PAGE = Path(__file__).parents[2] / "docs" / "from-a-site-to-a-report.md"
PORT = "8800"
"""Of the sample site in the page."""

COPYING = ("mirror", "rewrites", "books", "press")


def commands() -> list[list[str]]:
    """The commands of dupdex that the page shows, in order."""
    lines = re.findall(r"^dupdex (.+(?:\\\n.+)*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [[word.strip("'\"") for word in re.findall(r"'[^']*'|[^\s\\]+", line)] for line in lines]


@pytest.fixture(scope="module")
def site() -> Iterator[SampleSite]:
    with SampleSite(traps=Traps(crawl_delay=0.0)) as opened:
        yield opened


def expected(site: SampleSite) -> set[tuple[str, str]]:
    """The address and the original of every copy that a crawl of the copying sites meets; a text
    over several pages is that of the first."""
    homes = tuple(site.home(each) for each in COPYING)
    return {
        (identity(page.part_of or page.url), copied.work)
        for page in site.truth()
        if page.is_document and page.url.startswith(homes)
        for copied in page.copies
    }


def test_from_a_site_to_a_report(site: SampleSite, tmp_path: Path) -> None:
    port = site.home("news").rstrip("/").rpartition(":")[2]
    write_lines(tmp_path / "works.jsonl", list(bank_documents(site)))
    add, crawl, report = [[word.replace(PORT, port) for word in each] for each in commands()[:3]]
    assert (add[:2], crawl[0], report[0]) == (["works", "add"], "crawl", "infringement")
    assert run(*add, folder=tmp_path).status == 0
    crawled = run(*crawl, "--delay", "0.02", folder=tmp_path)
    assert crawled.status == 0, crawled.err
    made = run(*report, "--csv", "copies.csv", folder=tmp_path)
    assert made.status == 0
    assert "Sample Daily" in made.out
    assert "夜渡" in (tmp_path / "report.html").read_text("utf-8")
    with (tmp_path / "copies.csv").open(encoding="utf-8-sig", newline="") as file:
        found = {(row["url"], row["chapter"]) for row in csv.DictReader(file)}
    wanted = expected(site)
    assert len(found & wanted) / len(wanted) >= 0.99, sorted(wanted - found)[:5]
    assert len(found & wanted) / len(found) >= 0.99, sorted(found - wanted)[:5]
    swept = run("works", "sweep", "--whole", "--json", folder=tmp_path).json()
    assert (swept["counts"]["new"], swept["counts"]["gone"]) == (0, 0)
    assert swept["counts"]["standing"] == len(found)
    letter = run("infringement", "--notice", "127.0.0.4", "--lang", "zh", folder=tmp_path)
    assert "《夜渡》" in letter.out


def test_what_people_do_wrong(tmp_path: Path) -> None:
    nothing = run("works", "list", folder=tmp_path)
    assert (nothing.status, nothing.out) == (1, "")
    write_lines(tmp_path / "works.jsonl", [{"id": "1", "text": chinese(300, 1)}])
    nameless = run("works", "add", "works.jsonl", folder=tmp_path)
    assert nameless.status == 1
    assert "works.jsonl:1: it names no work; add a field 'work' or 'outlet'" in nameless.err
    assert run("works", "add", "works.jsonl", "--work", "夜渡", folder=tmp_path).status == 0
    assert run("works", "show", "夜渡", folder=tmp_path).out.count("\n") == 2
    assert run("works", "sweep", folder=tmp_path).status == 3  # no index of pages
    assert run("works", "add", "works.jsonl", "--own-site", "/", folder=tmp_path).status == 2
    for options in (["--template", "x"], ["--least", "2"], ["--work", "none"]):
        wrong = run("infringement", *options, folder=tmp_path)
        assert wrong.status in (2, 3)
        assert "Traceback" not in wrong.err


PROGRAM = """
import query.stores.elastic.elastic_reader, query.stores.embedded.embedded_reader
from dupdex.location import Location
from dupdex.session import Session
from dupdex.works import works_sweep
from dupdex.works.work_store import Works

def run(store, index, bank):
    works_sweep.PART, works_sweep.MARGIN = 2, 0
    with Session(Location(store, index, works=bank)) as session:
        works_sweep.sweep_works(Works(session), seconds=0.3, wait=30)
"""


def state(where: Location) -> dict[tuple[str, str], Infringement]:
    """All records without what a run of its own makes of them."""
    with Session(where) as session:
        store = InfringementStore.open(session)
        store.refresh()
        same = {"first_seen": "", "last_seen": "", "id": "", "document": ""}
        return {
            (each.document.partition("|")[2], each.chapter): replace(each, **same)  # type: ignore[arg-type]
            for each in store.all()
        }


@pytest.fixture(params=["folder", "server"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Location, Location]]:
    """Two indices on either store, with one bank of works."""
    if request.param == "folder":
        yield Location(str(tmp_path), "whole"), Location(str(tmp_path), "broken")
        return
    url, name = request.getfixturevalue("es_url"), f"works-{uuid.uuid4().hex[:12]}"
    bank = f"{name}-bank"
    yield Location(url, f"{name}-whole", works=bank), Location(url, f"{name}-broken", works=bank)
    remove_all(url, name)


def test_killed_at_random_points(places: tuple[Location, Location], tmp_path: Path) -> None:
    texts = [chinese(2_000, seed) for seed in range(40, 52)]
    whole, broken = places
    with Session(whole) as session:
        works = Works(session)
        works.put(Work("novel"))
        assert len(list(works.add(Chapter("novel", f"c{n}", t) for n, t in enumerate(texts)))) == 12
    for where in (whole, broken):
        with Session(where) as session, Index.create(session) as index:
            index.add(
                Document(f"p{n:02}", chinese(500, 100 + n) + text[n * 20 :] + more[:400])
                for n, (text, more) in enumerate(
                    zip(texts * 4, (texts[5:] + texts[:5]) * 4, strict=True)
                )
            )
    with Session(whole) as session:
        done = counts_of(sweep_works(Works(session)))
    wanted = state(whole)
    assert len(wanted) == done["new"] == 96
    drawn, killed = random.Random(8), 0
    with Forked(PROGRAM, tmp_path) as program:
        for _ in range(KILLS):
            program.start(broken.store, broken.index, broken.works)
            if not program.ends(0.2 + 0.6 * drawn.random()):  # what the last one held lapses first
                killed += program.kill()
    with Session(broken) as session:
        time.sleep(0.4)  # what the last one held lapses
        run_ = sweep_works(Works(session))
        states = {each.state for each in RunStore.open(session).latest()}
    assert killed
    assert run_.state is State.DONE
    assert states <= {State.DONE, State.FAILED}
    assert state(broken) == wanted
