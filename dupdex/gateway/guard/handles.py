"""Scroll and point-in-time ids of callers who may use certain indices only.

Such an id opens what it was made for to whoever has it, and does not show what that is. So the
caller gets it with the names it was made for, under a seal that only this key's gateway can make:
any gateway with the key file can break it, and nothing has to be remembered.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from typing import Final

from starlette.types import Message, Send

from dupdex.gateway.callers import Caller, NotAllowed
from dupdex.gateway.headers import without

_MARK: Final = "dupdex"
_FIRST: Final = re.compile(rb'\s*\{\s*"(?:_scroll_id|pit_id|id)"\s*:\s*"([A-Za-z0-9+/=_-]+)"')
"""Where Elasticsearch writes them: before everything else."""

_LONGEST: Final = 1024 * 1024


def sealed(caller: Caller, names: tuple[str, ...], handle: str) -> str:
    """The id as the caller gets it."""
    meant = base64.urlsafe_b64encode(",".join(names).encode()).decode().rstrip("=")
    return f"{_MARK}.{meant}.{_seal(caller, meant, handle)}.{handle}"


def opened(caller: Caller, value: object) -> tuple[tuple[str, ...], str]:
    """The names that an id was made for, and the id as the cluster knows it. Raises NotAllowed for
    one that this caller did not get from here."""
    parts = value.split(".", 3) if isinstance(value, str) else []
    if len(parts) == 4 and parts[0] == _MARK:
        _, meant, seal, handle = parts
        if hmac.compare_digest(seal.encode(), _seal(caller, meant, handle).encode()):
            try:
                names = base64.urlsafe_b64decode(meant + "=" * (-len(meant) % 4)).decode()
            except (binascii.Error, UnicodeDecodeError) as error:
                raise _foreign(caller) from error
            return tuple(names.split(",")), handle
    raise _foreign(caller)


def _foreign(caller: Caller) -> NotAllowed:
    return NotAllowed(
        f"key {caller.name!r} is for certain indices, and may use scroll and point-in-time ids "
        "only that this gateway gave to it"
    )


def _seal(caller: Caller, meant: str, handle: str) -> str:
    if not caller.seal:
        raise _foreign(caller)
    content = f"{meant}.{handle}".encode("utf-8", "replace")
    return hmac.new(caller.seal.encode(), content, hashlib.sha256).hexdigest()[:32]


class Sealing:
    """`send` of a request whose answer begins with an id, which is sealed on its way."""

    def __init__(self, send: Send, caller: Caller, names: tuple[str, ...]) -> None:
        self._send, self._caller, self._names = send, caller, names
        self._start: Message | None = None
        self._begun = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            self._start = message
            return
        if self._start is None:
            await self._send(message)
            return
        self._begun += message.get("body", b"")
        more = message.get("more_body", False)
        found = _FIRST.match(self._begun)
        if found is None and more and len(self._begun) < _LONGEST:
            return
        start, content = self._start, self._begun
        self._start, self._begun = None, b""
        if found is not None:
            seal = sealed(self._caller, self._names, found[1].decode()).encode()
            start = _longer(start, len(seal) - len(found[1]))
            content = content[: found.start(1)] + seal + content[found.end(1) :]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": content, "more_body": more})


def _longer(start: Message, by: int) -> Message:
    """The beginning of an answer whose body has so many bytes more."""
    lengths = [value for name, value in start["headers"] if name == b"content-length"]
    headers = without(start["headers"], b"content-length")
    headers += [(b"content-length", str(int(length) + by).encode()) for length in lengths]
    return {**start, "headers": headers}
