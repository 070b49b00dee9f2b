"""Disguises: each kind does what it says, the same seed makes the same, and the runner counts."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from scripts import disguises
from scripts.disguised_texts import originals_of
from scripts.mutations.disguise_kinds import DISGUISES
from scripts.mutations.mutation import letters_of
from tests.unit.scripts.test_mutate import text_of

CHINESE = "他们说好的明天去北京看2024年的比赛，因为时间已经确定，请大家准时到场。"
ENGLISH = "So we had a very good time at the beach, and nobody wanted to go home."
KINDS = {kind.name: kind for kind in DISGUISES}


def made(name: str, text: str = CHINESE) -> str:
    changed = KINDS[name].make(text, Random("7"))
    assert changed is not None
    return changed


@pytest.mark.parametrize("name", KINDS)
def test_a_disguise_changes_the_text_and_a_seed_repeats_it(name: str) -> None:
    text = CHINESE + " Plus 5 o'clock" if "zh" in KINDS[name].languages else ENGLISH
    assert made(name, text) != text
    assert made(name, text) == made(name, text)


@pytest.mark.parametrize("name", ["emoji between", "zero width between", "marks between"])
def test_what_is_strewn_in_leaves_the_letters(name: str) -> None:
    assert letters_of(made(name)) == letters_of(CHINESE)


def test_single_disguises() -> None:
    assert "女子" in made("taken apart") and "白勺" in made("taken apart")
    assert made("stretched vowels", "so good").count("o") >= 2 + 2 + 2
    assert made("digits for letters", "leet aim") == "l337 41m"
    assert set(made("Cyrillic look-alikes", "peace")).isdisjoint("peace")
    assert made("backwards", "ab") == "ba"
    assert made("masked 15 %").count("*") == round(len(letters_of(CHINESE)) * 0.15)
    letters = [each for each in made("stray letters") if "a" <= each <= "z"]
    assert len(letters) >= 6
    assert made("pinyin 25 %").lower().islower()
    assert sorted(made("swapped neighbours 20 %")) == sorted(CHINESE)


def corpora(folder: Path) -> tuple[Path, Path]:
    chinese, english = folder / "zh.jsonl", folder / "en.jsonl"
    rows = [{"id": f"{n}", "text": text_of(n, 120)} for n in range(6)]
    rows.append({"id": "copy", "text": "不要" * 60, "role": "mutant"})
    chinese.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    words = [f"w{n} is {n * 7919} of the kind {n % 13}" for n in range(400)]
    rows = [{"id": f"{n}", "text": ". ".join(words[n * 90 : n * 90 + 90])} for n in range(4)]
    english.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return chinese, english


def test_originals_do_not_overlap_and_copies_are_no_source(tmp_path: Path) -> None:
    chinese, english = corpora(tmp_path)
    made = originals_of([chinese], [english], seed=1, each=3, unrelated=20)
    texts = [cut.text for cut in (*made.cuts, *made.unrelated)]
    assert len({*texts}) == len(texts) and not any("不要不要" in text for text in texts)
    assert {cut.group for cut in made.cuts} == {"posts", "articles", "English"}
    assert made == originals_of([chinese], [english], seed=1, each=3, unrelated=20)


def test_the_runner_prints_a_row_for_each_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chinese, english = corpora(tmp_path)
    asked = ["--each", "3", "--unrelated", "20", "--kinds", "zero width between,backwards"]
    assert disguises.main([str(chinese), "--english", str(english), *asked]) == 0
    shown = capsys.readouterr().out
    assert "| zero width between | 9 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 0 | 0 |" in shown
    assert "| backwards | 9 |" in shown


@pytest.mark.parametrize(
    ("asked", "said"),
    [(["--kinds", "none"], "no disguise 'none'"), (["--unrelated", "9999"], "9999")],
)
def test_what_cannot_be_done_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str], said: str
) -> None:
    chinese, _ = corpora(tmp_path)
    assert disguises.main([str(chinese), *asked, "--each", "2"]) == 2
    assert said in capsys.readouterr().err
