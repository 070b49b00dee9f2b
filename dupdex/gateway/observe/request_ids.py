"""Which request is which, over several programs."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Final

from dupdex.gateway.headers import Headers, value_of

_TRACE: Final = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
"""https://www.w3.org/TR/trace-context/#traceparent-header"""

_LONGEST: Final = 128
_VISIBLE: Final = re.compile(rb"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class RequestIds:
    """`id`: what the client calls the request, or a new one; `opaque`: its X-Opaque-Id; `trace`
    and `span` of a traceparent. `asked`: whether the client sent an X-Request-Id."""

    id: str
    opaque: str | None
    trace: str | None
    span: str | None
    asked: bool


def ids_of(headers: Headers) -> RequestIds:
    """The ids in the headers of a request; what is no id is left out."""
    named = _clean(value_of(headers, b"x-request-id"))
    opaque = _clean(value_of(headers, b"x-opaque-id"))
    parent = _TRACE.fullmatch(value_of(headers, b"traceparent") or b"")
    trace, span = (parent[1].decode(), parent[2].decode()) if parent else (None, None)
    return RequestIds(
        named or opaque or trace or secrets.token_hex(16), opaque, trace, span, named is not None
    )


def _clean(value: bytes | None) -> str | None:
    """An id as it may stand in a log: printable ASCII, and no longer than an id is."""
    if value is None or len(value) > _LONGEST or not _VISIBLE.fullmatch(value):
        return None
    return value.decode()
