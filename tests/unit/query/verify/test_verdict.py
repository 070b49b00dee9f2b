"""Verdicts on constructed pairs: exact, near, partial, none; both ways the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mappings.plan import STANDARD, Plan
from query.answers import Direction, Verdict
from query.grams import Features, Kind, features_all
from query.verify.long_runs import EDIT, FOLLOWING, PART, SEVERAL, THREE, UNBROKEN, WORDS
from query.verify.verdict import Judgement, could_match, judge
from tests.texts import (
    CHARACTERS,
    LAW,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    MIXED,
    ORCHARD,
    PLAIN,
    TEA,
    chinese,
    english,
    visible,
)

MIRROR = {
    Direction.CONTAINS: Direction.CONTAINED_IN,
    Direction.CONTAINED_IN: Direction.CONTAINS,
    Direction.OVERLAPS: Direction.OVERLAPS,
    None: None,
}


def compare(asked: str, stored: str, plan: Plan = STANDARD) -> Judgement:
    one, other = features_all([asked, stored], plan)
    return judge(one, other, plan)


def edited(text: str, share: float, seed: int) -> str:
    """With that share of its characters replaced."""
    choose = random.Random(seed)
    places = set(choose.sample(range(len(text)), round(len(text) * share)))
    return "".join(choose.choice(CHARACTERS) if i in places else c for i, c in enumerate(text))


def homophones(text: str) -> str:
    """Every character that has one becomes another character of the same sound."""
    from indexer.text.table import LIMIT, load
    from mappings.plan import STEPS

    table = load("1", STEPS)
    others: dict[int, list[str]] = {}
    for character in CHARACTERS:
        others.setdefault(int(table.syllable[ord(character)]), []).append(character)
    out = []
    for c in text:
        sound = int(table.syllable[ord(c)])
        choices = [o for o in others.get(sound, []) if o != c] if sound >= LIMIT else []
        out.append(choices[0] if choices else c)
    return "".join(out)


# --- exact


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (METRO, METRO),
        (METRO, METRO_TRADITIONAL),
        (METRO, METRO.replace("，", " ").replace("。", "\n")),
        (LIBRARY, LIBRARY.upper().replace(".", " ").replace("1 5", "1.5")),
        ("好", "好！"),
        ("😀", "😀"),
    ],
)
def test_exact(asked: str, stored: str) -> None:
    found = compare(asked, stored)
    assert found.verdict is Verdict.EXACT
    assert (found.similarity, found.share, found.stored_share) == (1, 1, 1)
    assert found.direction is None


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (METRO + "涨幅1.5", METRO + "涨幅15"),
        (METRO + "气温-4度", METRO + "气温4度"),
        (METRO, METRO.replace("李明华", "李明花")),
    ],
)
def test_an_edited_fact_is_near_and_not_exact(asked: str, stored: str) -> None:
    found = compare(asked, stored)
    assert found.verdict is Verdict.NEAR
    assert found.similarity > 0.9


# --- near


@pytest.mark.parametrize(("share", "verdict"), [(0.02, Verdict.NEAR), (0.1, Verdict.NEAR)])
def test_near_by_characters(share: float, verdict: Verdict) -> None:
    text = chinese(600, 1)
    found = compare(text, edited(text, share, 1))
    assert found.verdict is verdict
    assert found.similarity == max(found.jaccard, found.syllable_jaccard) >= 0.4
    assert found.direction is None


def test_near_by_syllables_only() -> None:
    text = chinese(600, 2)
    found = compare(text, homophones(text), PLAIN)  # parts of characters have sounds of their own
    assert found.verdict is Verdict.NEAR
    assert found.jaccard < STANDARD.thresholds.near < found.syllable_jaccard == 1.0
    assert compare(METRO, METRO_HOMOPHONES).syllable_jaccard == 1.0


def test_near_by_characters_where_many_sound_alike() -> None:
    """Characters are looked at although the syllables alone stay below the threshold."""
    text = "有不时时十十市十的他事是时四在他是人是有一在十了他有的时的在"
    found = compare(text, "有不时时十十市十的他事是时在在他是人是有人在十了他有的有的在")
    assert found.verdict is Verdict.NEAR
    assert found.syllable_jaccard < STANDARD.thresholds.near <= found.jaccard


def test_near_english_by_words() -> None:
    words = LIBRARY.split()
    for place in range(5, len(words), 12):
        words[place] = "perhaps"
    found = compare(LIBRARY, " ".join(words))
    assert found.verdict is Verdict.NEAR
    turned = compare(LIBRARY, LIBRARY[200:] + " " + LIBRARY[:200])
    assert turned.verdict is Verdict.NEAR


def test_where_near_begins() -> None:
    """The verdict turns at the threshold itself, whatever its value."""
    text = chinese(600, 3)
    other = edited(text, 0.06, 3)
    similarity = compare(text, other).similarity
    for near, verdict in ((similarity, True), (similarity + 1e-9, False)):
        plan = replace(STANDARD, thresholds=replace(STANDARD.thresholds, near=near))
        assert (compare(text, other, plan).verdict is Verdict.NEAR) is verdict


# --- partial


def test_a_copy_of_half_the_text_is_found() -> None:
    text = chinese(1_200, 6)
    for half in (text[:600], text[300:900], text[600:]):
        assert compare(half, text).verdict in (Verdict.NEAR, Verdict.PARTIAL)


def test_partial_needs_enough_shared_grams() -> None:
    """A short quotation is no copy, whatever its share of a short text."""
    quote = chinese(34, 7)
    short = chinese(60, 8) + quote
    found = compare(short, chinese(900, 9) + quote + chinese(900, 10))
    assert found.share >= STANDARD.thresholds.partial
    assert found.shared < STANDARD.thresholds.shared
    assert found.verdict is None
    eased = replace(STANDARD, thresholds=replace(STANDARD.thresholds, shared=found.shared))
    assert compare(short, chinese(900, 9) + quote + chinese(900, 10), eased).verdict is not None


# --- none


@pytest.mark.parametrize("asked", [METRO, TEA, LIBRARY, ORCHARD, MIXED, "好", "😀"])
@pytest.mark.parametrize("stored", [METRO, TEA, LIBRARY, ORCHARD, MIXED, "好", "😀"])
def test_unrelated_texts_are_none(asked: str, stored: str) -> None:
    if asked is not stored:
        found = compare(asked, stored)
        assert found.verdict is None
        assert found.similarity < 0.1


def template(city: str, low: int, high: int, wind: str, advice: str) -> str:
    return (
        f"{city}气象台今天下午发布天气预报：预计今天夜间{wind}，最低气温{low}度；明天白天"
        f"{advice}，最高气温{high}度。"
    )


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (
            template("银川", 4, 17, "晴间多云转北风三到四级", "空气干燥请注意防火并多喝水"),
            template("海口", 23, 31, "有雷阵雨局部暴雨", "闷热潮湿出门记得带雨伞"),
        ),
        (
            template("哈尔滨", -19, -8, "小雪转多云西北风五级", "道路结冰司机应减速慢行"),
            template("杭州", 6, 12, "阴有零星小雨", "湖面大雾部分游船停航"),
        ),
    ],
)
def test_texts_from_one_template_are_not_matched(asked: str, stored: str) -> None:
    found = compare(asked, stored)
    assert 0.1 < found.similarity < 0.40  # alike, and below the threshold
    assert found.verdict is None


def test_a_text_with_spaces_and_one_without_are_not_compared_by_words() -> None:
    """Letters stand for themselves among syllables, so both Jaccards are the same number."""
    found = compare(LIBRARY, MIXED + LIBRARY[:80])
    assert found.jaccard == found.syllable_jaccard > 0
    both = compare(LIBRARY, LIBRARY[:200] + ORCHARD)
    assert both.jaccard != both.syllable_jaccard


# --- laws

related = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(20, 900), st.floats(0, 0.4))


def assert_mirrored(asked: str, stored: str) -> None:
    one, back = compare(asked, stored), compare(stored, asked)
    assert one.verdict is back.verdict
    for name in ("similarity", "jaccard", "syllable_jaccard", "shared", "kept", "same"):
        assert getattr(one, name) == getattr(back, name)
    assert (one.share, one.stored_share) == (back.stored_share, back.share)
    assert (one.runs and one.runs.common) == (back.runs and back.runs.common)
    assert one.direction is MIRROR[back.direction]
    assert all(0 <= value <= 1 for value in (one.similarity, one.share, one.stored_share))


@given(visible, visible)
@example("aa中1.5a中字", "a a中1.5a中字")  # exact, but only one of them has more words than units
@LAW
def test_verdicts_are_symmetric(asked: str, stored: str) -> None:
    assert_mirrored(asked, stored)


@given(related, st.booleans())
@LAW
def test_verdicts_of_related_texts_are_symmetric(
    parts: tuple[int, int, int, float], spaced: bool
) -> None:
    one, other, size, share = parts
    make = english if spaced else chinese
    text = make(size, one)
    assert_mirrored(text, edited(text[: size // 2], share, 1) + make(size, other))


def possible(asked: str, stored: str) -> bool:
    one, other = features_all([asked, stored], STANDARD)
    return could_match(one, other, STANDARD)


def distance(left: Sequence[object], right: Sequence[object]) -> int:
    """Levenshtein's, by the book."""
    row = list(range(len(right) + 1))
    for at, one in enumerate(left, 1):
        before, row[0] = row[0], at
        for place, other in enumerate(right, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (one != other)),
            )
    return row[-1]


