"""Small damage: spaces and marks, single characters, bytes."""

from __future__ import annotations

from random import Random
from typing import Final

_HALF_WIDTH: Final = str.maketrans("，。！？；：（）、", ",.!?;:(),")
_FULL_WIDTH: Final = str.maketrans("0123456789,!?:;()", "０１２３４５６７８９，！？：；（）")
_SPACES: Final = (" ", "\u3000", "\u200b", "\u00a0", "\n")
_SPACE_RATE: Final = 0.04


def exact(text: str, _rng: Random) -> str:
    """The same text."""
    return text


def spaces_and_marks(text: str, rng: Random, rate: float) -> str:
    """Marks and digits in another width with probability `rate`; spaces strewn in beside."""
    out: list[str] = []
    for character in text:
        other = character
        if rng.random() < rate:
            other = character.translate(_HALF_WIDTH)
            other = character.translate(_FULL_WIDTH) if other == character else other
        # spaces between the letters of a word, or in a number, would be another text
        if "\u4e00" <= character <= "\u9fff" and rng.random() < rate * _SPACE_RATE:
            other = rng.choice(_SPACES) + other
        out.append(other)
    return "".join(out)


def edits(text: str, rng: Random, every: int) -> str | None:
    """One insertion, deletion or substitution in every `every` characters."""
    places = range(rng.randrange(min(every, max(1, len(text)))), len(text), every)
    return _edited(text, rng, {place: rng.choice("sid") for place in places})


def edits_of_one_sort(text: str, rng: Random, sort: str, percent: int) -> str | None:
    """Of all characters `percent` substituted (s), deleted (d) or followed by another (i)."""
    places = [place for place, character in enumerate(text) if character.isalnum()]
    count = min(len(places), max(1, round(len(places) * percent / 100)))
    return _edited(text, rng, dict.fromkeys(rng.sample(places, count), sort))


def _edited(text: str, rng: Random, sorts: dict[int, str]) -> str | None:
    pool = sorted({character for character in text if character.isalnum()})
    if len(pool) < 2 or not sorts:
        return None
    out: list[str] = []
    for place, character in enumerate(text):
        sort = sorts.get(place)
        if sort == "s":
            out.append(rng.choice([other for other in pool if other != character]))
        elif sort == "i":
            out.append(character + rng.choice(pool))
        elif sort is None:
            out.append(character)
    return "".join(out)


def gb2312(text: str, _rng: Random) -> str:
    """A question mark for all that GB 2312 lacks."""
    return text.encode("gb2312", "replace").decode("gb2312")


def gbk_byte_loss(text: str, rng: Random, every: int) -> str | None:
    """A byte lost in every `every` of the GBK form, and what a lenient decoder makes of it."""
    data = text.encode("gbk", "replace")
    lost = _places(len(data), rng, every)
    if not lost:
        return None
    return bytes(byte for at, byte in enumerate(data) if at not in lost).decode("gbk", "replace")


def utf8_byte_damage(text: str, rng: Random, every: int) -> str | None:
    """Another byte for one in every `every` of the UTF-8 form."""
    data = bytearray(text.encode("utf-8", "replace"))
    for at in sorted(_places(len(data), rng, every)):
        data[at] = (data[at] + rng.randrange(1, 256)) % 256
    damaged = data.decode("utf-8", "replace")
    return None if damaged == text else damaged


def _places(size: int, rng: Random, every: int) -> set[int]:
    """One place in each stretch of `every`, and one at least in a text that has any."""
    whole = [start + rng.randrange(every) for start in range(0, size - every + 1, every)]
    return set(whole or ([rng.randrange(size)] if size else []))
