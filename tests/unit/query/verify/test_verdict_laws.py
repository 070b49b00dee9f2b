"""Laws of verdicts: both ways the same, as the rules define them, and no quick no too many."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mappings.plan import STANDARD
from query.answers import Direction, Verdict
from query.grams import Features, Kind, features_all
from query.verify.long_runs import (
    BRIEF,
    EDIT,
    FOLLOWING,
    PART,
    QUARTER,
    SEVERAL,
    SHORT,
    THREE,
    UNBROKEN,
    VARIED,
    WORDS,
)
from query.verify.verdict import judge
from tests.texts import (
    CHARACTERS,
    LAW,
    LIBRARY,
    METRO,
    ORCHARD,
    TEA,
    chinese,
    english,
    visible,
)
from tests.unit.query.verify.possible import could_match
from tests.unit.query.verify.test_verdict import compare, edited

MIRROR = {
    Direction.CONTAINS: Direction.CONTAINED_IN,
    Direction.CONTAINED_IN: Direction.CONTAINS,
    Direction.OVERLAPS: Direction.OVERLAPS,
    None: None,
}

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
@example("hello world中字", "hello world🇨🇳中字")  # exact, but a flag is letters to a skeleton
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
    if one.is_same(other):
        return Verdict.EXACT
    limits = STANDARD.thresholds
    spaced = one.spaced and other.spaced
    pairs = [
        [{*text.batch.of_row(kind, spaced, text.row).tolist()} for text in (one, other)]
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
    found = [telling_runs(*pair, limits.word_passage) for pair in pairs]
    covered = max(len(found[at][0]) / max(1, len(units[at])) for at in (0, 1))
    least, runs = (min(len(each[at]) for each in found) for at in (0, 1))
    passage = least >= limits.word_passage_units and covered >= limits.word_passage_share
    revised = least >= limits.revised_units and covered >= limits.revised
    if passage or (revised and runs >= limits.revised_runs):
        return True
    following = min(sequel(one, other, spaced=True), sequel(other, one, spaced=True))
    several = least >= WORDS and following >= FOLLOWING
    three = least >= UNBROKEN and following >= THREE and min(map(longest, found)) >= UNBROKEN
    brief = least >= BRIEF and following >= THREE and min(map(longest, found)) >= BRIEF
    if brief and covered >= QUARTER:
        return True
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


def telling_runs(
    own: Sequence[int], theirs: Sequence[int], width: int
) -> tuple[set[int], list[int]]:
    """The same of words, without short runs where these are of few different words."""
    places, begins = places_in_runs(own, theirs, width)
    edges = [*begins, len(own)]
    runs = [[place for place in range(*edge) if place in places] for edge in pairwise(edges)]
    short = {place for run in runs if len(run) < SHORT for place in run}
    if len({own[place] for place in short}) < min(VARIED * len(short) ** 0.5, len(short) / 2):
        runs = [run for run in runs if len(run) >= SHORT]
    return {place for run in runs for place in run}, [run[0] for run in runs]


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


@given(visible)
@LAW
def test_a_text_is_exactly_itself(text: str) -> None:
    assert compare(text, text).verdict is Verdict.EXACT


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
