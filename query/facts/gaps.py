"""What stands between the blocks of two wordings, aligned once more unit by unit.

Blocks take a run of several units that is unique in both texts. Between two of them there may be
several slots of a form with a word or two between: 由张三执导，李四主演.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from indexer.text.table import Codes
from query.facts.align import Block

WIDEST: Final = 80
SPACED_WIDEST: Final = 240
"""Units of the widest gap that is looked into; twice as wide takes four times as long."""

LEAST: Final = 2
SPACED_LEAST: Final = 6
"""Units of the shortest run that counts as the same words."""

_OVERLAP: Final = 4
"""Units that may be said once in one text and twice in the other, within a word."""

Span = tuple[int, int]


class Gap(NamedTuple):
    """Units of the two wordings that stand between the same words; one may be empty."""

    asked: Span
    stored: Span

    @property
    def sizes(self) -> Span:
        return self.asked[1] - self.asked[0], self.stored[1] - self.stored[0]

    @property
    def is_change(self) -> bool:
        """Whether something stands in one text that is not in the other, once it is opened."""
        here, there = self.sizes
        least = min(here, there)
        return least > 0 or (least >= -_OVERLAP and here != there)

    @property
    def opened(self) -> Gap:
        """The gap; where its blocks overlap, what one text has more of, as the n of dinner beside
        diner.
        """
        over = -min(self.sizes)
        if not 0 < over <= _OVERLAP:
            return self
        (start, stop), (other, end) = self
        return Gap((start - over, stop), (other - over, end))


def gaps(aligned: list[Block]) -> Iterator[Gap]:
    """The gaps between blocks that stand next to each other in both texts. Where equal text
    repeats itself blocks overlap; then a size is negative.
    """
    for before, after in pairwise(aligned):
        other = before.other + before.stop - before.start
        yield Gap((before.stop, after.start), (other, after.other))


def refined(left: Codes, right: Codes, aligned: list[Block], spaced: bool) -> list[Block]:
    """The blocks, and runs of equal units in the gaps between them."""
    if len(aligned) < 2:
        return aligned
    widest, least = (SPACED_WIDEST, SPACED_LEAST) if spaced else (WIDEST, LEAST)
    out = list(aligned)
    for gap in gaps(aligned):
        first, second = gap.sizes
        if not (0 < first <= widest and 0 < second <= widest):
            continue
        start, other = gap.asked[0], gap.stored[0]
        sides = left[slice(*gap.asked)].tolist(), right[slice(*gap.stored)].tolist()
        # Of several ways with as few edits the same one is taken from either side.
        turned = sides[1] < sides[0]
        for step in Levenshtein.opcodes(*(sides[::-1] if turned else sides)):
            size = step.src_end - step.src_start
            if step.tag == "equal" and size >= least:
                here, there = step.src_start, step.dest_start
                here, there = (there, here) if turned else (here, there)
                out.append(Block(start + here, start + here + size, other + there))
    return sorted(out)
