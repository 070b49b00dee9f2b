"""Data files by name: those shipped with dupdex, and those handed to this process."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

_GIVEN: Final[dict[str, bytes]] = {}


def give(contents: Mapping[str, bytes]) -> None:
    """Let this process use further files; a shipped file of the same name takes precedence."""
    _GIVEN.update(contents)


def content_of(name: str) -> bytes | None:
    """The content of a file, None when it is neither shipped nor given."""
    source = files("indexer.text") / "data" / name
    if name == source.name and source.is_file():
        return source.read_bytes()
    return _GIVEN.get(name)
