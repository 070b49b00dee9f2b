"""An API key: what is handed out once, and what is kept of it.

A key is 32 random bytes, so nobody can go through all of them, however fast the hash: one salted
SHA-256 keeps the secret out of the file and takes a microsecond a request. (scrypt is for
passwords, which people choose from few; here it would only slow down every request.)
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from dupdex.gateway.callers import Caller, Right
from mappings.errors import InputRefused
from query.answers import Filter

_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class ApiKey:
    """`salt` and `digest` in hex; `expires` with a time zone, None for never."""

    id: str
    salt: str
    digest: str
    caller: Caller
    created: datetime
    expires: datetime | None = None

    def opens(self, secret: str, now: datetime) -> bool:
        """Whether this is its secret, and it has not expired. Takes the same time either way."""
        right = hmac.compare_digest(digest_of(self.salt, secret), self.digest)
        return right and (self.expires is None or now < self.expires)

    def to_json(self) -> dict[str, Any]:
        """As it lies in the key file."""
        caller = self.caller
        return {
            "id": self.id,
            "name": caller.name,
            "salt": self.salt,
            "sha256": self.digest,
            "rights": sorted(caller.rights),
            "indices": list(caller.indices),
            "filters": {pattern: list(each) for pattern, each in caller.filters.items()},
            "rate": caller.rate,
            "created": self.created.isoformat(timespec="seconds"),
            "expires": self.expires and self.expires.isoformat(timespec="seconds"),
        }


@dataclass(frozen=True, slots=True, repr=False)
class NewKey:
    """A key with its secret, which is shown once and kept nowhere."""

    key: ApiKey
    secret: str = field(repr=False)

    @property
    def encoded(self) -> str:
        """As clients of Elasticsearch take it for `api_key`."""
        return base64.b64encode(f"{self.key.id}:{self.secret}".encode()).decode()


def new_key(caller: Caller, now: datetime, expires: datetime | None = None) -> NewKey:
    """Make a key that nobody has."""
    secret, salt = secrets.token_urlsafe(_SECRET_BYTES), secrets.token_hex(16)
    key = ApiKey(secrets.token_hex(8), salt, digest_of(salt, secret), caller, now, expires)
    return NewKey(key, secret)


def digest_of(salt: str, secret: str) -> str:
    """What is kept of a secret, in hex."""
    return hashlib.sha256(f"{salt}:{secret}".encode("utf-8", "replace")).hexdigest()


_FIELDS: Final = frozenset(
    {
        "id", "name", "salt", "sha256", "rights", "indices", "filters", "rate", "created",
        "expires",
    }
)  # fmt: skip


def key_from(value: object) -> ApiKey:
    """A key out of the key file. Raises InputRefused, naming the key and the field."""
    if not isinstance(value, Mapping):
        raise InputRefused("a key is an object with the fields that 'dupdex keys create' writes")
    name = _text(value, "name", "of a key")
    where = f"of key {name!r}"
    if unknown := set(value) - _FIELDS:
        raise InputRefused(f"{where}: {min(map(str, unknown))!r} is no field of a key")
    caller = Caller(
        name, _rights(value, where), _patterns(value, where), _filters(value, where),
        _rate(value, where), seal=_text(value, "salt", where) + _text(value, "sha256", where),
    )  # fmt: skip
    return ApiKey(
        _text(value, "id", where),
        _text(value, "salt", where),
        _text(value, "sha256", where),
        caller,
        _time(value, "created", where) or datetime.fromtimestamp(0, UTC),
        _time(value, "expires", where),
    )


def _text(value: Mapping[Any, Any], name: str, where: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text:
        raise InputRefused(f"{name!r} {where} is missing, or no text")
    return text


def _rights(value: Mapping[Any, Any], where: str) -> frozenset[Right]:
    rights = value.get("rights")
    known = ", ".join(Right)
    if not isinstance(rights, list) or not rights or not set(map(str, rights)) <= set(Right):
        raise InputRefused(f"'rights' {where} must be a list of some of: {known}")
    return frozenset(Right(each) for each in rights)


def _patterns(value: Mapping[Any, Any], where: str) -> tuple[str, ...]:
    patterns = value.get("indices")
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
        raise InputRefused(f"'indices' {where} must be a list of names, in which * may stand")
    return tuple(patterns)


def _filters(value: Mapping[Any, Any], where: str) -> dict[str, Sequence[Filter]]:
    filters = value.get("filters") or {}
    if not isinstance(filters, Mapping) or not all(
        isinstance(each, list) and all(isinstance(clause, Mapping) for clause in each)
        for each in filters.values()
    ):
        raise InputRefused(f"'filters' {where} must be lists of query clauses by name of the index")
    return {str(pattern): tuple(clauses) for pattern, clauses in filters.items()}


def _rate(value: Mapping[Any, Any], where: str) -> float | None:
    rate = value.get("rate")
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate < 1e9:
        raise InputRefused(f"'rate' {where} must be a number of requests a second")
    return float(rate)


def _time(value: Mapping[Any, Any], name: str, where: str) -> datetime | None:
    text = value.get(name)
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise InputRefused(
            f"{name!r} {where} is no time; write it like 2027-01-31T00:00:00+00:00"
        ) from error
    return time if time.tzinfo else time.replace(tzinfo=UTC)
