"""kill -9 of an intake at random points: whoever takes the same pages in again loses and doubles
nothing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dupdex.location import Location
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Extracted, Fetched
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from tests.servers import remove_all
from tests.source_tree import ROOT
from tests.unit.dupdex.pages.test_site_lines import article

KILLS = int(os.environ.get("DUPDEX_TEST_KILLS", "6"))
SITE = "https://news.example.com"
AT = datetime(2026, 3, 1, tzinfo=UTC)
TEXTS = 24

PROGRAM = """
import sys
from dupdex.location import Location
from tests.service.test_killed_intake import fill
fill(Location(sys.argv[1], sys.argv[2]), lambda: print("begun", flush=True))
"""


def visits() -> Iterator[tuple[Fetched, Extracted]]:
    """Texts of one to three pages, and what became of some later: another text, another length, a
    page that is gone."""
    for day, texts in enumerate((range(TEXTS), range(0, TEXTS, 3))):
        for text in texts:
            for part in range(1 + (text + day) % 3):
                yield _visit(text, part, day)
    for text in range(1, TEXTS, 6):
        url = f"{SITE}/{text}.html"
        gone = Fetched(url, 404, b"", AT + timedelta(days=3))
        yield gone, Extracted(url, "", site="news.example.com", why="the site answered 404")


def _visit(text: int, part: int, day: int) -> tuple[Fetched, Extracted]:
    url = f"{SITE}/{text}.html" if part == 0 else f"{SITE}/{text}_{part + 1}.html"
    last = part == (text + day) % 3
    body = "\n".join(article(1_000 * day + 10 * text + part, 8))
    extracted = Extracted(
        url,
        body,
        title=f"桥{text}",
        site="news.example.com",
        quality=0.9,
        next_url="" if last else f"{SITE}/{text}_{part + 2}.html",
    )
    return Fetched(url, 200, body.encode(), AT + timedelta(days=day)), extracted


def fill(where: Location, begun: object = lambda: None) -> None:
    assert callable(begun)
    with Session(where) as session, open_index(session) as index:
        intake = PageIntake(session, index, PageStore.open(session))
        begun()
        taken = list(visits())
        for at in range(0, len(taken), 5):
            intake.take(taken[at : at + 5])


def state(where: Location) -> tuple[dict[str, str], dict[str, tuple[str, str, str]]]:
    """Documents, and pages."""
    with Session(where) as session, open_index(session) as index:
        index.refresh()
        store = PageStore.open(session)
        store.refresh()
        pages = {each.id: (each.state.value, each.document, each.text) for each in store.find()}
        return {each.id: each.text for each in index.scan()}, pages


@pytest.fixture(params=["embedded", "elasticsearch"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Location, Location]]:
    if request.param == "embedded":
        yield Location(tmp_path, "whole"), Location(tmp_path, "broken")
        return
    url, name = request.getfixturevalue("es_url"), f"killed-{uuid.uuid4().hex[:12]}"
    try:
        yield Location(url, f"{name}-whole"), Location(url, f"{name}-broken")
    finally:
        remove_all(url, name)


def test_killed_at_random_points(places: tuple[Location, Location]) -> None:
    whole, broken = places
    started = time.perf_counter()
    fill(whole)
    seconds = time.perf_counter() - started
    expected = state(whole)
    assert len(expected[0]) >= TEXTS
    drawn = random.Random(5)
    killed = 0
    for _ in range(KILLS):
        program = (sys.executable, "-c", PROGRAM, str(broken.store), broken.index)
        with subprocess.Popen(
            program, stdout=subprocess.PIPE, start_new_session=True, cwd=ROOT
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            try:
                process.wait(drawn.random() * seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
    fill(broken)
    assert killed
    assert state(broken) == expected
