"""Pinyin-initial frequencies in windows: the "DNA" fingerprint of Datagrand (2016).

A text is reduced to its initials, and each letter is counted in overlapping windows of
`granularity` letters. Its frequency minus the reference of the plan's statistics, in standard
deviations of a random text, is quantised to `levels`: 20 small digits, packed into one index term.
Replacing a character by a homophone changes nothing. An added or lost letter shifts the windows
after it by one position, which changes few of their digits.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.corpus_statistics import load_statistics
from indexer.text.initials import INITIALS, SILENT, Letters, initial_rows
from indexer.text.ragged import Positions, Ragged, bounds_of
from mappings.plan import Plan
from mappings.plan.parts import DnaPlan

Digits = npt.NDArray[np.uint8]
"""Shape (windows, 20): the level of each initial."""

LEAST: Final = 16
"""The smallest window a plan may have."""

REACH: Final = 2.0
"""Standard deviations around the reference that the levels cover; values beyond are clamped."""

SIZES: Final = {2: 3, 4: 5, 8: 8, 10: 9}
"""Bytes of a packed window, by levels. Ten levels need 67 bits; 8 bytes in the article is wrong."""

MOST_COMPARED: Final = 1 << 24
"""Up to this many pairs a sliding comparison looks for close windows, beyond for equal ones."""

_STEPS: Final = SILENT + 1
_AT_ONCE: Final = 1 << 15
"""Query windows computed at once, and below, pairs compared at once, to bound memory."""

_PAIRS: Final = 1 << 18


class Dna(NamedTuple):
    """The initials of a text and the digits of its windows, in text order."""

    letters: Letters
    windows: Digits


class PinyinInitials:
    """Windows of pinyin initials; equal windows are equal terms."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[Dna]:
        letters = initial_rows(streams.prepared.literal)
        digits = window_digits(letters, self._plan)
        return [Dna(letters[row], digits[row]) for row in range(len(letters))]

    def terms(self, values: Sequence[Dna]) -> list[Terms]:
        texts = iter(spelled(np.concatenate([value.windows for value in values]), self._plan.dna))
        return [tuple(dict.fromkeys(islice(texts, len(value.windows)))) for value in values]

    def similarity(self, left: Dna, right: Dna) -> float:
        """The share of windows of the longer text that the shorter one has, aligned or moved.

        Windows of few letters are always within the tolerance, so texts of fewer than `LEAST`
        letters are similar only if their letters are equal. A text of silent letters only has no
        initial that is counted, and is similar to none.
        """
        shorter, longer = sorted((left, right), key=lambda v: (len(v.letters), v.letters.tobytes()))
        if any((value.letters == SILENT).all() for value in (shorter, longer)):
            return 0.0
        if len(shorter.letters) < LEAST:
            return float(np.array_equal(left.letters, right.letters))
        is_matched = sliding_matches(shorter.letters, longer, self._plan) >= 0
        return max(aligned_share(left, right, self._plan), float(is_matched.mean()))


