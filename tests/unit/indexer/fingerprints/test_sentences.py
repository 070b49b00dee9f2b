"""The n longest sentences: where a sentence ends, which are taken, what is hashed."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import mmh3
import numpy as np
import pytest

from indexer.fingerprints.sentences import LongestSentence, Sentences, key_values, spans
from indexer.text import Streams, prepare, prepare_all
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


def test_the_single_longest_is_one_finger() -> None:
    """One edit in the longest sentence: "Baidu" loses the copy, five fingers keep it."""
    longest, second = sentences(METRO)[:2]
    edited = METRO.replace(longest[:6], longest[:3] + "又" + longest[3:6])
    elsewhere = METRO.replace(second[-6:], second[-6:-1])
    assert len({METRO, edited, elsewhere}) == 3
    one, five = (scheme(STANDARD.sentences) for scheme in (LongestSentence, Sentences))
    texts = [METRO, edited, elsewhere, TEA, "短。"]
    made = Streams(prepare_all(texts, STANDARD), STANDARD, False)
    single, several = one.values(made), five.values(made)
    assert [one.similarity(single[0], other) for other in single] == [1, 0, 1, 0, 0]
    assert [five.similarity(several[0], other) for other in several] == [1, 0.8, 0.8, 0, 0]
    assert one.terms(single) == [()] * 5
    assert one.similarity(single[4], single[4]) == 0  # no sentence says nothing


def test_a_plan_may_store_the_single_longest() -> None:
    plan = replace(STANDARD.sentences, keep=1)
    assert hashes(METRO, plan) == hashes(METRO)[:1]


def test_the_share_of_fragments_is_the_similarity() -> None:
    """M fragments and a share of them: 3 of 5 are kept, so they agree up to a threshold of .6."""
    parts = [chr(0x4E00 + 50 * n) * (20 - n) for n in range(7)]
    left, right = "。".join(parts[:5]), "。".join(parts[2:])
    scheme = Sentences(STANDARD.sentences)
    both = scheme.values(Streams(prepare_all([left, right], STANDARD), STANDARD, False))
    assert scheme.similarity(*both) == 3 / 5


def test_md5_keys_are_those_anybody_computes() -> None:
    """The last nine hexadecimal digits of the MD5 of the sentence, in six characters."""
    plan = replace(STANDARD.sentences, hash="md5")
    (value,) = hashes("一二三四，五六七八。", plan)
    digest = hashlib.md5("一二三四五六七八".encode()).hexdigest()
    assert value == int(digest[16:], 16)
    assert value & ((1 << 36) - 1) == int(digest[-9:], 16)
    assert not set(hashes(METRO, plan)) & set(hashes(METRO))
    assert len(set(hashes(METRO, plan))) == 5
    assert hashes(METRO_TRADITIONAL, plan) == hashes(METRO, plan)


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
