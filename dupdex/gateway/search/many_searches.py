"""The handler of `_msearch`: searches by pairs of lines, each on its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
from starlette.types import Receive, Scope, Send

from dupdex.gateway import replies
from dupdex.gateway.api_paths import call_of
from dupdex.gateway.callers import caller_of
from dupdex.gateway.headers import to_cluster
from dupdex.gateway.passing import Disconnected, asked, forward
from dupdex.gateway.search.cluster import Cluster, content_of
from dupdex.gateway.search.filter_paths import FilterPaths
from dupdex.gateway.search.plain_search import Names, PlainSearch, SearchMaker, Told
from dupdex.gateway.search.raw_json import (
    NotJson,
    array_of,
    elements,
    members,
    object_of,
    value_of,
)
from dupdex.gateway.search.request_body import (
    changed_scope,
    check_formats,
    is_marked,
    packed,
    parameters,
    read_body,
)
from dupdex.gateway.search.search_refused import SearchRefused
from dupdex.gateway.search.searching import edited, give, plain_headers, refuse
from dupdex.gateway.services import Services
from dupdex.gateway.upstream import Upstream

Made = PlainSearch | SearchRefused | None


@dataclass(frozen=True, slots=True)
class _Search:
    """A pair of lines as it came in, what was made of it, and the totals of its groups; `made` is
    None for one that holds nothing of ours."""

    header: bytes
    text: bytes
    made: Made = None
    totals: dict[str, int] | None = None

    def lines(self) -> list[bytes]:
        """What the cluster is sent."""
        if isinstance(self.made, SearchRefused):
            return []
        return [self.header, self.made.body if self.made else self.text]

    def answered(self, answer: bytes) -> bytes:
        """The answer of the cluster, with why where it is no error."""
        if not isinstance(self.made, PlainSearch) or "error" in members(answer):
            return answer
        return self.made.answered(answer, self.totals)


class ManySearches:
    """Answers `_msearch`: lines that hold nothing of ours stay as they are."""

    def __init__(self, services: Services, upstream: Upstream) -> None:
        self._services, self._upstream = services, upstream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await read_body(scope, receive)
            if body.is_marked and body.text is not None:
                searches = await self._made(scope, body.text)
                if any(search.made is not None for search in searches):
                    await self._ask(scope, send, searches)
                    return
        except SearchRefused as refused:
            await refuse(scope, send, refused)
            return
        except Disconnected:
            return
        await forward(self._upstream, scope, send, to_cluster(scope["headers"]), body.raw)

    async def _made(self, scope: Scope, text: bytes) -> Sequence[_Search]:
        params = parameters(scope)
        cluster = Cluster(self._upstream, scope["headers"])
        maker = SearchMaker(self._services, caller_of(scope), cluster)
        paths = FilterPaths.of(params.get("filter_path")).below("responses")
        told = Told(paths, params)
        names = call_of(scope).index
        searches = await asyncio.gather(
            *(self._one(maker, header, line, names, told) for header, line in pairs_in(text))
        )
        if any(search.made is not None for search in searches):
            check_formats(scope["headers"], params)
        return searches

    async def _one(
        self, maker: SearchMaker, header: bytes, text: bytes, names: Names, told: Told
    ) -> _Search:
        if not is_marked(text):
            return _Search(header, text)
        try:
            said = header_of(header)
            told = replace(told, params={**told.params, **_params_in(said)})
            made = await maker.plain(text, names_in(said, names), told)
            totals = await maker.totals(made) if made else None
            return _Search(header, text, made, totals)
        except SearchRefused as refused:
            return _Search(header, text, refused)

    async def _ask(self, scope: Scope, send: Send, searches: Sequence[_Search]) -> None:
        lines = [line for search in searches for line in search.lines()]
        if not lines:
            await _give_errors(scope, send, searches)
            return
        paths = FilterPaths.of(parameters(scope).get("filter_path")).below("responses")
        changed = changed_scope(scope, filter_path=paths.with_names_of_hits())
        body = b"\n".join(lines) + b"\n"
        headers = plain_headers(scope["headers"])
        answer = await asked(self._upstream, changed, send, headers, body)
        if answer is not None:
            async with answer:
                content = await content_of(answer)
                if answer.status == 200:
                    content = await edited(self._services, _answered, content, searches)
                await give(scope, send, answer, content)


def _answered(content: bytes, searches: Sequence[_Search]) -> bytes:
    """The answers of the cluster with why, and with the errors of searches it was not sent."""
    parts = members(content)
    if "responses" not in parts:
        return content
    answers = iter(elements(parts["responses"]))
    told = [
        orjson.dumps(search.made.body())
        if isinstance(search.made, SearchRefused)
        else search.answered(next(answers))
        for search in searches
    ]
    return object_of({**parts, "responses": array_of(told)})


async def _give_errors(scope: Scope, send: Send, searches: Sequence[_Search]) -> None:
    """Every search was refused: there is nothing to ask."""
    errors = [each.made.body() for each in searches if isinstance(each.made, SearchRefused)]
    content, more = packed(orjson.dumps({"took": 0, "responses": errors}), scope["headers"])
    kind = (b"content-type", replies.media_type(scope["headers"]))
    await replies.send(send, 200, [kind, replies.PRODUCT, *more], content)


def pairs_in(text: bytes) -> list[tuple[bytes, bytes]]:
    """Header and search of every pair of lines; a header may be empty. Nothing where a search is
    missing, as the cluster has to say."""
    lines = text.split(b"\n")
    if lines and not lines[-1].strip():
        lines.pop()
    return list(zip(lines[::2], lines[1::2], strict=True)) if len(lines) % 2 == 0 else []


def header_of(line: bytes) -> dict[str, Any]:
    """What a header says; nothing where it is wrong, as the cluster has to say."""
    try:
        value = value_of(line) if line.strip() else {}
    except NotJson:
        return {}
    return value if isinstance(value, dict) else {}


def _params_in(header: Mapping[str, Any]) -> dict[str, str]:
    """The same as parameters of an URL."""
    return {name: _parameter(value) for name, value in header.items() if name != "index"}


def _parameter(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def names_in(header: Mapping[str, Any], otherwise: Names) -> Names:
    """The indices that a header names; those of the path where it names none."""
    named = header.get("index")
    if isinstance(named, list) and named and all(isinstance(name, str) for name in named):
        return [str(name) for name in named]
    return named if isinstance(named, str) and named else otherwise
