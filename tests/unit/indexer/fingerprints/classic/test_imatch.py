"""I-Match: the printed example, order and ties, and what random lexicons bring."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.classic import imatch
from indexer.fingerprints.classic.imatch import IMatch, Lexicons, Signatures
from indexer.text import Streams, prepare_all
from indexer.text.corpus_statistics import Statistics
from indexer.text.words import term_hashes
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.plan.parts import ImatchPlan
from tests.texts import LAW, METRO, TEA

# The example of the slides, with the document frequencies it takes for granted.
FIRST: Final = (
    "中国足球队在米卢的率领下首次获得世界杯决赛阶段的比赛资格,新浪体育播报 。",
    "中国 足球队 在 米卢 的 率领 下 首次 获得 世界杯 决赛 阶段 的 比赛 资格 新浪 体育 播报",
)
SECOND: Final = (
    "米卢率领中国足球队员首次杀入世界杯决赛阶段,搜狐体育播报。",
    "米卢 率领 中国 足球队员 首次 杀入 世界杯 决赛 阶段 搜狐 体育 播报",
)
KEPT: Final = ("足球队", "率领", "首次", "世界杯", "决赛", "阶段")
COMMON: Final = (
    "中国",
    "在",
    "的",
    "下",
    "获得",
    "比赛",
    "资格",
    "新浪",
    "搜狐",
    "体育",
    "播报",
    "员",
)
RARE: Final = ("米卢", "米", "卢", "杀入")
TABLE: Final = Statistics(
    1_000,
    {
        **dict.fromkeys(COMMON, 500),
        **dict.fromkeys([*KEPT, "中国足球队"], 30),
        **dict.fromkeys(RARE, 1),
    },
    (),
)
EXAMPLE: Final = ImatchPlan(low=0.002, high=0.1, minimum=6, lexicons=0)

SEED: Final = 1
WORDS: Final = [f"词{number}" for number in range(400)]
MIDDLING: Final = Statistics(1_000, dict.fromkeys(WORDS, 20), ())


def shared(left: Signatures, right: Signatures) -> int:
    return sum(a == b != 0 for a, b in zip(left, right, strict=True))


def lexicons_of(plan: ImatchPlan, statistics: Statistics) -> Lexicons:
    return Lexicons(plan, statistics, SEED)


def kept(words: Iterable[str], lexicons: Lexicons) -> list[str]:
    ranks = lexicons.ranks(term_hashes([*words], SEED))
    return [lexicons.words[rank] for rank in ranks.tolist()]


def signatures(words: Iterable[str], lexicons: Lexicons) -> Signatures:
    return imatch.signatures(term_hashes([*words], SEED), lexicons)


def made(texts: list[str], plan: Plan, statistics: Statistics | None = None) -> list[Signatures]:
    streams = Streams(prepare_all(texts, plan), plan, False)
    return IMatch(plan, statistics).values(streams)


# --- the printed example


def test_the_printed_example() -> None:
    """The same six words remain of both, so the texts are one; 足球队员 is read as 足球队."""
    lexicons = lexicons_of(EXAMPLE, TABLE)
    first = FIRST[1].split()
    second = SECOND[1].replace("足球队员", "足球队").split()
    assert kept({*first}, lexicons) == sorted(KEPT)
    assert kept({*second}, lexicons) == sorted(KEPT)
    assert signatures({*first}, lexicons) == signatures({*second}, lexicons) != ()
    # as a segmenter cuts it that knows the players by another word, one word is missing
    assert signatures({*SECOND[1].split()}, lexicons) == ()


def test_the_printed_example_from_text_to_term() -> None:
    """By the plan's own segmenter, to which 中国足球队 is one word and 员 another."""
    plan = replace(STANDARD, imatch=EXAMPLE)
    scheme = IMatch(plan, TABLE)
    values = made([FIRST[0], SECOND[0]], plan, TABLE)
    first, second = scheme.terms(values)
    assert first == second
    assert len(first) == 1
    assert scheme.similarity(*values) == 1.0


# --- order, ties, bounds