def by_definition(asked: str, stored: str) -> Verdict | None:
    """The rules of the module's docstring, on plain sets and with nothing left out."""
    one, other = features_all([asked, stored], STANDARD)
    if one.text_hash == other.text_hash:
        return Verdict.EXACT
    limits = STANDARD.thresholds
    spaced = one.spaced and other.spaced
    pairs = [
        (set(one.grams(kind, spaced).tolist()), set(other.grams(kind, spaced).tolist()))
        for kind in Kind
    ]
    jaccards = [len(a & b) / max(1, len(a | b)) for a, b in pairs[:2]]
    folded = [features.letters for features in (one, other)]
    if max(map(len, folded)) <= limits.short and limits.short_near <= max(
        1 - distance(*both) / max(map(len, both))
        for both in (folded, [features.units(spaced) for features in (one, other)])
    ):
        return Verdict.NEAR
    if max(jaccards) >= limits.near:
        return Verdict.NEAR
    left, right = pairs[2]
    common, smaller = len(left & right), max(1, min(len(left), len(right)))
    share = limits.word_partial if spaced else limits.partial
    needed = limits.word_shared if spaced else limits.shared
    if common >= needed and common / smaller >= share:
        return Verdict.PARTIAL
    if spaced:
        return Verdict.PARTIAL if by_words(one, other) else None
    mine, theirs = (features.units(spaced=False) for features in (one, other))
    runs = in_runs(mine, theirs), in_runs(theirs, mine)
    covered = max(runs[0] / max(1, len(mine)), runs[1] / max(1, len(theirs)))
    excerpt = min(runs) >= limits.covered_units and covered >= limits.covered
    passage = min(runs) >= limits.passage_units and covered >= limits.passage_share
    passage = passage and min(sequel(one, other), sequel(other, one)) >= SEVERAL
    return Verdict.PARTIAL if excerpt or passage else None


