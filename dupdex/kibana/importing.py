"""Sends saved objects to Kibana, by the import of its REST interface."""

from __future__ import annotations

import base64
import http.client
import re
import ssl
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

import orjson

from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    NotFound,
    StoreRefused,
    StoreUnavailable,
)

_PATH: Final = "/api/saved_objects/_import"
_FILE: Final = "dupdex.ndjson"
"""Kibana refuses a file whose name ends in another way."""

_SPACE: Final = re.compile(r"[a-z0-9_-]+")
_SECONDS: Final = 60.0
_LARGEST: Final = 8 << 20
_REASONS: Final = 5
_REASON_CHARACTERS: Final = 300


@dataclass(frozen=True, slots=True, repr=False)
class KibanaServer:
    """`url` may hold a base path, and a user with a password. An API key goes before a user.

    Raises InputRefused for what is no http(s) URL, and for an impossible name of a space.
    """

    url: str
    space: str = ""
    username: str | None = None
    password: str | None = None
    api_key: str | None = None
    ca_file: str | None = None
    place: str = field(init=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url.strip())
            host, port = parts.hostname or "", parts.port
        except ValueError:
            parts, host, port = urlsplit(""), "", None
        if parts.scheme not in ("http", "https") or not host:
            shown = self.url.rpartition("@")[2]  # a password may stand before it
            raise InputRefused(
                f"{shown[:80]!r} is no URL of Kibana; write it like http://localhost:5601"
            )
        if self.space and not _SPACE.fullmatch(self.space):
            raise InputRefused(
                f"{self.space!r} is no identifier of a space; look it up in Kibana under Stack "
                "Management, Spaces, and give it with --space"
            )
        netloc = f"[{host}]" if ":" in host else host
        netloc = netloc if port is None else f"{netloc}:{port}"
        place = urlunsplit((parts.scheme, netloc, parts.path.rstrip("/"), "", ""))
        object.__setattr__(self, "place", place)

    def __repr__(self) -> str:
        return f"KibanaServer(url={self.place!r})"

    @property
    def base(self) -> str:
        """The URL of the space, without credentials."""
        return f"{self.place}/s/{self.space}" if self.space else self.place

    def authorization(self) -> dict[str, str]:
        """The header with the credentials, if there are any."""
        if self.api_key:
            return {"Authorization": f"ApiKey {self.api_key.strip()}"}
        parts = urlsplit(self.url.strip())
        user, password = self.username, self.password
        if not user and parts.username:
            user, password = unquote(parts.username), unquote(parts.password or "")
        if not user:
            return {}
        login = f"{user}:{password or ''}".encode("utf-8", "surrogateescape")
        return {"Authorization": f"Basic {base64.b64encode(login).decode('ascii')}"}


@dataclass(frozen=True, slots=True)
class Imported:
    """What Kibana took: how many objects, and its ids of them by the ids that were sent: Kibana
    gives an object a new one where another space has the old one."""

    count: int
    ids: Mapping[str, str]


def import_objects(
    server: KibanaServer, lines: Sequence[bytes], *, overwrite: bool = True
) -> Imported:
    """Import the lines of a file. `overwrite`: over objects of the same ids.

    Raises StoreRefused when Kibana did not take all, with its reasons; AccessRefused, NotFound,
    StoreUnavailable and InputRefused as their names say.
    """
    boundary = uuid.uuid4().hex
    headers = {
        "kbn-xsrf": "true",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        **server.authorization(),
    }
    url = f"{server.base}{_PATH}{'?overwrite=true' if overwrite else ''}"
    request = urllib.request.Request(url, _multipart(lines, boundary), headers, method="POST")
    answer = _read(server, _sent(server, request))
    if answer.get("success") is not True:
        raise _refused(server, answer)
    results = answer.get("successResults")
    named = [each for each in results if isinstance(each, dict)] if results else []
    ids = {str(each.get("id")): str(each.get("destinationId") or each.get("id")) for each in named}
    return Imported(int(answer.get("successCount", len(named))), ids)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Credentials go to nobody but the server that was named."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _sent(server: KibanaServer, request: urllib.request.Request) -> bytes:
    opener = urllib.request.build_opener(
        _NoRedirect,
        urllib.request.ProxyHandler({}),  # as the client of the store
        urllib.request.HTTPSHandler(context=_context(server)),
    )
    try:
        with opener.open(request, timeout=_SECONDS) as answer:
            body: bytes = answer.read(_LARGEST)
            return body
    except urllib.error.HTTPError as error:
        with error:
            raise _of_status(server, error.code, error.read(_LARGEST)) from error
    except (OSError, http.client.HTTPException) as error:
        raise _lost(server, error) from error


