"""Which candidate pairs of a snapshot are worth reading: most share one sentence, and nothing else.

A lookup reads all its candidates. A sweep would read every text hundreds of times, so for each text
a sketch tells whether it can be near another (`query.near_screen`), and its long grams, in a file
that all processes map, whether one can be a partial copy of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dupdex.jobs.snapshot import Snapshot
from indexer.boilerplate import Boilerplate
from indexer.fingerprints.key_rows import LETTERS, SKETCH, Sketched, letter_windows
from indexer.fingerprints.meant_keys import which_are_meant
from indexer.fingerprints.minhash import signatures
from indexer.text.ragged import Positions, bounds_of
from mappings.plan import Thresholds
from query.grams import Features, Kind
from query.key_join import Candidates, Mask
from query.near_screen import NearScreen
from query.pair import PairJudge
from query.verify.long_runs import EDIT, least_grams, rules

LongGrams = npt.NDArray[np.uint32]

_GRAM_BITS: Final = 24
_GRAM: Final = np.uint32((1 << _GRAM_BITS) - 1)


@dataclass(frozen=True, slots=True)
class Screened:
    """Some documents as a screen reads them; `grams`: the long grams of all, in text order (see
    `_long_grams`); `amounts`: how many each has, and `different` ones; `lengths`: letters outside
    of boilerplate.
    """

    sketched: Sketched
    lengths: Positions
    grams: LongGrams
    amounts: Positions
    different: Positions


def screened(part: tuple[int, int], context: tuple[Snapshot, Boilerplate]) -> Screened:
    """What the screen needs of the documents [low, high)."""
    snapshot, boilerplate = context
    stored = list(snapshot.each(range(*part)))
    judge = PairJudge(snapshot.plan, boilerplate)
    texts = judge.read([each.text for each in stored], [each.fingerprint for each in stored])
    features = [text.features for text in texts]
    long = [_long_grams(each) for each in features]
    sketched = _sketched(features)
    sketched.units[which_are_meant([each.fingerprint for each in stored], snapshot.plan)] = 0
    return Screened(
        sketched,
        np.array([each.length for each in features], np.int64),
        np.concatenate([np.zeros(0, np.uint32), *long]),
        np.array([len(each) for each in long], np.int64),
        np.array([len(np.unique(each & _GRAM)) for each in long], np.int64),
    )


def _sketched(features: Sequence[Features]) -> Sketched:
    """As `indexer.fingerprints.key_rows` sketches texts, but for grams that touch boilerplate; each
    text is read in its own way."""
    out = Sketched.empty(len(features), wanted=True)
    out.spaced[:] = [each.spaced for each in features]
    out.units[:] = [each.size(each.spaced) for each in features]
    for spaced in (False, True):
        rows = np.flatnonzero(out.spaced == spaced)
        if len(rows):
            batch = features[0].batch
            grams = batch.rows(Kind.UNITS, spaced).select(rows)
            out.grams[rows] = signatures(grams, SKETCH).astype(np.uint8)
            letters = letter_windows(batch.streams(spaced).characters.select(rows), spaced)
            out.letters[rows] = signatures(letters, LETTERS).astype(np.uint8)
    return out


@dataclass(frozen=True)
class GramScreen:
    """Tells of candidate pairs whether they can be duplicates; processes share it."""

    limits: Thresholds
    near: NearScreen
    path: Path
    bounds: Positions
    different: Positions

    @classmethod
    def of(cls, parts: Iterable[Screened], snapshot: Snapshot, path: Path) -> GramScreen:
        """From the parts of a snapshot, in order; `path` is where long grams are kept."""
        made: list[Screened] = []
        with path.open("wb") as file:
            for part in parts:
                file.write(part.grams.tobytes())
                made.append(replace(part, grams=np.zeros(0, np.uint32)))
        sketched = Sketched.joined([part.sketched for part in made])
        lengths = np.concatenate([part.lengths for part in made])
        return cls(
            snapshot.plan.thresholds,
            NearScreen(snapshot.plan, sketched, snapshot.simhashes, lengths),
            path,
            bounds_of(np.concatenate([part.amounts for part in made])),
            np.concatenate([part.different for part in made]),
        )

    def worth_reading(self, pairs: Candidates) -> Mask:
        """Which pairs can be duplicates of any kind."""
        worth = self.near.could_be_near(pairs)
        edges = np.flatnonzero(np.diff(pairs.first, prepend=-1, append=-1)).tolist()
        for low, high in pairwise(edges):
            rest = low + np.flatnonzero(~worth[low:high])
            if len(rest):
                worth[rest] = self._could_be_parts(int(pairs.first[low]), pairs.second[rest])
        return worth

    def _could_be_parts(self, first: int, seconds: Positions) -> Mask:
        """With which of some texts one text can have a passage in common that makes a copy."""
        if self.limits.run < self.limits.passage:  # long grams do not tell of runs
            return np.ones(len(seconds), np.bool_)
        wanted = np.unique(self._of(first) & _GRAM)
        rows = [self._of(number) for number in seconds.tolist()]
        amounts = np.array([len(row) for row in rows], np.int64)
        if not len(wanted) or not amounts.any():
            return np.zeros(len(seconds), np.bool_)
        values = np.concatenate(rows)
        hits = _found(wanted, values)
        owners = bounds_of(amounts).searchsorted(hits, "right") - 1
        common = np.bincount(owners, minlength=len(rows))
        sketched, limits = self.near.sketched, self.limits
        least = np.minimum(self.different[seconds], len(wanted)) * limits.partial
        passages: Mask = common >= np.maximum(limits.shared, least)
        covered, sequels = _runs(hits, owners, values[hits], len(rows), limits)
        # the asked text may repeat grams, or have them in more runs, which cover more of it
        repeated = len(self._of(first)) - len(wanted)
        most = np.maximum(covered, (common + repeated) * limits.run / _in_run(limits))
        shorter = np.minimum(sketched.units[seconds], sketched.units[first]).clip(1)
        possible = _possible(covered, sequels, most / shorter, limits)
        for at in np.flatnonzero(possible & ~passages).tolist():
            own = slice(*owners.searchsorted([at, at + 1]))
            shared = np.unique(values[hits[own]] & _GRAM)
            runs = int(covered[at]), int(sequels[at])
            passages[at] = self._by_runs(first, int(seconds[at]), shared, runs)
        both = sketched.spaced[seconds] & sketched.spaced[first]
        by_words = common >= min(limits.word_shared, least_grams(limits, True))
        out: Mask = np.where(both, by_words, passages)
        return out

    def _by_runs(self, first: int, second: int, shared: LongGrams, runs: tuple[int, int]) -> bool:
        """Whether a rule for runs can hold: what stands in them of the second text, and its sequel,
        are known; of the first text they are looked up by the grams that both have."""
        own, limits = self._of(first), self.limits
        hits = _found(shared, own)
        owners = np.zeros(len(hits), np.int64)
        covered, sequels = _runs(hits, owners, own[hits], 1, limits)
        units = self.near.sketched.units
        share = max(runs[0] / max(1, units[second]), int(covered[0]) / max(1, units[first]))
        least, sequel = min(runs[0], int(covered[0])), min(runs[1], int(sequels[0]))
        return any(
            least >= rule.units and share >= rule.share and sequel >= rule.sequel
            for rule in rules(limits, spaced=False)
        )

    def _of(self, number: int) -> LongGrams:
        grams: LongGrams = self._grams[self.bounds[number] : self.bounds[number + 1]]
        return grams

    @cached_property
    def _grams(self) -> LongGrams:
        if not self.bounds[-1]:
            return np.zeros(0, np.uint32)
        return np.asarray(np.memmap(self.path, np.uint32, "r"))

    def __getstate__(self) -> dict[str, Any]:
        names = ("limits", "near", "path", "bounds", "different")
        return {name: getattr(self, name) for name in names}


def _found(wanted: LongGrams, values: LongGrams) -> Positions:
    """Where values stand whose gram is in a sorted set: most end at one look-up by 16 bits."""
    marks = np.zeros(1 << 16, np.bool_)
    marks[wanted.astype(np.uint16)] = True
    hits = np.flatnonzero(marks.take(values.astype(np.uint16)))
    there = values[hits] & _GRAM
    places = wanted.searchsorted(there)
    places[places == len(wanted)] = 0
    found: Positions = hits[wanted[places] == there]
    return found


def _runs(
    hits: Positions, owners: Positions, values: LongGrams, rows: int, limits: Thresholds
) -> tuple[Positions, Positions]:
    """For each row at most how many units stand in common runs of `run` units, each of which is so
    many long grams that follow each other, and at most their sequel (`query.verify.long_runs`).
    """
    if not len(hits):
        return np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    begins = np.ones(len(hits), np.bool_)
    begins[1:] = (np.diff(hits) > 1) | (np.diff(owners) > 0)
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=len(hits))
    long = lengths >= _in_run(limits)
    starts, lengths = starts[long], lengths[long]
    last = values[starts + lengths - 1] >> _GRAM_BITS
    # sentences are counted from 0 to 127 over and over
    sentences = ((last >> 1) - (values[starts] >> _GRAM_BITS + 1)) % 128 + (last & 1) + 1
    of, first, end = owners[starts], hits[starts], hits[starts + lengths - 1]
    apart = np.ones(len(starts), np.bool_)  # from the run before, by more than an edit
    apart[1:] = (first[1:] - end[:-1] > limits.passage + EDIT) | (np.diff(of) > 0)
    covered = np.bincount(of, lengths + limits.passage - 1, rows)
    sequels = np.bincount(of, 3.0 * sentences - 2 * apart, rows)
    return covered.astype(np.int64), sequels.astype(np.int64)


def _possible(
    covered: Positions, sequels: Positions, shares: npt.NDArray[np.float64], limits: Thresholds
) -> Mask:
    """Where a rule for runs can hold."""
    out = np.zeros(len(covered), np.bool_)
    for rule in rules(limits, spaced=False):
        out |= (covered >= rule.units) & (shares >= rule.share) & (sequels >= rule.sequel)
    return out


def _in_run(limits: Thresholds) -> int:
    """How many long grams a run is."""
    return limits.run - limits.passage + 1


def _long_grams(text: Features) -> LongGrams:
    """The long grams of a text: 24 bits of each, above them the number of the sentence that it
    begins in, by seven bits, and whether it ends in another one."""
    spaced = text.spaced
    grams = text.batch.of_row(Kind.LONG, spaced, text.row)
    if not len(grams):
        return np.zeros(0, np.uint32)
    starts = np.arange(len(grams))
    if text.boilerplate():
        starts = text.batch.starts(Kind.LONG, spaced, text.row)
    numbers = text.sentences(spaced)
    first = numbers[starts]
    ends = np.minimum(starts + text.batch.width(Kind.LONG, spaced), len(numbers)) - 1
    told = (first % 128 << 1) | (numbers[ends] != first)
    packed: LongGrams = (grams.astype(np.uint32) & _GRAM) | (told << _GRAM_BITS).astype(np.uint32)
    return packed
