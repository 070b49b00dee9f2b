"""Texts as initials: one letter for each syllable and each Latin word."""

from __future__ import annotations

import pytest

from indexer.text import prepare_all
from indexer.text.initials import INITIALS, SILENT, initial_rows
from tests.texts import METRO, METRO_HOMOPHONES, METRO_TRADITIONAL
from tests.texts import PLAIN as STANDARD


def initials(*texts: str) -> list[str]:
    rows = initial_rows(prepare_all(texts, STANDARD))
    letters = INITIALS + "-"
    return ["".join(letters[number] for number in rows[row]) for row in range(len(rows))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我是中国人", "wszgr"),
        ("爱，恶；偶！中", "---z"),  # a, e and o hold their places
        ("Node.js 和 Python", "njhp"),
        ("internet used ＡＢ", "---"),
        ("2021年3月", "ny"),
        ("мир カナ 한국 ①②", ""),  # no Mandarin reading, no Latin letter
        ("n95口罩", "nkz"),
        ("女绿", "nl"),
        ("", ""),
    ],
)
def test_the_initial_of_each_syllable_and_word(text: str, expected: str) -> None:
    assert initials(text) == [expected]


def test_there_are_twenty() -> None:
    """The alphabet without what begins no syllable (i, u, v) and without a, e and o."""
    assert sorted(set("abcdefghijklmnopqrstuvwxyz") - set("iuvaeo")) == list(INITIALS)
    assert SILENT == 20


def test_each_text_of_a_batch_has_its_own() -> None:
    texts = ["中国", "", "…", "Hello 世界", "人"]
    assert initials(*texts) == ["zg", "", "", "hsj", "r"]


def test_sounds_decide_and_not_characters() -> None:
    assert len(set(initials(METRO, METRO_HOMOPHONES, METRO_TRADITIONAL))) == 1
