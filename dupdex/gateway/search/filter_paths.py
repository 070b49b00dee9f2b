"""`filter_path`: which parts of an answer a client wants to see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class FilterPaths:
    """Paths that are wanted (none: all), and such that are not. `above`: where in the answer the
    search stands that is spoken of."""

    wanted: tuple[tuple[str, ...], ...] = ()
    left_out: tuple[tuple[str, ...], ...] = ()
    above: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: str | None) -> Self:
        paths = [path for path in (given or "").split(",") if path]
        wanted = [path for path in paths if not path.startswith("-")]
        left_out = [path[1:] for path in paths if path.startswith("-")]
        return cls(_levels(wanted), _levels(left_out))

    def below(self, *above: str) -> Self:
        return replace(self, above=above)

    def shows(self, *below: str) -> bool:
        """Whether the value at a path of the search is shown."""
        path = (*self.above, *below)
        if any(_covers(each, path) for each in self.left_out):
            return False
        return not self.wanted or any(_covers(each, path) for each in self.wanted)

    def touches(self, *below: str) -> bool:
        """Whether the value at a path is shown, or a part of it."""
        path = (*self.above, *below)
        parts = [each[: len(path)] for each in self.wanted if len(each) > len(path)]
        left_out = any(_covers(each, path) for each in self.left_out)
        return self.shows(*below) or (not left_out and any(_covers(each, path) for each in parts))

    def cut(self, value: Any, *below: str) -> Any:
        """What is shown of a value of our own at a path."""
        if not self.wanted and not self.left_out:
            return value
        if isinstance(value, list | tuple):
            return [self.cut(each, *below) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            name: self.cut(each, *below, name)
            for name, each in value.items()
            if self.touches(*below, name)
        }

    def with_names_of_hits(self) -> str | None:
        """What to ask of the cluster, so that hits say which documents they are; None where that
        is what the client asks for."""
        if not self.wanted or not self.touches("hits", "hits", "_dupdex"):
            return None
        named = [(*self.above, "hits", "hits", name) for name in ("_index", "_id")]
        left_out = [("-" + path[0], *path[1:]) for path in self.left_out]
        return ",".join(".".join(path) for path in (*self.wanted, *left_out, *named))


def _levels(paths: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(path.split(".")) for path in paths)


def _covers(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a path, or what it is in, is meant by a pattern; `**` stands for any levels."""
    if not pattern:
        return True
    if pattern[0] == "**":
        return any(_covers(pattern[1:], path[at:]) for at in range(len(path)))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _covers(pattern[1:], path[1:])
