"""The three feature streams, and which texts are read by words."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

import pytest

from indexer.text import Streams, prepare, prepare_all, spaced_rows
from indexer.text.table import LIMIT
from mappings.errors import PlanMismatch
from mappings.plan import Plan
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, MIXED
from tests.texts import PLAIN as STANDARD


def streams(text: str, plan: Plan = STANDARD, spaced: bool = False) -> Streams:
    return Streams(prepare(text, plan), plan, spaced)


def units(text: str, spaced: bool) -> list[int]:
    made: list[int] = streams(text, spaced=spaced).units[0].tolist()
    return made


def readings(text: str, plan: Plan = STANDARD) -> list[str]:
    made = streams(text, plan)
    names = made.prepared.table.syllable_names
    values = made.units[0].tolist()
    return [names[v - LIMIT] if v >= LIMIT else chr(v) for v in values]


def test_characters_are_letters_and_digits() -> None:
    made = streams("Ｈi, 世界！ 2.0 😀")
    assert [chr(code) for code in made.characters[0].tolist()] == list("hi世界20")


def test_syllables_of_chinese() -> None:
    assert readings("银杏，lu 3号") == ["yin", "xing", "l", "u", "3", "hao"]


def test_homophones_and_scripts_are_one_stream() -> None:
    assert METRO != METRO_HOMOPHONES
    assert units(METRO, False) == units(METRO_HOMOPHONES, False)
    assert units(METRO, False) == units(METRO_TRADITIONAL, False)


def test_phrase_readings_are_an_option() -> None:
    phrases = replace(STANDARD, syllables=f"pypinyin-{version('pypinyin')}")
    assert readings("银行，行走", phrases) == ["yin", "hang", "xing", "zou"]
    by_table = readings("银行，行走")
    assert by_table[1] == by_table[2]
    # every place keeps its syllable when other scripts stand between
    assert readings("a银行2.5%абв音乐😀x", phrases) == [
        *("a", "yin", "hang", "2", "5", "а", "б", "в", "yin", "yue", "x"),
    ]


def test_phrase_readings_of_another_version_are_refused() -> None:
    with pytest.raises(PlanMismatch, match=r"pypinyin-0\.1.*installed is pypinyin"):
        readings("银行", Plan(syllables="pypinyin-0.1"))


def test_words_of_spaced_scripts_are_units() -> None:
    again = units("the library, THE Library!", True)
    assert len(again) == 4
    assert again[:2] == again[2:]
    assert units("don't stop", True) == units("don t stop", True)
    assert len(set(units("ab ba aab abb a b", True))) == 6
    assert len(units("iPhone15发布 today", True)) == 4  # a Han character is a word of its own


def test_a_word_that_ends_a_text_does_not_run_on() -> None:
    made = Streams(prepare_all(["one two", "three", "", "four"], STANDARD), STANDARD, True)
    alone = [units(text, True) for text in ("one two", "three", "", "four")]
    assert [made.units[row].tolist() for row in range(4)] == alone


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        (METRO, False),
        (LIBRARY, True),
        ("Москва готовится к празднику", True),
        ("用 Python 写 API 服务", False),
        ("Hello 世界", False),  # one word, two characters
        ("Hello 好", False),  # a tie
        ("Hello world 好", True),
        ("supercalifragilistic 好好", False),  # long, but one word
        ("", False),
        ("😀", False),
        ("3.14", True),
        ("カタカナ", False),
    ],
)
def test_which_texts_are_read_by_words(text: str, spaced: bool) -> None:
    assert spaced_rows(prepare(text, STANDARD)).tolist() == [spaced]
    beside = prepare_all([METRO, text, LIBRARY], STANDARD)
    assert spaced_rows(beside).tolist() == [False, spaced, True]


def test_words_are_the_segmenters_tokens() -> None:
    made = streams(MIXED)
    assert "".join(made.words(0)) == made.prepared.text()
    assert {"发布", "团队", "平均"} <= set(made.words(0))
