"""The same letters laid out in another way: marks strewn in, order changed, parts left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

_EMOJI: Final = "😀😂🔥❤👍🎉🌹💰✨🙏"
_KEYCAPS: Final = tuple(f"{sign}\ufe0f\u20e3" for sign in "0123456789")
_FLAGS: Final = ("🇨🇳", "🇩🇪", "🇫🇷", "🇬🇧", "🇯🇵", "🇺🇸")
_INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff"
_MARKS: Final = "*|·~^_/-+=#@"
_TAGS: Final = ("<b></b>", "<br>", "<i></i>", "<span class='x'></span>", "<!-- -->")
_STROKES: Final = "丨丶〇某x1"
_STRAY: Final = "abcdefghijklmnopqrstuvwxyz"
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_SPAM: Final = (
    "加微信领取优惠券，名额有限先到先得！",
    "【重磅福利】扫码进群，每日更新不断。",
    "👇👇点击下方链接，了解更多内容👇👇",
    "兼职日结，宝妈学生都能做，详情看主页。",
    "关注我不迷路，转发抽奖送手机。",
    "限时三天，全场五折包邮，手慢无。",
)
_ENGLISH_SPAM: Final = (
    "Click the link in my bio for free gifts!!!",
    "Work from home and earn $500 a day, DM me now.",
    "LIMITED OFFER: 70% off everything today only >>>",
    "Follow for more daily content and win a phone.",
)


def emoji_between(text: str, rng: Random) -> str:
    """An emoji after every letter."""
    return _between(text, rng, _EMOJI)


def keycaps_between(text: str, rng: Random) -> str:
    """An emoji of a digit after every letter."""
    return _between(text, rng, _KEYCAPS)


def flags_between(text: str, rng: Random) -> str:
    """A flag after every letter."""
    return _between(text, rng, _FLAGS)


def references(text: str, _rng: Random) -> str:
    """Every letter as HTML writes it by number."""
    return "".join(f"&#{ord(each)};" if each.isalnum() else each for each in text)


def tags_between(text: str, rng: Random) -> str:
    """A tag of HTML after one letter in six, within words."""
    return "".join(
        each + rng.choice(_TAGS) if each.isalnum() and rng.random() < 1 / 6 else each
        for each in text
    )


def invisible_between(text: str, rng: Random) -> str:
    """A zero-width character after every letter."""
    return _between(text, rng, _INVISIBLE)


def marks_between(text: str, rng: Random) -> str:
    """The same mark after every letter."""
    return _between(text, rng, rng.choice(_MARKS))


def strokes_between(text: str, rng: Random) -> str:
    """The same stroke, or another character that is a letter, after every letter."""
    return _between(text, rng, rng.choice(_STROKES))


def vertical(text: str, _rng: Random) -> str:
    """One character a line."""
    return "\n".join(text)


def stray_letters(text: str, rng: Random) -> str:
    """A Latin letter after every fourth Han character."""
    out: list[str] = []
    passed = rng.randrange(4)
    for each in text:
        out.append(each)
        passed += bool(_HAN.match(each))
        if passed == 4:
            out.append(rng.choice(_STRAY))
            passed = 0
    return "".join(out)


def without_spaces(text: str, _rng: Random) -> str:
    """No white space at all."""
    return "".join(text.split())


def spaced_letters(text: str, rng: Random) -> str:
    """A space after every letter; words stand further apart, or not."""
    gap = rng.choice(("   ", "  ", " "))
    return gap.join(" ".join(word) for word in text.split())


def swapped(text: str, rng: Random, percent: int) -> str:
    """Neighbours changed places: so many swaps as `percent` of the characters."""
    out = list(text)
    wanted = round(len(out) * percent / 100)
    places = list(range(len(out) - 1))
    rng.shuffle(places)
    moved: set[int] = set()
    for at in places:
        if wanted and not {at, at + 1} & moved and out[at].isalnum() and out[at + 1].isalnum():
            out[at], out[at + 1] = out[at + 1], out[at]
            moved |= {at, at + 1}
            wanted -= 1
    return "".join(out)


def masked(text: str, rng: Random, percent: int) -> str:
    """An asterisk for `percent` of the letters."""
    return _without(text, rng, percent, "*")


def masked_by_letter(text: str, rng: Random, percent: int) -> str:
    """The letter x for `percent` of the letters."""
    return _without(text, rng, percent, "x")


def dropped(text: str, rng: Random, percent: int) -> str:
    """`percent` of the letters are missing."""
    return _without(text, rng, percent, "")


def with_spam(text: str, rng: Random) -> str:
    """Two advertisements before, two after."""
    pool = _SPAM if _HAN.search(text) else _ENGLISH_SPAM
    first, second, third, last = rng.sample(pool, 4)
    return f"{first}{second} {text} {third}{last}"


def backwards(text: str, _rng: Random) -> str:
    """The last character first."""
    return text[::-1]


def turned_by_override(text: str, _rng: Random) -> str:
    """Each line backwards behind a mark that shows it forwards."""
    return "\n".join(f"\u202e{line[::-1]}\u202c" for line in text.split("\n"))


def columns(text: str, rng: Random) -> str | None:
    """Read from top to bottom, in up to twelve columns, from the right or from the left."""
    letters = "".join(text.split())
    height = max(3, -(-len(letters) // rng.randint(5, 12)))
    rows = [letters[start : start + height] for start in range(0, len(letters), height)]
    turned = rows if rng.random() < 0.5 else rows[::-1]
    return "\n".join(
        "".join(row[at : at + 1] or "\u3000" for row in turned) for at in range(height)
    )


def _between(text: str, rng: Random, pool: Sequence[str]) -> str:
    return "".join(each + rng.choice(pool) if each.isalnum() else each for each in text)


def _without(text: str, rng: Random, percent: int, sign: str) -> str:
    places = [at for at, each in enumerate(text) if each.isalnum()]
    out = list(text)
    for at in rng.sample(places, round(len(places) * percent / 100)):
        out[at] = sign
    return "".join(out)
