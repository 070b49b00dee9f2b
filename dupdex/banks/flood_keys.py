"""Which keys of a text its floods are found by."""

from __future__ import annotations

from typing import Final

from indexer.model import Fingerprint
from mappings.contract import Field

MOST: Final = 12
ENOUGH: Final = 6
"""With so many loose keys no other ones are needed; long texts have fewer."""

_PASSAGES: Final = 8


def flood_keys(fingerprint: Fingerprint) -> list[str]:
    """Keys that copies with small edits share, the smallest of each kind: each is written for every
    text that is the first of its kind, so they are few.

    With these, random edits of a tenth were found as often as with all keys of a fingerprint.
    """
    keys = _smallest(fingerprint, Field.LOOSE_KEYS, MOST)
    if len(keys) < ENOUGH:
        keys += _smallest(fingerprint, Field.PASSAGE_KEYS, _PASSAGES)
    return keys


def _smallest(fingerprint: Fingerprint, field: Field, number: int) -> list[str]:
    return [f"{field}:{term}" for term in sorted(fingerprint.keys.get(field, ()))[:number]]
