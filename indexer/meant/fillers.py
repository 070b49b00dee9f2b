"""What people strew over a text that the skeleton reads as letters of it: emoji that are letters or
digits, tones behind syllables, letters that mask others.
"""

from __future__ import annotations

import re
from typing import Final

from indexer.meant.known_letters import TABLE, is_letter_or_digit
from indexer.meant.meant import Disguise, Meant
from indexer.text.flags import are_flags
from indexer.text.skeleton_table import load_skeleton

_KEYCAP: Final = "[0-9#*]\ufe0f?\u20e3"
_EMOJI: Final = {
    False: re.compile(_KEYCAP),
    True: re.compile(f"{_KEYCAP}|[\U0001f1e6-\U0001f1ff]{{2}}"),
}
"""By whether the letters of flags are flags."""

_PARTS: Final = re.compile("[\u20e3\U0001f1e6-\U0001f1ff]")
"""What every one of them has: a look at most texts is enough."""

_BETWEEN: Final = (0.25, 4)
"""So many emoji there are at least for each other letter, and at most: lists have one a line, and
what is all emoji says it by them."""

_TONED: Final = re.compile("(?<![A-Za-z\u00fc])[A-Za-z\u00fc]{1,12}[1-5](?![0-9])")
_TONE: Final = re.compile("[1-5](?<=[aegionruv\u00fcAEGIONRUV\u00dc][1-5])(?![0-9])")
"""Behind a letter that a syllable ends with."""
_HAN: Final = re.compile("[\u4e00-\u9fff]")

MASKS: Final = "xX某囗"
_BESIDE: Final = 0.5
"""The part of masks in Chinese, at least, that stand in no word of Latin letters or digits, and
beside a Han character."""

_MASKED: Final = 0.05
"""From this part of a text on, a letter masks others: x is one in 500, 某 one in 5,000."""

_WORDS: Final = 6
"""Words with a letter for others, at least; formulas have as many x."""

_FEWEST: Final = 3
_SHARE: Final = 0.03
"""The least number of syllables with tones, and the least part of the Han characters: programs are
named sha1."""


def has_emoji(text: str) -> bool:
    """Whether there are parts of keycaps or flags."""
    return not text.isascii() and _PARTS.search(text) is not None


def has_tones(text: str) -> bool:
    """Whether digits stand behind letters as tones do, in a text with other letters."""
    return not text.isascii() and len(_TONE.findall(text)) >= _FEWEST


def often_masks(text: str) -> list[str]:
    """The letters that mask others and are frequent."""
    least = max(_FEWEST, _MASKED * len(text))
    return [each for each in MASKS if text.count(each) >= least]


def without_emoji(meant: Meant) -> Meant | None:
    """The text without keycaps and flags, where they stand between its letters."""
    text = meant.text
    if not has_emoji(text):
        return None
    found = list(_EMOJI[are_flags(text)].finditer(text))
    gone = {place for each in found for place in range(*each.span())}
    kept = [place for place in range(len(text)) if place not in gone]
    letters = sum(is_letter_or_digit(text[place]) for place in kept)
    least, most = (share * letters for share in _BETWEEN)
    if not max(_FEWEST, least) <= len(found) <= most:
        return None
    return meant.taken(kept, Disguise.BETWEEN)


def without_tones(meant: Meant) -> Meant | None:
    """The text without the digits behind syllables among Han characters: bu4过."""
    text = meant.text
    if not has_tones(text):
        return None
    syllables = load_skeleton(TABLE).syllables
    toned = [
        found
        for found in _TONED.finditer(text)
        if syllables[found.group()[:-1].lower().replace("\u00fc", "v")]
    ]
    if len({found.group() for found in toned}) < _FEWEST:
        return None
    if len(toned) < _SHARE * len(_HAN.findall(text)):
        return None
    gone = {found.end() - 1 for found in toned}
    kept = [place for place in range(len(text)) if place not in gone]
    return meant.taken(kept, Disguise.PINYIN)


def with_masks(meant: Meant) -> Meant | None:
    """The text with a sign for the letter that masks others."""
    text = meant.text
    often = often_masks(text)
    if not often:
        return None
    are_masks = _stand_beside_han if _HAN.search(text) else _stand_in_words
    masks = [each for each in often if not each.isascii() or are_masks(text, each)]
    if not masks:
        return None
    return meant.other_letters(
        text.translate(dict.fromkeys(map(ord, masks), "*")), Disguise.MISSING
    )


def _stand_in_words(text: str, mask: str) -> bool:
    """Whether many different words of small letters have it behind another letter."""
    words = {*re.findall(f"[a-z{mask}]+", text)}
    inside = [word for word in words if mask in word[1:] and word.strip(mask)]
    return len(inside) >= _WORDS


def _stand_beside_han(text: str, mask: str) -> bool:
    """Whether a mask stands in words of other letters no more often than beside Han characters."""
    runs = list(re.finditer(f"{mask}+", text))
    alone = sum(_stands_alone(text, *run.span()) for run in runs)
    return alone >= _BESIDE * len(runs)


def _stands_alone(text: str, start: int, stop: int) -> bool:
    around = text[max(0, start - 1) : start], text[stop : stop + 1]
    in_word = any(each.isascii() and each.isalnum() for each in around)
    return not in_word and any(map(_HAN.match, around))
