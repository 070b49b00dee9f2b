"""How often a Bloom filter errs, counted beside the arithmetic.

    python -m scripts.bloom_rates [--features 200000] [--asked 1000000]

The published sizes: 8 hashes and 16 bits a feature, which leave 39 % of the bits set and not half
of them, and .057 % errors; half of the bits are set at 11.54 bits a feature, with .39 % errors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from math import exp
from typing import Final

from indexer.fingerprints.classic.bloom import BloomFilter

SIZES: Final = ((8, 16.0), (8, 11.5416), (3, 4.0))
"""Hashes, and bits a feature."""


def expected(hashes: int, bits: float) -> tuple[float, float]:
    """The share of bits set in a full filter, and of absent features that seem to be there."""
    fill = 1 - exp(-hashes / bits)
    return fill, fill**hashes


def counted(hashes: int, bits: float, features: int, asked: int) -> tuple[float, float]:
    """The same of a filter with so many features, asked for so many others."""
    made = BloomFilter(features, hashes, bits)
    made.add_all(_names("in", features))
    return made.fill, float(made.may_contain(_names("out", asked)).mean())


def report(features: int, asked: int) -> str:
    """A line for each size."""
    head = ("hashes", "bits", "fill", "counted", "errors", "counted")
    lines = ["".join(f"{name:>10}" for name in head)]
    for hashes, bits in SIZES:
        pairs = zip(expected(hashes, bits), counted(hashes, bits, features, asked), strict=True)
        cells = [f"{share:.3%}" for pair in pairs for share in pair]
        lines.append("".join(f"{cell:>10}" for cell in (hashes, f"{bits:.2f}", *cells)))
    return "\n".join(lines)


def _names(prefix: str, count: int) -> Iterator[bytes]:
    return (f"{prefix} {number}".encode() for number in range(count))


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description="Errors of a Bloom filter, counted.")
    parser.add_argument("--features", type=int, default=200_000)
    parser.add_argument("--asked", type=int, default=1_000_000)
    given = parser.parse_args()
    sys.stdout.write(report(given.features, given.asked) + "\n")


if __name__ == "__main__":
    main()
