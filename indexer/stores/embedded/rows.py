"""The rows of `documents`, validated as they are read.

SQLite protects its pages, not their content: any program may write to the file. A row that cannot
be read is an error that names the document; it is never silently left out of an answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import orjson
from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from indexer.model import Body, Fingerprint, Keys
from indexer.stores.stored_object import is_id, to_unsigned
from mappings.contract import FIELDS
from mappings.errors import StoreRefused

Kind = TypeVar("Kind")

COLUMNS: Final = "num, id, plan, text_hash, simhash, length, keys, body"
"""The columns that `row_of` reads."""


_decode_keys = Decoder(dict[str, tuple[str, ...]]).decode


class Unreadable(Exception):
    """A column of a row cannot have been stored by dupdex; the message says which and why."""


class Row(Struct, frozen=True, gc=False):
    """A stored document; `num` is its number in all tables."""

    num: int
    id: str
    plan_id: str
    fingerprint: Fingerprint
    body: Body


def row_of(columns: Sequence[Any]) -> Row:
    """The row that `SELECT COLUMNS` returned. Raises Unreadable."""
    num, name, plan_id, text_hash, simhash, length, keys, body = columns
    return Row(
        num,
        id_of(name),
        _typed(plan_id, str, "plan"),
        Fingerprint(
            _typed(text_hash, str, "text hash"),
            simhash_of(simhash),
            _typed(length, int, "length"),
            keys_of(keys),
        ),
        body_of(body),
    )


def id_of(value: object) -> str:
    """The id of a row. Raises Unreadable when no document can have it."""
    if not isinstance(value, str) or not is_id(value):
        raise Unreadable("its id is no text")
    return value


def simhash_of(value: object) -> int:
    """The unsigned simhash of a row. Raises Unreadable."""
    return to_unsigned(_typed(value, int, "simhash"))


def keys_of(packed: object) -> Keys:
    """The keys of a row. Raises Unreadable."""
    try:
        keys = _decode_keys(_typed(packed, bytes, "keys column"))
    except (DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"its keys are no lists of terms ({error})") from error
    if unknown := keys.keys() - FIELDS.keys():
        raise Unreadable(f"it has keys of an unknown kind, {min(unknown)!r}")
    return {FIELDS[name]: terms for name, terms in keys.items()}


def body_of(packed: object) -> Body:
    """The user's document in a row. Raises Unreadable."""
    return _json(packed, "body")


def damaged(db: sqlite3.Connection, name: object, reason: object) -> StoreRefused:
    """The error for a row that cannot be read."""
    path = next((file for _, part, file in db.execute("PRAGMA database_list") if part == "main"))
    return StoreRefused(
        f"the store {path} is damaged: document {name!r} cannot be read, {reason}; what does not "
        "meet this document still works, 'dupdex check-store --repair' mends the store"
    )


def _json(packed: object, column: str) -> dict[str, Any]:
    if not isinstance(packed, bytes):
        raise Unreadable(f"its {column} column does not hold bytes")
    try:
        value = orjson.loads(packed)
    except orjson.JSONDecodeError as error:
        raise Unreadable(f"its {column} column holds no JSON ({error})") from error
    if not isinstance(value, dict):
        raise Unreadable(f"its {column} column holds no JSON object")
    return value


def _typed(value: object, kind: type[Kind], column: str) -> Kind:
    if not isinstance(value, kind):
        raise Unreadable(f"its {column} is of the wrong type")
    return value