def by_words(one: Features, other: Features) -> bool:
    """Whether one of two texts in words is a revised copy, or has a long passage of the other."""
    limits = STANDARD.thresholds
    units = [features.units(spaced=True) for features in (one, other)]
    pairs = (units[0], units[1]), (units[1], units[0])
    found = [places_in_runs(*pair, limits.word_passage) for pair in pairs]
    covered = max(len(found[at][0]) / max(1, len(units[at])) for at in (0, 1))
    least, runs = (min(len(each[at]) for each in found) for at in (0, 1))
    passage = least >= limits.word_passage_units and covered >= limits.word_passage_share
    revised = least >= limits.revised_units and covered >= limits.revised
    if passage or (revised and runs >= limits.revised_runs):
        return True
    following = min(sequel(one, other, spaced=True), sequel(other, one, spaced=True))
    several = least >= WORDS and following >= FOLLOWING
    three = least >= UNBROKEN and following >= THREE and min(map(longest, found)) >= UNBROKEN
    return covered >= limits.word_passage_share and (several or three)


def longest(found: tuple[set[int], list[int]]) -> int:
    """How many units the longest run has: each goes up to where the next one begins."""
    places, begins = found
    edges = [*begins, max(places, default=0) + 1]
    return max((len(places & {*range(a, b)}) for a, b in pairwise(edges)), default=0)


def in_runs(own: Sequence[int], theirs: Sequence[int]) -> int:
    """How many units stand in runs that the other text has, too."""
    return len(places_in_runs(own, theirs, STANDARD.thresholds.run)[0])


def places_in_runs(
    own: Sequence[int], theirs: Sequence[int], width: int
) -> tuple[set[int], list[int]]:
    """The units in runs that the other text has, too, and where these runs begin."""
    there = {tuple(theirs[at : at + width]) for at in range(len(theirs) - width + 1)}
    found = [at for at in range(len(own)) if tuple(own[at : at + width]) in there]
    places = {place for at in found for place in range(at, at + width)}
    return places, [at for at in found if at - 1 not in found]


def sequel(own: Features, theirs: Features, spaced: bool = False) -> int:
    """Sentences in runs, and twice how often one follows another in a run."""
    limits = STANDARD.thresholds
    units = own.units(spaced), theirs.units(spaced)
    places, _ = places_in_runs(*units, limits.word_passage if spaced else limits.run)
    numbers, parts = own.sentences(spaced).tolist(), list[tuple[int, int, int]]()
    run, before = 0, -1
    for place in sorted(places):
        run += place - before > 1 + EDIT
        before = place
        if parts and parts[-1][:2] == (run, numbers[place]):
            parts[-1] = (run, numbers[place], parts[-1][2] + 1)
        else:
            parts.append((run, numbers[place], 1))
    kept = [part[:2] for part in parts if part[2] >= PART[spaced]]
    follows = sum(one[0] == other[0] for one, other in pairwise(kept))
    return len({number for _, number in kept}) + 2 * follows


