"""`native.c`: loops over contiguous arrays. Rows are values between bounds, `rows` the numbers of
chosen ones, `out` has an entry for each of them.

Raises ValueError for arrays that do not fit together.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from indexer.text.table import Codes

interface: int
"""Another number whenever a function here changes: an extension may be older than the code."""

def shingles(
    units: Hashes, bounds: Positions, width: int, salt: int, out: Hashes, out_bounds: Positions
) -> int:
    """The hashes of `shingle_rows`, and their bounds; how many there are. `out` is as long as
    `units`."""

def minima(values: Hashes, bounds: Positions, size: int, out: npt.NDArray[np.uint32]) -> int:
    """The smallest low half of the values of each row in each of `size` bins, which the high half
    chooses; all ones for none. How many bins are empty. `out` has `size` entries for each row."""

def bands(values: npt.NDArray[np.uint32], multipliers: Hashes, salts: Hashes, out: Hashes) -> None:
    """The hash of each band of a signature, which has as many values as there are multipliers;
    each band of a signature has a salt."""

def block_bits(values: Hashes, shifts: Hashes, widths: Hashes, choices: int, out: Hashes) -> None:
    """For each value and each choice of blocks the bits of these, the first block highest; `shifts`
    and `widths` have the first block of all choices, then the second, ..."""

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

def token_edges(tokens: list[str], out: Positions) -> None:
    """Where tokens begin and end, one after the other; `out` has an entry more than them."""

def connected(tokens: list[str]) -> list[int]:
    """The tokens of ASCII in which one of the marks +#&._%- stands beside a letter
    or digit, other than those like 3.5% or v2.0."""

def rare(codes: Codes) -> list[int]:
    """The places of Han characters outside of U+4E00 to U+9FD5."""

def tally(bounds: Positions, values: Hashes, counts: Positions, out_bounds: Positions) -> int:
    """The distinct values of rows that ascend, in place of these, how often each occurs, and their
    bounds; how many there are."""

def repeated(codes: Codes) -> list[tuple[int, int]]:
    """Where three Han characters or more in a row are each repeated at most seven places off, as
    [start, stop)."""

def spaced(kinds: npt.NDArray[np.uint8], bounds: Positions, out: npt.NDArray[np.bool_]) -> None:
    """For each row whether it has more words, of letters and digits side by side, than units."""

def exact_codes(
    codes: Codes,
    kinds: npt.NDArray[np.uint8],
    bounds: Positions,
    out: Codes,
    out_bounds: Positions,
) -> int:
    """Letters, digits and the marks that change a number, and their bounds; how many there are."""

def sentences(
    codes: Codes, kinds: npt.NDArray[np.uint8], bounds: Positions, minimum: int
) -> list[list[tuple[int, int]]]:
    """For each row its sentences of at least `minimum` letters and digits, longest first, as
    [start, stop) among all letters and digits."""

def sentence_edges(
    codes: Codes, kinds: npt.NDArray[np.uint8], bounds: Positions, out: Positions
) -> int:
    """Where sentences and rows begin and end among all letters and digits, ascending; how many
    places these are, some of them the same. `out` has room for one at each code and each bound."""

def passages(
    values: Hashes,
    bounds: Positions,
    how: tuple[int, int, int, int, int],
    out: Hashes,
    out_bounds: Positions,
) -> int:
    """For each row the `keep` smallest distinct values of each chunk; with windows of up to
    `widest` values also the smallest of these, and all ascending. How many there are. `how`: about
    how many values make a chunk, `keep`, `widest`, and the width of windows at least and as a part
    of the row. `out` is twice as long as `values`."""

def loose(
    letters: Hashes,
    bounds: Positions,
    ranges: Positions,
    how: tuple[int, int, int],
    seed: int,
    thin: int,
    out: Hashes,
    out_bounds: Positions,
) -> int:
    """For each row and each width of windows, given with the least and the greatest length of a
    row that has them, the smallest distinct hashes of the letters of a window in any order; how
    many there are. Windows of more letters below `thin` than not are left out where there are
    others. `how`: at most and at least how many of one width, and the length of a row up to which
    it is the most; `out` has room for the most."""

def equal_blocks(left: Codes, right: Codes, width: int) -> list[tuple[int, int, int]]:
    """Equal stretches of two texts as [start, stop) of the left one, and the start in the right
    one: those at both ends, which may be empty, and those around each run of `width` units that
    stands once in either; one may come twice."""

def prepared_codes(
    original: Codes,
    bounds: Positions,
    table: Codes,
    expansions: Codes,
    expansion_bounds: Positions,
    single_spaces: bool,
    codes: Codes,
    sources: Positions,
    out_bounds: Positions,
) -> int:
    """Prepared codes, the place of each in the original, and their bounds; how many there are. -1
    where marks join letters, or there is no room for so many codes."""

def skeleton_codes(
    prepared: Codes,
    sources: Positions,
    bounds: Positions,
    codes: Codes,
    at: Positions,
    out_bounds: Positions,
    marks: npt.NDArray[np.uint8],
    *tables: npt.NDArray[Any],
) -> int | None:
    """The codes of skeletons, the place of each among the prepared ones, their bounds, and, with a
    bit for each kind, what was undone where, if anything. How many codes there are; None, where no
    code changed. `tables`: the kinds of a `Table`, and the arrays of a `SkeletonTable`."""

class GramSet:
    """The distinct values of an array, which may be in any order."""

    def __init__(self, values: Hashes) -> None: ...
    def __len__(self) -> int: ...
    def common(self, values: Hashes, bounds: Positions, rows: Positions, out: Positions) -> None:
        """How many distinct values of the set each row has; then in how many of its places each has
        any of them. `out` has two entries for each of `rows`."""

    def places(self, values: Hashes, out: Positions) -> int:
        """The positions of those values that are in the set; how many there are. `out` is as long
        as `values`."""

    def places_in_both(
        self, own: Hashes, others: Hashes, own_out: Positions, others_out: Positions
    ) -> tuple[int, int]:
        """The positions of the values that the set, given again, and other values have in common,
        in either; how many there are."""

def distinct_counts(values: Hashes, bounds: Positions, rows: Positions, out: Positions) -> None:
    """How many distinct values each row has."""

def common_in_bags(
    wanted: Hashes, values: Hashes, bounds: Positions, rows: Positions, bits: int, out: Positions
) -> None:
    """At most how many values each row has in common with `wanted`, repeats included and in any
    order: values that agree in their low bits, 13 at most, count as one."""

def common_in_halves(
    wanted: Hashes, values: Hashes, bounds: Positions, rows: Positions, bits: int, out: Positions
) -> None:
    """At most how many values each row, cut in two anywhere, has in common with `wanted`, cut in
    its middle: its first part with the first half, its second part with the second one."""

def as_string(units: Hashes, limit: int, instead: int) -> str | None:
    """Each unit as a character: code points, and what is `limit` or more from `instead` on. None
    where two units would be one, or there is no such character."""

def covered(starts: Positions, width: int) -> tuple[int, int, int]:
    """Of grams that begin there, ascending, of `width` units: how many units they cover, in how
    many runs of neighbours they stand, and the units of the longest of these."""

def covered_from(starts: Positions, width: int, units: Hashes, least: int) -> int:
    """How many of the units that they cover are `least` or more."""

def densest(starts: Positions, gap: int) -> tuple[int, int]:
    """The first longest part, as [begin, end), in which no step is larger than `gap`."""

def in_stretches(
    left: Hashes, right: Hashes, reach: int, drift: int, most: int, least: int
) -> tuple[int, int]:
    """How many values of either stand in stretches of both: values in common, none of which comes
    more than `most` times in either, each at most `reach` behind the one before in the left one,
    `least` at least, on nearly one diagonal: one that `drift` moves once."""

def shown_signs(text: str, signs: str, masks: str) -> int:
    """Which signs of a disguise a text shows, as `indexer.meant.shown_signs` numbers them; `signs`:
    those that are written for letters, `masks`: letters that mask others."""
