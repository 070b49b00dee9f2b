"""The letters of flags (regional indicator symbols): two that name a region are a flag, and words
are spelt with them as well.
"""

from __future__ import annotations

import re
from typing import Final

FIRST_LETTER: Final = 0x1F1E6
LETTERS: Final = 26
_RUN: Final = re.compile(f"[{chr(FIRST_LETTER)}-{chr(FIRST_LETTER + LETTERS - 1)}]+")

_NEARLY_ALL: Final = 0.9
"""The part of the pairs, at least, that are regions where flags are shown; of words half are."""

_BY_LETTER: Final = (
    "ACDEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNOPRUVWXYZ DEGJKMOZ EACEGHRSTU "
    "FIJKMOR GABDEFGHILMNPQRSTUWY HKMNRTU ICDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY "
    "MACDEFGHKLMNOPQRSTUVWXYZ NACEFGILOPRUZ OM PAEFGHKLMNRSTWY QA REOSUW "
    "SABCDEGHIJKLMNORSTVXYZ TACDFGHJKLMNORTVWZ UAGMNSYZ VACEGINU WFS XK YET ZAMW"
)
_REGIONS: Final = frozenset(
    letters[0] + second for letters in _BY_LETTER.split() for second in letters[1:]
)
"""Those that have a flag (Unicode UTS #51): ISO 3166-1, and some more."""


def are_flags(text: str) -> bool:
    """Whether such letters in a text are flags, one after the other; the last of a row may be cut
    in half.
    """
    runs = _RUN.findall(text)
    pairs = [run[at : at + 2] for run in runs for at in range(0, len(run) - 1, 2)]
    regions = sum("".join(map(_letter, pair)) in _REGIONS for pair in pairs)
    return bool(pairs) and regions >= _NEARLY_ALL * len(pairs)


def _letter(symbol: str) -> str:
    return chr(ord("A") + ord(symbol) - FIRST_LETTER)
