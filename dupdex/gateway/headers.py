"""Which headers go from one side of the gateway to the other (RFC 9110, 7.6.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

Headers = list[tuple[bytes, bytes]]
"""Names in lower case, in the order they came in."""

_HOP_BY_HOP: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
_AS_VERSION_7: Final = re.compile(rb"compatible-with\s*=\s*\W?7", re.IGNORECASE)
_NOT_TO_CLUSTER: Final = _HOP_BY_HOP | {b"host", b"expect"}
"""The last two a client says to the gateway alone."""


def value_of(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    """The first value of a header, None without it."""
    for key, value in headers:
        if key == name:
            return value
    return None


def without(headers: Iterable[tuple[bytes, bytes]], *names: bytes) -> Headers:
    """All headers but those of these names."""
    return [pair for pair in headers if pair[0] not in names]


def takes_types(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the cluster reads the path of a request as version 7 did, with types."""
    for name, value in headers:
        if name in (b"accept", b"content-type") and _AS_VERSION_7.search(value):
            return True
    return False


def to_cluster(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers of a request that the cluster gets to see."""
    return _kept(list(headers), _NOT_TO_CLUSTER)


def to_client(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers of an answer that the client gets to see."""
    return _kept(list(headers), _HOP_BY_HOP)


def _kept(pairs: Headers, dropped: frozenset[bytes]) -> Headers:
    """All but these, and but what `Connection` names, which is for the next hop only."""
    values = [value for name, value in pairs if name == b"connection"]
    if values:
        named = (part.strip().lower() for value in values for part in value.split(b","))
        dropped = dropped.union(named)
    return [pair for pair in pairs if pair[0] not in dropped]
