"""The corpus of forms: reproducible, labelled, and different from filling to filling."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex.evaluation.corpus import Corpus
from scripts import template_facts, templates
from scripts.forms.held_out import HELD_OUT
from scripts.forms.tuning import TUNING
from scripts.forms.words import Words, han


def test_the_same_seed_makes_the_same() -> None:
    one, again, other = (templates.filled(seed, 3) for seed in (1, 1, 2))
    assert one == again != other
    assert len(TUNING) >= 10 <= len(HELD_OUT)
    assert not TUNING.keys() & HELD_OUT.keys()


@pytest.mark.parametrize("name", [*TUNING, *HELD_OUT])
def test_a_form_is_filled_in_differently(name: str) -> None:
    form = {**TUNING, **HELD_OUT}[name]
    assert len({form(Words(f"{number}")) for number in range(8)}) > 5


def test_one_sort_of_words_is_changed_alone() -> None:
    form = TUNING["column"]
    assert form(Words("1")) == form(Words("1", "date"))
    one, other = form(Words("1")), form(Words("1", "title"))
    assert one != other
    assert one.partition("《")[0] == other.partition("《")[0]


def test_numerals() -> None:
    assert [han(number) for number in (3, 10, 11, 20, 21)] == ["三", "十", "十一", "二十", "二十一"]


def test_what_is_written_can_be_evaluated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert templates.main([str(tmp_path), "--each", "4"]) == 0
    corpus = Corpus.read(tmp_path)
    assert len(corpus.ids) == 4 * (len(TUNING) + len(HELD_OUT))
    assert template_facts.main([str(tmp_path), "--pairs", "2", "--changes", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "form"
    assert any(line.startswith("all, held_out") for line in lines)


def test_a_folder_that_is_none_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert template_facts.main([str(tmp_path)]) == 2
    assert "corpus.jsonl" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert templates.main([str(tmp_path / "file")]) == 2
