"""Fingerprints of a batch as arrays: what joins many documents with each other, without a string
for every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import mmh3
import numpy as np
import numpy.typing as npt

from indexer import model
from indexer.fingerprints.exact import identity, text_hashes
from indexer.fingerprints.meant_keys import STEP, meant_texts
from indexer.fingerprints.minhash import signatures
from indexer.fingerprints.registry import enabled
from indexer.text import Prepared, Streams, prepare_all, spaced_rows
from indexer.text.hashing import KEY_CHARACTERS, Hashes, HashRows, mix, shingle_rows, unspell
from indexer.text.ragged import Positions, Ragged, bounds_of
from mappings.contract import Field
from mappings.plan import Plan

SKETCH: Final = 128
"""Bytes of a sketch: with so many a Jaccard similarity of .4 is estimated to .04."""

LETTERS: Final = 128
"""Bytes of a sketch of the letters alone."""

KEY_BITS: Final = 6 * KEY_CHARACTERS

_SKETCH_SEED: Final = 0x5EE7
_SPACED_WINDOW: Final = 4
"""Letters of an alphabet that are looked at together; every text has nearly all single ones."""
_LOW: Final = np.uint64((1 << KEY_BITS) - 1)

Sketches = npt.NDArray[np.uint8]
Keys = dict[Field, tuple[Hashes, Positions]]


@dataclass(frozen=True, slots=True)
class KeyRows:
    """What texts are joined by, a row for each of them.

    `hashes`: what equal texts have in common, as text or bytes. `lengths`: letters and digits.
    `simhashes`: 0 when their keys are not wanted. `keys`: for each field the terms as numbers, and
    the row of each. `sizes`: bytes of UTF-8, where they were counted anyway. For the rest see
    `Sketched`.
    """

    hashes: Sequence[str | bytes]
    lengths: npt.NDArray[np.int64]
    simhashes: Hashes
    keys: Keys
    sketched: Sketched
    sizes: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Sketched:
    """Texts as an estimate reads them. `spaced`: whether by words. `units`: how many words or
    syllables, 0 where nothing is estimated, as the text may be meant otherwise. `grams`: bytes of
    MinHash values of the short grams that verification compares; `letters`: of the letters in any
    order, in scripts with spaces four neighbours each.
    """

    spaced: npt.NDArray[np.bool_]
    units: npt.NDArray[np.int32]
    grams: Sketches
    letters: Sketches

    @classmethod
    def empty(cls, count: int, wanted: bool) -> Sketched:
        """So many texts without units; without sketches unless they are wanted."""
        return cls(
            np.zeros(count, np.bool_),
            np.zeros(count, np.int32),
            np.zeros((count, SKETCH if wanted else 0), np.uint8),
            np.zeros((count, LETTERS if wanted else 0), np.uint8),
        )

    def select(self, rows: Positions) -> Sketched:
        """Some of the texts."""
        return Sketched(self.spaced[rows], self.units[rows], self.grams[rows], self.letters[rows])

    @classmethod
    def joined(cls, parts: Sequence[Sketched]) -> Sketched:
        """The texts of all parts."""
        return cls(
            np.concatenate([part.spaced for part in parts]),
            np.concatenate([part.units for part in parts]),
            np.concatenate([part.grams for part in parts]),
            np.concatenate([part.letters for part in parts]),
        )


def key_rows(texts: Sequence[str], plan: Plan, fields: frozenset[Field], sketched: bool) -> KeyRows:
    """The keys of some fields, as `indexer.fingerprints.compute.fingerprints_of` makes them; with
    or without sketches, which are left empty then. Call `check_text` first.
    """
    prepared = prepare_all(texts, plan)
    count = len(prepared)
    simhashes = np.zeros(count, np.uint64)
    texts_sketched = Sketched.empty(count, sketched)
    texts_sketched.spaced[:] = spaced_rows(prepared)
    parts: dict[Field, list[tuple[Hashes, Positions]]] = {}
    for streams, rows in _kinds(prepared, plan, texts_sketched.spaced):
        for name, keys, owners in _keys(streams, fields, simhashes, rows):
            parts.setdefault(name, []).append((keys, rows[owners]))
        if sketched:
            _sketch(streams, plan, texts_sketched, rows)
    if STEP in plan.steps:
        texts_sketched.units[_add_meant(texts, plan, fields, parts)] = 0
    hashes = text_hashes(prepared, plan.exact.digest)
    return KeyRows(
        [identity(prepared, row, text_hash) for row, text_hash in enumerate(hashes)],
        prepared.literal.folded.lengths,
        simhashes,
        {name: _joined(both) for name, both in parts.items()},
        texts_sketched,
    )


def _add_meant(
    texts: Sequence[str],
    plan: Plan,
    fields: frozenset[Field],
    parts: dict[Field, list[tuple[Hashes, Positions]]],
) -> Positions:
    """Adds the keys of what texts may mean to their own; the rows of these texts."""
    meant, rows_of = meant_texts(texts)
    owner = np.array(rows_of, np.int64)
    if not meant:
        return owner
    prepared, unused = prepare_all(meant, plan), np.zeros(len(meant), np.uint64)
    for streams, rows in _kinds(prepared, plan, spaced_rows(prepared)):
        for name, keys, owners in _keys(streams, fields, unused, rows):
            parts.setdefault(name, []).append((keys, owner[rows[owners]]))
    for name, both in parts.items():
        keys, rows = _joined(both)
        first = np.unique(np.stack((rows.astype(np.uint64), keys)), axis=1, return_index=True)[1]
        first.sort()
        parts[name] = [(keys[first], rows[first])]
    return owner


def terms_of(prepared: Prepared, plan: Plan, fields: frozenset[Field]) -> list[model.Keys]:
    """For each text the terms of some fields, as its fingerprint has them, without those of what
    it may mean."""
    out: list[dict[Field, tuple[str, ...]]] = [{} for _ in range(len(prepared))]
    for streams, rows in _kinds(prepared, plan, spaced_rows(prepared)):
        for name, scheme in enabled(plan).items():
            if name in fields:
                terms = scheme.terms(scheme.values(streams))
                for row, own in zip(rows.tolist(), terms, strict=True):
                    out[row][name] = own
    return list(out)


def key_numbers(terms: Sequence[str]) -> Hashes:
    """The terms of one field as numbers of KEY_BITS bits: those that they spell, or a hash."""
    if {KEY_CHARACTERS}.issuperset(map(len, terms)):
        return unspell(terms) if terms else np.zeros(0, np.uint64)
    hashes = [mmh3.hash64(term, 0, True, signed=False)[0] for term in terms]
    return np.array(hashes, np.uint64) & _LOW


def _kinds(
    prepared: Prepared, plan: Plan, spaced: npt.NDArray[np.bool_]
) -> Iterator[tuple[Streams, Positions]]:
    """The texts that have letters, by kind, with their rows."""
    for kind in (False, True):
        rows = np.flatnonzero((spaced == kind) & (prepared.folded.lengths > 0))
        if len(rows):
            yield Streams(prepared.select(rows), plan, kind), rows


def _keys(
    streams: Streams, fields: frozenset[Field], simhashes: Hashes, rows: Positions
) -> Iterator[tuple[Field, Hashes, Positions]]:
    """For each field the keys of all texts, and whose they are; fills simhashes in."""
    for name, scheme in enabled(streams.plan).items():
        if name not in fields:
            continue
        values = scheme.values(streams)
        if name is Field.SIMHASH_KEYS:
            simhashes[rows] = np.array(values, np.uint64)
        terms = scheme.terms(values)
        owners = np.repeat(np.arange(len(terms)), [len(each) for each in terms])
        yield name, key_numbers([term for each in terms for term in each]), owners


def _sketch(streams: Streams, plan: Plan, out: Sketched, rows: Positions) -> None:
    limits = plan.thresholds
    width = limits.word_gram if streams.spaced else limits.gram
    grams = shingle_rows(streams.units, width, _SKETCH_SEED)
    out.units[rows] = streams.units.lengths
    out.grams[rows] = signatures(grams, SKETCH).astype(np.uint8)
    letters = letter_windows(streams.characters, streams.spaced)
    out.letters[rows] = signatures(letters, LETTERS).astype(np.uint8)


def letter_windows(characters: HashRows, spaced: bool) -> HashRows:
    """Hashes of the letters in any order, in scripts with spaces of some neighbours together; none
    of a text of fewer."""
    width = _SPACED_WINDOW if spaced else 1
    counts = np.maximum(characters.lengths - width + 1, 0)
    bounds = bounds_of(counts)
    starts = np.arange(bounds[-1]) + np.repeat(characters.bounds[:-1] - bounds[:-1], counts)
    hashes = mix(mix(characters.values + np.uint64(_SKETCH_SEED)))
    sums = hashes[starts]
    for offset in range(1, width):
        sums += hashes[starts + offset]
    return Ragged(mix(sums), bounds)


def _joined(both: list[tuple[Hashes, Positions]]) -> tuple[Hashes, Positions]:
    keys, rows = zip(*both, strict=True)
    return np.concatenate(keys), np.concatenate(rows)
