"""The commands around pages, as people run them, in a folder and on a server."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dupdex.location import Location
from dupdex.pages.extraction import extract
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Fetched
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from tests.command import Result, run
from tests.servers import remove_all
from tests.unit.dupdex.pages.test_site_lines import CALL, article

SITE = "news.example.com"
OLD = datetime(2026, 1, 1, tzinfo=UTC)


def fetched(seed: int) -> Fetched:
    lines = "".join(f"<p>{line}</p>" for line in [*article(seed), CALL])
    body = f"<html><head><title>桥{seed}</title></head><body><article>{lines}</article></body>"
    at = OLD + timedelta(days=seed)
    return Fetched(f"http://www.{SITE}/{seed}.html", 200, body.encode(), at, "text/html")


def fill(where: Location) -> None:
    pages = [fetched(seed) for seed in range(8)]
    pages.append(Fetched(f"http://{SITE}/gone.html", 404, b"", OLD))
    pages.append(Fetched("http://other.example.org/a", 200, b"<html>", OLD, "text/html"))
    with Session(where) as session, open_index(session) as index:
        store = PageStore.open(session)
        PageIntake(session, index, store).take([(each, extract(each)) for each in pages])
        store.refresh()
        index.refresh()


@pytest.fixture(params=["embedded", "elasticsearch"])
def pages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pages]:
    name = f"pages-{uuid.uuid4().hex[:12]}"
    if request.param == "embedded":
        store = str(tmp_path / "dupdex-store")
    else:
        store = request.getfixturevalue("es_url")
    fill(Location(store, name))
    try:
        yield Pages(tmp_path, store, name)
    finally:
        if request.param != "embedded":
            remove_all(store, name)


class Pages:
    def __init__(self, folder: Path, store: str, index: str) -> None:
        self._folder, self._place = folder, ("--store", store, "--index", index)

    def __call__(self, *arguments: str) -> Result:
        return run("pages", *arguments, *self._place, folder=self._folder)


def test_pages_are_listed_and_shown(pages: Pages) -> None:
    assert pages("sites").out == (
        f"{SITE}\t9 pages\t8 indexed, 1 gone\nother.example.org\t1 pages\t1 failed\n"
    )
    listed = pages("--site", SITE, "--state", "indexed", "--size", "2", "--json")
    *lines, more = listed.json_lines()
    assert [line["title"] for line in lines] == ["桥7", "桥6"]
    rest = pages("--site", SITE, "--state", "indexed", "--after", more["next"], "--json")
    assert len(rest.json_lines()) == 6
    (line,) = pages("--state", "failed").out.splitlines()
    assert line.startswith("failed\t0.00\t2026-01-01 00:00\thttp://other.example.org/a\t")
    assert pages("--since", "2026-01-07", "--json").out.count("\n") == 2
    assert pages("--site", "nobody.com").status == 1
    shown = pages("show", f"https://{SITE}/3.html?utm_source=x")
    assert "title      桥3" in shown.out
    assert article(3)[0] in shown.out
    assert pages("show", f"http://{SITE}/3.html", "--body").out.startswith("<html>")
    missing = pages("show", "http://nobody.com/")
    assert (missing.status, missing.out) == (3, "")
    assert (
        missing.error()
        == "no page 'http://nobody.com/' is kept; 'dupdex pages' lists those there are"
    )


def test_lines_are_learned_and_forgotten(pages: Pages) -> None:
    learned = pages("learn", "--site", SITE, "--json").json()
    assert (learned["lines"], learned["documents"]) == ([CALL], 8)
    assert pages("learn", "--site", SITE, "--json").json()["documents"] == 0
    detail = pages("show", f"http://{SITE}/3.html", "--json").json()
    assert detail["indexed_text"] == "\n".join(article(3))
    assert f"- {CALL}" in pages("show", f"http://{SITE}/3.html").out
    assert pages("learn", "--site", SITE, "--forget").status == 0
    assert f"- {CALL}" not in pages("show", f"http://{SITE}/3.html").out
    assert pages("learn", "--site", "nobody.com").status == 3


def test_pages_are_extracted_anew_and_dropped(pages: Pages) -> None:
    assert pages("re-extract").out == "0 pages, 0 with another text, 0 failed\n"
    again = pages("re-extract", "--all", "--site", SITE, "--workers", "2", "--json")
    assert again.json() == {"pages": 8, "changed": 0, "failed": 0, "without_body": 0}
    assert pages("drop", "--before", "2026-01-04", "--site", SITE, "--bodies").out == (
        "3 bodies are gone\n"
    )
    done = pages("re-extract", "--all", "--site", SITE)
    assert done.out == "5 pages, 0 with another text, 0 failed\n"
    assert "3 pages have no body any more" in done.err
    assert pages("drop", "--before", "2026-01-04", "--json").json()["dropped"] == 5
    assert pages("drop", "--before", "2026-01-04").status == 1
    assert pages("sites").out == f"{SITE}\t5 pages\t5 indexed\n"


def test_without_pages(tmp_path: Path) -> None:
    missing = run("pages", folder=tmp_path)
    assert missing.status == 3
    assert not (tmp_path / "dupdex-store").exists()
