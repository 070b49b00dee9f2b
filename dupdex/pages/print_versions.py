"""Addresses of versions to be printed: which page is one a version of, by its address."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote, urlsplit, urlunsplit

from dupdex.pages.addresses import normalised

_FLAG: Final = re.compile(
    r"(is|to|for)?_?print(er|able|ing)?[_-]?(friendly|mode|page|version|view)?", re.IGNORECASE
)
_ON: Final = frozenset(("", "1", "true", "yes", "y", "on"))
_WAY: Final = re.compile(
    r"a|act|action|do|format|layout|m|mode|op|output|style|template|tpl|type|v|view", re.IGNORECASE
)
_PRINT: Final = re.compile(r"print(er|able)?[_-]?(friendly|page|version|view)?", re.IGNORECASE)
_IN_A_NAME: Final = re.compile(r"[-_.]print(?=\.[a-z]+$|$)|^print[-_]", re.IGNORECASE)


def print_originals(url: str) -> tuple[str, ...]:
    """The addresses without what marks a version to be printed, the likely one first; none where
    nothing does. That there are such pages, and with the same text, is another matter."""
    parts = urlsplit(normalised(url))
    pairs = parts.query.split("&") if parts.query else []
    kept = [pair for pair in pairs if not _is_marked(pair)]
    segments = parts.path.split("/")
    path = "/".join(part for part in segments[:-1] if not _PRINT.fullmatch(part))
    last = segments[-1]
    name = "" if _PRINT.fullmatch(last) else _IN_A_NAME.sub("", last)
    if len(kept) == len(pairs) and (path, name) == ("/".join(segments[:-1]), last):
        return ()
    found = [f"{path}/{name}"]
    if not name and path:  # /a/1/print may be that of /a/1 and of /a/1/
        found.append(path)
    if last and not name:
        found.reverse()
    made = (urlunsplit((*parts[:2], each, "&".join(kept), "")) for each in found)
    return tuple(each for each in map(normalised, made) if each)


def _is_marked(pair: str) -> bool:
    name, _, value = pair.partition("=")
    name, value = unquote(name), unquote(value).strip()
    if _FLAG.fullmatch(name):
        return value.lower() in _ON
    return _WAY.fullmatch(name) is not None and _PRINT.fullmatch(value) is not None