@given(st.sets(st.sampled_from(WORDS), min_size=20, max_size=60), st.randoms())
@LAW
def test_the_order_never_matters(words: set[str], choose: random.Random) -> None:
    """All words come in as many documents, and ties between them are broken by the word."""
    lexicons = lexicons_of(ImatchPlan(), MIDDLING)
    mixed = list(words)
    choose.shuffle(mixed)
    assert signatures(mixed, lexicons) == signatures(sorted(words), lexicons)


def test_the_bounds_belong_to_the_middle() -> None:
    table = Statistics(1_000, {"a": 1, "b": 2, "c": 100, "d": 101}, ())
    lexicons = lexicons_of(ImatchPlan(low=0.002, high=0.1), table)
    assert kept("edcba", lexicons) == lexicons.words == ["b", "c"]


@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS], ids=["words", "characters"])
def test_statistics_of_few_documents_have_no_middle(plan: Plan) -> None:
    """A word of one document in three is common, and no text has a signature."""
    table = Statistics(3, {"地铁": 1, "的": 3}, ())
    assert made([METRO, TEA], plan, table) == [(), ()]


def test_too_few_words_have_no_signature() -> None:
    lexicons = lexicons_of(ImatchPlan(minimum=8, lexicons=3, dropout=0.5), MIDDLING)
    assert signatures(WORDS[:7], lexicons) == ()
    value = signatures(WORDS[:8], lexicons)
    assert value[0] != 0
    assert value[1:] == (0, 0, 0)  # a lexicon that drops any of eight has too few
    scheme = IMatch(STANDARD)
    assert scheme.terms([(), value]) == [(), scheme.terms([value])[0]]
    assert len(scheme.terms([value])[0]) == 1
    assert scheme.similarity((), ()) == 0.0
    assert scheme.similarity(value, ()) == 0.0


def test_no_dropout_and_still_other_terms() -> None:
    """A lexicon is hashed in: its signature never equals another lexicon's."""
    value = signatures(WORDS[:30], lexicons_of(ImatchPlan(dropout=0.0), MIDDLING))
    assert len({*value}) == 11


def test_terms_do_not_change() -> None:
    """Frozen: other terms would not be found in an index written before."""
    (value,) = made([METRO], STANDARD)
    (frozen,) = IMatch(STANDARD).terms([value])
    assert frozen == ("t7P2id", "xRL-_J", "PGpbCJ", "tB_lTO", "nrO83g", "dSOp7n", "RteXPj")


# --- the weakness named in the source, and its answer


def test_a_noise_word_breaks_the_plain_signature_only() -> None:
    lexicons = lexicons_of(ImatchPlan(), MIDDLING)
    survived = []
    for seed in range(100):
        choose = random.Random(seed)
        *words, noise = choose.sample(WORDS, 101)
        left, right = signatures(words, lexicons), signatures([*words, noise], lexicons)
        assert left[0] != right[0]
        survived.append(shared(left, right))
    assert min(survived) >= 4
    # each of ten lexicons drops the word with the probability of the plan
    assert sum(survived) / len(survived) == pytest.approx(8, abs=0.4)


def test_unrelated_texts_share_no_signature() -> None:
    lexicons = lexicons_of(ImatchPlan(), MIDDLING)
    values = [signatures(random.Random(n).sample(WORDS, 100), lexicons) for n in range(200)]
    assert len({one for value in values for one in value if one}) == sum(
        sum(map(bool, value)) for value in values
    )


def test_without_lexicons_there_is_the_plain_one() -> None:
    value = signatures(WORDS[:30], lexicons_of(ImatchPlan(lexicons=0), MIDDLING))
    assert len(value) == 1


# --- whole texts


def test_common_and_rare_words_do_not_count() -> None:
    added = "的" + METRO.replace("集团", "，集团") + "了是在有我他"
    left, right, other = made([METRO, added, TEA], STANDARD)
    scheme = IMatch(STANDARD)
    assert scheme.similarity(left, right) == 1.0
    assert scheme.similarity(left, other) == 0.0


def test_a_plan_without_words_takes_pairs_of_characters_the_table_knows() -> None:
    """Most words of Chinese are such pairs, so the table of words serves."""
    plan = replace(CHARACTERS, imatch=replace(CHARACTERS.imatch, lexicons=0))
    left, right, other = made([METRO, METRO.replace("，", ""), TEA], plan)
    assert left == right != other
    assert left != ()
