"""`native.c`: loops over contiguous arrays. Rows are values between bounds, `rows` the numbers of
chosen ones, `out` has an entry for each of them.

Raises ValueError for arrays that do not fit together.
"""

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions

interface: int
"""Another number whenever a function here changes: an extension may be older than the code."""

def shingles(
    units: Hashes, bounds: Positions, width: int, salt: int, out: Hashes, out_bounds: Positions
) -> int:
    """The hashes of `shingle_rows`, and their bounds; how many there are. `out` is as long as
    `units`."""

def minima(values: Hashes, bounds: Positions, size: int, out: npt.NDArray[np.uint32]) -> None:
    """The smallest low half of the values of each row in each of `size` bins, which the high half
    chooses; all ones for none. `out` has `size` entries for each row."""

def outweighing_bits(values: Hashes, weights: Positions, bounds: Positions, out: Hashes) -> None:
    """For each row the bits that more than half of its values have set, by weight."""

def spelled(values: Hashes, characters: int) -> list[str]:
    """The low bits of each value in the base64url alphabet, 1 to 11 characters of six bits each."""

def piece_hashes(text: bytes, edges: Positions, seed: int, out: Hashes) -> None:
    """The first value of MurmurHash3 (x64, 128 bits) of the pieces of a text in UTF-8; the edges
    are in characters."""

def byte_hashes(
    data: bytes | npt.NDArray[np.uint32], edges: Positions, seed: int, out: Hashes
) -> None:
    """The same of bytes, with edges in bytes."""

def repeated(codes: npt.NDArray[np.uint32]) -> list[tuple[int, int]]:
    """Where three Han characters or more in a row are each repeated at most seven places off, as
    [start, stop)."""

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
    wanted: Hashes, values: Hashes, bounds: Positions, rows: Positions, bits: int, out: Positions
) -> None:
    """At most how many values each row has in common with `wanted`, repeats included and in any
    order: values that agree in their low bits, 13 at most, count as one."""

def covered(starts: Positions, width: int) -> tuple[int, int, int]:
    """Of grams that begin there, ascending, of `width` units: how many units they cover, in how
    many runs of neighbours they stand, and the units of the longest of these."""

def covered_from(starts: Positions, width: int, units: Hashes, least: int) -> int:
    """How many of the units that they cover are `least` or more."""

def densest(starts: Positions, gap: int) -> tuple[int, int]:
    """The first longest part, as [begin, end), in which no step is larger than `gap`."""
