"""Converts fingerprints to and from the object field of a stored document."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Final, NamedTuple, TypeGuard

from msgspec import DecodeError, Meta, Struct, ValidationError, convert, defstruct
from msgspec.json import Decoder

from indexer.model import Fingerprint, Record, Standing
from indexer.stores.storable import check_id
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused
from mappings.schemes import SCHEME_FIELDS

_SIGN: Final = 1 << 63
_WRAP: Final = 1 << 64

_Long = Annotated[int, Meta(ge=-_SIGN, le=_SIGN - 1)]


class StoredObject(Struct, frozen=True, gc=False):
    """What an object field has to be, for a fingerprint to be read from it; beside the keys.
    `simhash` is signed.
    """

    text_hash: str
    simhash: _Long
    length: _Long
    plan: Any = ""

    key_fields: ClassVar[tuple[Field, ...]] = ()
    keys_of: ClassVar[Callable[[Any], Iterable[tuple[str, ...] | None]]] = lambda _: ()
    """The fields of keys, and what an object has in each of them, in that order."""

    @property
    def values(self) -> tuple[str, int]:
        """Text hash and simhash."""
        return self.text_hash, to_unsigned(self.simhash)

    @property
    def plan_id(self) -> str:
        """The id of the plan it was made under; empty when it is absent."""
        return self.plan if isinstance(self.plan, str) else ""

    def fingerprint(self) -> Fingerprint:
        """The fingerprint that it holds."""
        terms = zip(self.key_fields, type(self).keys_of(self), strict=True)
        keys: dict[Field, tuple[str, ...]] = {name: own for name, own in terms if own}
        keys = {Field.TEXT_HASH: (self.text_hash,), **keys}
        return Fingerprint(self.text_hash, to_unsigned(self.simhash), self.length, keys)


class _Reading(NamedTuple):
    """How object fields are read that have keys in the fields of some schemes."""

    kind: type[StoredObject]
    source: Callable[[bytes], Any]


def _reading() -> _Reading:
    return _reading_of(tuple(SCHEME_FIELDS.values()))  # schemes may be added at any time


@lru_cache
def _reading_of(schemes: tuple[Field, ...]) -> _Reading:
    fields = tuple(name for name in schemes if name is not Field.TEXT_HASH)
    attributes = {f"keys_{at}": name.value for at, name in enumerate(fields)}
    its = {"key_fields": fields, "keys_of": staticmethod(attrgetter(*attributes))}
    kind: Any = defstruct(
        "_Object",
        [(attribute, tuple[str, ...] | None, None) for attribute in attributes],
        bases=(StoredObject,),
        namespace=its,
        rename=attributes,
        frozen=True,
        gc=False,
    )
    source = defstruct("_Source", [(OBJECT_FIELD, kind | None, None)], gc=False)
    return _Reading(kind, Decoder(source).decode)


def now_in_milliseconds() -> int:
    """Since 1970."""
    return time.time_ns() // 1_000_000


def to_signed(value: int) -> int:
    """An unsigned 64-bit value as a signed one, as Elasticsearch's `long` and SQLite store it."""
    return value - _WRAP if value >= _SIGN else value


def to_unsigned(value: int) -> int:
    """The inverse of `to_signed`."""
    return value % _WRAP


def object_of(record: Record, standing: Standing | None = None) -> dict[str, Any]:
    """The value of the object field; empty key lists are left out, and the standing where an index
    has no place for it."""
    fingerprint = record.fingerprint
    out: dict[str, Any] = {
        Field.PLAN.value: record.plan_id,
        Field.TEXT_HASH.value: fingerprint.text_hash,
        Field.SIMHASH.value: to_signed(fingerprint.simhash),
        Field.LENGTH.value: fingerprint.length,
    }
    for name, terms in fingerprint.keys.items():
        if terms and name is not Field.TEXT_HASH:
            out[name.value] = terms
    if standing is not None:
        out[Field.GROUP.value] = standing.group
        out[Field.INDEXED.value] = standing.indexed
    return out


def standing_in(value: object, document_id: str) -> Standing:
    """The standing in an object field; a document without one is a group of its own."""
    inner = value if isinstance(value, Mapping) else {}
    group, indexed = inner.get(Field.GROUP.value), inner.get(Field.INDEXED.value)
    return Standing(
        group if isinstance(group, str) else document_id, indexed if _is_long(indexed) else 0
    )


def fingerprint_in(value: object) -> Fingerprint | None:
    """The fingerprint of an object field, as JSON has it; None when it is absent or malformed."""
    if not isinstance(value, dict):
        return None
    try:
        return convert(value, _reading().kind).fingerprint()
    except (ValidationError, UnicodeEncodeError):  # the latter for a name that is no text
        return None


def objects_in(sources: Iterable[bytes]) -> list[StoredObject | None]:
    """The object fields of documents as JSON; None where one is absent or malformed, or there is no
    document."""
    decode = _reading().source
    return [_object_in(source, decode) if source else None for source in sources]


def _object_in(source: bytes, decode: Callable[[bytes], Any]) -> StoredObject | None:
    try:
        found: StoredObject | None = getattr(decode(source), OBJECT_FIELD)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found


def values_in(value: object) -> tuple[str | None, int | None]:
    """Text hash and simhash of an object field; None for what is absent or malformed."""
    if not isinstance(value, dict):
        return None, None
    text_hash, simhash = value.get(Field.TEXT_HASH), value.get(Field.SIMHASH)
    return (
        text_hash if isinstance(text_hash, str) else None,
        to_unsigned(simhash) if _is_long(simhash) else None,
    )


def plan_id_in(value: object) -> str:
    """The id of the plan an object field was made under; empty when it is absent."""
    plan_id = value.get(Field.PLAN) if isinstance(value, dict) else None
    return plan_id if isinstance(plan_id, str) else ""


def is_id(name: str) -> bool:
    """Whether a document can have this id; servers refuse requests for any other."""
    try:
        check_id(name)
    except InputRefused:
        return False
    return True


def _is_long(value: Any) -> TypeGuard[int]:
    return type(value) is int and -_SIGN <= value < _SIGN
