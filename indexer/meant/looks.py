"""Greek and Cyrillic letters written for the Latin ones that they look like.

The skeleton folds small letters by Unicode UTS #39. What it leaves are capitals that look like
other letters than their small ones do (Η is H, η is n), and letters that look alike to readers
only, as shops, memes and generators of fancy text write them (Я for R, И for N). Here each has its
usual look.
"""

from __future__ import annotations

import re
from typing import Final

from indexer.meant.meant import Disguise, Meant

_LOOKS: Final = {
    **dict(zip("АВЕКМНОРСТУХІЈЅЬЪШ", "ABEKMHOPCTYXIJSbbW", strict=True)),
    **dict(zip("авекмнорстухіјѕьъшԁһ", "abekmhopctyxijsbbwdh", strict=True)),
    **dict(zip("αβγεζθικμνορστυχ", "abyezoikmvopotux", strict=True)),
    **dict(zip("ΑΒΕΖΗΘΙΚΜΝΞΟΡΤΥΧΛ", "ABEZHOIKMNEOPTYXA", strict=True)),
    **dict(zip("БГЖЦЧЩЭЯЄЂЋЏбгжцчщэяєђћџδξΓ", "BrXUYWEREHHUbrxuywerehhuder", strict=True)),
    **dict(zip("ΆΈΉΊΌΎΪΫΐΰάέήίόύϊϋώ", "AEHIOYIYiuaeniouiuw", strict=True)),
    **dict(
        zip("ЀЁЃЇЌЎӁӐӒӖӜӦӬӮӰӲѐёѓїќўӂӑӓӗӝӧӭӯӱӳ", "EErIKYXAAEXOEYYYeerikyxaaexoeyyy", strict=True)
    ),
    **dict(zip("∂נᄃᄂƧƨ", "djclSs", strict=True)),  # of generators of fancy letters
    **dict(zip("ςϲғҝҏҙҒҜҎҘ", "scfkpzFKPZ", strict=True)),
}
_SEVERAL: Final = {
    **dict.fromkeys("ПпΠπ", "np"),
    **dict.fromkeys("ИиЙй", "niu"),
    **dict.fromkeys("Лл", "nl"),
    **dict.fromkeys("Зз", "ez"),
    **dict.fromkeys("ДдΔ", "ad"),
    **dict.fromkeys("ФфΦφ", "of"),
    **dict.fromkeys("Σ", "es"),
    **dict.fromkeys("Ω", "ow"),
    **dict.fromkeys("ω", "wo"),
    **dict.fromkeys("η", "nh"),
    **dict.fromkeys("λ", "la"),
}
"""Letters that are written for several: whoever writes one for all n leaves no other n."""


_TABLE: Final = str.maketrans(_LOOKS)

_LATIN: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_GREEK: Final = "\u0370-\u03ff"
_CYRILLIC: Final = "\u0400-\u052f"
_OTHER: Final = re.compile("[\u0370-\u052f]")
_WORD: Final = re.compile(f"[{_LATIN}{_GREEK}{_CYRILLIC}]{{2,}}")
_SCRIPTS: Final = [re.compile(f"[{script}]") for script in (_LATIN, _GREEK, _CYRILLIC)]
_SEAM: Final = re.compile(
    f"[{_LATIN}](?=[{_GREEK}{_CYRILLIC}])"
    f"|[{_GREEK}](?=[{_LATIN}{_CYRILLIC}])|[{_CYRILLIC}](?=[{_LATIN}{_GREEK}])"
)
"""Where letters of two scripts stand side by side."""
_BETWEEN_SMALL: Final = re.compile("[a-z][\u0370-\u052f]+[a-z]")

_DECLINED: Final = re.compile(
    "[A-Za-z]{2,}[\u03ac-\u03ce\u0430-\u045f]{2,}|[\u0400-\u052f]{2,}[A-Z]{2,}"
)

_SMALL: Final = frozenset(
    re.findall(
        r"\w+",
        "the of and in that for with was is are from it on as at by be this have not has had his "
        "but or an which their they were been said will would who more when there can you your my",
    )
)
"""Small English words."""

_BEGINNING: Final = 600
"""Characters that have some of these, if a text has."""

_FEWEST: Final = 2
_SHARE: Final = 0.15
"""The least number of words of several scripts, and the least part of all words. Papers write TNFα
and Δt, Russian has a few words such as SMSки."""


def has_other_letters(text: str) -> bool:
    """Whether there are Greek or Cyrillic letters."""
    return not text.isascii() and _OTHER.search(text) is not None


def without_looks(meant: Meant) -> Meant | None:
    """The text in Latin letters, where words mix these with Greek or Cyrillic ones, or are English
    by their looks.
    """
    text = meant.text
    if not has_other_letters(text):
        return None
    if not (_are_mixed(text) or _seems_english(text)):
        return None
    other = _read(text)
    if other == text or not (_are_mixed(text) or _are_english(text, other)):
        return None
    return meant.other_letters(other, Disguise.LOOK_ALIKES)


def _are_mixed(text: str) -> bool:
    if not _has_several(text) or _SEAM.search(text) is None:
        return False
    words = _WORD.findall(text)
    mixed = {word for word in words if _is_mixed(word)}
    return len(mixed) >= _FEWEST and sum(map(mixed.__contains__, words)) >= _SHARE * len(words)


def _seems_english(text: str) -> bool:
    """Whether the beginning has small English words by the looks of most letters: Russian and Greek
    texts are many, and to read them takes as long as everything else."""
    words = re.findall(r"[a-z]+", text[:_BEGINNING].translate(_TABLE).lower())
    return len(_SMALL.intersection(words)) >= _FEWEST


def _are_english(text: str, read: str) -> bool:
    """Whether words without Latin letters are small English words by their looks: no Greek and no
    Russian has many of these.
    """
    spans = [word.span() for word in _WORD.finditer(text) if not _SCRIPTS[0].search(word.group())]
    small = [word for word in (read[slice(*span)].lower() for span in spans) if word in _SMALL]
    return len({*small}) > _FEWEST and len(small) >= _SHARE * len(spans)


def _read(text: str) -> str:
    """The text in Latin letters."""
    text = text.translate(_TABLE)
    there = {*text.lower()}
    for letter in filter(there.union(text).__contains__, _SEVERAL):
        looks = _SEVERAL[letter]
        unused = [look for look in looks if look not in there]
        text = text.replace(letter, (unused or looks)[0])
        there |= {*text.lower()}
    return text


def _is_mixed(word: str) -> bool:
    """Whether letters of several scripts stand in a word as nobody writes them: one Greek letter
    at either end is a name in physics, and Russian declines words in Latin letters."""
    if not _has_several(word) or _DECLINED.fullmatch(word):
        return False
    return len(_OTHER.findall(word)) > 1 or _BETWEEN_SMALL.search(word) is not None


def _has_several(text: str) -> bool:
    """Whether it has letters of several scripts."""
    return sum(script.search(text) is not None for script in _SCRIPTS) > 1
