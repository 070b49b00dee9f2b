"""Writes at paths with a type, which clusters still take from clients of version 7."""

from __future__ import annotations

from typing import Final

from starlette.types import Receive, Scope, Send

from dupdex.gateway.api_paths import call_of
from dupdex.gateway.enrich.write_requests import Writing, asked_of
from mappings.errors import InputRefused

_ANOTHER_PATH: Final = (
    "a path with a type stores no fingerprint, and index {name!r} answers from those; write to "
    "/{name}/_doc, /{name}/_create or /{name}/_update"
)


class TypedWrites:
    """The handler of them: none reaches an index of ours. Others are passed on."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    async def __call__(self, scope: Scope, receive: Receive, reply: Send) -> None:
        name = call_of(scope).index or ""
        asked_of(scope, name, []).check(name)
        ours = await self._writing.services.blocking(self._writing.targets.ours, name)
        if name and ours is not None:
            raise InputRefused(_ANOTHER_PATH.format(name=name))
        await self._writing.pass_on(scope, receive, reply)
