"""Hands a request to the cluster and its answer back, byte for byte, as both come in."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Final

from starlette.types import Receive, Scope, Send

from dupdex.gateway.connection import LEFT
from dupdex.gateway.content_codings import window_of
from dupdex.gateway.headers import Headers, to_client, to_cluster, value_of, without
from dupdex.gateway.observe.metrics import count_cluster_error
from dupdex.gateway.replies import media_type, send_error
from dupdex.gateway.upstream import Answer, Body, BrokenOff, TooSlow, Unreachable, Upstream

_SMALL: Final = 256 << 10
"""Bytes of a body up to which it is read before it is sent on."""


class Passing:
    """The ASGI application for whatever the gateway adds nothing to."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await incoming(scope["headers"], receive)
        headers = to_cluster(scope["headers"])
        with EndedWhenLeft(scope):
            await forward(self._upstream, scope, send, headers, body)


class EndedWhenLeft:
    """Raises Disconnected in the block once the client closes the connection: the cluster sees
    its own closed, and ends a search that nobody waits for. Only for what may be left half done.
    """

    __slots__ = ("_has_left", "_scope", "_task")

    def __init__(self, scope: Scope) -> None:
        self._scope, self._has_left = scope, False

    def __enter__(self) -> None:
        self._task = asyncio.current_task()
        self._scope[LEFT] = self._leave

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._scope.pop(LEFT, None)
        if self._has_left and isinstance(error, asyncio.CancelledError):
            raise Disconnected from None

    def _leave(self) -> None:
        self._has_left = True
        if self._task is not None:
            self._task.cancel()


async def forward(
    upstream: Upstream, scope: Scope, reply: Send, headers: Headers, body: Body
) -> None:
    """Send the request of `scope` with these headers and this body, and stream the answer back."""
    answer = await asked(upstream, scope, reply, headers, body)
    if answer is None:
        return
    async with answer:
        await stream_back(answer, reply)


async def asked(
    upstream: Upstream, scope: Scope, reply: Send, headers: Headers, body: Body
) -> Answer | None:
    """The answer of the cluster to the request of `scope`, which the caller releases; None when
    there is none: the client has been told."""
    if isinstance(body, bytes) and await _is_miscoded(headers, body):
        # A node closes the connection over it without a word, or with the next request on it.
        reason = "the body is not what its Content-Encoding says"
        media = media_type(scope["headers"])
        await send_error(reply, 400, "illegal_argument_exception", reason, media)
        return None
    try:
        return await upstream.send(scope["method"], target_of(scope), headers, body)
    except Unreachable as error:
        count_cluster_error("unreachable")
        reason = f"the cluster cannot be reached ({error}); try again"
        media = media_type(scope["headers"])
        await send_error(reply, 503, "cluster_unreachable", reason, media)
    except TooSlow:
        count_cluster_error("timeout")
        reason = "the cluster did not answer in time; try again, or ask for less"
        await send_error(reply, 504, "cluster_timeout", reason, media_type(scope["headers"]))
    except Disconnected:
        pass  # nobody is left to answer
    return None


async def stream_back(answer: Answer, reply: Send) -> None:
    """Send status, headers and body of an answer of the cluster on. When it breaks off, so does
    what the client gets: no body is made to look complete."""
    headers = to_client(answer.headers)
    if answer.status in (204, 304):  # none of them has a body, whatever length is told
        headers = without(headers, b"content-length")
    await reply({"type": "http.response.start", "status": answer.status, "headers": headers})
    try:
        more = True
        while more:
            chunk = await answer.part()
            more = not answer.at_end
            # An answer that came in one piece is written in one.
            await reply({"type": "http.response.body", "body": chunk, "more_body": more})
    except BrokenOff:
        count_cluster_error("broken_off")
        raise


async def _is_miscoded(headers: Headers, body: bytes) -> bool:
    """Others take their turns meanwhile: a small body may be a very large one."""
    coding = value_of(headers, b"content-encoding")
    if not body or coding not in (b"gzip", b"x-gzip", b"deflate"):
        return False
    unpack = zlib.decompressobj(window_of(coding, body))
    try:
        while body:
            if unpack.eof:  # several members one after the other
                unpack = zlib.decompressobj(window_of(coding, body))
            unpack.decompress(body, _SMALL)
            body = unpack.unconsumed_tail or unpack.unused_data
            await asyncio.sleep(0)
    except zlib.error:
        return True
    return not unpack.eof


class Disconnected(Exception):
    """The client closed the connection in the middle of its request."""


def target_of(scope: Scope) -> str:
    """Path and query as the client wrote them. A target that is a whole URL has its host left out:
    a client chooses no host."""
    path: str = scope["raw_path"].decode("latin-1")
    if not path.startswith("/"):
        path = "/" + path.partition("://")[2].partition("/")[2] if "://" in path else f"/{path}"
    query = scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


async def incoming(headers: Headers, receive: Receive) -> Body:
    """The body of a request: bytes of a small one, None where there is none, else a stream of it.
    A small body does not keep a connection to the cluster waiting while it comes in. Raises
    Disconnected."""
    length = value_of(headers, b"content-length")
    small = length is not None and int(length) <= _SMALL
    whole = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        whole += message.get("body", b"")
        if not message.get("more_body"):
            return whole if whole or length is not None else None
        if not small:
            return _rest(whole, receive)


async def _rest(first: bytes, receive: Receive) -> AsyncIterator[bytes]:
    if first:
        yield first
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        if chunk := message.get("body"):
            yield chunk
        if not message.get("more_body"):
            return
