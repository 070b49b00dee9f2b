"""What the guard answers where it lets nothing through, in the form of the path: Elasticsearch's
errors, or problems below /_dupdex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import orjson
from starlette.types import Scope, Send

from dupdex.gateway.callers import NotAllowed
from dupdex.gateway.guard.keyring import Unknown
from dupdex.gateway.headers import Headers, value_of
from dupdex.gateway.observe.metrics import count_refused
from dupdex.gateway.replies import PRODUCT, elastic_error, media_type, send
from mappings.errors import DupdexError

_CHALLENGE: Final = (b"www-authenticate", b'ApiKey, Basic realm="dupdex", charset="UTF-8"')
_FOR_SCRIPTS: Final = (b"www-authenticate", b"ApiKey")
"""To a script in a page: at Basic the browser would ask for a password in a window of its own."""

_PAGE: Final = "/_dupdex/v1/docs"


@dataclass(frozen=True, slots=True)
class Refusal:
    """`kind`: the type of the error for clients of Elasticsearch; `code` and `title` are those of
    the problem. `closes`: the rest of the body is not read, so the connection ends."""

    status: int
    kind: str
    code: str
    title: str
    reason: str
    retry_after: float | None = None
    closes: bool = False

    @classmethod
    def of(cls, error: DupdexError) -> Self:
        """How an error of the guard is told."""
        reason = str(error)
        if isinstance(error, Unknown):
            return cls(401, "security_exception", "unauthorized", "An API key is needed", reason)
        if isinstance(error, NotAllowed):
            title = "The caller may not do this"
            return cls(403, "security_exception", "not_allowed", title, reason)
        title = "Something in the request cannot be used"
        return cls(400, "parse_exception", "input_refused", title, reason)


def too_large(limit: int) -> Refusal:
    return Refusal(
        413,
        "content_too_long_exception",
        "too_large",
        "The request is larger than the limit",
        f"the body has more than {limit:,} bytes; send it in parts",
        closes=True,
    )


def too_long(seconds: float) -> Refusal:
    return Refusal(
        504,
        "timeout_exception",
        "timeout",
        "The request took too long",
        f"no answer within {seconds:g} seconds; ask for less",
    )


def too_many(reason: str, wait: float) -> Refusal:
    return Refusal(
        429,
        "es_rejected_execution_exception",
        "too_many_requests",
        "Too many requests",
        reason,
        retry_after=wait,
    )


async def refuse(scope: Scope, reply: Send, refusal: Refusal) -> None:
    """Send a refusal as the answer."""
    count_refused(refusal.status)
    headers: Headers = []
    if refusal.status == 401:
        by_script = value_of(scope["headers"], b"x-requested-with") is not None
        headers.append(_FOR_SCRIPTS if by_script else _CHALLENGE)
    if refusal.retry_after is not None:
        headers.append((b"retry-after", str(max(1, round(refusal.retry_after))).encode()))
    if refusal.closes:
        headers.append((b"connection", b"close"))
    if scope["path"].startswith("/_dupdex"):
        media, content = b"application/problem+json", orjson.dumps(_problem(scope, refusal))
    elif refusal.status == 413:  # as Elasticsearch does: without a word
        await send(reply, 413, headers)
        return
    else:
        media = media_type(scope["headers"])
        headers.append(PRODUCT)
        content = orjson.dumps(elastic_error(refusal.status, refusal.kind, refusal.reason))
    await send(reply, refusal.status, [(b"content-type", media), *headers], content)


def _problem(scope: Scope, refusal: Refusal) -> dict[str, object]:
    return {
        "type": f"{_PAGE}#{refusal.code}",
        "title": refusal.title,
        "status": refusal.status,
        "detail": refusal.reason,
        "instance": scope["path"],
        "code": refusal.code,
    }
