"""`_update_by_query`, `_delete_by_query` and `_reindex`: writes that the server makes itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import orjson
from starlette.types import Message, Receive, Scope, Send

from dupdex.attach.filling import filling
from dupdex.attach.pace import Pace
from dupdex.attach.passes import Walk
from dupdex.gateway.api_paths import Api, call_of
from dupdex.gateway.callers import Right
from dupdex.gateway.enrich.document_handler import TooLarge, whole
from dupdex.gateway.enrich.inflating import encoding_of
from dupdex.gateway.enrich.planned import Asked, RewriteRefused
from dupdex.gateway.enrich.settling import Done
from dupdex.gateway.enrich.write_requests import (
    Writing,
    asked_of,
    headers_for,
    is_json,
    parameters_of,
)
from dupdex.gateway.headers import to_cluster
from dupdex.gateway.json_size import check_values
from dupdex.gateway.passing import Disconnected, forward, incoming
from dupdex.gateway.replies import media_type, send_error
from indexer.model import Ref
from indexer.rewriting import OnRewrite
from indexer.stores.elastic.client import translated
from mappings.errors import InputRefused
from query.stores.elastic.found_ids import found_ids

_SLICES: Final = 2
_PASSES: Final = 10

Before = dict[str, int]
"""By concrete index, the sequence number after which everything is newer."""


def said_in(body: bytes | None, parameters: dict[str, str]) -> dict[str, Any]:
    """What a request says: its body, or else the parameter `source`, as the server reads it.

    Raises InputRefused for what cannot be read here: the server might (with a comment in it, or
    more behind it), and would write past us.
    """
    content = (body or b"").strip() or parameters.get("source", "").encode("utf-8", "replace")
    if not content:
        return {}
    check_values(content)
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"the body is no strict JSON: {error}") from error
    if not isinstance(value, dict):
        raise InputRefused("the body must be a JSON object")
    return value


class ByQueryWrites:
    """The handler of them. What it cannot look into it refuses, or follows up (see OnRewrite)."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    async def __call__(self, scope: Scope, receive: Receive, reply: Send) -> None:
        media = media_type(scope["headers"])
        if not is_json(scope["headers"]):
            reason = "the gateway reads JSON only, plain or compressed with gzip or deflate"
            await send_error(reply, 415, "dupdex_refused", reason, media)
            return
        with suppress(Disconnected):
            try:
                body = await incoming(scope["headers"], receive)
                await self._answer(scope, reply, await whole(scope["headers"], body))
            except TooLarge:
                await send_error(reply, 413, "dupdex_refused", "the body is too large", media)

    async def _answer(self, scope: Scope, reply: Send, body: bytes | None) -> None:
        blocking = self._writing.services.blocking
        parameters = dict(parameters_of(scope))
        value, unread = {}, None
        try:
            value = said_in(body, parameters)
        except InputRefused as error:
            unread = error
        request = asked_of(scope, call_of(scope).index, list(parameters.items()))
        names = await blocking(self._names, call_of(scope).api, request, value)
        if unread is not None and (names or call_of(scope).api is Api.REINDEX):
            raise unread  # others hear from the server what is wrong
        followed: dict[str, Any] = {}
        if names:
            prepare = self._gone if call_of(scope).api is Api.DELETE_BY_QUERY else self._rewritten
            followed = await blocking(prepare, names, request, value, parameters)
        headers = to_cluster(scope["headers"])
        if encoding_of(scope["headers"]):
            headers = headers_for(scope["headers"], reads=False)
        if not followed:
            await forward(self._writing.upstream, scope, reply, headers, body)
            return

        async def after(message: Message) -> None:
            # Before the answer ends: it is not whole before everything is done.
            is_end = message["type"] == "http.response.body" and not message.get("more_body")
            if is_end:
                await blocking(self._follow, followed)
            await reply(message)

        await forward(self._writing.upstream, scope, after, headers, body)

    def _names(self, api: Api, asked: Asked, body: dict[str, Any]) -> list[str]:
        """The indices of ours that are written to. Raises NotAllowed for those that the caller may
        not write to."""
        written = asked.index or ""
        if api is Api.REINDEX:
            dest, source = body.get("dest"), body.get("source")
            written = str(dest.get("index", "")) if isinstance(dest, dict) else ""
            read = source.get("index", "") if isinstance(source, dict) else ""
            for name in read if isinstance(read, list) else str(read).split(","):
                asked.caller.check(Right.READ, str(name))
        for name in written.split(","):
            asked.check(name)
        if api is Api.REINDEX:
            return [written] if written and self._writing.targets.ours(written) else []
        return self._writing.targets.expanded(written)

    def _rewritten(
        self, names: Sequence[str], asked: Asked, body: dict[str, Any], parameters: dict[str, str]
    ) -> dict[str, Any]:
        """What is to be followed up. Raises InputRefused where an index refuses such writes."""
        targets = self._writing.targets
        before: Before = {}
        for name in names:
            index = targets.ours(name)
            what = self._what(name, asked, body)
            if index is None or not what:
                continue
            if index.meta.on_rewrite is OnRewrite.REFUSE:
                raise RewriteRefused(
                    f"{what} may change texts where no fingerprint can be made of them, and index "
                    f"{name!r} refuses that; 'dupdex attach {name} --on-rewrite mark' lets it "
                    "take place, and makes the fingerprints of what is stored afterwards"
                )
            if parameters.get("wait_for_completion") == "false":
                raise RewriteRefused(
                    "fingerprints are made once the writes are done, and nobody would know when; "
                    "leave wait_for_completion=false out, or ask the cluster itself and run "
                    f"'dupdex attach {name}' when it is done"
                )
            before |= self.sequence_of(name)
        return {"before": before} if before else {}

    def _what(self, name: str, asked: Asked, body: dict[str, Any]) -> str:
        if "dest" in body:
            return "reindexing"
        if body.get("script"):
            return "a script"
        return self._writing.targets.what_rewrites(name, asked.pipeline)

    def sequence_of(self, name: str) -> Before:
        """Where the indices of a name stand now."""
        client, settings = self._writing.targets.connection(name)
        with translated("read the state of the index", settings):
            stats = client.indices.stats(index=name, metric="docs", level="shards").body
        return {
            index: min(
                copy["seq_no"]["max_seq_no"] for shard in value["shards"].values() for copy in shard
            )
            for index, value in stats["indices"].items()
        }

    def _gone(
        self, names: Sequence[str], asked: Asked, body: dict[str, Any], parameters: dict[str, str]
    ) -> dict[str, Any]:
        """The documents that are about to be deleted, of indices that keep groups or pairs."""
        _ = asked
        found: dict[str, list[Ref]] = {}
        for name in names:
            if self._writing.settling.keeps(name):
                client, settings = self._writing.targets.connection(name)
                query = body.get("query")
                if parameters.get("q"):
                    query = {"query_string": {"query": parameters["q"]}}
                refs = [Ref(*each) for each in found_ids(client, settings, query)]
                if refs:
                    found[name] = refs
        waits = parameters.get("wait_for_completion") != "false"
        return {"deleted": found, "waits": waits} if found else {}

    def _follow(self, followed: dict[str, Any]) -> None:
        for name, refs in followed.get("deleted", {}).items():
            gone = self._writing.settling.gone(name, refs) if followed["waits"] else refs
            self._writing.settling.finish(name, Done(deleted=gone))
        for index, number in followed.get("before", {}).items():
            self.fill(index, number)

    def fill(self, index: str, number: int) -> None:
        """Make the fingerprints of all documents of an index that were written since."""
        client, settings = self._writing.targets.connection(index)
        ours = self._writing.targets.ours(index)
        if ours is None:
            return
        own = replace(settings, index=index)
        walk = Walk(client, own, _SLICES, Pace(None), lambda *_: None, lambda: None)
        query = {"range": {"_seq_no": {"gt": number}}}
        for _ in range(_PASSES):
            with translated("refresh", own):
                client.indices.refresh(index=index)
            if walk.once(query, ours.meta.text_fields, filling(ours.meta)).is_clean:
                return
