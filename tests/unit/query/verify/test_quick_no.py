"""The look at many candidates at once: a no is never wrong, and unrelated texts get one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, LCSseq

from indexer.boilerplate import Boilerplate, sentence_keys
from indexer.text import prepare_all
from mappings.plan import STANDARD
from query.answers import Verdict
from query.grams import Kind, features_all
from query.verify.quick_no import Could, what_could_match
from query.verify.verdict import judge, judge_part
from tests.texts import LAW, LIBRARY, METRO, METRO_HOMOPHONES, TEA, chinese, english, pieced
from tests.unit.query.verify.possible import could_match, could_match_all


def changed(text: str, how: int, seed: int) -> str:
    """A copy: letters swapped, left out, replaced, cut off, or put among others."""
    choose = Random(seed)
    letters = list(text)
    if how == 0:
        for at in choose.sample(range(0, len(letters) - 1, 2), len(letters) // 5):
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
    elif how == 1:
        letters = [letter for letter in letters if choose.random() > 0.2]
    elif how == 2:
        letters = [letter if choose.random() > 0.1 else "甲" for letter in letters]
    elif how == 3:
        letters = letters[: max(1, len(letters) // 2)]
    else:
        letters = [*chinese(len(letters), seed + 50), *letters]
    return "".join(letters)


ORIGINALS = (
    METRO,
    TEA,
    METRO + TEA,
    TEA[:60],
    TEA[:30],
    METRO[:12],
    "加微信",
    LIBRARY,
    LIBRARY[:50],
)


@pytest.mark.parametrize("original", ORIGINALS)
def test_a_no_for_many_is_never_wrong(original: str) -> None:
    stored = [changed(original, how, seed) for how in range(5) for seed in range(4)]
    stored += [original, METRO_HOMOPHONES, chinese(300, 1), english(80, 1), "！", "加薇信"]
    (asked,), others = features_all([original], STANDARD), features_all(stored, STANDARD)
    possible = could_match_all(asked, others, STANDARD)
    for text, could in zip(others, possible, strict=True):
        assert could or judge(asked, text, STANDARD).verdict is None


@pytest.mark.parametrize("letters", ["01", "是否", "012", "咚哒哒哒"])
def test_many_long_grams_of_few_short_ones_are_seen(letters: str) -> None:
    """Two letters make sixteen short grams and any number of long ones."""
    passage = "".join(Random(1).choices(letters, k=1_000))
    page, other = chinese(400, 1) + passage, chinese(380, 3) + passage
    asked, stored, unrelated = features_all([page, other, chinese(1_400, 5)], STANDARD)
    assert judge(asked, stored, STANDARD).verdict is Verdict.PARTIAL
    assert could_match_all(asked, [stored, unrelated], STANDARD) == [True, False]


@given(st.lists(pieced, min_size=1, max_size=6), pieced)
@LAW
def test_a_no_for_pieces_is_never_wrong(stored: list[str], original: str) -> None:
    asked, *others = features_all([original, *stored], STANDARD)
    possible = could_match_all(asked, others, STANDARD)
    for text, could in zip(others, possible, strict=True):
        assert could or judge(asked, text, STANDARD).verdict is None


@pytest.mark.parametrize("length", [20, 60, 150, 290, 400, 1_400])
def test_unrelated_texts_get_a_no(length: int) -> None:
    asked, *others = features_all([chinese(length, seed) for seed in range(21)], STANDARD)
    assert not any(could_match_all(asked, others, STANDARD))


def test_texts_of_several_batches_are_told_apart() -> None:
    (asked,), (copy,) = features_all([TEA], STANDARD), features_all([TEA[5:]], STANDARD)
    (other,) = features_all([METRO], STANDARD)
    assert could_match_all(asked, [other, copy, other], STANDARD) == [False, True, False]
    assert could_match(asked, copy, STANDARD)


@given(st.lists(pieced, min_size=1, max_size=5), pieced)
@LAW
def test_bags_hold_at_least_what_is_in_both(stored: list[str], original: str) -> None:
    asked, *others = features_all([original, *stored], STANDARD)
    found = asked.in_bags(others, Kind.CHARACTERS)
    own = Counter(asked.letters)
    for text, bound in zip(others, found, strict=True):
        in_both = (own & Counter(text.letters)).total()
        assert in_both <= bound <= min(len(asked.letters), len(text.letters))


few_letters = st.text(st.sampled_from("甲乙丙丁ab "), min_size=1, max_size=40)
HIDDEN = "。本版内容未经许可不得转载摘编或者建立镜像。"
some_hidden = st.lists(st.one_of(few_letters, st.just(HIDDEN)), min_size=1, max_size=4).map("".join)


@given(st.lists(some_hidden, min_size=1, max_size=4), some_hidden, st.booleans())
@LAW
def test_halves_that_edits_and_gaps_leave(stored: list[str], original: str, hide: bool) -> None:
    """The bounds by which letters of halves pass over texts, of what boilerplate leaves as well."""
    (keys,) = sentence_keys(prepare_all([HIDDEN], STANDARD), STANDARD)
    learned = Boilerplate({key: 99 for _, _, key in keys} if hide else {})
    asked, *others = features_all([original, *stored], STANDARD, learned)
    assert asked.boilerplate() > 0 or not hide or HIDDEN not in original
    for text, common in zip(others, asked.in_halves(others), strict=True):
        long = max(len(asked.letters), len(text.letters))
        assert common >= long - OSA.distance(asked.letters, text.letters)
        assert common >= LCSseq.similarity(asked.letters, text.letters)


@pytest.mark.parametrize("how", (0, 1))
def test_long_disguised_texts_are_looked_at(how: int) -> None:
    """Swapped all over, or with letters left out; not one of the same letters in another order."""
    original = LIBRARY + METRO + TEA + chinese(400, 3)
    rest = original[len(original) // 8 :]
    shuffled = original[: -len(rest)] + "".join(Random(1).sample(rest, len(rest)))
    texts = [*(changed(original, how, seed) for seed in range(4)), shuffled]
    (asked,), others = features_all([original], STANDARD), features_all(texts, STANDARD)
    *copies, other = what_could_match(asked, others, STANDARD)
    assert copies == [Could.MATCH] * 4
    assert other is not Could.MATCH


def test_counts_are_the_same_however_they_are_asked_for() -> None:
    texts = [METRO, METRO[40:], TEA, METRO_HOMOPHONES]
    asked, *others = features_all(texts, STANDARD)
    alone = [asked.common(text, Kind.UNITS, False) for text in others]
    asked.meet(others)
    assert asked.commons(others, Kind.UNITS, False) == alone
    assert [asked.common(text, Kind.UNITS, False) for text in others] == alone


@given(st.lists(pieced, min_size=1, max_size=6), pieced)
@LAW
def test_what_can_be_a_part_alone_is_nothing_closer(stored: list[str], original: str) -> None:
    asked, *others = features_all([original, *stored], STANDARD)
    for text, could in zip(others, what_could_match(asked, others, STANDARD), strict=True):
        if could is Could.PART:
            judged = judge(asked, text, STANDARD)
            found = replace(judged, kept=None, same=None, repeats=False)  # what edits leave
            assert judge_part(asked, text, STANDARD) == (found if judged.verdict else None)
            assert judged.verdict in (Verdict.PARTIAL, None)


def test_short_parts_are_told_without_what_edits_leave() -> None:
    asked, stored = features_all([TEA + LIBRARY[:60], METRO[:60] + LIBRARY[:60]], STANDARD)
    assert what_could_match(asked, [stored], STANDARD) == [Could.PART]
    whole, part = judge(asked, stored, STANDARD), judge_part(asked, stored, STANDARD)
    assert whole.kept is not None and part == replace(whole, kept=None, same=None)


def test_an_excerpt_can_be_a_part_alone() -> None:
    whole = "\n".join(chinese(300, seed) for seed in range(6))
    asked, *others = features_all([whole, chinese(300, 2) + chinese(900, 9)], STANDARD)
    assert what_could_match(asked, others, STANDARD) == [Could.PART]
    assert judge(asked, others[0], STANDARD).verdict is Verdict.PARTIAL
