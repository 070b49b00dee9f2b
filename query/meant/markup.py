"""What stands in a text for a machine: character references, tags, addresses between the words."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from query.answers import Disguise
from query.meant.meant import Meant

_TAGS: Final = (
    "a|b|i|u|s|em|strong|span|font|p|div|br|sup|sub|small|big|mark|img|del|ins|tt|code|center|wbr"
)
_CODES: Final = "b|i|u|s|url|img|size|color|font|quote|center|left|right|align|backcolor|email"
_REFERENCE: Final = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});"
_OTHER: Final = (
    rf"</?(?:{_TAGS})(?:\s[^<>\n]{{0,200}})?/?>|<!--[^\n]{{0,200}}?-->"
    rf"|\[/?(?:{_CODES})(?:=[^\[\]\n]{{0,200}})?\]"
    r"|https?://[\w.~:/?#@!$&'()*+,;=%-]+|www\.[\w.~:/?#@!$&'()*+,;=%-]+"
)
_MARKUP: Final = re.compile(f"({_REFERENCE})|{_OTHER}")

_FEWEST: Final = 3
_SHARE: Final = 0.15
"""The least number of pieces of markup, and the least part of a text that is such: texts name an
address, and show a tag."""

_LEFT: Final = 0.5
"""Letters, at least, for each character that is left: code and lists of addresses have fewer."""


def without_markup(meant: Meant) -> Meant | None:
    """The text without tags and addresses, and with the characters that are meant, where much of
    it is markup."""
    text = meant.text
    if sum(map(text.count, ("&", "<", "[", "://", "www."))) < _FEWEST:
        return None
    found = list(_MARKUP.finditer(text))
    if len(found) < _FEWEST or sum(len(each[0]) for each in found) < _SHARE * len(text):
        return None
    out: list[str] = []
    places: list[int] = []
    done = 0
    for each in found:
        out.append(text[done : each.start()])
        places += range(done, each.start())
        meaning = unescape(each[1]) if each[1] else ""
        out.append(meaning)
        places += range(each.start(), each.start() + len(meaning))  # a reference is longer
        done = each.end()
    out.append(text[done:])
    places += range(done, len(text))
    plain = "".join(out)
    if sum(map(str.isalnum, plain)) < _LEFT * len(plain):
        return None
    there = [meant.places[place] for place in places]
    return Meant(plain, there, (*meant.disguises, Disguise.MARKUP))
