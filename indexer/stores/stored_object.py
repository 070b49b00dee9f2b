"""Converts fingerprints to and from the object field of a stored document."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, TypeGuard

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


class _Reading(NamedTuple):
    """How object fields are read that have keys in these fields."""

    fields: tuple[Field, ...]
    kind: type[StoredObject]
    decode: Callable[[bytes], Any]
    keys: Callable[[StoredObject], tuple[tuple[str, ...] | None, ...]]


def _reading() -> _Reading:
    return _reading_of(tuple(SCHEME_FIELDS.values()))  # schemes may be added at any time


@lru_cache
def _reading_of(schemes: tuple[Field, ...]) -> _Reading:
    fields = tuple(name for name in schemes if name is not Field.TEXT_HASH)
    terms = [(name.value, tuple[str, ...] | None, None) for name in fields]
    kind: Any = defstruct("_Object", terms, bases=(StoredObject,), frozen=True, gc=False)
    source = defstruct("_Source", [(OBJECT_FIELD, kind | None, None)], gc=False)
    keys = attrgetter(*(name.value for name in fields))
    return _Reading(fields, kind, Decoder(source).decode, keys)


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
        read = convert(value, _reading().kind)
    except (ValidationError, UnicodeEncodeError):  # the latter for a name that is no text
        return None
    return fingerprint_of_object(read)


def object_in(source: bytes) -> StoredObject | None:
    """The object field of a document as JSON; None when it is absent or malformed."""
    try:
        found: StoredObject | None = getattr(_reading().decode(source), OBJECT_FIELD)
    except (DecodeError, UnicodeDecodeError):
        return None
    return found


def fingerprint_of_object(read: StoredObject) -> Fingerprint:
    """The fingerprint that an object field holds."""
    how = _reading()
    terms = zip(how.fields, how.keys(read), strict=True)
    keys: dict[Field, tuple[str, ...]] = {name: own for name, own in terms if own}
    keys = {Field.TEXT_HASH: (read.text_hash,), **keys}
    return Fingerprint(read.text_hash, to_unsigned(read.simhash), read.length, keys)


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