@given(related, st.booleans())
@LAW
def test_the_verdict_is_the_one_of_the_definition(
    parts: tuple[int, int, int, float], spaced: bool
) -> None:
    """Whatever `judge` leaves uncomputed to save time changes no verdict of such texts."""
    one, other, size, share = parts
    make = english if spaced else chinese
    text = make(size, one)
    for cut in (size // 4, size // 2, size):
        copy = edited(text[:cut], share, other) + make(size - cut, other + 9)
        expected = by_definition(text, copy)
        assert compare(text, copy).verdict is expected
        assert expected is None or possible(text, copy)


@given(visible, visible)
@LAW
def test_the_quick_no_is_sure(asked: str, stored: str) -> None:
    assert compare(asked, stored).verdict is None or possible(asked, stored)


def test_the_quick_no_is_said() -> None:
    """It would be of no use if it always answered yes."""
    texts = [METRO, TEA, LIBRARY, ORCHARD, chinese(900, 1), english(300, 1)]
    unrelated = [(a, b) for a in texts for b in texts if a is not b]
    assert sum(possible(a, b) for a, b in unrelated) < len(unrelated) / 2


@pytest.mark.parametrize(
    ("asked", "stored", "near"),
    [
        ("谢谢童学们的支持", "谢谢同学们的支持", True),  # one wrong character in eight
        ("今天晚上一起去看电影吧", "今天晚上一起去看电视吧", True),
        ("今天晚上一起去看电影吧", "明天早上我要去看医生了", False),
        ("公式", "攻势", False),  # the same sounds are no copy of two characters
        ("他是谁", "她是谁", True),
        ("我喜欢看电影我不喜欢看电视", "我喜欢看电视我也不喜欢看电影", False),
        ("great movie, loved it", "great movie, loved it!!", True),
        ("great movie, loved it", "awful movie, hated it", False),
    ],
)
def test_short_texts_are_near_by_their_edits(asked: str, stored: str, near: bool) -> None:
    for judged in (compare(asked, stored), compare(stored, asked)):
        assert (judged.verdict is not None) is near
        assert judged.verdict is Verdict.EXACT or judged.kept is not None


def test_edits_are_counted_in_short_texts_only() -> None:
    limit = STANDARD.thresholds.short
    text = chinese(limit, 1)
    assert compare(text, edited(text, 0.02, 3)[: limit - 1] + "完").kept is not None
    assert compare(text + chinese(limit, 2), text).kept is None


@given(visible)
@LAW
def test_a_text_is_exactly_itself(text: str) -> None:
    assert compare(text, text).verdict is Verdict.EXACT


# --- tiny texts: what a skeleton leaves out is a difference


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("选A", "选B"),
        ("O型血", "A型血"),
        ("bet", "beet"),
        ("to", "too"),
        ("CC", "C"),
        ("门口有人", "问有人"),
        ("六月半", "六胖"),
        ("答案B", "答案C"),
        ("A股涨了", "B股涨了"),
        ("5G手机", "5手机"),
    ],
)
def test_a_letter_that_the_skeleton_leaves_out_counts_in_tiny_texts(
    asked: str, stored: str
) -> None:
    for one, other in ((asked, stored), (stored, asked)):
        judgement = compare(one, other)
        assert judgement.verdict is None and judgement.similarity < 1


@pytest.mark.parametrize(
    ("asked", "stored"), [("加微信", "加薇信"), ("hello", "h3llo"), ("paypal", "pаypаl")]
)
def test_a_letter_that_is_replaced_does_not(asked: str, stored: str) -> None:
    assert compare(asked, stored).verdict is Verdict.NEAR


@pytest.mark.parametrize("seed", range(3))
def test_no_quick_no_where_many_characters_have_one_sound(seed: int) -> None:
    """Many grams of characters that both texts have are one gram of syllables."""
    choose = random.Random(seed)
    same = choose.choices("石室诗士施氏嗜狮誓食十狮适市视是时使恃矢势逝世拾尸湿侍拭始试事实", k=320)
    asked, stored = ("".join([*same, *choose.choices(CHARACTERS, k=130)]) for _ in range(2))
    one, other = features_all([asked, stored], STANDARD)
    assert judge(one, other, STANDARD).verdict is Verdict.NEAR
    assert could_match(one, other, STANDARD)
    assert could_match(other, one, STANDARD)
