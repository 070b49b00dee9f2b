"""Sessions of browsers: an API key in a cookie, masked and signed, for some hours.

No gateway remembers a session: the cookie is sealed with what the key file keeps of the key, so
any gateway with the file can open it, and a key that is revoked or changed ends its sessions. The
secret itself is in it as well, as the file alone must not be enough to make one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from starlette.types import Scope

from dupdex.gateway.callers import Caller
from dupdex.gateway.guard.api_keys import ApiKey
from dupdex.gateway.guard.keyring import Keyring, Unknown, login_of

LASTS: Final = timedelta(hours=12)
PATH: Final = "/_dupdex"
_NONCE_BYTES: Final = 16
_SESSION: Final = "dupdex.session"


@dataclass(frozen=True, slots=True)
class Login:
    """A session that holds. `token`: what requests that change something must show beside the
    cookie (against cross-site request forgery), as another site cannot read it."""

    caller: Caller
    expires: datetime
    token: str


def cookie_name(scope: Scope) -> str:
    """The name of the cookie. Over TLS browsers take it from this very host alone (`__Host-`)."""
    return "__Host-dupdex" if is_secure(scope) else "dupdex-session"


def is_secure(scope: Scope) -> bool:
    """Whether the browser came by TLS, to us or to a balancer before us."""
    if scope.get("scheme") == "https":
        return True
    return any(n == b"x-forwarded-proto" and v == b"https" for n, v in scope["headers"])


def begin(keyring: Keyring, shown: str, now: datetime) -> tuple[str, Login]:
    """The cookie of a new session for a key as it was handed out. Raises Unknown."""
    name, secret = login_of(f"ApiKey {shown.strip()}")
    key = keyring.key(name, secret)
    expires = now + LASTS if key.expires is None else min(now + LASTS, key.expires)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    parts = [_packed(key.id.encode()), f"{int(expires.timestamp()):x}", _packed(nonce)]
    parts.append(_packed(_masked(key, nonce, secret.encode())))
    content = ".".join(parts)
    cookie = f"{content}.{_signature(key, 'session', content)}"
    return cookie, _login(key, int(expires.timestamp()), cookie)


def opened(keyring: Keyring, cookie: str, now: datetime) -> Login:
    """The session of a cookie. Raises Unknown for one that was not made here, or is over."""
    content, _, signature = cookie.rpartition(".")
    try:
        name, until, nonce, masked = content.split(".")
        key = keyring.known(_unpacked(name).decode())
        expires = int(until, 16)
        hidden, salt = _unpacked(masked), _unpacked(nonce)
    except (ValueError, binascii.Error) as error:
        raise _over() from error
    if key is None or not _same(signature, _signature(key, "session", content)):
        raise _over()
    if now.timestamp() >= expires:
        raise _over()
    keyring.key(key.id, _masked(key, salt, hidden).decode("utf-8", "replace"))
    return _login(key, expires, cookie)


def shown_cookies(scope: Scope) -> Iterable[str]:
    """Every cookie of a session that a request shows: a page elsewhere on the same host may have
    set another one of the name."""
    wanted = cookie_name(scope)
    for name, value in scope["headers"]:
        if name != b"cookie":
            continue
        for pair in value.decode("latin-1").split(";"):
            cookie, _, content = pair.strip().partition("=")
            if cookie == wanted:
                yield content


def session_of(scope: Scope) -> Login | None:
    """The session that a request came with, None where it came with a key or nothing."""
    found: Login | None = scope.get(_SESSION)
    return found


def set_session(scope: Scope, login: Login) -> None:
    scope[_SESSION] = login


def is_token(login: Login, shown: bytes | None) -> bool:
    """Whether this is the token of the session."""
    return shown is not None and _same(shown.decode("latin-1"), login.token)


def cookie_header(scope: Scope, value: str, seconds: int) -> str:
    """`Set-Cookie` for a session; of no seconds, to end it."""
    secure = is_secure(scope)
    where = "Path=/; Secure" if secure else f"Path={PATH}"
    shown = f"{cookie_name(scope)}={value}; Max-Age={seconds}; {where}"
    return f"{shown}; HttpOnly; SameSite=Strict"


def _login(key: ApiKey, expires: int, cookie: str) -> Login:
    return Login(key.caller, datetime.fromtimestamp(expires, UTC), _signature(key, "csrf", cookie))


def _signature(key: ApiKey, purpose: str, content: str) -> str:
    made = hmac.new(key.caller.seal.encode(), f"{purpose}:{content}".encode(), hashlib.sha256)
    return _packed(made.digest())


def _masked(key: ApiKey, nonce: bytes, secret: bytes) -> bytes:
    """A secret under a mask that is used once, or the secret out of it."""
    keyed = hmac.new(key.caller.seal.encode(), b"mask:" + nonce, hashlib.sha256).digest()
    mask = hashlib.shake_256(keyed).digest(len(secret))
    return bytes(one ^ other for one, other in zip(secret, mask, strict=True))


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _over() -> Unknown:
    return Unknown("the session is over; sign in again with an API key")
