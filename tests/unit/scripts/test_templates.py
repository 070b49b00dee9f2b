"""The corpus of forms: reproducible, labelled, and different from filling to filling."""

from __future__ import annotations

from pathlib import Path
from random import Random

import orjson
import pytest

from dupdex.evaluation.corpus import Corpus
from scripts import template_facts, template_marks, templates
from scripts.forms.fill import TextForm
from scripts.forms.name_words import NameWords
from scripts.forms.words import han
from scripts.templates import PARTS

ALL = {name: form for forms in PARTS.values() for name, form in forms.items()}


def test_the_same_seed_makes_the_same() -> None:
    one, again, other = (templates.filled(seed, 3) for seed in (1, 1, 2))
    assert one == again != other
    assert all(len(forms) >= 10 for forms in PARTS.values())
    assert len(ALL) == sum(map(len, PARTS.values()))


@pytest.mark.parametrize("name", ALL)
def test_a_form_is_filled_in_differently(name: str) -> None:
    texts = {ALL[name](NameWords(f"{number}")) for number in range(8)}
    assert len(texts) > 5
    assert not any(set("{}#⏎") & set(text) for text in texts)


def test_one_sort_of_words_is_changed_alone() -> None:
    form = PARTS["tuning"]["column"]
    assert form(NameWords("1")) == form(NameWords("1", "date"))
    one, other = form(NameWords("1")), form(NameWords("1", "title"))
    assert one != other
    assert one.partition("《")[0] == other.partition("《")[0]


def test_slots_with_one_mark_have_one_word() -> None:
    form = TextForm("{person#a}: {person}, {number 3 4}, {of St_Mary}, {person#a}")
    first, others, number, church, last = form(NameWords("1")).replace(":", ",").split(", ")
    assert first == last != others
    assert number in "34" and church == "St Mary"


def test_one_slot_is_changed_alone() -> None:
    form = TextForm("{person#a} {person} {city} {person#a}")
    words, others = NameWords("1"), NameWords("1", "person")
    one, two, city, last = form(NameWords("1")).split()
    changed = form.changed_once(words, others, Random(1)).split()
    assert changed[2] == city and changed[0] == changed[3]
    assert (changed[0] == one) != (changed[1] == two) and one == last


def test_numerals() -> None:
    assert [han(number) for number in (3, 10, 11, 20, 21)] == ["三", "十", "十一", "二十", "二十一"]


def test_what_is_written_can_be_evaluated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert templates.main([str(tmp_path), "--each", "4"]) == 0
    corpus = Corpus.read(tmp_path)
    assert len(corpus.ids) == 4 * len(ALL)
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


def test_fillings_are_marked_and_versions_of_one_text_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notice = PARTS["tuning"]["discipline"]
    rows = [{"id": f"d-{n}", "form": "d", "text": notice(NameWords(f"{n}"))} for n in range(12)]
    versions = [{"id": f"x~{n}", "text": notice(NameWords("1")) + "！" * n} for n in range(6)]
    versions.append({"id": "x", "text": notice(NameWords("2"))})
    for name, kept in (("forms", rows), ("copies", versions)):
        folder = tmp_path / name
        folder.mkdir()
        folder.joinpath("corpus.jsonl").write_bytes(b"\n".join(map(orjson.dumps, kept)))
    template_marks.main([str(tmp_path / "forms"), "--corpus", str(tmp_path / "copies")])
    forms, copies = capsys.readouterr().out.splitlines()
    assert forms.startswith(("forms: 66 near duplicates, 65 ", "forms: 66 near duplicates, 66 "))
    assert copies == "copies: 6 near duplicates, 0 marked (0.0000)"
    assert template_marks.main([str(tmp_path)]) == 2
    assert "scripts.templates" in capsys.readouterr().err