def window_digits(letters: Ragged[np.uint8], plan: Plan, step: int = 0) -> Ragged[np.uint8]:
    """The digits of the windows of each text, rows of shape (windows, 20).

    A text shorter than a window is one window; the last window ends where the text does. The starts
    of two windows are `step` letters apart, by default as the plan's overlap requires.
    """
    part = plan.dna
    step = step or max(1, round(part.granularity * (1 - part.overlap)))
    slack = np.maximum(letters.lengths - part.granularity, 0)
    bounds = bounds_of(np.where(letters.lengths > 0, -(-slack // step) + 1, 0))
    owners = np.repeat(np.arange(len(letters)), np.diff(bounds))
    numbers = np.arange(bounds[-1]) - bounds[owners]
    starts = letters.bounds[owners] + np.minimum(numbers * step, slack[owners])
    sizes = np.minimum(letters.lengths[owners], part.granularity)
    counts = _counts(letters.values, starts, starts + sizes)
    return Ragged(_digits(counts, sizes[:, None], plan), bounds)


def _counts(letters: Letters, starts: Positions, stops: Positions) -> Positions:
    """The count of each initial in each window, as differences of prefix sums."""
    edge = np.zeros(len(letters) + 1, np.int64)
    edge[starts] = edge[stops] = 1
    order = np.cumsum(edge)  # for each letter, the number of edges at or before it
    cells = order[:-1] * _STEPS + letters
    sums = np.bincount(cells, minlength=(int(order[-1]) + 1) * _STEPS).reshape(-1, _STEPS)
    before = np.cumsum(sums[:, :SILENT], axis=0)
    counts: Positions = before[order[stops] - 1] - before[order[starts] - 1]
    return counts


def _digits(counts: Positions, sizes: Positions, plan: Plan) -> Digits:
    """Frequency minus reference, in standard deviations, quantised to levels.

    Uses only operations that IEEE 754 rounds exactly: the digits are the same on every machine.
    """
    reference = np.array(load_statistics(plan).initials)
    deviation = np.sqrt(sizes * reference * (1 - reference))
    score = (counts - sizes * reference) / deviation
    levels = np.floor((score + REACH) * (plan.dna.levels / (2 * REACH)))
    digits: Digits = np.clip(levels, 0, plan.dna.levels - 1).astype(np.uint8)
    return digits


def packed(digits: Digits, plan: DnaPlan) -> npt.NDArray[np.uint8]:
    """Shape (windows, 3, 5, 8 or 9 bytes): the 20 digits as one big-endian number."""
    size = SIZES[plan.levels]
    values = digits.astype(np.uint64)
    if plan.levels == 10:
        powers = np.uint64(10) ** np.arange(9, -1, -1, dtype=np.uint64)
        high, low = values[:, :10] @ powers, values[:, 10:] @ powers
        wide = (a * 10**10 + b for a, b in zip(high.tolist(), low.tolist(), strict=True))
        raw = b"".join(value.to_bytes(size, "big") for value in wide)
        return np.frombuffer(raw, np.uint8).reshape(-1, size)
    bits = plan.levels.bit_length() - 1
    powers = np.uint64(1) << np.arange(19 * bits, -1, -bits, dtype=np.uint64)
    numbers = (values @ powers).astype(">u8")
    return np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, 8)[:, 8 - size :])


def spelled(digits: Digits, plan: DnaPlan) -> list[str]:
    """Each packed window in base64url: 4, 7, 11 or 12 characters."""
    size = SIZES[plan.levels]
    padded_size = -(-size // 3) * 3
    rows = np.zeros((len(digits), padded_size), np.uint8)
    rows[:, :size] = packed(digits, plan)
    text = base64.urlsafe_b64encode(rows.tobytes()).decode("ascii")
    length, stride = -(-size * 8 // 6), padded_size // 3 * 4
    return [text[at : at + length] for at in range(0, len(text), stride)]


def aligned_share(left: Dna, right: Dna, plan: Plan) -> float:
    """The share of windows close to the window at the same position of the other text."""
    count = min(len(left.windows), len(right.windows))
    longest = max(len(left.windows), len(right.windows))
    pairs = left.windows[:count].astype(np.int64) - right.windows[:count]
    close = np.abs(pairs).sum(axis=1) <= plan.thresholds.dna_tolerance
    return int(close.sum()) / max(longest, 1)


def sliding_matches(letters: Letters, value: Dna, plan: Plan) -> Positions:
    """Where a query has each window of a stored text: a position in `letters`, or -1.

    The query's windows begin at every letter, so moved text is found wherever it is. A match is
    the closest window whose digits differ by at most `thresholds.dna_tolerance` in total; of
    equally close windows, the first.
    """
    count, size = len(value.windows), plan.dna.granularity
    out = np.full(count, -1, np.int64)
    least = np.full(count, plan.thresholds.dna_tolerance + 1)
    compare = _closest if len(letters) * count <= MOST_COMPARED else _equal
    if not len(letters) or not count:
        return out
    for start in range(0, max(len(letters) - size, 0) + 1, _AT_ONCE):
        part = letters[start : start + _AT_ONCE + size - 1]
        query_windows = window_digits(Ragged(part, np.array([0, len(part)])), plan, step=1).values
        places, distances = compare(query_windows, value.windows, plan.dna)
        better = distances < least
        out[better] = places[better] + start
        least[better] = distances[better]
    return out


def _closest(queried: Digits, windows: Digits, plan: DnaPlan) -> tuple[Positions, Positions]:
    """For each window the position of the closest query window, and its distance."""
    query_bits, window_bits = _bits(queried, plan.levels), _bits(windows, plan.levels)
    rows = max(1, _PAIRS // len(query_bits))
    places, distances = [], []
    for start in range(0, len(window_bits), rows):
        differ = np.bitwise_count(window_bits[start : start + rows, None] ^ query_bits[None])
        distance = differ.sum(axis=2, dtype=np.int64)
        places.append(distance.argmin(axis=1))
        distances.append(distance.min(axis=1))
    return np.concatenate(places), np.concatenate(distances)


def _equal(queried: Digits, windows: Digits, plan: DnaPlan) -> tuple[Positions, Positions]:
    """The same, but only equal windows match: all others are at the maximum distance."""
    size = SIZES[plan.levels]
    distinct_windows, first = np.unique(
        packed(queried, plan).view(f"S{size}").ravel(), return_index=True
    )
    wanted = packed(windows, plan).view(f"S{size}").ravel()
    places = np.minimum(np.searchsorted(distinct_windows, wanted), len(distinct_windows) - 1)
    far = len(INITIALS) * plan.levels
    return first[places], np.where(distinct_windows[places] == wanted, 0, far)


def _bits(digits: Digits, levels: int) -> npt.NDArray[np.uint64]:
    """Digits in unary, so that differing bits sum to the difference: level 2 of 4 is 110."""
    steps = digits[:, :, None] > np.arange(levels - 1)
    flat = steps.reshape(len(digits), len(INITIALS) * (levels - 1))
    words = -(-flat.shape[1] // 64)
    padded = np.zeros((len(digits), words * 64), np.bool_)
    padded[:, : flat.shape[1]] = flat
    return np.packbits(padded, axis=1).view(np.uint64)
