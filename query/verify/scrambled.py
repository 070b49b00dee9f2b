"""Copies whose letters were swapped with their neighbours, masked, left out, or put among others.

Such a copy keeps few runs of letters, so that grams say little, and costs many edits; what tells
it from another text is that its letters are the same ones, nearly in their order:

- swapped: the fewest edits, a swap of neighbours among them (optimal string alignment), are few,
  and those that are no swaps are no more than any near duplicate may have.
  Digits are letters apart: in another order they are another number.
- missing: the letters of the shorter text stand in the longer one, in their order, all but one in
  twenty (longest common subsequence), and make most of it. A mask is a letter that is missing.
  What is left out without a mask is not one word throughout, as a negation may be.
- added: a short text stands whole in one that is no more than five times as long.
"""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import Final

from msgspec import Struct
from rapidfuzz.distance import OSA, LCSseq, Levenshtein

from indexer.text.stop_words import load_stop_words
from mappings.plan import Thresholds
from query.answers import Disguise, Verdict
from query.grams import Features, Kind
from query.verify.as_given import signs, with_equal_digits

ALIGNED: Final = 0.65
"""Part of the longer text that edits must leave, a swap of neighbours being one edit."""

SCRAMBLED: Final = 0.03
"""Part of the longer text: the fewest swaps that make a long text a scrambled one. Single ones are
edits as any other, which long texts of one template have as well."""

DRIFTED: Final = 0.05
SAME: Final = 0.97
"""A letter that is swapped twice has moved, which is no swap but two edits. They are not counted
where that part of the longer text was swapped and that part of its letters is in the other."""

DIGITS: Final = 1 / 3
"""Up to so many swaps of digits for one of letters the digits are swapped as all of the text is."""

MISSING: Final = 0.7
"""Part of the longer text that a shorter one must be; masks that hide more leave too little."""

KEPT: Final = 0.95
"""Part of the shorter text's letters that must stand in the longer one in their order: a text in
which something was replaced has less."""

THROUGHOUT: Final = 3
ONE: Final = 0.5
"""Of so many letters, or words, that one text has more, the part that is one and the same when it
was put in throughout: "not" all over a text makes its opposite."""

LEAST: Final = 10
"""Fewer letters prove nothing by themselves."""

MOST: Final = 3_000
"""Longer texts are not looked at: the time grows with the square of the length."""

FEW: Final = (200, 600)
SOME: Final = (0.05, 0.015)
"""Part of the short grams of the shorter text, of more letters than `FEW`, that must be in the
other one; by syllables, and by letters in scripts with spaces. With every fifth letter swapped it
is .25 and .04."""

FEWEST: Final = 5
OFTEN: Final = 0.04
STREWN: Final = 0.6
MOSTLY: Final = 2 / 3
QUARTERS: Final = 4
NAMED: Final = 1_000
"""What a near duplicate of up to so many letters is said to be disguised by: so many swaps or other
letters, and such a part of all; in nearly all quarters of it; and that part of all edits. Letters
are missing in so many places for each of them."""

WHOLE: Final = 0.9
"""Part of the short grams of a text that must be in another for it to stand there whole."""

AMONG: Final = 5
"""How many times as long as a text the other one may be in which it stands."""

NEAR: Final = 0.5
"""Part of the longer text from which the shorter one in it is a near duplicate; a smaller one is a
partial copy."""

GRAMS: Final = (9, 5)
"""Fewest short grams of a text that stands in another, by syllables and by words: of texts of 12
syllables, or 6 words."""


class Scrambled(Struct, frozen=True, gc=False):
    """What made one text of another. `kept`: the part of the longer text that stayed; `value` is
    what told it, by the rule of that disguise, and `limit` what it had to reach.
    """

    disguise: Disguise
    kept: float
    value: float
    limit: float

    @property
    def verdict(self) -> Verdict:
        """Near, unless most of one text is not in the other at all."""
        return Verdict.NEAR if self.kept >= NEAR else Verdict.PARTIAL


