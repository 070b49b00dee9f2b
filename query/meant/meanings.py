"""A text as it may be meant: what the skeleton leaves of a disguise, undone when a text is asked.

Stored keys know nothing of it. So only the asked text may be in such a disguise, and only where it
shows clear signs of one: it is asked as it is and as it may be meant. Plain texts show none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from query.answers import Disguise
from query.meant.fillers import with_masks, without_emoji, without_tones
from query.meant.letter_signs import without_signs
from query.meant.looks import without_looks
from query.meant.markup import without_markup
from query.meant.meant import Meant
from query.meant.places import by_columns, without_override, without_strokes

LONGEST: Final = 5_000
"""Characters of the longest text that is looked at: longer ones are no posts."""

_MARKED: Final = 8
"""So many times as long a text may be with its markup: &#30340; is one character."""

_UNDOING: Final[tuple[Callable[[Meant], Meant | None], ...]] = (
    without_override,
    without_emoji,
    without_strokes,
    without_tones,
    without_looks,
    without_signs,
    with_masks,
)
"""What order is undone in, after markup: places before letters, and letters of other scripts before
signs, which stand in Latin words."""


def meanings(text: str, *, as_meant: bool = True, backwards: bool = False) -> list[Meant]:
    """What a text may mean besides what it says. `as_meant`: where it shows signs of a disguise;
    `backwards`: read backwards, in any case."""
    found: list[Meant] = []
    if as_meant and len(text) <= _MARKED * LONGEST:
        plain = without_markup(text) or Meant.given(text)
        if len(plain.text) <= LONGEST:
            found += _undone(plain)
            found += by_columns(text)
    if backwards:
        last = range(len(text) - 1, -1, -1)
        found.append(Meant(text[::-1], last, (Disguise.BACKWARDS,)))
    return found


def _undone(meant: Meant) -> list[Meant]:
    """The text with all undone that it shows signs of, if it does."""
    for undo in _UNDOING:
        meant = undo(meant) or meant
    return [meant] if meant.disguises else []
