"""The keys that hold at this moment, and what a request shows to be let in."""

from __future__ import annotations

import base64
import binascii
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dupdex.gateway.callers import Caller
from dupdex.gateway.guard.api_keys import ApiKey, digest_of
from dupdex.gateway.guard.key_file import read_keys
from mappings.errors import AccessRefused, DupdexError

LOOK_AGAIN: Final = 1.0
"""Seconds after which the file is looked at again: a key that is revoked lives as long."""

_log = logging.getLogger("dupdex.gateway.guard")


class Unknown(AccessRefused):
    """No key, or none that holds (401). The message tells nothing of which part was wrong."""


class Keyring:
    """The keys of a file, read again when the file has changed. For one thread.

    A file that cannot be read any more leaves the keys as they were, which is logged at every
    look: a slip of the pen while one key is changed locks nobody out.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self._seen = _state(path)
        self._keys: dict[str, ApiKey] = read_keys(path)
        self._next = clock() + LOOK_AGAIN

    def caller(self, authorization: bytes | None) -> Caller:
        """Who shows this header. Raises Unknown."""
        if authorization is None:
            raise Unknown("this gateway takes an API key; send it as 'Authorization: ApiKey …'")
        return self.key(*login_of(authorization.decode("latin-1"))).caller

    def known(self, name: str) -> ApiKey | None:
        """The key of an id, whoever asks; None where there is none now."""
        self._look()
        return self._keys.get(name)

    def key(self, name: str, secret: str) -> ApiKey:
        """The key of an id and its secret. Raises Unknown."""
        key = self.known(name)
        if key is None:
            digest_of("", secret)  # as long as with a key of that name
        elif key.opens(secret, datetime.now(UTC)):
            return key
        raise Unknown("the API key is unknown, has expired or was revoked")

    def _look(self) -> None:
        if self._clock() < self._next:
            return
        self._next = self._clock() + LOOK_AGAIN
        state = _state(self._path)
        if state == self._seen:
            return
        try:
            self._keys = read_keys(self._path)
        except DupdexError as error:
            _log.error("the keys stay as they were: %s", error)
            return
        self._seen = state
        _log.info("%s was read again: %d keys", self._path, len(self._keys))


def login_of(authorization: str) -> tuple[str, str]:
    """Id and secret of a key in any form that clients send: `ApiKey` and `Bearer` with id:secret,
    plain or in Base64, and `Basic` with the id as user. Raises Unknown."""
    scheme, _, value = authorization.strip().partition(" ")
    value = value.strip()
    if scheme.lower() not in ("apikey", "bearer", "basic"):
        raise Unknown("send the API key as 'Authorization: ApiKey …', Bearer or Basic")
    if ":" not in value or scheme.lower() == "basic":
        try:
            value = base64.b64decode(value, validate=True).decode()
        except (binascii.Error, ValueError) as error:
            raise Unknown("the API key is neither id:secret nor that in Base64") from error
    name, _, secret = value.partition(":")
    return name, secret


def _state(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)
