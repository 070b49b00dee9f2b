"""Vector space: the worked example, the weights, sums that no order of words can change."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.classic.cosine import UNIT, Cosine, Rarity, Vector, cosine
from indexer.text import Streams, prepare_all
from indexer.text.corpus_statistics import load_statistics
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.plan.parts import CosinePlan
from tests.texts import LAW, LIBRARY, METRO, ORCHARD

TF = replace(STANDARD, cosine=CosinePlan("tf"))

vectors = st.dictionaries(st.sampled_from("甲乙丙丁戊己"), st.integers(1, 1 << 70))


def values(plan: Plan, *texts: str, spaced: bool = False) -> list[Vector]:
    return Cosine(plan).values(Streams(prepare_all(texts, plan), plan, spaced))


def test_the_worked_example() -> None:
    """Counts of 我 喜欢 看 电视 电影 不 也; the source prints 0.938."""
    vocabulary = ["我", "喜欢", "看", "电视", "电影", "不", "也"]
    left = dict(zip(vocabulary, (1, 2, 2, 1, 1, 1, 0), strict=True))
    right = dict(zip(vocabulary, (1, 2, 2, 1, 1, 2, 1), strict=True))
    assert cosine(left, right) == pytest.approx(13 / sqrt(12 * 16))
    assert round(cosine(left, right), 3) == 0.938


def test_the_worked_example_through_the_segmenter() -> None:
    """It takes 看电视 for one word; with spaces between the words the figure is the source's."""
    left = "我 喜欢 看 电视，不 喜欢 看 电影。"
    right = "我 不 喜欢 看 电视，也 不 喜欢 看 电影。"
    assert round(cosine(*values(TF, left, right)), 3) == 0.938
    assert cosine(*values(TF, left, left)) == 1.0


def test_weights_are_count_and_rarity() -> None:
    text = "城市 的 城市，的 城市 的：的 地铁！"
    (counted,) = values(TF, text)
    assert counted == {"城市": 3, "的": 4, "地铁": 1}
    (weighed,) = values(STANDARD, text)
    idf = load_statistics(STANDARD).idf
    levels = {"城市": 2, "的": 3, "地铁": 1}  # 1 + floor(log2(count))
    assert weighed == {word: level * round(UNIT * idf(word)) for word, level in levels.items()}
    assert weighed["地铁"] > weighed["的"]


def test_pairs_of_characters_without_words() -> None:
    (value,) = values(CHARACTERS, "地铁的地铁")
    rarity, idf = Rarity(CHARACTERS), load_statistics(CHARACTERS).idf
    assert value == {"地铁": 2 * rarity["地铁"], "铁的": rarity["铁的"], "的地": rarity["的地"]}
    assert rarity["地铁"] == round(UNIT * idf("地铁"))  # a word the table knows
    assert rarity["铁的"] == round(UNIT * (idf("铁") + idf("的")) / 2)
    assert values(CHARACTERS, "好") == [{"好": rarity["好"]}]


@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS], ids=["words", "characters"])
def test_unrelated_english_is_not_alike(plan: Plan) -> None:
    """Its commonest words, of which the statistics know nothing, do not decide."""
    one, other, copy = values(plan, LIBRARY, ORCHARD, LIBRARY + " The end.", spaced=True)
    assert cosine(one, other) < 0.5
    assert cosine(one, copy) > 0.98


def test_word_order_is_no_matter() -> None:
    halves = METRO.split("。")
    one, other = values(STANDARD, METRO, "。".join(reversed(halves)))
    assert cosine(one, other) == 1.0


def test_punctuation_is_no_word() -> None:
    one, other = values(STANDARD, "地铁，开通！", "地铁开通：（）")
    assert one == other
    assert set(one) == {"地铁", "开通"}


@given(vectors, vectors, st.randoms())
@LAW
def test_it_is_the_cosine_whatever_the_order(left: Vector, right: Vector, choose: object) -> None:
    found = cosine(left, right)
    assert 0 <= found <= 1
    assert found == cosine(right, left)
    shuffled = list(left.items())
    choose.shuffle(shuffled)  # type: ignore[attr-defined]
    assert cosine(dict(shuffled), right) == found
    product = sum(left.get(word, 0) * right.get(word, 0) for word in {*left, *right})
    lengths = [sqrt(sum(weight**2 for weight in vector.values())) for vector in (left, right)]
    expected = product / (lengths[0] * lengths[1]) if product else 0
    assert found == pytest.approx(expected)


def test_an_empty_vector_is_like_nothing() -> None:
    assert cosine({}, {"甲": 1}) == cosine({}, {}) == 0.0
