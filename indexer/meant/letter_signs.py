"""Signs written for the letters that they look like: pr!ce, $ale, gre@t.

L33t. Its digits the skeleton undoes; signs it leaves, as they part words in plain texts.
"""

from __future__ import annotations

import re
from typing import Final

from indexer.meant.meant import Disguise, Meant

LETTERS: Final = {
    **dict(zip("@$!|+(", "asiitc", strict=True)),
    **dict(zip("€£¥¢§∂†¡©", "elycsdtic", strict=True)),
}
"""The common table. `!` and `|` may be l as well: to the skeleton i, l and 1 are one letter."""

_SIGNS: Final = re.escape("".join(LETTERS))
_LATIN: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
TELLING: Final = "".join(LETTERS).replace("(", "")
"""Those that show that a word is written so: a bracket in a word is one."""

_INSIDE_WORDS: Final = re.compile(f"[{_LATIN}0-9](?=[{re.escape(TELLING)}]+[{_LATIN}0-9])")
_ADDRESS: Final = re.compile(r"://|www\.|@[\w-]+(?:\.\w|:[~/\w])")
_RUN: Final = re.compile(f"[{_LATIN}0-9{_SIGNS}]+")
_INSIDE: Final = re.compile(f"(?<=[^{_SIGNS}])[{_SIGNS}]+(?=[^{_SIGNS}])")
_PARTS: Final = re.compile(f"[{_SIGNS}]+")
_CLOSED: Final = re.compile(r"\([^()]*\)")
_LETTER: Final = re.compile("[^\\W\\d_]")
_VOWEL: Final = re.compile("[aeiouyAEIOUY\u00c0-\u024f]")

_FEWEST: Final = 2
_SHARE: Final = 0.08
"""The least number of words that only signs for letters explain, and the least part of all."""

_SHORT: Final = 3
"""Words of up to so many characters say nothing; what stands between | has fewer."""


def has_signs(text: str) -> bool:
    """Whether signs stand twice between letters or digits."""
    return any(map(text.__contains__, TELLING)) and len(_INSIDE_WORDS.findall(text)) >= _FEWEST


def without_signs(meant: Meant) -> Meant | None:
    """The text with letters for signs in words, where words show that they are written so."""
    text = meant.text
    if not has_signs(text):
        return None
    strange = [word for piece in text.split() for word in _strange_in(piece)]
    if len({*strange}) < _FEWEST:
        return None
    runs = [found for piece in re.finditer(r"\S+", text) for found in _runs(text, piece)]
    words = sum(_LETTER.search(found.group()) is not None for found in runs)
    if len(strange) < _SHARE * words:
        return None
    closed = {found.start() for found in _CLOSED.finditer(text)}
    out = list(text)
    for found in runs:
        start, stop = found.span()
        read = _read(found.group())
        out[start:stop] = ["(" if start + at in closed else each for at, each in enumerate(read)]
    return meant.other_letters("".join(out), Disguise.SIGNS)


def _strange_in(piece: str) -> list[str]:
    """The words in a piece without spaces that only signs for letters explain; most have none."""
    if _INSIDE_WORDS.search(piece) is None or _ADDRESS.search(piece):
        return []
    return [word for word in _RUN.findall(piece) if _LETTER.search(word) and _is_strange(word)]


def _runs(text: str, piece: re.Match[str]) -> list[re.Match[str]]:
    """The words with their signs in a piece without spaces; none of an address."""
    if _ADDRESS.search(piece.group()):
        return []
    return list(_RUN.finditer(text, piece.start(), piece.end()))


def _is_strange(word: str) -> bool:
    """Whether signs inside a word must be letters: beside them stands what has no vowel, which is
    no word, as a user before a host and the cells of a table are."""
    signs = "".join(_INSIDE.findall(word))
    if not signs or "(" in signs or len(word) <= _SHORT:
        return False
    parts = [part for part in _PARTS.split(word) if part]
    bare = [part for part in parts if part.isalpha() and not _VOWEL.search(part)]
    if not bare or {*signs} == {"+"}:  # ctrl+c
        return False
    return {*signs} != {"|"} or not _are_cells(parts, bare)


def _are_cells(parts: list[str], bare: list[str]) -> bool:
    """Whether | may part words, some `bare` of vowels: dvd|cd, sort|uniq, a|b|c, 31|R."""
    rest = "".join(parts)[1:]
    if not rest.isalpha() or not rest.islower() or max(map(len, bare)) >= _SHORT:
        return True
    words = sum(len(part) >= _SHORT and part not in bare for part in parts)
    return words > 1 or len(parts) == len(rest) + 1


def _read(word: str) -> str:
    """A word with letters for signs. A ! at the end is one, $5 is a price."""
    letters = len(_LETTER.findall(word))
    if not letters or len(word) < 2:
        return word
    body = word.rstrip("!\u00a1")
    start = _PARTS.match(body)
    skipped = start.end() if start and body[start.end() : start.end() + 1].isdigit() else 0
    if letters >= _SHORT:
        skipped = 0
    read = "".join(LETTERS.get(each, each) for each in body[skipped:])
    return body[:skipped] + read + word[len(body) :]
