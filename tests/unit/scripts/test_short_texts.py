"""Beginnings of sentences have the length that their row says, and one letter is changed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import orjson
import pytest

from scripts.mutations.layout import sentences_of
from scripts.short_texts import Row, changed, cut, main
from tests.texts import chinese, english

TEXTS = [
    f"{''.join(filter(str.isalnum, chinese(60, seed)))[:24]}。{english(14, seed)}. "
    for seed in range(60)
]


def test_texts_have_the_length_of_their_row() -> None:
    pieces = cut(TEXTS, Random(1))
    assert {row.spaced for row in pieces} == {True, False}
    for row, texts in pieces.items():
        assert len({*texts}) == len(texts) > 0
        assert {len(text.split() if row.spaced else text) for text in texts} == {row.size}
    assert sum(map(len, pieces.values())) == sum(len(sentences_of(text.strip())) for text in TEXTS)
    assert pieces == cut(TEXTS, Random(1)) != cut(TEXTS, Random(2))
    assert cut(["", "短", "no. yes."], Random(1)) == {}


@pytest.mark.parametrize("text", ["the price is too high", "白鹭大桥今日正式通车"])
def test_one_letter_is_changed(text: str) -> None:
    for seed in range(200):
        other = changed(text, Random(seed))
        assert other != text and abs(len(other) - len(text)) <= 1
        assert with_one_less(text) & {other, *with_one_less(other)} or text in with_one_less(other)


def with_one_less(text: str) -> set[str]:
    return {text[:at] + text[at + 1 :] for at in range(len(text))}


def test_it_prints_a_row_for_each_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "corpus.jsonl"
    lines = [orjson.dumps({"id": f"{at}", "text": text}) for at, text in enumerate(TEXTS)]
    file.write_bytes(b"\n".join(lines))
    assert main([str(file), "--each", "3", "--documents", "100"]) == 0
    printed = capsys.readouterr().out
    for row in (Row(3, True), Row(20, False)):
        assert f"| {row.name} | 3 | " in printed
    file.write_bytes(b'{"id": "1", "text": "short"}')
    assert main([str(file)]) == 2
    assert "no sentence is long enough" in capsys.readouterr().err
