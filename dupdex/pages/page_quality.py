"""How good a text is that was taken out of a page: a number from 0 to 1.

quality = length x own x (0.3 + 0.7 x prose) x letters, each from 0 to 1:

length   0 up to 20 units, 1 from 200 on; a unit is a Chinese character, or 5 letters
own      the share of the letters that are in no line that is the text of a link
prose    the share of the letters that are in lines with punctuation of sentences
letters  1 where 70 % of all visible characters are letters or digits or more, 0 from 30 % down
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

LIMIT: Final = 0.2
"""Below it a text is kept and not indexed, unless said otherwise."""

TEXTURE_LIMIT: Final = 0.3
"""What is no prose at all, however long, goes on over no pages."""

_SHORT, _LONG = 20, 200
_LETTERS_A_UNIT: Final = 5
_NO_PROSE: Final = 0.3
_FEW, _MANY = 0.3, 0.7
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]")
_SENTENCE: Final = re.compile(r"[。！？；…，、!?;]|[.,:](\s|$|[\"”’)])")


@dataclass(frozen=True, slots=True)
class Quality:
    """`texture`: the quality of a text of this kind that is long enough."""

    length: float
    texture: float

    @property
    def value(self) -> float:
        return round(self.length * self.texture, 3)


def quality_of(text: str, links: Collection[str] = ()) -> Quality:
    """The quality of an extracted text; `links`: the texts of the links of its page."""
    counted = [(line, _letters(line)) for line in map(str.strip, text.splitlines()) if line]
    total = sum(letters for _, letters in counted)
    if not total:
        return Quality(0.0, 0.0)
    own = sum(letters for line, letters in counted if line not in links) / total
    prose = sum(letters for line, letters in counted if _SENTENCE.search(line)) / total
    share = total / sum(len(line) - line.count(" ") for line, _ in counted)
    wide = len(_WIDE.findall(text))
    units = wide + (total - wide) / _LETTERS_A_UNIT
    texture = own * (_NO_PROSE + (1 - _NO_PROSE) * prose) * _within(share, _FEW, _MANY)
    return Quality(_within(units, _SHORT, _LONG), texture)


def _letters(line: str) -> int:
    return sum(map(str.isalnum, line))


def _within(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))
