"""JSON taken apart one level at a time: what nobody looks into keeps its bytes, numbers too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import orjson

_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY: Final = msgspec.json.Decoder(list[msgspec.Raw])


class NotJson(ValueError):
    """Bytes that are no JSON of the wanted kind."""


def is_object(raw: bytes) -> bool:
    return raw.lstrip()[:1] == b"{"


def is_array(raw: bytes) -> bool:
    return raw.lstrip()[:1] == b"["


def members(raw: bytes) -> dict[str, bytes]:
    """The members of an object, each as it was written. Raises NotJson."""
    try:
        return {name: bytes(value) for name, value in _OBJECT.decode(raw).items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotJson(str(error)) from error


def elements(raw: bytes) -> list[bytes]:
    """The elements of an array, each as it was written. Raises NotJson."""
    try:
        return [bytes(value) for value in _ARRAY.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotJson(str(error)) from error


def object_of(parts: Mapping[str, bytes]) -> bytes:
    """The object of members that are JSON already."""
    return b"{" + b",".join(orjson.dumps(k) + b":" + value for k, value in parts.items()) + b"}"


def array_of(parts: Iterable[bytes]) -> bytes:
    """The array of elements that are JSON already."""
    return b"[" + b",".join(parts) + b"]"


def indented(raw: bytes) -> bytes:
    """The same for people to read."""
    return msgspec.json.format(raw, indent=2) + b"\n"


def value_of(raw: bytes) -> Any:
    """The whole value. Raises NotJson."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise NotJson(str(error)) from error
