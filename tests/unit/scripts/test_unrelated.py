"""Unrelated documents: what they are made of, and what the command says of their lookups."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from mappings.errors import InputRefused
from scripts import unrelated
from scripts.mutations.layout import sentences_of
from scripts.mutations.mutation import letters_of
from scripts.unrelated_texts import COMMON, Pool, Recombined
from tests.texts import chinese


def text_of(number: int) -> str:
    """Twenty short sentences, and one too long for a document that has little in common."""
    rng = Random(number)
    letters = letters_of(chinese(1_500, number))
    ends = [(at * 40, at * 40 + rng.randint(12, 24)) for at in range(20)]
    return "".join(f"{letters[start:end]}。" for start, end in [*ends, (900, 1_020)])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 originals, half of them without a role, and a copy that is no original."""
    folder = tmp_path_factory.mktemp("corpus")
    rows = [{"id": f"{at}", "text": text_of(at)} for at in range(60)]
    rows += [{"id": "copy", "text": "从来没有人见过这样的一句话。", "role": "mutant"}]
    for row in rows[:30]:
        row["role"] = "base"
    lines = (json.dumps(row) for row in rows)
    (folder / "corpus.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def made(corpus: Path, documents: int, seed: int = 1, free: bool = False) -> list[str]:
    return list(Recombined([Pool.read(corpus)], documents, seed, free).texts())


def test_sentences_are_of_originals_each_once(corpus: Path, tmp_path: Path) -> None:
    pool = Pool.read(corpus)
    assert len(pool.sources) == 60
    texts = [sentence.text for source in pool.sources for sentence in source]
    assert len(texts) == len(set(texts)) == 60 * 21
    assert not any("从来没有人见过" in text for text in texts)
    text = text_of(1)
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"text": text + text}), "utf-8")
    assert [len(source) for source in Pool.read(tmp_path).sources] == [21]


def test_two_documents_have_little_in_common(corpus: Path) -> None:
    rows = [Counter(map(letters_of, sentences_of(text))) for text in made(corpus, 100)]
    assert all(max(row.values()) == 1 for row in rows)
    shared = []
    for left, right in combinations(rows, 2):
        common = sum(map(len, left.keys() & right.keys()))
        shared.append(common)
        assert common <= COMMON * min(sum(map(len, left)), sum(map(len, right)))
    assert sum(map(bool, shared)) > 100  # sentences are used again and again


def test_drawn_freely_some_have_much_in_common(corpus: Path) -> None:
    rows = [{*map(letters_of, sentences_of(text))} for text in made(corpus, 100, free=True)]
    most = max(sum(map(len, left & right)) for left, right in combinations(rows, 2))
    assert most >= 120


def test_the_same_seed_makes_the_same_and_another_does_not(corpus: Path) -> None:
    assert made(corpus, 20) == made(corpus, 20)
    assert made(corpus, 20) != made(corpus, 20, seed=2)


def test_too_few_sentences_are_told(corpus: Path) -> None:
    with pytest.raises(InputRefused, match="lower --documents"):
        made(corpus, 2_000)


def test_the_command_measures_and_keeps_its_section(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n## Other\n\nother\n", "utf-8")
    asked = [str(corpus), "--documents", "100", "--queries", "40", "--markdown", str(page)]
    assert unrelated.main(asked) == 0
    shown = capsys.readouterr().out
    row = next(line for line in shown.splitlines() if line.startswith("| light copies"))
    assert row.split(" | ")[1] == "20"
    assert row.split(" | ")[7] == "1.0000"
    first = page.read_text("utf-8")
    assert first.startswith("# Page\n\n## Other\n\nother\n\n## Unrelated documents: embedded store")
    assert unrelated.main(asked) == 0
    assert page.read_text("utf-8").count("## Unrelated documents") == 1


def test_flagged_pairs_are_shown(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [str(corpus), "--documents", "100", "--queries", "40", "--free"]
    assert unrelated.main(asked) == 1
    shown = capsys.readouterr().out
    assert "Flagged, with the longest passages in common" in shown
    assert "partial 0." in shown


@pytest.mark.parametrize(
    ("line", "told"),
    [("[]", "write an object"), ("{", "write an object"), ("{}", "write an object")],
)
def test_a_bad_corpus_is_told(
    line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "corpus.jsonl").write_text(line, "utf-8")
    assert unrelated.main([str(tmp_path)]) == 2
    assert told in capsys.readouterr().err


def test_a_store_in_use_is_left_alone(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [str(corpus), "--documents", "50", "--queries", "5", "--store", str(tmp_path)]
    assert unrelated.main(asked) == 0
    assert unrelated.main(asked) == 2
    assert "name an empty folder" in capsys.readouterr().err