def scrambled(
    asked: Features, stored: Features, spaced: bool, limits: Thresholds
) -> Scrambled | None:
    """Whether one text is the other in such a disguise. Symmetric."""
    if not is_worth_it(asked, stored, spaced):
        return None
    short, long = sorted((asked.length, stored.length))
    if short < int(ALIGNED * long):  # neither swaps nor missing letters make up for the rest
        return stands_among(asked, stored, spaced, limits)
    in_both = asked.in_bags([stored], Kind.CHARACTERS)[0]
    if in_both >= min(long - int((1 - ALIGNED) * long), KEPT * short):
        found = _swapped(asked, stored, limits) or _missing(asked, stored, spaced)
        if found:
            return found
    return stands_among(asked, stored, spaced, limits)


def could_be_scrambled(asked: Features, stored: Features, spaced: bool, limits: Thresholds) -> bool:
    """False only where `scrambled` finds nothing: exact for short texts, which are compared in no
    time, and one look at grams that are counted anyway for others."""
    if not is_worth_it(asked, stored, spaced):
        return False
    if max(asked.length, stored.length) > limits.short:
        return True
    return scrambled(asked, stored, spaced, limits) is not None


def is_worth_it(asked: Features, stored: Features, spaced: bool) -> bool:
    """Whether the texts are short enough to be compared letter by letter, and whether any but the
    shortest share some short grams, which are counted anyway."""
    short, long = sorted((asked.length, stored.length))
    if short < LEAST or long > MOST:
        return False
    if long <= FEW[spaced]:
        return True
    kind = Kind.CHARACTERS if spaced else Kind.UNITS
    common = asked.common(stored, kind, spaced)
    if common >= SOME[spaced] * asked.different(kind, spaced):
        return True
    return common >= SOME[spaced] * stored.different(kind, spaced)


def _swapped(asked: Features, stored: Features, limits: Thresholds) -> Scrambled | None:
    """A swap of neighbours is two edits, or one where swaps are counted as such: the difference
    of the two distances is the number of swaps, and what remains are other edits.
    """
    left, right = asked.letters, stored.letters
    longer = max(len(left), len(right))
    most = int((1 - ALIGNED) * longer)
    distance = OSA.distance(left, right, score_cutoff=most)
    if distance > most:
        return None
    both = Levenshtein.distance(left, right)
    least = SCRAMBLED * longer if longer > limits.short else 1
    if both - distance < least:
        return None
    swaps = both - distance
    outside = _swaps_outside_numbers(asked, stored)
    if swaps - outside > DIGITS * outside:
        swaps = outside
    edits = both - 2 * swaps  # two digits that changed places are two edits
    if swaps < least or edits + swaps > most:
        return None
    few = edits <= min(2 * swaps, (1 - limits.short_near) * longer)
    if not few and (swaps < DRIFTED * longer or _common(left, right) < SAME * longer):
        return None
    kept = 1 - (edits + swaps) / longer
    return Scrambled(Disguise.SWAPPED, kept, kept, ALIGNED)


def strewn(asked: Features, stored: Features) -> Disguise | None:
    """What a near duplicate is disguised by that is one by its grams as well: letters swapped all
    over it, others that sound the same, or some missing in many places."""
    left, right = sorted((asked.letters, stored.letters))  # the same from either side
    longer = max(len(left), len(right))
    if longer > NAMED or not left or not right:
        return None
    least = max(FEWEST, OFTEN * longer)
    edits = Levenshtein.distance(left, right)
    if edits < least or not _are_all_over(left, right):
        return None
    swaps = min(edits - OSA.distance(left, right), _swaps_outside_numbers(asked, stored))
    if swaps >= least and 2 * edits <= 5 * swaps:
        return Disguise.SWAPPED
    if asked.sounds is not None and stored.sounds is not None:
        heard = Levenshtein.distance(asked.sounds, stored.sounds)
        if edits - heard >= max(least, MOSTLY * edits):
            return Disguise.HOMOPHONES
    return Disguise.MISSING if _are_missing(asked, stored, edits, least) else None


