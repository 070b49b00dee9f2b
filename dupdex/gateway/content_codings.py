"""Content codings of request bodies, as Elasticsearch reads them."""

from __future__ import annotations

import zlib
from typing import Final

_GZIP: Final = frozenset({b"gzip", b"x-gzip"})
_DEFLATE: Final = frozenset({b"deflate", b"x-deflate"})
READ: Final = _GZIP | _DEFLATE
"""Codings that can be looked into."""

LOOKED_AT: Final = 2
"""Bytes of a stream that tell its window."""


def window_of(coding: bytes, start: bytes) -> int:
    """`wbits` of zlib for a stream of a coding out of READ that starts so. Elasticsearch takes
    deflate in the form of RFC 1950 and, as old clients send it, without header and checksum, and
    tells them apart by these bits."""
    if coding in _GZIP:
        return 16 + zlib.MAX_WBITS
    head = int.from_bytes(start[:LOOKED_AT], "big")
    is_zlib = head & 0x7800 == 0x7800 and head % 31 == 0
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS
