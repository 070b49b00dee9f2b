"""Ways in without the header of a key: what everybody may see, and the session of a browser."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from starlette.types import Scope

from dupdex.gateway.callers import Caller, NotAllowed
from dupdex.gateway.guard.keyring import Keyring, Unknown
from dupdex.gateway.guard.sessions import Login, is_token, opened, set_session, shown_cookies
from dupdex.gateway.headers import value_of

NOBODY: Final = Caller("nobody", frozenset(), ())
"""Who has shown no key, where keys are asked for."""

_OWN: Final = b"/_dupdex"
_CONSOLE: Final = b"/_dupdex/console"
_SIGN_IN: Final = b"/_dupdex/v1/session"
_SAFE: Final = frozenset({"GET", "HEAD"})


def is_open(scope: Scope) -> bool:
    """Whether a request needs no key: the pages of the console, which hold no data, and signing in.
    By the path as it was sent, which is what routes go by."""
    path = scope["raw_path"].partition(b"?")[0]
    if path == _SIGN_IN:
        return bool(scope["method"] == "POST")
    if scope["method"] not in _SAFE:
        return False
    return path in (_OWN, _OWN + b"/", _CONSOLE) or path.startswith(_CONSOLE + b"/")


def login_shown(keyring: Keyring, scope: Scope) -> Login | None:
    """The session of a request to the gateway itself, None without one: requests of Elasticsearch
    take no cookie. Raises Unknown for one that is over, NotAllowed for a change without the token
    of the session, which another site's page could have sent."""
    if not scope["raw_path"].startswith(_OWN + b"/"):
        return None
    over, login = None, None
    for cookie in shown_cookies(scope):
        try:
            login = opened(keyring, cookie, datetime.now(UTC))
            break
        except Unknown as error:
            over = error
    if login is None:
        if over is not None:
            raise over
        return None
    if scope["method"] not in _SAFE and not is_token(
        login, value_of(scope["headers"], b"x-csrf-token")
    ):
        raise NotAllowed(
            "a session of a browser must show its token with what changes something; send the "
            "'token' of GET /_dupdex/v1/session as X-CSRF-Token"
        )
    set_session(scope, login)
    return login
