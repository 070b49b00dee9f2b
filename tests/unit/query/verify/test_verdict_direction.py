"""Which way a copy goes: inside of the other text, around it, or beside it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from indexer.boilerplate import Boilerplate, sentence_keys
from indexer.text import prepare_all
from mappings.plan import STANDARD
from query.answers import Direction, Verdict
from query.grams import features_all
from query.verify.verdict import judge
from tests.texts import chinese, english
from tests.unit.query.verify.test_verdict import compare


@pytest.mark.parametrize("make", [chinese, lambda size, seed: english(size // 4, seed)])
def test_half_of_a_text_is_near_and_inside(make: Callable[[int, int], str]) -> None:
    whole = make(1_200, 4)
    half = whole[len(whole) // 4 : len(whole) * 3 // 4]
    found, back = compare(half, whole), compare(whole, half)
    assert found.verdict is back.verdict is Verdict.NEAR
    assert (found.direction, back.direction) == (Direction.CONTAINED_IN, Direction.CONTAINS)


@pytest.mark.parametrize("make", [chinese, lambda size, seed: english(size // 4, seed)])
def test_near_texts_that_both_have_their_own_are_no_excerpts(
    make: Callable[[int, int], str],
) -> None:
    common = make(1_400, 4)
    found = compare(f"{common} {make(500, 5)}", f"{common} {make(1_100, 6)}")
    assert found.verdict is Verdict.NEAR
    assert found.direction is None


@pytest.mark.parametrize("make", [chinese, lambda size, seed: english(size // 4, seed)])
def test_partial_with_each_direction(make: Callable[[int, int], str]) -> None:
    article, around, other = make(400, 1), make(2_000, 2), make(2_000, 3)
    inside = f"{around}。 {article}。 {other}"
    found = compare(article, inside)
    assert found.verdict is Verdict.PARTIAL
    assert found.direction is Direction.CONTAINED_IN
    assert found.share > 0.95 > 0.2 > found.stored_share
    back = compare(inside, article)
    assert back.direction is Direction.CONTAINS
    assert (back.share, back.stored_share) == (found.stored_share, found.share)
    small = make(150, 5)
    lapped = compare(f"{small}。 {around}", f"{other}。 {small}")
    assert lapped.verdict is None  # 150 of 2,150 characters are below the least share
    lapped = compare(f"{article}。 {around}", f"{other}。 {article}")
    assert lapped.verdict is Verdict.PARTIAL
    assert lapped.direction is Direction.OVERLAPS


def test_english_overlap() -> None:
    common, one, other = english(300, 1), english(400, 2), english(400, 3)
    found = compare(f"{common} {one}", f"{other} {common}")
    assert found.verdict is Verdict.PARTIAL
    assert found.direction is Direction.OVERLAPS
    assert 0.35 <= found.share < 0.6


def test_the_longer_text_is_never_inside_the_shorter() -> None:
    """Both hold every gram of the other, since one repeats a sentence more often."""
    sentence = "河边的茶馆开了三十年，"
    less, more = sentence * 8, sentence * 12
    found, back = compare(less, more), compare(more, less)
    assert (found.share, found.stored_share) == (1.0, 1.0)
    assert (found.direction, back.direction) == (Direction.CONTAINED_IN, Direction.CONTAINS)


@pytest.mark.parametrize(
    ("left", "right"), [("a ﬁ中a a字", "a ﬁ中a ﬁ a字"), ("好" * 40, "好" * 60)]
)
def test_the_two_ways_round_agree(left: str, right: str) -> None:
    mirrored = {
        Direction.CONTAINS: Direction.CONTAINED_IN,
        Direction.CONTAINED_IN: Direction.CONTAINS,
        Direction.OVERLAPS: Direction.OVERLAPS,
        None: None,
    }
    assert compare(right, left).direction is mirrored[compare(left, right).direction]


@pytest.mark.parametrize("make", [chinese, lambda size, seed: english(size // 4, seed)])
def test_edits_do_not_take_an_excerpt_out(make: Callable[[int, int], str]) -> None:
    """Nor do they put one in of which less is there."""
    source, own = make(2_400, 1), make(2_000, 2)
    size, choose = len(source), Random(7)

    def edited(text: str) -> str:
        letters = [at for at, letter in enumerate(text) if letter.isalnum()]
        out = list(text)
        for at in letters[20::40]:
            out[at] = choose.choice("xyz") if text.isascii() else "改"
        return "".join(out)

    excerpt = edited(source[size // 3 : size * 2 // 3])
    found, back = compare(excerpt, source), compare(source, excerpt)
    assert (found.direction, back.direction) == (Direction.CONTAINED_IN, Direction.CONTAINS)
    part = edited(source[: size // 2]) + own[: size // 6]
    found, back = compare(part, source), compare(source, part)
    assert found.verdict is not None
    assert not {found.direction, back.direction} & {Direction.CONTAINED_IN, Direction.CONTAINS}


@pytest.mark.parametrize("make", [chinese, lambda size, seed: english(size // 4, seed)])
@pytest.mark.parametrize("every", [40, 60, 100])
def test_edits_at_random_do_not_take_an_excerpt_out(
    make: Callable[[int, int], str], every: int
) -> None:
    source, own, rng = make(2_400, 1), make(2_000, 2), Random(every)

    def edited(text: str) -> str:
        out = list(text)
        for _ in range(len(text) // every):
            at = rng.randrange(len(out))
            out[at] = rng.choice(["", out[at] + "x", "x"]) if text.isascii() else "改"
        return "".join(out)

    whole, part = edited(source[600:1_400]), edited(source[600:1_240] + own[:160])
    assert compare(whole, source).direction is Direction.CONTAINED_IN
    assert compare(source, whole).direction is Direction.CONTAINS
    assert compare(part, source).direction in (Direction.OVERLAPS, None)


def test_a_learned_notice_takes_no_excerpt_out() -> None:
    source, notice = english(900, 1), english(35, 2)
    words = source.split()[300:500]
    for at in range(4, 200, 8):
        words[at] = "perhaps"
    excerpt = f"{notice}. {' '.join(words)}"
    (keys,) = sentence_keys(prepare_all([notice], STANDARD), STANDARD)
    learned = Boilerplate({keys[0][2]: 9})
    asked, stored = features_all([excerpt, source], STANDARD, learned)
    found = judge(asked, stored, STANDARD)
    assert found.direction is Direction.CONTAINED_IN
