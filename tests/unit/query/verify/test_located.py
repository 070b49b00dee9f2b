"""Where a common part stands in either original."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mappings.plan import STANDARD
from query.answers import Located
from query.grams import features_all
from query.verify.located import locate
from tests.texts import chinese, english

Make = Callable[[int, int], str]
MAKERS = [chinese, lambda size, seed: english(size // 4, seed)]


def located(asked: str, stored: str) -> Located | None:
    return locate(*features_all([asked, stored], STANDARD))


@pytest.mark.parametrize("make", MAKERS)
def test_a_chapter_in_a_novel(make: Make) -> None:
    chapter, before, after = (make(size, size) for size in (3_000, 20_000, 9_000))
    chapter = chapter.rstrip(".")
    novel = f"\ufeff{before}。\r\n\r\n{chapter}！ {after}"
    found = located(f"第三回 {chapter}", novel)
    assert found is not None
    assert novel[slice(*found.stored)] == chapter
    assert f"第三回 {chapter}"[slice(*found.asked)] == chapter
    assert located(novel, f"第三回 {chapter}") == Located(found.stored, found.asked)


def test_edits_do_not_break_a_place_up() -> None:
    chapter, before = chinese(2_000, 1), chinese(5_000, 2)
    copy = list(chapter)
    copy[20::40] = "改" * len(copy[20::40])
    found = located("".join(copy), f"{before}。{chapter}")
    assert found is not None
    assert found.stored[0] == pytest.approx(5_001, abs=60)
    assert found.stored[1] == pytest.approx(7_001, abs=60)


def test_of_two_places_the_larger_one() -> None:
    small, large, other = chinese(300, 1), chinese(900, 2), chinese(4_000, 3)
    stored = f"{small}。{other}。{large}"
    found = located(f"{large}。{chinese(1_000, 4)}。{small}", stored)
    assert found == Located((0, 900), (len(stored) - 900, len(stored)))


def test_nothing_in_common_is_nowhere() -> None:
    assert located(chinese(300, 1), chinese(300, 2)) is None
    assert located("好", "坏") is None
