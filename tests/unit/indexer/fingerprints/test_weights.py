"""Words as weighted features: what each choice of a plan makes of counts and of rarity."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import mmh3
import numpy as np
import pytest

from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.weights import level, word_weights
from indexer.text import Streams, prepare, prepare_all
from indexer.text.corpus_statistics import load_statistics
from indexer.text.segment import segmenter
from indexer.text.stop_words import load_stop_words
from mappings.errors import InputRefused, PlanMismatch
from mappings.plan import CHARACTERS, Plan, SimhashPlan
from tests.texts import LIBRARY, METRO, TEA
from tests.texts import PLAIN as STANDARD

CHOICES = ("log", "count", "levels", "tfidf")


def plan_of(weights: str = "log", stop_words: str = "none") -> Plan:
    part = {"weights": weights, "stop_words": stop_words}
    return Plan.from_meta({"steps": STANDARD.steps, "simhash": part})


def words(text: str) -> Counter[str]:
    tokens = segmenter(STANDARD)(prepare(text, STANDARD).text())
    return Counter(token for token in tokens if token[0].isalnum())


def weighed(text: str, plan: Plan) -> dict[str, int]:
    """The weight of each word, found by its hash."""
    rows, weights = word_weights(Streams(prepare_all([text], plan), plan, False), plan)
    names = {mmh3.hash64(word.encode(), 1, True, signed=False)[0]: word for word in words(text)}
    pairs = zip(rows[0].tolist(), weights.tolist(), strict=True)
    return {names[value]: weight for value, weight in pairs}


def test_the_standard_weighs_by_the_logarithm_of_the_count() -> None:
    expected = {word: count.bit_length() for word, count in words(METRO).items()}
    assert weighed(METRO, STANDARD) == expected
    assert set(expected.values()) >= {1, 2, 3}


def test_counts() -> None:
    assert weighed(METRO, plan_of("count")) == words(METRO)


def test_levels_are_one_to_five_by_rarity() -> None:
    """As in the source's example 有, 称 and 曾 hardly count, 飞碟 and 外星人 decide."""
    text = "美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人"
    found = weighed(text, plan_of("levels"))
    assert set(found.values()) <= {1, 2, 3, 4, 5}
    assert (found["有"], found["称"], found["曾"]) == (1, 1, 1)
    assert (found["内部"], found["灰色"]) == (2, 3)
    assert (found["飞碟"], found["外星人"]) == (5, 5)
    assert weighed(text * 3, plan_of("levels")) == found  # the count does not matter


@pytest.mark.parametrize(
    ("share", "expected"),
    [(1, 1), (0.11, 1), (0.1, 2), (0.05, 2), (0.02, 3), (0.005, 4), (0.003, 5), (0, 5)],
)
def test_where_levels_meet(share: float, expected: int) -> None:
    assert level(share) == expected


def test_tfidf_is_the_count_times_sixteenths_of_the_idf() -> None:
    known = load_statistics(STANDARD)
    expected = {word: n * round(16 * known.idf(word)) for word, n in words(METRO).items()}
    assert weighed(METRO, plan_of("tfidf")) == expected
    assert expected["换乘"] > expected["的"] / words(METRO)["的"]


@pytest.mark.parametrize("weights", CHOICES)
def test_stop_words_do_not_count(weights: str) -> None:
    without = weighed(METRO + LIBRARY, plan_of(weights, "1"))
    every = weighed(METRO + LIBRARY, plan_of(weights))
    left_out = set(every) - set(without)
    assert {"的", "了", "the", "of"} <= left_out <= load_stop_words("1")
    assert without == {word: every[word] for word in without}


def test_a_text_of_stop_words_keeps_them() -> None:
    """Else all such texts had one value, and read as copies of each other."""
    plan = plan_of("tfidf", "1")
    one, other = "这就是我们的", "那不是他们的吗"
    assert set(words(one)) | set(words(other)) <= load_stop_words("1")
    assert set(weighed(one, plan)) == set(words(one))
    made = [fingerprint_of(text, plan).simhash for text in (one, other)]
    assert made[0] != made[1]
    assert 0 not in made


@pytest.mark.parametrize("stop_words", ["none", "1"])
@pytest.mark.parametrize("weights", CHOICES)
def test_rows_do_not_mix(weights: str, stop_words: str) -> None:
    plan = plan_of(weights, stop_words)
    texts = [METRO, "我们的", TEA, METRO[:40]]
    rows, together = word_weights(Streams(prepare_all(texts, plan), plan, False), plan)
    assert together.dtype == np.int64
    for row, text in enumerate(texts):
        alone, weight = word_weights(Streams(prepare_all([text], plan), plan, False), plan)
        assert rows[row].tolist() == alone[0].tolist()
        assert together[rows.bounds[row] : rows.bounds[row + 1]].tolist() == weight.tolist()


def test_stop_words_are_spelled_as_prepared_text_is() -> None:
    """Simplified and in lower case, or they would never be met; and a word is there once."""
    listed = load_stop_words("1")
    assert len(listed) > 400
    for word in listed:
        assert prepare(word, STANDARD).text() == word
    assert load_stop_words("none") == frozenset()


@pytest.mark.parametrize("name", ["2", "../stop-words-1", "mine"])
def test_a_list_that_is_not_shipped_is_refused(name: str) -> None:
    with pytest.raises(PlanMismatch, match=r"set simhash.stop_words to none or 1"):
        fingerprint_of(METRO, plan_of(stop_words=name))


@pytest.mark.parametrize("part", [SimhashPlan(weights="count"), SimhashPlan(stop_words="1")])
def test_a_plan_without_words_has_none_to_weigh(part: SimhashPlan) -> None:
    with pytest.raises(InputRefused, match=r"simhash.weights and simhash.stop_words need words"):
        replace(CHARACTERS, simhash=part)
