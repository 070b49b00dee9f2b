"""Windows of pinyin initials: their places, digits, terms, and what an edit leaves of them."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.classic.dna import (
    MOST_COMPARED,
    SIZES,
    Dna,
    PinyinInitials,
    aligned_share,
    packed,
    sliding_matches,
    spelled,
    window_digits,
)
from indexer.text import Streams, prepare_all
from indexer.text.corpus_statistics import load_statistics
from indexer.text.initials import Letters
from indexer.text.ragged import ragged
from indexer.text.table import load
from mappings.plan import STANDARD, Plan
from mappings.plan.parts import DnaPlan
from mappings.plan.rules import LEVELS
from tests.texts import CHARACTERS, LAW, METRO, METRO_HOMOPHONES, chinese

SMALL = replace(STANDARD, dna=DnaPlan(granularity=16, overlap=0.5, levels=4))


def made(texts: Sequence[str], plan: Plan = STANDARD) -> list[Dna]:
    return PinyinInitials(plan).values(Streams(prepare_all(texts, plan), plan, False))


def terms(text: str, plan: Plan = STANDARD) -> tuple[str, ...]:
    return PinyinInitials(plan).terms(made([text], plan))[0]


def letters(count: int, seed: int = 1) -> Letters:
    return np.random.default_rng(seed).integers(0, 21, count).astype(np.uint8)


# --- windows and digits


def by_hand(text: Letters, starts: Sequence[int], plan: Plan) -> list[list[int]]:
    """The digits of the windows that begin at `starts`, letter by letter."""
    size, levels = min(plan.dna.granularity, len(text)), plan.dna.levels
    out = []
    for start in starts:
        row = []
        for letter, share in enumerate(load_statistics(plan).initials):
            count = text[start : start + size].tolist().count(letter)
            score = (count - size * share) / (size * share * (1 - share)) ** 0.5
            row.append(min(max(int((score + 2) / 4 * levels // 1), 0), levels - 1))
        out.append(row)
    return out


@pytest.mark.parametrize(
    ("length", "overlap", "starts"),
    [
        (32, 0.5, [0, 8, 16]),  # the source's own: 2n letters, half overlapped, three windows
        (33, 0.5, [0, 8, 16, 17]),  # the last one ends where the text does
        (39, 0.5, [0, 8, 16, 23]),
        (40, 0.5, [0, 8, 16, 24]),
        (16, 0.5, [0]),
        (17, 0.5, [0, 1]),
        (3, 0.5, [0]),  # shorter than a window: one window
        (32, 0.0, [0, 16]),
        (20, 0.75, [0, 4]),
    ],
)
@pytest.mark.parametrize("levels", LEVELS)
def test_windows(length: int, overlap: float, starts: list[int], levels: int) -> None:
    plan = replace(STANDARD, dna=DnaPlan(16, overlap, levels))
    text = letters(length)
    assert window_digits(ragged([text]), plan)[0].tolist() == by_hand(text, starts, plan)


def test_a_batch_is_its_texts() -> None:
    texts = [letters(count, count) for count in (0, 40, 3, 16, 0, 500, 17, 0)]
    together = window_digits(ragged(texts), SMALL)
    for row, text in enumerate(texts):
        assert together[row].tolist() == window_digits(ragged([text]), SMALL)[0].tolist()
    assert together.lengths.tolist() == [0, 4, 1, 1, 0, 62, 2, 0]


@pytest.mark.parametrize("levels", LEVELS)
def test_digits_stay_within_the_levels(levels: int) -> None:
    plan = replace(STANDARD, dna=DnaPlan(16, 0.5, levels))
    one = np.zeros(64, np.uint8)  # one letter all along: far beyond, the others below
    digits = window_digits(ragged([one]), plan)[0]
    assert digits[:, 0].tolist() == [levels - 1] * len(digits)
    assert digits.max() == levels - 1


# --- terms

digit_rows = st.sampled_from(LEVELS).flatmap(
    lambda levels: st.tuples(
        st.just(levels), st.lists(st.integers(0, levels - 1), min_size=20, max_size=20)
    )
)


@given(digit_rows)
@LAW
def test_a_window_is_one_number_of_that_many_digits(drawn: tuple[int, list[int]]) -> None:
    levels, row = drawn
    plan = DnaPlan(levels=levels)
    number = 0
    for digit in row:
        number = number * levels + digit
    raw = number.to_bytes(SIZES[levels], "big")
    digits = np.array([row, row], np.uint8)
    assert packed(digits, plan).tobytes() == raw * 2
    text = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    assert spelled(digits, plan) == [text, text]


def test_sizes_are_the_smallest_that_hold_all_windows() -> None:
    """Ten levels need nine bytes, not the eight that the source prints."""
    assert {levels: ((levels**20 - 1).bit_length() + 7) // 8 for levels in LEVELS} == SIZES


def test_terms_do_not_change() -> None:
    """Frozen: other terms would not be found in an index written before."""
    assert terms(METRO) == ("ZpWUjyU", "q1XVTlU", "_wXCTqQ")


def test_text_without_initials_has_none() -> None:
    assert terms("2021 мир") == ()
    left, right = made(["2021 мир", METRO])
    assert PinyinInitials(STANDARD).similarity(left, right) == 0.0
    assert sliding_matches(left.letters, right, STANDARD).tolist() == [-1] * len(right.windows)
    assert len(sliding_matches(right.letters, left, STANDARD)) == 0


# --- what an edit leaves


def _homophones() -> dict[str, list[str]]:
    """Common characters by syllable."""
    syllable = load(STANDARD.table, STANDARD.steps).syllable
    out: dict[int, list[str]] = {}
    for character in CHARACTERS:
        out.setdefault(int(syllable[ord(character)]), []).append(character)
    return {character: alike for alike in out.values() for character in alike}


HOMOPHONES = _homophones()


@given(st.integers(0, 10**6), st.integers(1, 600), st.sampled_from(LEVELS))
@LAW
def test_homophones_change_nothing(seed: int, length: int, levels: int) -> None:
    plan = replace(STANDARD, dna=DnaPlan(levels=levels))
    text = chinese(length, seed)
    choose = random.Random(seed)
    other = "".join(choose.choice(HOMOPHONES.get(character, [character])) for character in text)
    left, right = made([text, other], plan)
    assert left.windows.tolist() == right.windows.tolist()
    assert left.letters.tolist() == right.letters.tolist()


def test_homophones_of_a_real_text() -> None:
    assert METRO != METRO_HOMOPHONES
    assert terms(METRO) == terms(METRO_HOMOPHONES)


@pytest.mark.parametrize("kind", ["insertion", "deletion", "substitution"])
def test_a_character_more_less_or_other_leaves_windows(kind: str) -> None:
    """Equal ones, so that the copy is a candidate, and nearly all of the others close."""
    shared, close, trials = 0, 0.0, 60
    for seed in range(trials):
        text = chinese(700, seed)
        place = random.Random(seed).randrange(100, 600)
        new = "" if kind == "deletion" else "齐"
        end = place if kind == "insertion" else place + 1
        other = text[:place] + new + text[end:]
        shared += bool({*terms(text)} & {*terms(other)})
        left, right = made([text, other])
        close += aligned_share(left, right, STANDARD) / trials
    assert shared == trials
    assert close > 0.9


def test_unrelated_texts_share_nothing() -> None:
    scheme = PinyinInitials(STANDARD)
    values = made([chinese(700, seed) for seed in range(60)])
    lists = scheme.terms(values)
    assert len({term for row in lists for term in row}) == sum(map(len, lists))
    assert max(scheme.similarity(values[0], other) for other in values[1:]) < 0.3


def test_a_passage_that_was_moved_is_found_by_sliding() -> None:
    passage, others = chinese(400, 1), [chinese(500, 2), chinese(500, 3)]
    stored = others[0] + passage
    asked = passage + others[1]
    left, right = made([asked, stored])
    assert aligned_share(left, right, STANDARD) == 0.0
    found = sliding_matches(left.letters, right, STANDARD)
    held = found[found >= 0]
    # of the windows that lie inside of the passage, none is lost
    step, size = 64, 128
    before = len(made([others[0]])[0].letters)
    inside = [n for n in range(len(found) - 1) if n * step >= before]
    places = [n * step - before for n in inside]
    # the first of equally close windows is given, a few letters earlier
    assert all(0 <= place - found[n] <= 8 for n, place in zip(inside, places, strict=True))
    assert len(inside) >= 3
    assert held.max() + size <= len(made([passage])[0].letters)
    assert PinyinInitials(STANDARD).similarity(left, right) >= 0.3


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("tolerance", [0, 6, 25])
def test_sliding_matches_are_the_closest_windows(levels: int, tolerance: int) -> None:
    """Against all distances, digit by digit."""
    plan = replace(
        STANDARD,
        dna=DnaPlan(16, 0.5, levels),
        thresholds=replace(STANDARD.thresholds, dna_tolerance=tolerance),
    )
    asked, stored = letters(90, 3), np.concatenate((letters(40, 4), letters(90, 3)[20:60]))
    value = Dna(stored, window_digits(ragged([stored]), plan)[0])
    every = window_digits(ragged([asked]), plan, step=1)[0].astype(int)
    expected = []
    for window in value.windows.astype(int):
        distances = np.abs(every - window).sum(axis=1)
        best = int(distances.argmin())
        expected.append(best if distances[best] <= tolerance else -1)
    assert sliding_matches(asked, value, plan).tolist() == expected
    assert max(expected) >= 0


def test_very_long_texts_are_compared_by_equal_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    text = letters(3_000, 5)
    value = Dna(text, window_digits(ragged([text]), SMALL)[0])
    asked = text[1_000:1_500]
    close = sliding_matches(asked, value, SMALL)
    assert len(asked) * len(value.windows) < MOST_COMPARED
    monkeypatch.setattr("indexer.fingerprints.classic.dna.MOST_COMPARED", 0)
    equal = sliding_matches(asked, value, SMALL)
    for number in range(125, 186):
        place = equal[number]
        assert 0 <= number * 8 - 1_000 - place <= 2  # or just before, if equal there, too
        again = window_digits(ragged([asked[place : place + 16]]), SMALL)[0][0]
        assert again.tolist() == value.windows[number].tolist()
    assert (equal[close < 0] < 0).all()


@pytest.mark.parametrize("most", [0, MOST_COMPARED])
@pytest.mark.parametrize("levels", LEVELS)
def test_a_query_taken_in_parts_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, levels: int, most: int
) -> None:
    plan = replace(STANDARD, dna=DnaPlan(16, 0.5, levels))
    text = letters(700, 6)
    value = Dna(text, window_digits(ragged([text]), plan)[0])
    asked = np.concatenate((letters(100, 7), text[50:650]))
    monkeypatch.setattr("indexer.fingerprints.classic.dna.MOST_COMPARED", most)
    whole = sliding_matches(asked, value, plan)
    monkeypatch.setattr("indexer.fingerprints.classic.dna._AT_ONCE", 37)
    monkeypatch.setattr("indexer.fingerprints.classic.dna._PAIRS", 100)
    assert sliding_matches(asked, value, plan).tolist() == whole.tolist()
    assert np.count_nonzero(whole >= 0) > 70


# --- texts of few letters


@pytest.mark.parametrize(
    ("left", "right", "similarity"),
    [
        ("a", "b", 0.0),
        ("云", "海", 0.0),
        ("hello world", "more peace", 0.0),
        ("云", "运", 1.0),
        ("a", "e", 0.0),  # letters that are not counted
        ("a", "a", 0.0),
        ("u " * 20, "安" * 20, 0.0),
    ],
)
def test_few_letters_are_alike_when_they_are_equal(
    left: str, right: str, similarity: float
) -> None:
    """One letter of two differs by less than the tolerance of a window."""
    assert PinyinInitials(STANDARD).similarity(*made([left, right])) == similarity
