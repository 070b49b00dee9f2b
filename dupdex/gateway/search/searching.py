"""The handlers of `_search`, `_count` and `_async_search`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from starlette.types import Receive, Scope, Send

from dupdex.gateway import replies
from dupdex.gateway.api_paths import Api, call_of
from dupdex.gateway.callers import caller_of
from dupdex.gateway.headers import Headers, to_client, to_cluster, without
from dupdex.gateway.passing import Disconnected, asked, forward
from dupdex.gateway.search.cluster import Cluster, content_of
from dupdex.gateway.search.filter_paths import FilterPaths
from dupdex.gateway.search.plain_search import PlainSearch, SearchMaker, Told
from dupdex.gateway.search.raw_json import indented, members, object_of
from dupdex.gateway.search.request_body import (
    SearchBody,
    changed_scope,
    check_formats,
    packed,
    parameters,
    read_body,
)
from dupdex.gateway.search.search_refused import SearchRefused
from dupdex.gateway.services import Services
from dupdex.gateway.upstream import Answer, Upstream

T = TypeVar("T")

_REPLACED: Final = (b"content-length", b"content-encoding", b"accept-encoding")
_LONG: Final = 256 << 10
_SOURCE: Final = ("source", "source_content_type")


class Searching:
    """Answers one of these interfaces: what holds nothing of ours is passed on as it came."""

    def __init__(self, services: Services, upstream: Upstream) -> None:
        self._services, self._upstream = services, upstream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await read_body(scope, receive)
            if body.is_marked:
                await self._look_into(scope, send, body)
                return
        except SearchRefused as refused:
            await refuse(scope, send, refused)
            return
        except Disconnected:
            return
        await forward(self._upstream, scope, send, to_cluster(scope["headers"]), body.raw)

    async def _look_into(self, scope: Scope, send: Send, body: SearchBody) -> None:
        params, call = parameters(scope), call_of(scope)
        cluster = Cluster(self._upstream, scope["headers"])
        maker = SearchMaker(self._services, caller_of(scope), cluster)
        is_async = call.api is Api.ASYNC_SEARCH
        paths = FilterPaths.of(params.get("filter_path"))
        if is_async:
            paths = paths.below("response")
        later = is_async or "scroll" in params
        told = Told(paths, params, later, call.api is Api.SEARCH, call.api is not Api.COUNT)
        search = await maker.plain(body.text or b"", call.index, told)
        if search is None:
            await forward(self._upstream, scope, send, to_cluster(scope["headers"]), body.raw)
            return
        check_formats(scope["headers"], params)
        drop = _SOURCE if body.from_source else ()
        changed = changed_scope(scope, drop, filter_path=paths.with_names_of_hits())
        counting = asyncio.create_task(maker.totals(search))
        counting.add_done_callback(_seen)
        try:
            answer = await asked(
                self._upstream, changed, send, plain_headers(scope["headers"]), search.body
            )
            if answer is not None:
                await self._answer(scope, send, answer, search, counting)
        finally:
            counting.cancel()

    async def _answer(
        self,
        scope: Scope,
        send: Send,
        answer: Answer,
        search: PlainSearch,
        counting: asyncio.Task[dict[str, int] | None],
    ) -> None:
        async with answer:
            content = await content_of(answer)
            if answer.status == 200:
                totals = await counting
                if call_of(scope).api is Api.ASYNC_SEARCH:
                    content = begun(content, search)
                else:
                    content = await edited(self._services, search.answered, content, totals)
            await give(scope, send, answer, content)


async def edited(
    services: Services, edit: Callable[[bytes, T], bytes], content: bytes, by: T
) -> bytes:
    """An answer edited: a long one on a thread, so that others are not kept waiting."""
    if len(content) < _LONG:
        return edit(content, by)
    return await services.blocking(edit, content, by)


def _seen(task: asyncio.Task[object]) -> None:
    """An error that nobody waits for any more is no news."""
    if not task.cancelled():
        task.exception()


def begun(content: bytes, search: PlainSearch) -> bytes:
    """The answer to an async search, whose first results may be in it, with why."""
    parts = members(content)
    if "response" in parts:
        parts["response"] = search.answered(parts["response"], None)
    return object_of(parts)


def plain_headers(headers: Headers) -> Headers:
    """The headers of a request whose body is another one, and whose answer is read."""
    kept = without(to_cluster(headers), *_REPLACED)
    if any(name == b"content-type" for name, _ in kept):
        return kept
    return [*kept, (b"content-type", b"application/json")]


async def give(scope: Scope, send: Send, answer: Answer, content: bytes) -> None:
    """Send an answer of the cluster with another body."""
    headers = without(to_client(answer.headers), b"content-length", b"content-encoding")
    if answer.status == 200 and parameters(scope).get("pretty", "false") != "false":
        content = indented(content)
    content, more = packed(content, scope["headers"])
    await replies.send(send, answer.status, [*headers, *more], content)


async def refuse(scope: Scope, send: Send, refused: SearchRefused) -> None:
    """Send what is wrong with a search."""
    media = replies.media_type(scope["headers"])
    await replies.send_json(send, refused.status, refused.body(), media)
