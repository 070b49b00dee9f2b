"""`dupdex crawl` on the sample site: all that is allowed, once; nothing else; then what is new."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupdex.index import Index
from dupdex.location import Location
from dupdex.pages.addresses import identity
from dupdex.pages.page_model import page_id
from scripts.sample_site import PageTruth, SampleSite, Traps
from tests.command import SCRIPT, Result, killed, run, start
from tests.forked import Forked

FAST = ("--delay", "0", "--timeout", "2", "--json", "--page-size", "2m")
KILLS = int(os.environ.get("DUPDEX_TEST_KILLS", "20"))
TRAPS = Traps(crawl_delay=0.05, slow_seconds=6.0, huge_megabytes=40, bomb_megabytes=60)
GOOD = ("news", "mirror", "rewrites", "books", "press")
"""The hosts without traps."""


PROGRAM = """
import asyncio
import dupdex.crawl.scrapy_net, dupdex.pages.extraction, trafilatura
import query.stores.elastic.elastic_reader, query.stores.embedded.embedded_reader
from dupdex.crawl import reading_pool
from dupdex.crawl.answer_reading import read_answer
from dupdex.crawl.asking import Asker
from dupdex.crawl.crawl_job import Wanted, crawl
from dupdex.crawl.crawl_limits import Limits, Scope
from dupdex.crawl.crawling import Crawl
from dupdex.location import Location
from dupdex.session import Session

class Pool(reading_pool.ReadingPool):
    def __init__(self, processes): pass
    def start(self): pass
    def close(self): pass
    async def read(self, asked): return await asyncio.to_thread(read_answer, asked)

def run(store, index, *starts):
    reading_pool.ReadingPool = Pool
    with Session(Location(store, index)) as session:
        wanted = Wanted(starts, Scope.of(starts), Limits(delay=0.0), workers=1)
        crawl(session, wanted, seconds=0.5, wait=30)
