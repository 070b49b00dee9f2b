"""How fast a host is asked; the clock is the test's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from dupdex.crawl.crawl_limits import Limits
from dupdex.crawl.politeness import Politeness, seconds_until


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def requests_in(seconds: float, answer: float, limits: Limits, crawl_delay: float = 0.0) -> int:
    """How many requests begin in a time, when each is answered after `answer` seconds."""
    clock = Clock()
    pace = Politeness(limits, clock)
    pace.set_crawl_delay(crawl_delay)
    end, number = clock.now + seconds, 0
    while True:
        clock.now += pace.wait()
        if clock.now >= end:
            return number
        pace.begin()
        pace.answered(answer)
        number += 1


def test_ten_a_second_when_the_host_answers_at_once() -> None:
    assert 98 <= requests_in(10, 0.001, Limits()) <= 101


def test_one_request_at_a_time_or_so_when_it_is_slow() -> None:
    assert requests_in(60, 1.0, Limits()) <= 70
    assert requests_in(60, 30.0, Limits()) <= 20


def test_crawl_delay_is_kept() -> None:
    assert requests_in(60, 0.01, Limits(), crawl_delay=5.0) == 12
    assert requests_in(10, 0.001, Limits(), crawl_delay=0.01) <= 101  # ours is longer


def test_a_host_that_fails_is_left_alone_for_longer_and_longer_then_given_up() -> None:
    clock = Clock()
    pace = Politeness(Limits(failures=5), clock)
    pauses = []
    while not pace.given_up:
        clock.now += pace.wait()
        begun = pace.begin()
        clock.now += 0.01
        pace.failed(begun, 503)
        pauses.append(pace.wait())
    assert len(pauses) == 5
    assert pauses[:4] == sorted(pauses[:4]) and pauses[3] >= 8
    assert pace.given_up == "5 failures one after another"


def test_requests_under_way_together_fail_once() -> None:
    clock = Clock()
    pace = Politeness(Limits(failures=3), clock)
    begun = [pace.begin() for _ in range(4)]
    clock.now += 1
    for each in begun:
        pace.failed(each, 500)
    assert pace.failures == 1 and not pace.given_up


def test_an_answer_makes_good() -> None:
    clock = Clock()
    pace = Politeness(Limits(failures=3), clock)
    for _ in range(10):
        for _ in range(2):
            clock.now += 1
            pace.failed(pace.begin(), 500)
        pace.answered(0.1)
    assert not pace.given_up


def test_retry_after_is_heard() -> None:
    clock = Clock()
    pace = Politeness(Limits(patience=60), clock)
    pace.failed(pace.begin(), 429, "30")
    assert 29.9 < pace.wait() <= 30
    pace.failed(clock.now, 429, "3600")
    assert "3,600 seconds" in pace.given_up


def test_forms_of_retry_after() -> None:
    assert seconds_until("7") == 7
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 85 < (seconds_until(soon) or 0) < 91
    assert seconds_until("") is None and seconds_until("soon") is None
    assert seconds_until("\u00b2") is None  # a digit, and no number
    assert seconds_until("Wed, 21 Oct 2015 07:28:00 GMT") == 0
