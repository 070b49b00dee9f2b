"""Pages that are read by processes: slow ones cost themselves, and none that waits for them."""

from __future__ import annotations

import asyncio
import signal
import time
from datetime import UTC, datetime
from itertools import count

import pytest
from trafilatura.utils import line_processing, trim

from dupdex.crawl import reading_pool
from dupdex.crawl.answer_reading import Asked, Kind, Reading
from dupdex.crawl.reading_pool import ReadingPool
from dupdex.pages.page_model import Fetched
from tests.texts import chinese


class Slow(str):
    """A header that takes a process a while to take over."""

    def __reduce__(self) -> tuple[object, tuple[float]]:
        return _slowly, (0.5,)


def _slowly(seconds: float) -> str:
    time.sleep(seconds)
    return ""


def test_pages_that_wait_for_slow_ones_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = Fetched("https://a.org/", 200, b"<p>x</p>", datetime.now(UTC), "text/html")

    async def all_of_them() -> list[str]:
        pool = ReadingPool(1)
        try:
            await pool.read(Asked(fetched, "", "dupdex", 1_000))
            monkeypatch.setattr(reading_pool, "_HUNG", 4.0)
            slow = Asked(fetched, Slow(), "dupdex", 1_000)
            found = await asyncio.gather(*(pool.read(slow) for _ in range(16)))
        finally:
            pool.close()
        return [each.why for each in found if each.kind is not Kind.PAGE]

    assert asyncio.run(all_of_them()) == []


def test_time_is_that_of_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = Fetched("https://a.org/", 200, b"<p>x</p>", datetime.now(UTC), "text/html")
    asked = Asked(fetched, "", "dupdex", 1_000)
    old = signal.signal(signal.SIGPROF, reading_pool._stop)
    monkeypatch.setattr(reading_pool, "SECONDS", 0.3)
    try:
        monkeypatch.setattr(reading_pool, "read_answer", _sleeps)
        assert reading_pool._read_in_time(asked).why == "slept"
        monkeypatch.setattr(reading_pool, "read_answer", _spins)
        assert "seconds" in reading_pool._read_in_time(asked).why
    finally:
        signal.signal(signal.SIGPROF, old)


def test_libraries_forget_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_pool, "_REMEMBERED", 5)
    monkeypatch.setattr(reading_pool, "_PAGES", count(1))
    remembered = []
    for number in range(1, 12):
        body = f"<title>{number}</title><p>2026-01-{number:02}, {chinese(300, number)}</p>"
        fetched = Fetched("https://a.org/", 200, body.encode(), datetime.now(UTC), "text/html")
        assert reading_pool._read_in_time(Asked(fetched, "", "dupdex", 10_000)).extracted
        remembered.append(trim.cache_info().currsize + line_processing.cache_info().currsize)
    assert remembered[3] > remembered[4] > 0 and remembered[8] > remembered[9]


def _sleeps(_: Asked) -> Reading:
    time.sleep(0.6)
    return Reading(Kind.OTHER, why="slept")


def _spins(_: Asked) -> None:
    until = time.process_time() + 20
    while time.process_time() < until:
        pass
