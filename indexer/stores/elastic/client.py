"""The connection to Elasticsearch, and the translation of its errors."""

from __future__ import annotations

import base64
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

from elastic_transport import (
    ConnectionError as LostConnection,
)
from elastic_transport import (
    ConnectionTimeout,
    SerializationError,
    TlsError,
    Transport,
    TransportApiResponse,
    TransportError,
)
from elasticsearch import ApiError, Elasticsearch, OrjsonSerializer, UnsupportedProductError
from elasticsearch.serializer import NdjsonSerializer

from mappings.errors import (
    AccessRefused,
    DupdexError,
    IndexBlocked,
    InputRefused,
    NotFound,
    StoreFull,
    StoreUnavailable,
)

_INDEX_NAME: Final = re.compile(r'[^-_+A-Z\\/*?"<>| ,#:][^A-Z\\/*?"<>| ,#:]*')
_FULL: Final = ("flood-stage", "FORBIDDEN/12", "No space left on device", "disk quota")
_REASON_CHARACTERS: Final = 300
_SEVERAL: Final = b',"responses":['
_BEGINNING: Final = 60


@dataclass(frozen=True, slots=True, repr=False)
class Server:
    """A server and the credentials for it. `url` may name several nodes, separated by commas.

    A user and password in the URL are used when `username` and `api_key` are absent.
    `retry_seconds`: how long a write continues without progress before it stops.
    """

    url: str
    username: str | None = field(default=None, kw_only=True)
    password: str | None = field(default=None, kw_only=True)
    api_key: str | None = field(default=None, kw_only=True)
    ca_file: str | None = field(default=None, kw_only=True)
    request_timeout: float = field(default=60.0, kw_only=True)
    retry_seconds: float = field(default=90.0, kw_only=True)

    @property
    def place(self) -> str:
        """The URL as messages show it: without user, password and query."""
        return ",".join(_split(url)[0] for url in self.url.split(","))

    def __repr__(self) -> str:
        return f"Server(url={self.place!r})"


@dataclass(frozen=True, slots=True, repr=False)
class ElasticSettings(Server):
    """An index of a server. Raises InputRefused for an invalid index name."""

    index: str

    def __post_init__(self) -> None:
        if not _INDEX_NAME.fullmatch(self.index) or len(self.index.encode()) > 255:
            raise InputRefused(
                f"{self.index!r} is no index name; use lower-case letters, digits, - and _"
            )

    def __repr__(self) -> str:
        return f"ElasticSettings(url={self.place!r}, index={self.index!r})"


Client = Elasticsearch
"""The type, for those who pass a client on."""


class _QuietTransport(Transport):
    """Drops the server's Warning headers, which the client would raise as Python warnings.

    An unsecured server sends one with every answer, and no caller can act on it.
    """

    def perform_request(self, *args: Any, **kwargs: Any) -> TransportApiResponse:
        answer = super().perform_request(*args, **kwargs)
        if "warning" in answer.meta.headers:
            del answer.meta.headers["warning"]
        return answer


class _Orjson(OrjsonSerializer):
    """JSON by orjson. Answers to `_msearch` stay as they come: they bring documents along most of
    which nobody looks at, and whoever asked reads of them what is needed.
    """

    def json_loads(self, data: bytes) -> Any:
        several = data.startswith(b'{"took":') and _SEVERAL in data[:_BEGINNING]
        return data if several else super().json_loads(data)


class _OrjsonLines(NdjsonSerializer, OrjsonSerializer):
    """NDJSON, as `_msearch` takes it, with the `json_dumps` of orjson."""


def connect(settings: Server, exact_numbers: bool = False) -> Elasticsearch:
    """A client for any number of indices; it sends no request yet. `exact_numbers`: integers of any
    length are read as they are, by a slower parser.

    Raises InputRefused for an invalid URL or certificate file.
    """
    parts = [_split(url) for url in settings.url.split(",")]
    options: dict[str, Any] = {}
    if settings.api_key:
        options["api_key"] = settings.api_key
    elif settings.username:
        options["basic_auth"] = _basic_auth(settings.username, settings.password or "")
    elif parts[0][1]:
        options["basic_auth"] = _basic_auth(*parts[0][1])
    try:
        if not all(url.startswith(("http://", "https://")) for url, _ in parts):
            raise ValueError("it begins with neither http:// nor https://")
        if settings.ca_file and any(url.startswith("https:") for url, _ in parts):
            # Read now: the client would read it only at its first request, and then retry.
            options["ssl_context"] = ssl.create_default_context(cafile=settings.ca_file)
        return Elasticsearch(
            [url for url, _ in parts],
            serializers={}
            if exact_numbers
            else {serializer.mimetype: serializer for serializer in (_Orjson(), _OrjsonLines())},
            http_compress=False,  # it costs two thirds of the bulk rate on a local network
            request_timeout=settings.request_timeout,
            transport_class=_QuietTransport,
            **options,
        )
    except ValueError as error:
        raise InputRefused(
            f"{settings.place!r} is no Elasticsearch URL ({error}); "
            "write it like http://localhost:9200"
        ) from error
    except OSError as error:
        raise InputRefused(
            f"the certificate file {settings.ca_file!r} cannot be used ({error}); "
            "set DUPDEX_CA_FILE to the PEM file of the server's CA"
        ) from error


