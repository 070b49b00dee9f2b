"""Cursors as text that people can hand back: where a page ended, and of what."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import Any, Final

import orjson

from mappings.errors import InputRefused
from query.answers import Filter

_NO_CURSOR: Final = "this is no cursor; give one as the page before printed it"


def cursor_text(cursor: object, of: str) -> str:
    """A cursor, which is plain JSON, in letters that need no quotes. `of`: what it goes on with."""
    return base64.urlsafe_b64encode(orjson.dumps([of, cursor])).decode("ascii").rstrip("=")


def cursor_of_text(text: str, of: str) -> Any:
    """The cursor again. Raises InputRefused for a text that is none, and one of something else."""
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        found = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error) as error:
        raise InputRefused(_NO_CURSOR) from error
    if not isinstance(found, list) or len(found) != 2:
        raise InputRefused(_NO_CURSOR)
    if found[0] != of:
        raise InputRefused("this cursor belongs to another search; give both as they were")
    return found[1]


def search_digest(text: str, filters: Sequence[Filter]) -> str:
    """What tells searches apart."""
    said = orjson.dumps([text, list(filters)], option=orjson.OPT_SORT_KEYS, default=str)
    return hashlib.blake2b(said, digest_size=8).hexdigest()
