"""The text of a chapter in HTML, and where its anchors are: no page of the Web, but a book's.

Broken markup costs nothing but itself, and reading takes time in proportion to the length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

_TOKEN: Final = re.compile(
    r"<!--(?:.*?-->|.*)|"
    r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:.-]*+)(?P<rest>[^<>]*+)>|"
    r"<[!?][^<>]*+>?|[^<]++|<",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w:-])(id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))"""
)
_SPACES: Final = re.compile(r"[ \t\r\n\f\v]+")
_BLOCKS: Final = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd"),
        *("div", "dl", "dt", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4"),
        *("h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table"),
        *("td", "th", "title", "tr", "ul"),
    )
)
_LEFT_OUT: Final = frozenset(["head", "math", "rp", "rt", "script", "style", "svg", "template"])
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4"))


@dataclass(slots=True)
class MarkupText:
    """`text`: blocks, one a line; `anchors`: where ids stand in it; `heading`: the first h1 to h4;
    `linked`: letters inside of links."""

    text: str = ""
    anchors: dict[str, int] = field(default_factory=dict)
    heading: str = ""
    linked: int = 0

    @property
    def is_list_of_links(self) -> bool:
        """Whether most of it leads elsewhere, as in a table of contents."""
        letters = sum(map(str.isalnum, self.text))
        return self.linked * 2 > letters


def read_markup(markup: str) -> MarkupText:
    """The text of a document or a part of one."""
    reading = _Reading()
    for token in _TOKEN.finditer(markup):
        if token["name"]:
            reading.tag(token["name"].lower(), bool(token["end"]), token["rest"])
        elif not token[0].startswith(("<!", "<?")):
            reading.data(token[0])
    return reading.result()


class _Reading:
    """The text so far, and in what elements it stands."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._last = "\n"
        self._left_out = ""
        self._links = 0
        self._heading: int | None = None
        self._out = MarkupText()

    def tag(self, name: str, is_end: bool, rest: str) -> None:
        """A tag: a break, an anchor, the begin or end of a heading, a link, of what is left out."""
        name = name.rpartition(":")[2]
        if self._left_out:
            if is_end and name == self._left_out:
                self._left_out = ""
            return
        if name in _BLOCKS:
            self._break()
        if is_end:
            self._leave(name)
            return
        for found in _ATTRIBUTE.finditer(rest):
            value = unescape(found[2] or found[3] or found[4] or "")
            self._out.anchors.setdefault(value, self._length)
        if rest.rstrip().endswith("/"):
            return
        if name in _LEFT_OUT:
            self._left_out = name
        elif name == "a" and "href" in rest:
            self._links += 1
        elif name in _HEADINGS and self._heading is None and not self._out.heading:
            self._heading = len(self._parts)

    def data(self, data: str) -> None:
        """Text between tags."""
        if self._left_out:
            return
        said = _SPACES.sub(" ", unescape(data))
        if self._last in " \n":
            said = said.lstrip(" ")
        if not said:
            return
        if self._links:
            self._out.linked += sum(map(str.isalnum, said))
        self._add(said)

    def result(self) -> MarkupText:
        """All that was read."""
        self._out.text = "".join(self._parts)
        return self._out

    def _leave(self, name: str) -> None:
        if name == "a":
            self._links = max(0, self._links - 1)
        elif name in _HEADINGS and self._heading is not None:
            self._out.heading = _SPACES.sub(" ", "".join(self._parts[self._heading :])).strip()
            self._heading = None

    def _break(self) -> None:
        if self._last != "\n":
            self._add("\n")

    def _add(self, said: str) -> None:
        self._parts.append(said)
        self._length += len(said)
        self._last = said[-1]
