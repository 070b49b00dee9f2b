"""Query strings and bodies as the types that operations declare, or the problem with them."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import AsyncIterator
from typing import Any, Final, TypeVar, get_args, get_origin
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect, Request

from dupdex.gateway.json_size import FEW_VALUES, check_values
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import BODY
from indexer.model import is_text
from mappings.errors import InputRefused

T = TypeVar("T")

_AT: Final = re.compile(r" - at `(?:key in )?\$(?P<path>[^`]*)`$")
_STEPS: Final = re.compile(r"\.([^.\[]+)|\[([^\]]+)\]")
_PARAMETERS: Final = 100


def query_of(given: bytes, kind: type[T]) -> T:
    """The parameters of a query string. Raises Refused naming the one that is wrong."""
    try:
        text = given.decode("utf-8")
        pairs = parse_qsl(
            text,
            keep_blank_values=True,
            strict_parsing=bool(text),
            encoding="utf-8",
            errors="strict",
            max_num_fields=_PARAMETERS,
        )
    except ValueError as error:  # UnicodeDecodeError is one
        raise Refused(
            400, "invalid_request", f"the query string cannot be read: {error}"
        ) from error
    lists = _lists(kind)
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in lists:
            values.setdefault(name, []).append(value)
        elif name in values:
            raise _wrong_parameter(name, f"parameter {name!r} is there twice")
        else:
            values[name] = value
    try:
        query = msgspec.convert(values, kind, strict=False)
        for name, value in values.items():  # "null" is read as nothing where no text is meant
            if value in ("null", ["null"]) and getattr(query, name, None) is None:
                raise _wrong_parameter(name, f"parameter {name!r} is null; leave it out")
        return query
    except msgspec.ValidationError as error:
        said, pointer = _place(error)
        name = pointer.strip("/").partition("/")[0] or _unknown(said)
        raise _wrong_parameter(name, f"parameter {name!r}: {_lower(said)}") from error


def body_of(raw: bytes, kind: Any) -> Any:
    """The body as a type. Raises Refused, with a JSON pointer to the entry that is wrong."""
    try:
        check_values(raw, FEW_VALUES)
    except InputRefused as error:
        raise Refused(413, "too_large", str(error)) from error
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        said, pointer = _place(error)
        if name := _unknown(said):
            pointer = f"{pointer}/{_escaped(name)}"
        where = f" at {pointer}" if pointer else ""
        raise Refused(422, "invalid_request", f"{said}{where}", pointer=pointer) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, "malformed_json", f"the body cannot be read: {error}") from error
    except RecursionError:
        said = "the body is nested too deeply; flatten it"
        raise Refused(400, "malformed_json", said) from None


async def whole_body(request: Request, limit: int = BODY) -> bytes:
    """The body, unpacked. Raises Refused for one that is larger than the limit."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise too_large(limit)
    out = bytearray()
    async for chunk in unpacked(request):
        out += chunk
        if len(out) > limit:
            raise too_large(limit)
    return bytes(out)


async def unpacked(request: Request) -> AsyncIterator[bytes]:
    """The chunks of a body without their compression. Raises Refused for one that is unknown or
    damaged."""
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding in ("", "identity"):
        async for chunk in request.stream():
            yield chunk
        return
    if coding not in ("gzip", "x-gzip"):
        said = f"content-encoding {coding[:40]!r} is not read here; use gzip, or none"
        raise Refused(415, "unsupported_media_type", said, headers={"accept-encoding": "gzip"})
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        async for chunk in request.stream():
            while chunk:
                if unpacker.eof:  # several members one after the other
                    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
                yield unpacker.decompress(chunk, 1 << 20)
                chunk = unpacker.unconsumed_tail or unpacker.unused_data
                await asyncio.sleep(0)  # what is there already would keep all others waiting
        yield unpacker.flush()
    except zlib.error as error:
        raise Refused(400, "malformed_json", f"the body is no sound gzip: {error}") from error
    if not unpacker.eof:
        raise Refused(400, "malformed_json", "the gzip of the body ends too early")


def too_large(limit: int) -> Refused:
    """The refusal of a body or a line."""
    said = f"the body is larger than {limit:,} bytes; send less at once"
    return Refused(413, "too_large", said)


def check_media(given: str | None, media: tuple[str, ...]) -> None:
    """Raises Refused for a body in another form than those that are read."""
    kind = (given or "").partition(";")[0].strip().lower()
    if kind not in media:
        said = f"the body is sent as {kind or 'nothing'}; send it with Content-Type: {media[0]}"
        headers = {"accept-post": ", ".join(media)}
        raise Refused(415, "unsupported_media_type", said, headers=headers)


GONE: Final = ClientDisconnect
"""What is raised where the client has gone."""


def _lists(kind: type[Any]) -> set[str]:
    """The parameters that may be there several times."""
    return {
        each.name
        for each in msgspec.structs.fields(kind)
        if any(get_origin(part) in (list, tuple) for part in (each.type, *get_args(each.type)))
    }


def _wrong_parameter(name: str, said: str) -> Refused:
    return Refused(400, "invalid_request", said, parameter=name)


def _place(error: msgspec.ValidationError) -> tuple[str, str]:
    """What is wrong, and where, as a JSON pointer."""
    said = str(error)
    found = _AT.search(said)
    if found is None:
        return _shown(said), ""
    steps = (name or number for name, number in _STEPS.findall(found["path"]))
    return _shown(said[: found.start()]), "".join(f"/{_escaped(step)}" for step in steps)


def _unknown(said: str) -> str:
    """The name of a field that is not known, or is missing."""
    found = re.search(r"field `(.*)`$", said)
    return found[1] if found else ""


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def _shown(said: str) -> str:
    return said if is_text(said) else ascii(said)


def _lower(said: str) -> str:
    return said[:1].lower() + said[1:]