def _context(server: KibanaServer) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=server.ca_file)
    except OSError as error:
        raise InputRefused(
            f"the certificate file {server.ca_file!r} cannot be used ({error}); set "
            "DUPDEX_CA_FILE to the PEM file of Kibana's CA"
        ) from error


def _lost(server: KibanaServer, error: Exception) -> DupdexError:
    reason = getattr(error, "reason", error)
    if isinstance(reason, ssl.SSLError):
        return StoreUnavailable(
            f"no secure connection to {server.place}: {_short(reason)}; set DUPDEX_CA_FILE to the "
            "PEM file of Kibana's CA, or check http against https"
        )
    if isinstance(reason, TimeoutError):
        return StoreUnavailable(
            f"Kibana at {server.place} did not answer in {_SECONDS:g} s; look at its load, then "
            "import again"
        )
    return StoreUnavailable(
        f"Kibana at {server.place} cannot be reached: {_short(reason)}; start it or check the URL"
    )


def _of_status(server: KibanaServer, status: int, body: bytes) -> DupdexError:
    reason = _reason(body)
    if status in (401, 403):
        return AccessRefused(
            f"Kibana at {server.place} refused the credentials (status {status}); check user name "
            "and password or API key, and its right to manage saved objects in the space"
        )
    if status == 404:
        return NotFound(
            f"{server.base} takes no import (status 404); check the URL, its base path and --space"
        )
    if 300 <= status < 400:
        return InputRefused(
            f"{server.base} leads elsewhere (status {status}); name Kibana's own URL, with its "
            "base path"
        )
    if status in (408, 429) or status >= 500:
        return StoreUnavailable(
            f"Kibana at {server.place} cannot import now (status {status}): {reason}; try later"
        )
    return InputRefused(f"Kibana at {server.place} refused the import: {reason}")


def _read(server: KibanaServer, body: bytes) -> dict[str, Any]:
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict) or "success" not in answer:
        raise InputRefused(
            f"{server.place} does not answer as Kibana does; check the URL and its base path"
        )
    return answer


def _refused(server: KibanaServer, answer: Mapping[str, Any]) -> DupdexError:
    """Status 200 can still be a failure: then each object that was not taken has a reason."""
    errors = [each for each in answer.get("errors") or [] if isinstance(each, dict)]
    told = "; ".join(map(_told, errors[:_REASONS])) or "it names no reason"
    more = f"; and {len(errors) - _REASONS} more" if len(errors) > _REASONS else ""
    taken = answer.get("successCount", 0)
    conflict = any((each.get("error") or {}).get("type") == "conflict" for each in errors)
    way = (
        "without --no-overwrite they are replaced"
        if conflict
        else "make what is missing, or import into a Kibana that is not older than 8.8"
    )
    return StoreRefused(
        f"Kibana at {server.base} took {taken} objects and refused {len(errors)}: {told}{more}; "
        f"{way}"
    )


def _told(error: Mapping[str, Any]) -> str:
    why = error.get("error") or {}
    kind = str(why.get("type", "unknown"))
    named = (error.get("meta") or {}).get("title") or error.get("id")
    missing = ", ".join(str(each.get("id")) for each in why.get("references") or [])
    reason = f"{kind}: {missing}" if missing else str(why.get("message") or kind)
    return _short(f"{error.get('type')} {named!r} ({reason})")


def _reason(body: bytes) -> str:
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _short(body.decode("utf-8", "replace")) or "no reason given"
    message = answer.get("message") if isinstance(answer, dict) else None
    return _short(message or "no reason given")


def _multipart(lines: Sequence[bytes], boundary: str) -> bytes:
    head = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{_FILE}"\r\n'
        "Content-Type: application/ndjson\r\n\r\n"
    )
    return b"".join([head.encode(), *lines, f"\r\n--{boundary}--\r\n".encode()])


def _short(text: object) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= _REASON_CHARACTERS else f"{line[:_REASON_CHARACTERS]}…"
