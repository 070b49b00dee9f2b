"""Damage is no fact, and a fact in a clean text is no damage."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.plan import STANDARD
from query.facts.differ import facts_differ
from query.facts.noise import FEW, Noise
from query.grams import features_all
from scripts.mutations.noise import edits, utf8_byte_damage
from tests.unit.query.facts.test_differ import NEWS

LONG = NEWS + (
    "改造工程由市轨道交通公司负责，工期为18个月，2022年9月完工。市民王建国告诉记者，他在这一带住了"
    "37年，过去到市中心要换乘3次，单程超过95分钟。专家认为，延长线将带动沿线15个街区的发展，"
    "预计新增就业岗位1.4万个，每年减少碳排放2600吨。"
)


def test_few_broken_characters_explain_nothing() -> None:
    for broken in range(FEW):
        assert not Noise(broken, 0, 100).explains_numbers(1, 1000)
        assert not Noise(broken, 0, 100).explains_name(1, 1000)


@given(st.integers(FEW, 50), st.integers(100, 2000), st.integers(1, 20), st.integers(1, 200))
def test_more_damage_explains_more(broken: int, units: int, slight: int, digits: int) -> None:
    """More digits, and fewer changes, are explained at least as well."""
    noise = Noise(broken, 0, units)
    for replaced in (False, True):
        if noise.explains_numbers(slight + 1, digits, replaced):
            assert noise.explains_numbers(slight, digits, replaced)
        if noise.explains_numbers(slight, digits, replaced):
            assert noise.explains_numbers(slight, digits + 1, replaced)
    if noise.explains_numbers(slight, digits, replaced=True):
        assert noise.explains_numbers(slight, digits)


def typed(text: str, count: int, seed: int) -> str:
    """With mistakes in so many places that are neither number nor name."""
    choose, out = Random(seed), list(text)
    for place in choose.sample(
        [at for at, each in enumerate(text) if each in "的，在和了是"], count
    ):
        out[place] = choose.choice(["", out[place] * 2, "有"])
    return "".join(out)


@pytest.mark.parametrize(
    ("said", "other"),
    [("王建国", "李晓明"), ("18个月", "13个月"), ("市轨道交通公司", "省高速公路集团")],
)
def test_a_fact_is_one_beside_some_mistakes(said: str, other: str) -> None:
    for seed in range(10):
        copy = typed(LONG, 2, seed)
        assert facts_differ(*features_all([LONG, copy], STANDARD))[1] == 0
        changed = copy.replace(said, other)
        assert changed != copy
        assert facts_differ(*features_all([LONG, changed], STANDARD))[1] == 1


@pytest.mark.parametrize("every", [10, 20])
def test_broken_characters_are_rarely_facts(every: int) -> None:
    wrong = 0
    for seed in range(40):
        damaged = edits(LONG, Random(seed), every)
        assert damaged is not None
        wrong += bool(facts_differ(*features_all([LONG, damaged], STANDARD))[1])
    assert wrong <= 4


def test_damaged_bytes_are_rarely_facts() -> None:
    wrong = 0
    for seed in range(40):
        damaged = utf8_byte_damage(LONG, Random(seed), 60)
        assert damaged is not None
        wrong += bool(facts_differ(*features_all([LONG, damaged], STANDARD))[1])
    assert wrong <= 4


@pytest.mark.parametrize(
    ("old", "new"), [("37年", "38年"), ("2022年", "2023年"), ("王建国", "李建国"), ("12号", "13号")]
)
def test_one_clean_change_is_a_fact(old: str, new: str) -> None:
    assert facts_differ(*features_all([LONG, LONG.replace(old, new)], STANDARD))[1] == 1


def test_other_facts_in_a_damaged_text_are_facts() -> None:
    damaged = edits(LONG, Random(1), 50)
    assert damaged is not None
    other = damaged.replace("1.2亿", "7.5亿").replace("2021年3月", "2016年8月")
    assert facts_differ(*features_all([LONG, other], STANDARD))[1] >= 1


def test_numbers_are_told_alike_from_either_side() -> None:
    """Where one text has many more of them, of which damage may break one."""
    said = (
        "社区图书馆今年共收到读者捐赠的旧书345册，工作人员逐一登记整理以后，放在一楼的阅览室里供大家免费借阅，"
        "不少居民带着孩子前来挑选喜欢的故事书，希望以后能常常举办这样的活动。"
    )
    broken = said.replace("345", "346").replace("逐一", "遂一").replace("喜欢", "喜坎")
    broken = broken.replace("居民", "居珉")
    listed = "，".join(f"第{shelf}架{1_000 + 7 * shelf}本" for shelf in range(40, 160))
    for other in (broken, f"{broken}附表：{listed}"):
        either = [
            facts_differ(*features_all(pair, STANDARD))[1]
            for pair in ([said, other], [other, said])
        ]
        assert either[0] == either[1]


WIRE = (
    "The Harbour Board of Eastleigh said on Tuesday that the Norwood Bridge will be closed for 14 "
    "months while the steel of its 212 piers is renewed. Walter Fairley, who leads the works for "
    "the County Council, told reporters at the Milton Hotel that 385 workers and 27 boats are to "
    "be hired in October, and that the Dunmore Ferry will carry people and bicycles for free. Nora "
    "Castell of the Oakdale Traders said that shops in Selby Street fear for their customers, of "
    "whom most come over the bridge. A petition with 4,150 names was handed to Irene Novak, the "
    "Mayor, on Friday, and the Council of Hartwell has asked the Ministry of Transport for 96 more "
    "buses in the morning. The bridge was built in 1931, repaired in 1968 and painted in 2004."
)


def typos(text: str, every: int, seed: int, kinds: str = "sid", spare: str = "") -> str:
    """With a letter in so many replaced, added or lost; the words of `spare` stay as they are."""
    choose, out = Random(seed), list(text)
    kept = text.find(spare) if spare else len(text)
    for place in sorted(choose.sample(range(len(text)), len(text) // every), reverse=True):
        if spare and kept - 4 <= place < kept + len(spare) + 4:
            continue
        kind, letter = choose.choice(kinds), choose.choice("abcdefghijklmnopqrstuvwxyz")
        out[place : place + (kind != "i")] = [] if kind == "d" else [letter]
    return "".join(out)


@pytest.mark.parametrize(
    ("every", "kinds"), [(100, "sid"), (50, "sid"), (20, "sid"), (10, "d"), (10, "i"), (20, "s")]
)
def test_typing_mistakes_in_words_with_spaces_are_rarely_facts(every: int, kinds: str) -> None:
    """Neither of names, which may lose the space beside them, nor of numbers."""
    pairs = (features_all([WIRE, typos(WIRE, every, seed, kinds)], STANDARD) for seed in range(50))
    assert sum(facts_differ(*pair)[1] > 0 for pair in pairs) <= 5


@pytest.mark.parametrize(
    ("said", "other"),
    [("385 workers", "375 workers"), ("Irene Novak", "Clara Bennett"), ("Tuesday", "Monday")],
)
def test_a_fact_is_one_beside_typing_mistakes(said: str, other: str) -> None:
    named = 0
    for seed in range(20):
        copy = typos(WIRE, 60, seed, spare=said).replace(said, other)
        facts, _ = facts_differ(*features_all([WIRE, copy], STANDARD))
        named += any(fact.stored in other for fact in facts)
    assert named >= 18


def test_digits_in_words_say_that_digits_are_broken() -> None:
    broken = WIRE.replace("Board", "B7ard").replace("steel", "ste4el").replace("told", "t0ld")
    clean = WIRE.replace("Board", "Bxard").replace("steel", "steuel").replace("told", "tqld")
    for copy, expected in ((broken, 0), (clean, 1)):
        changed = copy.replace("385", "375")
        assert facts_differ(*features_all([WIRE, changed], STANDARD))[1] == expected


@pytest.mark.parametrize("seed", range(3))
def test_lost_characters_are_rarely_facts(seed: int) -> None:
    wrong = 0
    for at in range(20):
        lost = set(Random(20 * seed + at).sample(range(len(LONG)), len(LONG) // 10))
        copy = "".join(each for place, each in enumerate(LONG) if place not in lost)
        wrong += bool(facts_differ(*features_all([LONG, copy], STANDARD))[1])
    assert wrong <= 2
