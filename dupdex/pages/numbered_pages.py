"""Texts that go on over several pages: which address comes before another, and what links say."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from dupdex.pages.addresses import identity

MOST: Final = 300
"""The highest number of a page that is a part of a text."""

NEXT_WORDS: Final = re.compile(
    r"\W*(下\s*一?\s*[页頁]|next\s+page|continued?( on( the)? next page)?)\W*", re.IGNORECASE
)
PREVIOUS_WORDS: Final = re.compile(r"\W*(上\s*一?\s*[页頁]|prev(ious)?\s+page)\W*", re.IGNORECASE)

_PARAMETERS: Final = ("page", "p", "pn", "paged", "pageno", "page_no", "currentpage", "part")
_IN_NAME: Final = re.compile(r"(.*[^/_-])([_-]p?)(\d{1,3})(\.\w{2,5})?(/?)")
_OF_FOLDER: Final = re.compile(r"(.*?)(/(?:page/)?)(\d{1,3})(\.\w{2,5})?(/?)")
_MARK: Final = re.compile(
    r"\s*[-_—|]*\s*("
    r"[(（\[【]\s*(第|page)?\s*\d{1,3}(\s*[/／]\s*\d{1,3})?\s*[页頁]?\s*[)）\]】]"
    r"|第\s*\d{1,3}\s*[页頁]|\bpage\s*\d{1,3}(\s*of\s*\d{1,3})?|[-_]\s*\d{1,3}\s*$)",
    re.IGNORECASE,
)


def predecessors(url: str) -> frozenset[str]:
    """The identities that the page before may have, where `url` has the form of a further page:
    a.html and a_1.html for a_2.html, x?page=3 for x?page=4, a/1.html for a/2.html."""
    parts = urlsplit(url)
    out = {*_by_path(parts.path)}
    made = {urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")) for path in out}
    made |= {
        urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))
        for query in _by_query(parts.query)
    }
    return frozenset(filter(None, map(identity, made)))


def earlier_pages(url: str) -> frozenset[str]:
    """The identities that all the pages before may have."""
    out: set[str] = set()
    new = {url}
    while new := {each for name in new for each in predecessors(name)} - out:
        out |= new
    return frozenset(out)


def title_of_all(title: str) -> str:
    """The title without the number of a page, to compare parts of one text by."""
    return _MARK.sub("", title).strip()


def _by_path(path: str) -> set[str]:
    out: set[str] = set()
    if match := _IN_NAME.fullmatch(path):
        stem, mark, digits, suffix, slash = match.groups("")
        number = int(digits)
        if 2 <= number <= MOST:
            out.add(f"{stem}{mark}{number - 1}{suffix}{slash}")
            if number == 2:
                out.add(f"{stem}{suffix}{slash}")
    if match := _OF_FOLDER.fullmatch(path):
        stem, mark, digits, suffix, slash = match.groups("")
        number = int(digits)
        if 2 <= number <= MOST:
            out.add(f"{stem}{mark}{number - 1}{suffix}{slash}")
            if number == 2 and stem:
                out |= {stem, f"{stem}/", f"{stem}{suffix or '.html'}"}
    return out


def _by_query(query: str) -> set[str]:
    out: set[str] = set()
    pairs = query.split("&")
    for at, (name, value) in enumerate(parse_qsl(query, keep_blank_values=True)):
        if name.lower() not in _PARAMETERS or not value.isdecimal() or at >= len(pairs):
            continue
        number = int(value)
        if 2 <= number <= MOST:
            rest = pairs[:at], pairs[at + 1 :]
            out.add("&".join([*rest[0], f"{name}={number - 1}", *rest[1]]))
            if number == 2:
                out.add("&".join([*rest[0], *rest[1]]))
    return out
