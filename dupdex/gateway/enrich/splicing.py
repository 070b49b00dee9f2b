"""Puts a member into a JSON object as it was written, or takes one out: no other byte changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import orjson

from dupdex.gateway.json_size import check_values
from mappings.contract import OBJECT_FIELD
from mappings.index_body import is_ours

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]', re.DOTALL)
"""Possessive, as what may be taken back is remembered: a hundred bytes for each of a text."""

_DECODER: Final = json.JSONDecoder()

_OPENING, _CLOSING = b"{[", b"}]"


class NoObject(ValueError):
    """The bytes are no JSON object that can be read here."""


def read_object(source: bytes) -> dict[str, Any]:
    """The object. Raises NoObject for anything else, such as numbers and comments that servers
    take and JSON does not have, and InputRefused for one with too many values."""
    check_values(source)
    try:
        value = orjson.loads(source)
    except orjson.JSONDecodeError as error:
        raise NoObject(str(error)) from error
    if not isinstance(value, dict):
        raise NoObject("not an object")
    return value


def is_taken_by_servers(source: bytes) -> bool:
    """Whether servers may store what `read_object` refuses: they also take comments and what is
    beyond the standard, and give it to clients as it was written. Of an update they read what comes
    first, and of UTF-8 also letters that are longer than they need to be."""
    try:
        json.loads(source)
    except UnicodeDecodeError:
        return True
    except (ValueError, RecursionError):
        return _goes_on(source) or any(mark in source for mark in (b"/*", b"//", b"\x00"))
    return source.strip()[:1] not in b"[" or not source.strip()


def _goes_on(source: bytes) -> bool:
    """Whether an object ends before the bytes do."""
    try:
        value = _DECODER.raw_decode(source.decode("utf-8", "replace").lstrip())[0]
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


def with_object(source: bytes, body: Mapping[str, Any], value: bytes | None) -> bytes:
    """A document with the object of dupdex as its last member, in place of any that it had;
    `value`: as JSON, None for none. `body`: what `source` holds.
    """
    if any(map(is_ours, body)):
        source = without_members(source, is_ours)
    if value is None:
        return source
    end = source.rindex(b"}")
    # An opening brace right before the last brace: the object is empty.
    comma = b"" if source[:end].rstrip().endswith(b"{") else b","
    return b'%b%b"%b":%b%b' % (source[:end], comma, OBJECT_FIELD.encode(), value, source[end:])


def with_inner(source: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """An object with the value of one of its members changed; the last one of that name."""
    *_, value, end = [member for member in _members(source) if member[0] == name][-1]
    return source[:value] + change(source[value:end]) + source[end:]


def without_members(source: bytes, unwanted: Callable[[str], bool]) -> bytes:
    """An object without the members of some names."""
    members = list(_members(source))
    kept = [member for member in members if not unwanted(member[0])]
    if len(kept) == len(members):
        return source
    head, tail = members[0][1], members[-1][3]
    inner = b",".join(source[start:end] for _, start, *_, end in kept)
    return source[:head] + inner + source[tail:]


_Member = tuple[str, int, int, int]
"""Its name, then the places where it begins, its value begins and it ends."""


def _members(source: bytes) -> Iterator[_Member]:
    """The members of the outermost object of valid JSON, each with the white space around it."""
    depth = start = value = 0
    name: str | None = None
    for match in _TOKEN.finditer(source):
        token, at = match.group(), match.start()
        if token in _OPENING:
            depth += 1
            if depth == 1:
                start = match.end()
        elif token in _CLOSING:
            depth -= 1
            if depth == 0 and name is not None:
                yield name, start, value, at
        elif depth != 1:
            continue
        elif token == b"," and name is not None:
            yield name, start, value, at
            name, start = None, match.end()
        elif token == b":":
            value = match.end()
        elif name is None:
            name = str(orjson.loads(token))
