"""How many candidates a simhash lookup brings, counted beside the arithmetic.

    python -m scripts.simhash_tables [--values 1048576] [--lookups 200000] [--bits 64]

The published claim: 2^30 fingerprints of 64 bits in four parts of 16 give at most 4 x 2^14 =
65,536 comparisons for a lookup. The last column scales what was counted to 2^30.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from typing import Final

import numpy as np

from indexer.fingerprints.simhash import Block, choices_of
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from mappings.plan import SimhashPlan

LAYOUTS: Final = ((4, 1), (5, 2), (6, 3))
CLAIMED_AT: Final = 1 << 30


def expected(layout: SimhashPlan, values: int) -> float:
    """Candidates for a lookup among so many uniform values: for every choice N / 2^bits."""
    widths = (sum(width for _, width in choice) for choice in choices_of(layout))
    return sum(values / (1 << width) for width in widths)


def counted(layout: SimhashPlan, values: int, lookups: int, seed: int = 1) -> Positions:
    """Candidates of each of so many lookups of random values among random values."""
    rng = np.random.default_rng(seed)
    top = 1 << layout.bits
    stored = rng.integers(0, top, values, np.uint64)
    asked = rng.integers(0, top, lookups, np.uint64)
    counts = np.zeros(lookups, np.int64)
    for choice in choices_of(layout):  # a table of the published algorithm: sorted by these bits
        table, wanted = np.sort(_bits(stored, choice)), _bits(asked, choice)
        order = wanted.argsort()  # neighbours are looked up in the same lines of memory
        wanted = wanted[order]
        counts[order] += table.searchsorted(wanted, "right") - table.searchsorted(wanted)
    return counts


def _bits(values: Hashes, choice: tuple[Block, ...]) -> Hashes:
    """The chosen blocks of each value, side by side."""
    out = np.zeros_like(values)
    for shift, width in choice:
        part = (values >> np.uint64(shift)) & np.uint64((1 << width) - 1)
        out = (out << np.uint64(width)) | part
    return out


def report(values: int, lookups: int, bits: int) -> str:
    """A line for each layout."""
    head = ("layout", "tables", "reach", "arithmetic", "counted", "+-", "arithm. 2^30", "at 2^30")
    lines = ["".join(f"{name:>14}" for name in head)]
    for blocks, choose in LAYOUTS:
        layout = SimhashPlan(blocks=blocks, choose=choose, bits=bits)
        found = counted(layout, values, lookups)
        mean, error = float(found.mean()), float(found.std()) / sqrt(lookups)
        row = (
            f"{blocks} choose {choose}",
            f"{len(choices_of(layout))}",
            f"{blocks - choose}",
            f"{expected(layout, values):,.3f}",
            f"{mean:,.3f}",
            f"{error:,.3f}",
            f"{expected(layout, CLAIMED_AT):,.1f}",
            f"{mean * CLAIMED_AT / values:,.1f}",
        )
        lines.append("".join(f"{cell:>14}" for cell in row))
    return "\n".join(lines)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description="Candidates of a simhash lookup, counted.")
    parser.add_argument("--values", type=int, default=1 << 20)
    parser.add_argument("--lookups", type=int, default=200_000)
    parser.add_argument("--bits", type=int, choices=(32, 64), default=64)
    given = parser.parse_args()
    sys.stdout.write(report(given.values, given.lookups, given.bits) + "\n")


if __name__ == "__main__":
    main()
