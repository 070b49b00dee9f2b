"""What stands in a text for a machine: character references, tags, addresses between the words."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from indexer.meant.known_letters import is_letter_or_digit
from indexer.meant.meant import Disguise, Meant

_TAGS: Final = (
    "a|b|i|u|s|q|em|strong|span|font|p|div|br|hr|sup|sub|small|big|mark|img|del|ins|tt|code|pre|wbr"
    "|html|head|body|title|meta|link"
    "|center|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|blockquote|section|article|label"
)
_CODES: Final = "b|i|u|s|url|img|size|color|font|quote|center|left|right|align|backcolor|email"
_REFERENCE: Final = r"&(?:#[0-9]{1,7};?|#x[0-9a-f]{1,6};?|[a-z][a-z0-9]{1,30};)"
_ADDRESS: Final = r"[a-z0-9_.~:/?#@!$&'()*+,;=%-]{1,500}"
_UNSEEN: Final = (
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.1-9]))"
)
_VALUE: Final = r"(?:=(?:\"[^\"<>\n]{0,200}\"|'[^'<>\n]{0,200}'|[^\s\"'<>=]{1,200}))?"
_STYLE: Final = rf"style=[\"']?(?:[^\"'<>\n]{{0,200}};)?\s*{_UNSEEN}"
_HIDDEN: Final = (
    rf"<({_TAGS})(?:\s+[a-z-]{{1,30}}{_VALUE}){{0,8}}?\s+(?:{_STYLE}[^<>\n]{{0,200}}|hidden(?=[\s>])"
    r"[^<>\n]{0,200})>(?P<unseen>[^<]{0,200})</\1>"
    r"|<(style|script|template|noscript)(?:\s[^<>\n]{0,200})?>(?P<unread>[^<]{0,2000})</\3>"
)
"""Elements that nobody sees, with what is in them: no others, and few words."""

_MARKUP: Final = re.compile(
    rf"{_HIDDEN}|(?P<reference>{_REFERENCE})|</?(?:{_TAGS})(?:\s[^<>\n]{{0,200}})?/?>"
    rf"|<!--[^\n<]{{0,200}}?-->|\[/?(?:{_CODES})(?:=[^\[\]\n]{{0,200}})?\]"
    rf"|(?P<address>https?://{_ADDRESS}|www\.{_ADDRESS})",
    re.ASCII | re.IGNORECASE,
)

_BEGINNING: Final = re.compile(
    r"&(?=[#A-Za-z])|<(?=[/!A-Za-z])|\[(?=/?[abcefilqrsuABCEFILQRSU])|://|www\."
)
"""Of tags by the first letters of `_CODES`: brackets are many in code."""

_FEWEST: Final = 3
_SHARE: Final = 0.15
"""The least number of pieces of markup, and the least part of a text that is such: texts name an
address, and show a tag."""

_LEFT: Final = 0.5
"""Letters, at least, for each character that is left, references to others aside: code and lists of
addresses have fewer."""


def has_markup(text: str) -> bool:
    """Whether markup seems to begin several times."""
    return len(_BEGINNING.findall(text)) >= _FEWEST


def without_markup(text: str) -> Meant | None:
    """A text as given without tags and addresses, and with the characters that are meant, where
    much of it is markup."""
    if not has_markup(text):
        return None
    found = list(_MARKUP.finditer(text))
    if len(found) < _FEWEST or sum(map(_size, found)) < _SHARE * len(text):
        return None
    read = _read(text, found)
    letters = sum(map(is_letter_or_digit, read.text))
    signs = sum(not is_letter_or_digit(each) for each in "".join(map(_meaning, found)))
    return read if letters and letters >= _LEFT * (len(read.text) - signs) else None


def _size(markup: re.Match[str]) -> int:
    """The characters of a piece of markup: nothing for what is a program's, and no words that
    nobody sees."""
    return 0 if markup["unread"] is not None else len(markup[0]) - len(markup["unseen"] or "")


def _meaning(markup: re.Match[str]) -> str:
    """What stands there for a reader: nothing, but where it is a reference."""
    return unescape(markup["reference"] or "")


def _read(text: str, found: list[re.Match[str]]) -> Meant:
    out: list[str] = []
    places: list[int] = []
    ends: dict[int, int] = {}
    done = 0
    for each in found:
        meaning = _meaning(each)
        out += text[done : each.start()], meaning
        places += range(done, each.start())
        places += range(each.start(), each.start() + len(meaning))  # a reference is longer
        ends |= {place: each.end() for place in range(each.start(), each.start() + len(meaning))}
        done = each.end()
    out.append(text[done:])
    places += range(done, len(text))
    references = sum(each["reference"] is not None for each in found)
    kind = Disguise.REFERENCES if 2 * references > len(found) else Disguise.MARKUP
    tags = sum(len(each[0]) for each in found if each["address"] is None)
    in_tags = 2 * tags > sum(len(each[0]) for each in found)
    return Meant("".join(out), places, (kind,), ends, in_tags)
