"""Where links of Kibana lead to: pages of the console, spelled once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from mappings.errors import InputRefused

DEFAULT_CONSOLE: Final = "http://localhost:9280"

COMPARE: Final = "/_dupdex/console/compare"
"""Takes `first` and `second` (an id, or a key as collections name documents), or `pair`: the id of
a record of a pair, as a link is made of one field."""

GROUPS: Final = "/_dupdex/console/groups"
"""A group by its id, below it."""

_VALUE: Final = "{{value}}"
"""Kibana puts the value of the field here, encoded for a URL."""


@dataclass(frozen=True, slots=True)
class ConsoleLinks:
    """Templates of links. `index`: the one that they are about, where the console has several.
    Raises InputRefused for what is no http(s) URL."""

    console: str = DEFAULT_CONSOLE
    index: str = ""

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.console)
            usable = bool(parts.scheme in ("http", "https") and parts.hostname)
        except ValueError:
            usable = False
        if not usable or "{{" in self.console:
            raise InputRefused(
                f"the console {self.console!r} is no URL; write it like {DEFAULT_CONSOLE}"
            )

    @property
    def group(self) -> str:
        return f"{self._base}{GROUPS}/{_VALUE}{'?' if self.index else ''}{self._index}"

    @property
    def document(self) -> str:
        return f"{self._compare}first={_VALUE}"

    @property
    def pair(self) -> str:
        return f"{self._compare}pair={_VALUE}"

    @property
    def _compare(self) -> str:
        return f"{self._base}{COMPARE}?{self._index}{'&' if self.index else ''}"

    @property
    def _index(self) -> str:
        return f"index={quote(self.index, safe='')}" if self.index else ""

    @property
    def _base(self) -> str:
        return self.console.rstrip("/")
