"""Letters and digits as of the committed table: stored keys depend on them, and a later Python
knows more of them.
"""

from __future__ import annotations

from typing import Final

from indexer.text.table import load
from mappings.plan import TABLE_STEPS

TABLE: Final = "1"
"""The table that the rules of this package go with, whatever table a plan names: rules for another
one are another step of plans."""


def is_letter_or_digit(character: str) -> bool:
    """`str.isalnum` of what was assigned when the table was made."""
    return character.isalnum() and _is_known(character)


def is_letter(character: str) -> bool:
    """`str.isalpha` of the same."""
    return character.isalpha() and _is_known(character)


def _is_known(character: str) -> bool:
    # Han and Latin letters of every day, without a look at the table
    if "\u3400" <= character < "\ua000" or character < "\u0250":
        return True
    return bool(load(TABLE, TABLE_STEPS).assigned[ord(character)])
