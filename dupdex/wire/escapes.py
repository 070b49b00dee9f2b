"""Text from outside on its way to a screen: nothing in it may move, hide or reorder what is shown.

Ids, file names, column headers and sentences are whatever somebody wrote. On a terminal an escape
sequence rewrites the screen, a line break forges a line of the result, and a direction override
turns a name round. All of these are shown as the escape a programmer would write for them.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls; ESC among them, and the C1 forms of its sequences
    "\u2028\u2029"  # line and paragraph separators
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
    "]"
)
"""Characters that have an effect and no shape of their own: controls, direction overrides and
isolates, what has no width. Not the two selectors of emoji (U+FE0E, U+FE0F), which texts are full
of and which change nothing else."""

_IN_JSON: Final = re.compile(HIDDEN.pattern.replace("\x00-\x1f", ""))


def visible(text: str) -> str:
    """The text on one line, with everything that is no printable character as its escape.

    Spaces of all kinds stay. A backslash stays as well, so the result is for the eye, not for
    reading back: JSON output is for that.
    """
    if text.isprintable() and not HIDDEN.search(text):
        return text
    return "".join(map(_shown, text))


def shortened(text: str, limit: int) -> str:
    """A text of more than `limit` characters by its beginning and its end, with its length."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]} … ({len(text):,} characters) … {text[-tail:]}"


def escaped_json(encoded: bytes) -> bytes:
    """The same JSON value with every hidden character as `\\uXXXX`."""
    if encoded.isascii() and b"\x7f" not in encoded:
        return encoded
    return _IN_JSON.sub(_json_escape, encoded.decode("utf-8")).encode("utf-8")


def _shown(character: str) -> str:
    if HIDDEN.match(character) or not (character.isprintable() or character.isspace()):
        return character.encode("unicode_escape").decode("ascii")
    return character


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
