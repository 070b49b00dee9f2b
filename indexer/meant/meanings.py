"""A text as it may be meant: what the skeleton leaves of a disguise, undone where a text shows
signs of one. Plain texts show none.

A text is asked, stored and judged as it is given and as it may be meant. So stored keys depend on
these rules: where one changes what a text means, the step of plans needs another name, once a
version of dupdex that has it was released.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from indexer.meant.fillers import with_masks, without_emoji, without_tones
from indexer.meant.letter_signs import without_signs
from indexer.meant.looks import without_looks
from indexer.meant.markup import without_markup
from indexer.meant.meant import Disguise, Meant
from indexer.meant.places import by_columns, without_override, without_strokes
from indexer.meant.shown_signs import Shown, shown_signs

LONGEST: Final = 5_000
"""Characters of the longest text that is looked at: longer ones are no posts."""

_MARKED: Final = 8
"""So many times as long a text may be with its markup: &#30340; is one character."""

_UNDOING: Final[Mapping[Shown, Callable[[Meant], Meant | None]]] = {
    Shown.TURNED: without_override,
    Shown.EMOJI: without_emoji,
    Shown.STROKES: without_strokes,
    Shown.TONES: without_tones,
    Shown.LOOKS: without_looks,
    Shown.SIGNS: without_signs,
    Shown.MASKED: with_masks,
}
"""What order is undone in, after markup: places before letters, and letters of other scripts before
signs, which stand in Latin words."""

_EVERYTHING: Final = sum(Shown)


def meanings(text: str, *, as_meant: bool = True, backwards: bool = False) -> list[Meant]:
    """What a text may mean besides what it says. `as_meant`: where it shows signs of a disguise;
    `backwards`: read backwards, in any case."""
    found: list[Meant] = []
    shown = shown_signs(text) if as_meant and len(text) <= _MARKED * LONGEST else 0
    if shown:
        plain = without_markup(text) if shown & Shown.MARKUP else None
        if len(text) <= LONGEST or (plain and len(plain.text) <= LONGEST):
            found += _undone(plain or Meant.given(text), _EVERYTHING if plain else shown)
            found += by_columns(text)
    if backwards:
        last = range(len(text) - 1, -1, -1)
        found.append(Meant(text[::-1], last, (Disguise.BACKWARDS,)))
    return found


def _undone(meant: Meant, shown: int) -> list[Meant]:
    """The text with all undone that it shows signs of, and those that this lays open."""
    for sign, undo in _UNDOING.items():
        if shown & sign:
            found = undo(meant)
            meant, shown = (found, _EVERYTHING) if found else (meant, shown)
    return [meant] if meant.disguises else []
