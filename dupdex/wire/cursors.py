"""Where a page of a listing ended, as one word that people can pass on."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import orjson

from mappings.errors import InputRefused


def to_word(cursor: tuple[Any, ...]) -> str:
    """A cursor as letters, digits, `-` and `_`."""
    return urlsafe_b64encode(orjson.dumps(list(cursor))).decode().rstrip("=")


def from_word(word: str) -> tuple[Any, ...]:
    """The cursor again. Raises InputRefused for a word that is none."""
    try:
        packed = urlsafe_b64decode(word.encode() + b"=" * (-len(word) % 4))
        value = orjson.loads(packed)
    except (binascii.Error, ValueError) as error:
        raise InputRefused(_wrong(word)) from error
    if not isinstance(value, list) or not value:
        raise InputRefused(_wrong(word))
    return tuple(value)


def _wrong(word: str) -> str:
    return f"{word[:40]!r} is no place to go on from; copy what the page before said"
