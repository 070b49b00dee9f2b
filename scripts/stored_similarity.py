"""How similar texts are whose simhashes differ in few bits, beside what lookups estimate.

    python -m scripts.stored_similarity DIR... [--pairs 400] [--seed 0]

A line for each distance: pairs in the corpora, the mean similarity of the compared ones, the
estimate, and by how much it is off on average. Equal texts are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from dupdex.evaluation.corpus import Corpus
from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.simhash import hamming
from mappings.plan import STANDARD, Plan
from query.grams import features_all
from query.verify.estimate import estimated_similarity
from query.verify.verdict import judge

FARTHEST: Final = 12
_AT_ONCE: Final = 100
Item = TypeVar("Item")


@dataclass(slots=True)
class Measured:
    """Pairs that differ in so many bits, and the similarities of those compared."""

    pairs: int = 0
    similarities: list[float] = field(default_factory=list)


def measure(
    texts: Sequence[str], plan: Plan, most: int, seed: int, into: dict[int, Measured]
) -> None:
    """Add the pairs of a corpus; at most `most` of each distance are compared."""
    prints = [one for some in _batches(texts) for one in fingerprints_of(some, plan)]
    values = np.array([one.simhash for one in prints], np.uint64)
    near: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for left in range(len(values)):
        for right in _candidates(values, left):
            if prints[left].text_hash != prints[right].text_hash:
                distance = hamming(prints[left].simhash, prints[right].simhash)
                near[distance].append((left, right))
    rng = np.random.default_rng(seed)
    for distance, pairs in near.items():
        into[distance].pairs += len(pairs)
        picked = rng.permutation(len(pairs))[:most].tolist()
        into[distance].similarities += _similarities(texts, [pairs[at] for at in picked], plan)


def report(measured: dict[int, Measured]) -> str:
    """A line for each distance."""
    head = ("bits", "pairs", "compared", "mean", "estimate", "mean error")
    lines = ["".join(f"{name:>12}" for name in head)]
    for distance, part in sorted(measured.items()):
        similarities = np.array(part.similarities)
        estimate = estimated_similarity(distance)
        error = float(np.abs(similarities - estimate).mean())
        row = (
            str(distance),
            f"{part.pairs:,}",
            f"{len(similarities):,}",
            f"{similarities.mean():.3f}",
            f"{estimate:.3f}",
            f"{error:.3f}",
        )
        lines.append("".join(f"{cell:>12}" for cell in row))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    measured: dict[int, Measured] = defaultdict(Measured)
    for folder in options.folders:
        texts = [document.text for document in Corpus.read(folder).documents()]
        measure(texts, STANDARD, options.pairs, options.seed, measured)
    sys.stdout.write(report(measured) + "\n")


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]


def _candidates(values: npt.NDArray[np.uint64], left: int) -> list[int]:
    """The later rows within FARTHEST bits."""
    differing = (values[left + 1 :] ^ values[left]).view(np.uint8).reshape(-1, 8)
    distances = np.unpackbits(differing, axis=1).sum(axis=1)
    rows: list[int] = (np.nonzero(distances <= FARTHEST)[0] + left + 1).tolist()
    return rows


def _similarities(
    texts: Sequence[str], pairs: Sequence[tuple[int, int]], plan: Plan
) -> list[float]:
    out: list[float] = []
    for some in _batches(pairs):
        asked = features_all([texts[left] for left, _ in some], plan)
        stored = features_all([texts[right] for _, right in some], plan)
        out += [judge(*both, plan).similarity for both in zip(asked, stored, strict=True)]
    return out


if __name__ == "__main__":
    main()
