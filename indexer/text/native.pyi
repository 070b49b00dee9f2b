"""`native.c`: loops over arrays of 64-bit numbers, contiguous ones. Rows are values between bounds;
`rows` are the numbers of chosen ones, `out` has an entry for each of them.

Raises ValueError for arrays that do not fit together.
"""

from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions

def shingles(
    units: Hashes, bounds: Positions, width: int, salt: int, out: Hashes, out_bounds: Positions
) -> int:
    """The hashes of `shingle_rows`, and their bounds; how many there are. `out` is as long as
    `units`."""

class GramSet:
    """The distinct values of an array, which may be in any order."""

    def __init__(self, values: Hashes) -> None: ...
    def __len__(self) -> int: ...
    def common(self, values: Hashes, bounds: Positions, rows: Positions, out: Positions) -> None:
        """How many distinct values of the set each row has."""

    def places(self, values: Hashes, out: Positions) -> int:
        """The positions of those values that are in the set; how many there are. `out` is as long
        as `values`."""

def common_in_bags(
    wanted: Hashes, values: Hashes, bounds: Positions, rows: Positions, out: Positions
) -> None:
    """At most how many values each row has in common with `wanted`, repeats included and in any
    order: values that agree in their low 10 bits count as one."""

def covered(starts: Positions, width: int) -> tuple[int, int, int]:
    """Of grams that begin there, ascending, of `width` units: how many units they cover, in how
    many runs of neighbours they stand, and the units of the longest of these."""

def covered_from(starts: Positions, width: int, units: Hashes, least: int) -> int:
    """How many of the units that they cover are `least` or more."""

def densest(starts: Positions, gap: int) -> tuple[int, int]:
    """The first longest part, as [begin, end), in which no step is larger than `gap`."""
