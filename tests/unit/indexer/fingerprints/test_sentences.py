"""The n longest sentences: where a sentence ends, which are taken, what is hashed."""

from __future__ import annotations

import mmh3
import numpy as np
import pytest

from indexer.fingerprints.sentences import key_values, spans
from indexer.prepare import prepare, prepare_all
from mappings.plan import STANDARD, SentencePlan
from tests.texts import LIBRARY, METRO, METRO_TRADITIONAL, TEA

ALL = SentencePlan(keep=99, minimum=1)


def sentences(text: str, plan: SentencePlan = ALL) -> list[str]:
    """The folded sentences, longest first."""
    prepared = prepare(text, STANDARD)
    folded = prepared.folded[0].tobytes().decode("utf-32-le")
    return [folded[start:stop] for start, stop in spans(prepared, plan)[0]]


def hashes(text: str, plan: SentencePlan = STANDARD.sentences) -> list[int]:
    return key_values(prepare(text, STANDARD), plan)[0]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("一二三。四五！六", ["一二三", "四五", "六"]),
        ("一二三？四五!六", ["一二三", "四五", "六"]),
        ("一二三?四五\n六", ["一二三", "四五", "六"]),
        ("一二三｡四五\r\n六", ["一二三", "四五", "六"]),
        ("一二，三；四：五", ["一二三四五"]),
        ("abc. def", ["abc", "def"]),
        ("abc.", ["abc"]),
        (".abc", ["abc"]),
        ("版本2.10发布", ["版本210发布"]),  # between digits
        ("用node.js写", ["用nodejs写"]),  # between letters
        ("一二.三", ["一二三"]),
        ("列夫·托尔斯泰", ["列夫托尔斯泰"]),
        ("共3.\n下", ["共3", "下"]),
        ("等等…好", ["等等", "好"]),
        ("一。。。二三", ["二三", "一"]),
        ("“一二三。”四", ["一二三", "四"]),
        ("。！？", []),
        ("", []),
    ],
)
def test_where_a_sentence_ends(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_longest_first_and_the_earlier_one_of_equals() -> None:
    assert sentences("乙乙乙。丙。甲甲甲。丁丁丁丁") == ["丁丁丁丁", "乙乙乙", "甲甲甲", "丙"]


def test_short_sentences_are_left_out() -> None:
    text = "一二三四五六七。一二三四五六七八！“一、二、三、四五六七！”"
    assert sentences(text, STANDARD.sentences) == ["一二三四五六七八"]
    assert len(hashes(text)) == 1
    assert len(hashes(text, SentencePlan(minimum=7))) == 2  # two say the same


def test_letters_and_digits_only_are_hashed() -> None:
    assert hashes("一二，三四：“五六七八”！") == hashes("一二三四五六七八")
    expected = mmh3.hash64("一二三四五六七八".encode("utf-32-le"), 5, True, signed=False)[0]
    assert hashes("一二三四五六七八") == [expected]


def test_five_longest() -> None:
    lengths = [9, 20, 8, 15, 30, 12, 25]
    parts = {n: "".join(chr(0x4E00 + 40 * n + i) for i in range(n)) for n in lengths}
    text = "。".join(parts[n] for n in lengths)
    assert [len(s) for s in sentences(text, STANDARD.sentences)[:5]] == [30, 25, 20, 15, 12]
    assert hashes(text) == [hashes(parts[n])[0] for n in (30, 25, 20, 15, 12)]


def test_any_one_of_five_fingers_names_the_text() -> None:
    """One changed character breaks one of the five hashes and leaves four."""
    base = hashes(METRO)
    assert len(set(base)) == 5
    edited = METRO.replace("李明华", "李明花")
    assert len(set(base) & set(hashes(edited))) == 4
    assert hashes(METRO_TRADITIONAL) == base
    assert not set(base) & set(hashes(TEA))


def test_a_repeated_sentence_takes_one_place() -> None:
    """A boilerplate line repeated ever so often must not push the others out."""
    line = "本站所有内容均来自网络转载版权归原作者所有。"
    text = line * 30 + "今天的天气非常适合去公园散步。明天可能下雨请大家带好雨伞。"
    assert len(hashes(text)) == 3


def test_texts_in_a_batch_do_not_touch() -> None:
    texts = ["一二三四五六七八.", "九十百千万亿兆京", "", "。", METRO, LIBRARY]
    together = key_values(prepare_all(texts, STANDARD), STANDARD.sentences)
    assert together == [hashes(text) for text in texts]
    assert [len(row) for row in together] == [1, 1, 0, 0, 5, 4]


def test_spans_point_into_the_folded_text() -> None:
    prepared = prepare_all([TEA, METRO], STANDARD)
    for row, found in enumerate(spans(prepared, STANDARD.sentences)):
        bounds = prepared.folded.bounds[row : row + 2]
        sizes = [stop - start for start, stop in found]
        assert sizes == sorted(sizes, reverse=True)
        assert all(bounds[0] <= start < stop <= bounds[1] for start, stop in found)
        assert np.sum(sizes) <= prepared.folded.lengths[row]
