"""Rules and keys of floods, and the turns of threads."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from dupdex.banks.claims import Claims
from dupdex.banks.flood_guard import FloodRule
from dupdex.banks.flood_keys import flood_keys
from mappings.errors import InputRefused
from mappings.plan import STANDARD
from query.answers import Verdict
from query.pair import PairJudge
from tests.texts import CHARACTERS, chinese, english


def test_rules() -> None:
    assert FloodRule.read("20/10m") == FloodRule(20, timedelta(minutes=10))
    assert FloodRule.read(" 2/1s ", "x") == FloodRule(2, timedelta(seconds=1), "x")
    for text in ("", "20", "20/10", "20/m", "1/10m", "1001/1h", "20/8d", "20/0s", "-2/1h"):
        with pytest.raises(InputRefused):
            FloodRule.read(text)


@pytest.mark.parametrize("length", [20, 60, 150, 600, 3_000])
def test_edited_copies_share_keys_and_unrelated_texts_hardly_any(length: int) -> None:
    choose, judge = random.Random(length), PairJudge(STANDARD)
    findable = met = strangers = 0
    for seed in range(20):
        text = chinese(length, seed) if seed % 2 else english(length // 4, seed)
        copy = "".join(choose.choice(CHARACTERS) if choose.random() < 0.03 else c for c in text)
        read = judge.read([text, copy, chinese(length, seed + 1_000)])
        keys, others, foreign = (set(flood_keys(each.fingerprint)) for each in read)
        assert 3 <= len(keys) <= 12
        is_copy = judge.judgement(read[0], read[1]).verdict in (Verdict.EXACT, Verdict.NEAR)
        is_copy &= bool(read[0].fingerprint.shared_with(read[1].fingerprint))
        findable += is_copy
        met += is_copy and bool(keys & others)
        strangers += bool(keys & foreign)
    assert findable >= 10
    assert met >= findable - 1
    assert strangers <= 1


def test_threads_with_a_common_key_take_turns() -> None:
    claims, inside, most = Claims(), [0], [0]
    turn = threading.Lock()

    def work(number: int) -> None:
        with claims.of(["all", f"own-{number}"]):
            with turn:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(0.002)
            with turn:
                inside[0] -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    assert most == [1]


def test_threads_without_one_do_not_wait() -> None:
    claims, both = Claims(), threading.Barrier(2, timeout=10)

    def work(number: int) -> None:
        with claims.of([f"own-{number}"]):
            both.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
