"""Questions that the gateway asks the cluster on the way, with the rights of its client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from dupdex.gateway.headers import Headers
from dupdex.gateway.search.raw_json import NotJson, value_of
from dupdex.gateway.search.search_refused import SearchRefused
from dupdex.gateway.upstream import Answer, BrokenOff, TooSlow, Unreachable, Upstream

_JSON: Final = (b"content-type", b"application/json")
_SEEN_AS: Final = frozenset({b"authorization", b"x-opaque-id", b"traceparent"})


class Cluster:
    """The cluster as the client of one request sees it."""

    def __init__(self, upstream: Upstream, headers: Headers) -> None:
        self._upstream = upstream
        self._headers = [pair for pair in headers if pair[0] in _SEEN_AS] + [_JSON]

    async def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        params: Mapping[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Status and answer. Raises SearchRefused when there is no answer."""
        query = urlencode(params or {})
        try:
            target = f"{path}?{query}" if query else path
            answer = await self._upstream.send(method, target, self._headers, body)
            async with answer:
                return answer.status, value_of(await content_of(answer))
        except Unreachable as error:
            raise _unreachable(f"the cluster cannot be reached ({error})") from error
        except TooSlow as error:
            reason = "the cluster did not answer in time; try again, or ask for less"
            raise SearchRefused(reason, "cluster_timeout", 504) from error
        except NotJson as error:
            raise _unreachable("the cluster answered with something that is no JSON") from error


async def content_of(answer: Answer) -> bytes:
    """The whole body of an answer. Raises SearchRefused where the cluster breaks off."""
    try:
        return await answer.read()
    except BrokenOff as error:
        raise _unreachable("the cluster broke off in the middle of its answer") from error


def _unreachable(reason: str) -> SearchRefused:
    return SearchRefused(f"{reason}; try again", "cluster_unreachable", 503)