def _are_all_over(left: str, right: str) -> bool:
    """Whether edits stand in most quarters of a text."""
    places = [step.src_start for step in Levenshtein.opcodes(left, right) if step.tag != "equal"]
    return len({place * QUARTERS // (len(left) + 1) for place in places}) >= QUARTERS - 1


def _are_missing(asked: Features, stored: Features, edits: int, least: float) -> bool:
    """Whether most edits are letters that one text lacks, here and there, and neither digits nor
    small words nor mostly the same ones, as in another spelling, unless signs stand for them.
    """
    fewer, more = sorted((asked, stored), key=lambda text: len(text.letters))
    missing = len(more.letters) - len(fewer.letters)
    if missing < least or MOSTLY * edits > missing:
        return False
    steps = Levenshtein.opcodes(fewer.letters, more.letters)
    gaps = [more.letters[s.dest_start : s.dest_end] for s in steps if s.tag == "insert"]
    if len(gaps) < STREWN * missing:
        return False
    if signs(fewer) - signs(more) >= ONE * missing:
        return True
    counts, small = Counter("".join(gaps)), load_stop_words("1")
    left_out = sum(count for each, count in counts.items() if each in small or each.isdigit())
    return max(left_out, *counts.values()) < ONE * missing


def _swaps_outside_numbers(asked: Features, stored: Features) -> int:
    """Swaps of neighbours that are not both digits."""
    left, right = with_equal_digits(asked), with_equal_digits(stored)
    return int(Levenshtein.distance(left, right) - OSA.distance(left, right))


def _common(left: str, right: str) -> int:
    """Letters in common, wherever they stand."""
    return (Counter(left) & Counter(right)).total()


def _missing(asked: Features, stored: Features, spaced: bool) -> Scrambled | None:
    fewer, more = sorted((asked, stored), key=lambda text: text.length)
    short, long = fewer.letters, more.letters
    if len(short) < MISSING * len(long):
        return None
    least = ceil(KEPT * len(short))
    common = LCSseq.similarity(short, long, score_cutoff=least)
    if common < least or _is_one_throughout(fewer, more, spaced):
        return None
    return Scrambled(Disguise.MISSING, common / len(long), common / len(short), KEPT)


def _is_one_throughout(fewer: Features, more: Features, spaced: bool) -> bool:
    """Whether most of what one text has more is one letter, or one word in scripts with spaces,
    and no marks stand in its place in the other.
    """
    if spaced:
        extra = Counter(more.units(spaced)) - Counter(fewer.units(spaced))
    else:
        extra = Counter(map(ord, more.letters)) - Counter(map(ord, fewer.letters))
    total = extra.total()
    if total < THROUGHOUT or max(extra.values()) < ONE * total:
        return False
    return signs(fewer) - signs(more) < ONE * total


def stands_among(
    asked: Features, stored: Features, spaced: bool, limits: Thresholds
) -> Scrambled | None:
    """Whether one text stands whole in the other. Short texts alone: long ones have long grams,
    which say more.
    """
    short, long = (asked, stored) if asked.length <= stored.length else (stored, asked)
    if long.length > min(limits.short, AMONG * short.length):
        return None
    common = asked.common(stored, Kind.UNITS, spaced)
    if common < int(WHOLE * GRAMS[spaced]):
        return None  # too few for the fewest grams
    grams = short.different(Kind.UNITS, spaced)
    if grams < GRAMS[spaced]:
        return None
    whole = common / grams
    if whole < WHOLE:
        return None
    return Scrambled(Disguise.ADDED, short.length / long.length, whole, WHOLE)
