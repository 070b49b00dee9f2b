"""Which signs a text shows that it may be meant otherwise. Most show none, and every text that is
stored or asked is looked at, so this is one of the loops that are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntFlag
from typing import Final

from indexer.meant.fillers import MASKS, has_emoji, has_tones, often_masks
from indexer.meant.letter_signs import TELLING, has_signs
from indexer.meant.looks import has_other_letters
from indexer.meant.markup import has_markup
from indexer.meant.places import has_override, is_grid, often_between
from indexer.text.kernels import compiled


class Shown(IntFlag):
    """What the disguises have that are undone."""

    TURNED = 1 << 0
    EMOJI = 1 << 1
    STROKES = 1 << 2
    TONES = 1 << 3
    LOOKS = 1 << 4
    SIGNS = 1 << 5
    MASKED = 1 << 6
    MARKUP = 1 << 7
    GRID = 1 << 8


_TOLD_BY: Final[Mapping[Shown, Callable[[str], object]]] = {
    Shown.TURNED: has_override,
    Shown.EMOJI: has_emoji,
    Shown.STROKES: often_between,
    Shown.TONES: has_tones,
    Shown.LOOKS: has_other_letters,
    Shown.SIGNS: has_signs,
    Shown.MASKED: often_masks,
    Shown.MARKUP: has_markup,
    Shown.GRID: is_grid,
}


def plain_shown_signs(text: str) -> int:
    """`shown_signs` without the compiled loop."""
    return sum(int(shown) for shown, is_told in _TOLD_BY.items() if is_told(text))


def shown_signs(text: str) -> int:
    """The flags of `Shown` that a text has; 0 for most."""
    if compiled is None:
        return plain_shown_signs(text)
    return compiled.shown_signs(text, TELLING, MASKS)
