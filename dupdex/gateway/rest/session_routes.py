"""session: sign in with an API key, see who one is and what one may do, sign out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from dupdex.gateway.callers import ANYBODY, Right
from dupdex.gateway.guard.sessions import Login, begin, cookie_header, session_of
from dupdex.gateway.rest.operations import Asked, Gives, Nothing, Operation, Operations, Reply
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.request_reading import body_of, check_media, whole_body
from dupdex.gateway.rest.resource import response_of
from dupdex.gateway.rest.rest_limits import WORD

_TAG: Final = "session"
_LONGEST_BODY: Final = 8 * WORD


class SignInBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`key`: as `dupdex keys create` prints it, or as id:secret."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=WORD)]


@dataclass(frozen=True, slots=True)
class SessionForm:
    """Who asks. `rights`: all that they may do; `indices`: patterns of the names that they may use;
    `filtered`: they see some of the documents only. `keys`: the service asks for API keys;
    `expires` and `token` are those of a browser's session: the token goes along, as X-CSRF-Token,
    with what changes something."""

    name: str
    rights: tuple[Right, ...]
    indices: tuple[str, ...]
    filtered: bool
    keys: bool
    expires: str | None
    token: str | None


async def show(asked: Asked, request: Request) -> Response:
    """Who one is, and what one may do."""
    return response_of(Reply(_form(asked, session_of(request.scope))))


async def sign_in(asked: Asked, request: Request) -> Response:
    """A cookie for a key. Raises Unknown for a key that does not hold."""
    check_media(request.headers.get("content-type"), ("application/json",))
    body = body_of(await whole_body(request, _LONGEST_BODY), SignInBody)
    keyring = asked.services.keyring
    if keyring is None:
        said = "this gateway takes no API keys, so there is nothing to sign in to"
        raise Refused(422, "invalid_request", said, pointer="/key")
    now = datetime.now(UTC)
    cookie, login = begin(keyring, body.key, now)
    response = response_of(Reply(_form(asked, login), 201))
    left = int((login.expires - now).total_seconds())
    response.headers["set-cookie"] = cookie_header(request.scope, cookie, left)
    return response


async def sign_out(_asked: Asked, request: Request) -> Response:
    """The cookie ends."""
    response = Response(status_code=204)
    response.headers["set-cookie"] = cookie_header(request.scope, "", 0)
    return response


def _form(asked: Asked, login: Login | None) -> dict[str, object]:
    caller = login.caller if login else asked.caller
    return {
        "name": "" if caller == ANYBODY else caller.name,
        "rights": [right.value for right in Right if caller.may(right)],
        "indices": list(caller.indices),
        "filtered": bool(caller.filters),
        "keys": asked.services.keyring is not None,
        "expires": login.expires.isoformat() if login else None,
        "token": login.token if login else None,
    }


OPERATIONS: Final[Operations] = (
    Operation(
        "GET",
        "/session",
        "show_session",
        "Says who asks, and what they may do.",
        None,
        {200: Gives("Who it is.", SessionForm)},
        stream=show,
        query=Nothing,
        on_index=False,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/session",
        "sign_in",
        "Signs a browser in with an API key: the answer sets a cookie, for some hours. It needs no "
        "other credentials.",
        None,
        {201: Gives("Who it is now.", SessionForm)},
        stream=sign_in,
        query=Nothing,
        body=SignInBody,
        on_index=False,
        tag=_TAG,
    ),
    Operation(
        "DELETE",
        "/session",
        "sign_out",
        "Signs a browser out: its cookie ends.",
        None,
        {204: Gives("It is signed out.", media=())},
        stream=sign_out,
        query=Nothing,
        on_index=False,
        tag=_TAG,
    ),
)