"""
"""A crawl whose lease does not outlast it for long, and that reads pages by itself."""


@pytest.fixture
def site() -> Iterator[SampleSite]:
    with SampleSite(3, traps=TRAPS) as site:
        yield site


@pytest.fixture(params=["folder", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    """An index on either store, which is not there yet."""
    if request.param == "folder":
        yield Location(str(tmp_path / "store"), "crawled")
        return
    url = request.getfixturevalue("es_url")
    settings = request.getfixturevalue("settings")
    raw = request.getfixturevalue("raw")
    yield Location(url, settings.index)
    beside = raw.indices.get(index=f"{settings.index}-dupdex-*", expand_wildcards="all")
    for name in beside.body:
        raw.indices.delete(index=name)


def crawl(store: Location, *arguments: str, folder: Path) -> Result:
    at = ("--store", store.store, "--index", store.index)
    return run("crawl", *arguments, *at, folder=folder, program=("env", SCRIPT))


def counts(result: Result) -> dict[str, object]:
    assert result.status == 0, result.err
    found = result.json()["counts"]
    assert isinstance(found, dict)
    return found


def documents(store: Location) -> dict[str, str]:
    with Index.open(store) as index:
        return {stored.ref.id: stored.text for stored in index.scan()}


def expected(truth: list[PageTruth]) -> set[str]:
    return {page_id(identity(page.url)) for page in truth if page.is_document and not page.part_of}


def asked(site: SampleSite) -> Counter[str]:
    """How often each address was asked, but for the files robots.txt."""
    return Counter({url: n for url, n in site.counts().items() if "robots.txt" not in url})


def test_everything_allowed_is_fetched_once_and_then_what_changed(
    site: SampleSite, store: Location, tmp_path: Path
) -> None:
    starts = [f"{site.home(host)}/" for host in GOOD]
    first = counts(crawl(store, *starts, *FAST, folder=tmp_path))
    truth = [page for page in site.truth() if not page.url.startswith(site.home("maze"))]
    found = documents(store)
    assert set(found) >= expected(truth)
    assert [url for url, number in asked(site).items() if number > 1] == []
    forbidden = {page.url for page in truth if not page.allowed}
    assert forbidden and not forbidden & set(asked(site))
    unindexable = {page_id(identity(page.url)) for page in truth if not page.indexable}
    assert not unindexable & set(found)
    assert first["forbidden"] and first["new"]

    site.forget_requests()
    changed = next(page.url for page in truth if page.role == "article" and page.is_document)
    site.change(changed)
    added = site.add()
    second = counts(crawl(store, *starts, *FAST, folder=tmp_path))
    whole = {f"{site.home(each.host)}{each.path}" for each in site.requests()
             if each.status == 200 and each.path != "/robots.txt"}  # fmt: skip
    assert {changed, added} <= whole, [(each.path, each.status) for each in site.requests()]
    assert len(whole) <= 12, whole  # the start pages and lists may be asked again
    assert second["new"] == 1 and second["changed"] == 1
    after = documents(store)
    others = {name for name, text in after.items() if found.get(name) != text}
    assert others == {page_id(identity(changed)), page_id(identity(added))}
    assert found.keys() <= after.keys()


def test_traps_are_survived(site: SampleSite, tmp_path: Path) -> None:
    store = Location(str(tmp_path / "store"), "crawled")
    told = counts(crawl(store, f"{site.home('maze')}/", *FAST, "--workers", "1", folder=tmp_path))
    truth = [page for page in site.truth() if page.url.startswith(site.home("maze"))]
    good = {page_id(identity(page.url)) for page in truth if page.is_document}
    assert good <= set(documents(store))
    assert told["trapped"] and told["ended_by"] == "" and told["waiting"] == 0
    reasons = told["failed_by_reason"]
    assert isinstance(reasons, dict)
    assert reasons["too large"] == 2 and reasons["redirects"] == 1 and reasons["timeout"] == 1
    assert sum(asked(site).values()) < 600
    longest = max(each.sent for each in site.requests())
    assert longest < 16 << 20  # what was sent before the connection was seen to be closed


def test_limits_end_a_run_and_the_next_one_goes_on(site: SampleSite, tmp_path: Path) -> None:
    store = Location(str(tmp_path / "store"), "crawled")
    home = f"{site.home('books')}/"
    told = counts(crawl(store, home, *FAST, "--pages", "8", folder=tmp_path))
    assert told["ended_by"] == "pages" and told["fetched"] == 8 and told["waiting"]
    told = counts(crawl(store, home, *FAST, "--allow", "/book/7/1", folder=tmp_path))
    assert told["left_out"]
    counts(crawl(store, home, *FAST, folder=tmp_path))
    truth = [page for page in site.truth() if page.url.startswith(home)]
    assert expected(truth) <= set(documents(store))
    whole = Counter(each.path for each in site.requests() if each.status == 200)
    assert {path for path, number in whole.items() if number > 1} <= {"/", "/robots.txt"}


def test_ctrl_c_stores_what_was_fetched(site: SampleSite, tmp_path: Path) -> None:
    at = ("--store", str(tmp_path / "store"), "--index", "crawled")
    process = start("crawl", f"{site.home('news')}/", *FAST, *at, folder=tmp_path)
    _until_asked(site, 40)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on" in err and "Traceback" not in err
    store = Location(str(tmp_path / "store"), "crawled")
    before = documents(store)
    assert len(before) > 5
    told = run("jobs", *at, "--json", folder=tmp_path).json()
    assert (told["state"], told["error"]) == ("interrupted", "interrupted")
    site.forget_requests()
    counts(crawl(store, f"{site.home('news')}/", *FAST, folder=tmp_path))
    again = {page_id(identity(url)) for url in asked(site)}
    whole = {
        page_id(identity(f"{site.home(each.host)}{each.path}"))
        for each in site.requests()
        if each.status == 200
    }
    assert again and not set(before) & whole


def test_killed_at_any_point_it_loses_and_doubles_nothing(
    site: SampleSite, store: Location, tmp_path: Path
) -> None:
    rng, kills = random.Random(5), 0
    starts = [f"{site.home(host)}/" for host in ("mirror", "books")]
    with Forked(PROGRAM, tmp_path) as program:
        for _ in range(KILLS):
            site.forget_requests()
            program.start(store.store, store.index, *starts)
            until = time.monotonic() + 60
            number = rng.randint(1, 20)
            while len(site.requests()) < number and time.monotonic() < until:
                if program.ends(0.01):
                    break
            if not program.ends(rng.random() * 0.2):
                kills += program.kill()
    assert kills
    told = counts(crawl(store, *starts, *FAST, folder=tmp_path))
    assert told["waiting"] == 0
    truth = [page for page in site.truth() if page.url.startswith(tuple(starts))]
    found = documents(store)
    assert expected(truth) <= set(found)
    assert Counter(found.values()) == Counter(documents_of_one_go(starts, tmp_path).values())


def test_killed_with_its_processes(site: SampleSite, tmp_path: Path) -> None:
    at = ("--store", str(tmp_path / "store"), "--index", "crawled")
    process = start("crawl", f"{site.home('books')}/", *FAST, *at, folder=tmp_path)
    _until_asked(site, 8, process)
    killed(process)  # comes back once those that read pages have ended, too


def documents_of_one_go(starts: list[str], folder: Path) -> dict[str, str]:
    store = Location(str(folder / "other"), "crawled")
    counts(crawl(store, *starts, *FAST, folder=folder))
    return documents(store)


def test_machines_of_private_networks_are_asked_only_when_they_are_named(
    site: SampleSite, tmp_path: Path
) -> None:
    maze, elsewhere = site.home("maze"), "127.0.0.99:9"
    only = ("--allow", f"^{maze}/(abroad)?$", "--allow", elsewhere, "--site", elsewhere)
    told = {}
    for name, more in (("first", ()), ("second", ("--private",))):
        store = Location(str(tmp_path / name), "crawled")
        found = counts(crawl(store, f"{maze}/", *FAST, *only, *more, folder=tmp_path))
        told[name] = str(found["hosts_given_up"])
    assert elsewhere in told["first"] and "private network" in told["first"]
    assert elsewhere in told["second"] and "private network" not in told["second"]


def test_a_site_that_does_not_answer_is_told(tmp_path: Path) -> None:
    store = Location(str(tmp_path / "store"), "crawled")
    result = crawl(store, "http://127.0.0.1:9/", *FAST, folder=tmp_path)
    assert result.status == 1
    assert "was given up" in result.err and "Traceback" not in result.err


def test_a_start_address_that_leads_nowhere_is_named(site: SampleSite, tmp_path: Path) -> None:
    store = Location(str(tmp_path / "store"), "crawled")
    wrong = f"{site.home('news')}/nosuchpage"
    result = crawl(store, wrong, *FAST, folder=tmp_path)
    assert f"{wrong}: the site says that nothing is there (status 404); is the address right?" in (
        result.err
    )


def test_one_clear_sentence_for_what_is_no_address(tmp_path: Path) -> None:
    for given in ("ftp://x.org/", "no address", "http://", "mailto:a@x.org"):
        assert "is no address of a site" in run("crawl", given, folder=tmp_path).error()
    assert "regular expression" in run("crawl", "x.org", "--deny", "(", folder=tmp_path).error()
    for agent in ("a\nb", "机器人"):
        assert "--agent" in run("crawl", "x.org", "--agent", agent, folder=tmp_path).error()
    for option in ("--delay", "--timeout", "--patience"):
        assert "no number" in run("crawl", "x.org", option, "nan", folder=tmp_path).error()


def _until_asked(
    site: SampleSite, number: int, process: subprocess.Popen[str] | None = None
) -> None:
    until = time.monotonic() + 60
    while len(site.requests()) < number and time.monotonic() < until:
        if process is not None and process.poll() is not None:
            return
        time.sleep(0.01)


def test_json_is_one_value(site: SampleSite, tmp_path: Path) -> None:
    store = Location(str(tmp_path / "store"), "crawled")
    result = crawl(store, site.feeds[0], *FAST, "--pages", "3", folder=tmp_path)
    assert json.loads(result.out)["job"] == "crawl"
    assert result.json()["counts"]["listing"] >= 1
