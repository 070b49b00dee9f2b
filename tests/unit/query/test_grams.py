"""The gram sets that verification compares."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprint_of
from indexer.text.hashing import shared
from mappings.plan import STANDARD
from query.grams import Features, Kind, features_all
from tests.texts import (
    LAW,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    PLAIN,
    TEA,
    chinese,
    features_of,
    visible,
)

sets_of_numbers = st.sets(st.integers(0, 60), max_size=30)


@given(sets_of_numbers, sets_of_numbers)
@LAW
def test_shared_counts_the_intersection(left: set[int], right: set[int]) -> None:
    one, other = (np.array(sorted(values), np.uint64) for values in (left, right))
    assert shared(one, other) == shared(other, one) == len(left & right)


def sets(made: Features, spaced: bool) -> list[list[int]]:
    """All three gram sets."""
    return [sorted({*made.batch.of_row(kind, spaced, made.row).tolist()}) for kind in Kind]


@given(st.lists(visible, min_size=1, max_size=5))
@LAW
def test_together_is_alone(batch: list[str]) -> None:
    for text, made in zip(batch, features_all(batch, STANDARD), strict=True):
        alone = features_of(text, STANDARD)
        assert made.is_same(alone) and made.spaced == alone.spaced
        for spaced in (False, True):
            assert sets(made, spaced) == sets(alone, spaced)
            assert sets(made, spaced) == sets(alone, spaced)  # asked again, the same


def test_texts_of_one_stored_hash_are_the_same() -> None:
    texts = (METRO, METRO.replace("，", " "), LIBRARY, "😀", "😀 ", "😁", "1.5", "1,5", "15")
    hashes = [fingerprint_of(text, STANDARD).text_hash for text in texts]
    made = features_all(texts, STANDARD)
    for one, text_hash in zip(made, hashes, strict=True):
        assert [one.is_same(other) for other in made] == [text_hash == each for each in hashes]


def test_letters_that_only_a_skeleton_reads_make_other_texts() -> None:
    """To the stored hash they are signs, as an emoji is; a flag is an ornament."""
    texts = ["🅷🅴🅻🅻🅾 🆃🅷🅴🆁🅴 🅽🅾🆆 2024", "🅶🅾🅾🅳🅱🆈🅴 🆃🅾 🅷🅸🅼 2024", "2024 🇨🇳"]
    assert len({fingerprint_of(text, STANDARD).text_hash for text in texts}) == 1
    one, other, flag, plain, again = features_all([*texts, "2024", texts[0]], STANDARD)
    assert one.is_same(again) and flag.is_same(plain)
    assert not any(one.is_same(each) for each in (other, flag, plain))
    flags, word = features_all(["🇨🇳🇺🇸🇯🇵🇰🇷🇫🇷🇮🇹 加油", "加油"], STANDARD)
    assert flags.is_same(word)
    even = ["🇼🇪 🇬🇴 🇹🇴 🇹🇴🇼🇳 🇧🇾 🇧🇴🇦🇹 11", "🇭🇪 🇮🇸 🇦🇹 🇭🇴🇲🇪 🇮🇳 🇧🇦🇹🇭 11"]
    spelt = features_all(["🇼🇪 🇲🇪🇹 🇴🇳 🇸🇪🇵🇹 11", *even, "11"], STANDARD)
    assert not any(one.is_same(other) for one, other in combinations(spelt, 2))
    cheer = "加油🇨🇳🇺🇸🇯🇵🇰🇷🇫🇷🇮🇹"
    words, cut, cheered = features_all([spelt[0].text, cheer + "🇨", cheer], STANDARD)
    assert cut.is_same(cheered) and cheered.is_same(features_of("加油", STANDARD))
    assert words.is_same(features_of(words.text, STANDARD))
    selected = one.batch.prepared.select(np.array([0]))
    assert selected.read_in_signs.tolist() == [False]


def test_sets_are_sorted_distinct_and_of_the_stated_size() -> None:
    text = chinese(300, 1)
    made = sets(features_of(text, PLAIN), False)
    folded = "".join(c for c in text if c.isalnum())
    for grams, width in zip(made, (4, 4, 12, 20), strict=True):
        assert grams == sorted(set(grams))
        assert len(grams) <= len(folded) - width + 1
    assert len(made[0]) == len({folded[i : i + 4] for i in range(len(folded) - 3)})
    assert len(made[2]) > len(folded) - 20


def test_both_ways_of_reading_are_had() -> None:
    """A text is read by words only against another text with spaces."""
    made = features_of(LIBRARY, STANDARD)
    assert made.spaced
    words = len(LIBRARY.replace(",", "").replace(".", " ").split())
    assert len(made.grams(Kind.UNITS, True)) <= words - 1
    assert len(made.grams(Kind.UNITS, False)) > 2 * words


def test_sound_and_spelling_are_apart() -> None:
    one, other, third = (
        sets(made, False) for made in features_all([METRO, METRO_HOMOPHONES, TEA], STANDARD)
    )
    assert one[Kind.UNITS] == other[Kind.UNITS]
    assert one[Kind.CHARACTERS] != other[Kind.CHARACTERS]
    assert not set(one[Kind.LONG]) & set(third[Kind.LONG])


def test_nothing_has_no_grams() -> None:
    assert features_all([], STANDARD) == []
    assert sets(features_of("😀", STANDARD), False) == [[], [], [], []]
