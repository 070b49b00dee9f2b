"""Names shared by writer and reader, each spelled once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final, cast

OBJECT_FIELD: Final = "dupdex"
"""The object in a user's document (and in the index `_meta`) that holds all dupdex stores."""


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
    LOOSE_KEYS = "loose_keys"
    DNA_KEYS = "dna_keys"
    IMATCH_KEYS = "imatch_keys"
    PROJECTION_KEYS = "projection_keys"
    GROUP = "group"
    INDEXED = "indexed"
    LENGTH = "length"

    @cached_property
    def path(self) -> str:
        """The full field name in an index, `dupdex.simhash_keys`."""
        return f"{OBJECT_FIELD}.{self.value}"


FIELDS: Final[Mapping[str, Field]] = MappingProxyType(
    cast("dict[str, Field]", Field._value2member_map_)
)
"""By name; a view, so that new ones are in it. A call of the enum takes several times as long, and
a stored document has eight."""


def new_field(name: str) -> Field:
    """The field of that name, added to `Field` if no scheme has used it before."""
    if name not in Field._value2member_map_:
        field = str.__new__(Field, name)
        field._name_, field._value_ = name.upper(), name
        Field._value2member_map_[name] = field
    return Field(name)
