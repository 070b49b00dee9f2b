"""Answers that the gateway gives itself, and how an ASGI application sends one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from starlette.types import Send

from dupdex.gateway.headers import Headers

PRODUCT: Final = (b"x-elastic-product", b"Elasticsearch")
"""Official clients refuse every answer without it."""

_ELASTIC_JSON: Final = b"application/vnd.elasticsearch+json;compatible-with="


async def send(
    reply: Send, status: int, headers: Sequence[tuple[bytes, bytes]], body: bytes = b""
) -> None:
    """Send a whole answer; its length is added."""
    length = (b"content-length", str(len(body)).encode())
    await reply({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await reply({"type": "http.response.body", "body": body})


async def send_json(reply: Send, status: int, value: object, kind: bytes) -> None:
    """Send a value as Elasticsearch would, in the media type `kind`."""
    await send(reply, status, [(b"content-type", kind), PRODUCT], orjson.dumps(value))


async def send_error(
    reply: Send, status: int, kind: str, reason: str, media: bytes = b"application/json"
) -> None:
    """Send an error in the form that clients of Elasticsearch read."""
    await send_json(reply, status, elastic_error(status, kind, reason), media)


def elastic_error(status: int, kind: str, reason: str) -> dict[str, Any]:
    """An error in the form of Elasticsearch; `kind` is its `type`."""
    cause = {"type": kind, "reason": reason}
    return {"error": {"root_cause": [cause], **cause}, "status": status}


def media_type(headers: Headers) -> bytes:
    """The JSON type to answer with: the versioned one to a client that asks for it."""
    accepted = next((value for name, value in headers if name == b"accept"), b"")
    for part in accepted.split(b","):
        kind = part.split(b"compatible-with=")
        if part.strip().startswith(b"application/vnd.elasticsearch+json") and len(kind) == 2:
            return _ELASTIC_JSON + kind[1].strip()[:2]
    return b"application/json"
