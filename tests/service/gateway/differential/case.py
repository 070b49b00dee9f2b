"""One request, and what of its answer may differ from one time to the next."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.service.gateway.wire import Reply, request

JSON: Final = "Content-Type: application/json"
NDJSON: Final = "Content-Type: application/x-ndjson"

VARIES: Final = frozenset(
    {
        "took",
        "ingest_took",
        "_scroll_id",
        "id",
        "pit_id",
        "uuid",
        "index_uuid",
        "creation_date",
        "timestamp",
        "epoch",
        "task",
        "segments",
        "timestamp_millis",
        "node",
        "store",
        "start_time_in_millis",
        "running_time_in_nanos",
    }
)
"""Keys of answers whose values are of one moment, or of one index."""

_UNCOMPARED: Final = frozenset({"content-length", "transfer-encoding", "connection"})
"""How an answer is framed is between two neighbours; lengths are compared where bodies are."""

_OWN_TOKEN: Final = re.compile(r"(?<![\w-])(?:[\w-]{22}|[\w-]{20})(?![\w-])")
"""Identifiers of indices (22 characters) and ids that the server makes (20)."""


@dataclass(frozen=True, slots=True)
class Case:
    """`line`: method and target, with @ for a prefix of names that is another one on each side, and
    {name} for what an answer before gave (`take`: name -> key). `body`: JSON, a list of it for
    NDJSON, or bytes as they are. `raw`: all of the request instead. `mask`: more that varies.
    """

    line: str
    body: object = None
    headers: tuple[str, ...] = ()
    take: Mapping[str, str] = field(default_factory=dict)
    mask: tuple[str, ...] = ()
    raw: bytes | None = None

    @property
    def method(self) -> str:
        return self.line.split(" ")[0]

    def to_bytes(self, prefix: str, taken: Mapping[str, str]) -> bytes:
        if self.raw is not None:
            return self.raw.replace(b"@", prefix.encode())
        method, _, target = self.line.partition(" ")
        headers, body = self.headers, _encoded(self.body)
        if body is not None and not any(each.startswith("Content-Type") for each in headers):
            headers = (NDJSON if isinstance(self.body, list) else JSON, *headers)
        whole = request(method, target, body, headers)
        if b"{" not in whole and b"@" not in whole:
            return whole
        return request(
            method,
            _filled(target, prefix, taken),
            None
            if body is None
            else _filled(body.decode("latin-1"), prefix, taken).encode("latin-1"),
            headers,
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What of an answer is compared."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: object


def seen(case: Case, reply: Reply, prefix: str) -> Seen:
    """An answer without what varies."""
    text = reply.body.decode("latin-1").replace(prefix, "@")
    body: object = _OWN_TOKEN.sub("?", text)
    if "json" in (reply.header("content-type") or "") and text:
        body = _masked(_lines(text), VARIES | set(case.mask))
    for pattern in case.mask:
        if isinstance(body, str):
            body = re.sub(pattern, "?", body)
    headers = sorted(
        (name, _OWN_TOKEN.sub("?", value.replace(prefix, "@")))
        for name, value in reply.headers
        if name not in _UNCOMPARED
    )
    return Seen(reply.status, tuple(headers), body)


def take(case: Case, reply: Reply) -> dict[str, str]:
    """What later requests need of an answer."""
    return {name: str(json.loads(reply.body)[key]) for name, key in case.take.items()}


def _lines(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def _masked(value: Any, keys: frozenset[str] | set[str]) -> Any:
    if isinstance(value, dict):
        return {key: "?" if key in keys else _masked(each, keys) for key, each in value.items()}
    if isinstance(value, list):
        return [_masked(each, keys) for each in value]
    return _OWN_TOKEN.sub("?", value) if isinstance(value, str) else value


def _encoded(body: object) -> bytes | None:
    if body is None or isinstance(body, bytes):
        return body
    if isinstance(body, list):
        return b"".join(json.dumps(each).encode() + b"\n" for each in body)
    return json.dumps(body).encode()


def _filled(text: str, prefix: str, taken: Mapping[str, str]) -> str:
    for name, value in taken.items():
        text = text.replace(f"{{{name}}}", value)
    return text.replace("@", prefix)
