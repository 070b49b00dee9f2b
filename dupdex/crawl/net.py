"""How a crawl asks the net, and what may come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class NetAnswer:
    """What came back. `headers`: by their names in small letters, several of one name joined by
    line feeds; `seconds`: until the first byte came; `received`: bytes that went over the net."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    received: int


class Unanswered(Exception):
    """No answer that can be used. `kind`: one of a few words that counts go by; `of_host`: whether
    it says something of the host and not only of the address; `received`: bytes all the same."""

    def __init__(self, kind: str, why: str, of_host: bool = True, received: int = 0) -> None:
        super().__init__(why)
        self.kind, self.of_host, self.received = kind, of_host, received


class Net(Protocol):
    """Asks for one address at a time and follows nothing."""

    async def ask(
        self, url: str, headers: Mapping[str, str], most_bytes: int, beginning: bool = False
    ) -> NetAnswer:
        """The answer of an address; of what is no text by its type the headers alone. Raises
        Unanswered, also for an answer of more than `most_bytes`. `beginning`: of that one some
        `most_bytes` are given instead, and its type is of no account."""
        ...
