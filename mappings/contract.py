"""Names that writer and reader share, each spelled once."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Final

OBJECT_FIELD: Final = "dupdex"
"""The object in the user's document (and in the index `_meta`) that holds all we store."""


class Field(StrEnum):
    """The sub-fields of the object."""

    PLAN = "plan"
    TEXT_HASH = "text_hash"
    SIMHASH = "simhash"
    SIMHASH_KEYS = "simhash_keys"
    MINHASH_KEYS = "minhash_keys"
    SYLLABLE_KEYS = "syllable_keys"
    PASSAGE_KEYS = "passage_keys"
    SENTENCES = "sentences"
    DNA_KEYS = "dna_keys"
    IMATCH_KEYS = "imatch_keys"
    PROJECTION_KEYS = "projection_keys"
    GROUP = "group"
    LENGTH = "length"

    @cached_property
    def path(self) -> str:
        """The full field name in an index, `dupdex.simhash_keys`."""
        return f"{OBJECT_FIELD}.{self.value}"


SCHEME_FIELDS: Final = {
    "exact": Field.TEXT_HASH,
    "simhash": Field.SIMHASH_KEYS,
    "minhash": Field.MINHASH_KEYS,
    "syllables": Field.SYLLABLE_KEYS,
    "passages": Field.PASSAGE_KEYS,
    "sentences": Field.SENTENCES,
    "dna": Field.DNA_KEYS,
    "imatch": Field.IMATCH_KEYS,
    "projection": Field.PROJECTION_KEYS,
}
"""Which field holds the terms of which scheme."""

KEY_FIELDS: Final = tuple(SCHEME_FIELDS.values())
"""The fields a lookup asks for; the order is the order of evidence in an answer."""