def _basic_auth(username: str, password: str) -> str:
    """Credentials in UTF-8, as servers expect them; the client would refuse all but ASCII."""
    # Bytes from the environment that are not UTF-8 are sent unchanged.
    login = f"{username}:{password}".encode("utf-8", "surrogateescape")
    return base64.b64encode(login).decode("ascii")


def _split(url: str) -> tuple[str, tuple[str, str] | None]:
    """A URL without credentials, and the credentials that were in it."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.rpartition("@")[2], None  # the client will refuse it and say why
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    netloc = host if port is None else f"{host}:{port}"
    login = None
    if parts.username:
        login = (unquote(parts.username), unquote(parts.password or ""))
    return urlunsplit((parts.scheme, netloc, parts.path, "", "")), login


@contextmanager
def translated(action: str, settings: ElasticSettings) -> Iterator[None]:
    """Translate errors of the client into DupdexErrors with `action` in the message."""
    try:
        yield
    except (ApiError, TransportError) as error:
        raise _translation(error, action, settings) from error


def _translation(
    error: ApiError | TransportError, action: str, settings: ElasticSettings
) -> DupdexError:
    place = settings.place
    if isinstance(error, UnsupportedProductError):
        return InputRefused(f"{place} is not Elasticsearch (cannot {action}); check the URL")
    if isinstance(error, ApiError):
        body = error.body if isinstance(error.body, Mapping) else {}
        return refusal(error.meta.status, body.get("error", error.body), action, settings)
    if isinstance(error, TlsError):
        return StoreUnavailable(
            f"no secure connection to {place}: {_short(error.message)}; "
            "set DUPDEX_CA_FILE to the PEM file of the server's CA, or check http against https"
        )
    if isinstance(error, ConnectionTimeout):
        return StoreUnavailable(
            f"Elasticsearch at {place} did not answer in {settings.request_timeout:g} s "
            f"(cannot {action}); look at its load, or raise the timeout"
        )
    if isinstance(error, LostConnection):
        return StoreUnavailable(
            f"Elasticsearch at {place} cannot be reached (cannot {action}): "
            f"{_short(error.message)}; start it or check the URL"
        )
    if isinstance(error, SerializationError) and error.message.startswith("Unable to serialize"):
        return InputRefused(f"what was asked of {place} is not JSON (cannot {action}); correct it")
    if isinstance(error, SerializationError):
        return StoreUnavailable(
            f"the answer of {place} is not JSON (cannot {action}); is a proxy in between?"
        )
    return StoreUnavailable(f"Elasticsearch at {place}: {_short(str(error))}")


def refusal(status: int, error: object, action: str, settings: ElasticSettings) -> DupdexError:
    """The DupdexError for a status and the server's error object, of a request or of an item."""
    place, reason, kind = settings.place, reason_of(error), ""
    if isinstance(error, Mapping):
        kind = str(error.get("type", ""))
    if status == 507 or any(mark in str(error) for mark in _FULL):
        return StoreFull(
            f"no disk space left at {place} (cannot {action}): {reason}; free some, then repeat"
        )
    if kind == "cluster_block_exception" and status in (400, 403):
        return IndexBlocked(
            f"index {settings.index!r} at {place} is blocked (cannot {action}): {reason}; "
            "lift the block in the index settings"
        )
    if status in (401, 403):
        return AccessRefused(
            f"{place} refused the credentials (cannot {action}, status {status}); "
            "check user name and password or API key and their privileges"
        )
    if status == 404 and (kind == "index_not_found_exception" or not kind):
        return NotFound(
            f"no index {settings.index!r} at {place} (cannot {action}); "
            "check the name, or index documents first"
        )
    if status in (408, 429) or status >= 500:
        return StoreUnavailable(
            f"Elasticsearch at {place} cannot {action} now (status {status}): {reason}; try later"
        )
    return InputRefused(f"Elasticsearch at {place} refused to {action}: {reason}")


def reason_of(error: object) -> str:
    """The server's reason in one line, with the innermost cause."""
    if not isinstance(error, Mapping):
        return _short(str(error or "no reason given"))
    reason = str(error.get("reason") or error.get("type") or "no reason given")
    cause: object = error
    while isinstance(cause, Mapping) and isinstance(cause.get("caused_by"), Mapping):
        cause = cause["caused_by"]
    inner = str(cause.get("reason") or "") if isinstance(cause, Mapping) else ""
    if inner and inner not in reason:
        reason = f"{reason} ({inner})"
    return _short(reason)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _REASON_CHARACTERS else f"{line[:_REASON_CHARACTERS]}…"


def server_version(client: Elasticsearch, settings: ElasticSettings) -> str | None:
    """The lowest version of all nodes; None when the credentials may not see the nodes.

    Not from `GET /`, as servers without the module that answers it are supported.
    """
    try:
        with translated("read the server version", settings):
            answer = client.nodes.info(
                node_id="_all", metric="_none", filter_path="nodes.*.version"
            )
    except (AccessRefused, InputRefused):
        return None
    versions = [str(node["version"]) for node in answer.get("nodes", {}).values()]
    return min(versions, key=_numbers, default=None)


def _numbers(version: str) -> list[int]:
    """A version as a sort key: 8.9.0 is before 8.19.0."""
    return [int(number) for number in re.findall(r"\d+", version)]
