"""Values of a document by a dotted path, as Elasticsearch reads one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.model import Body


def values_at(body: Body, path: str) -> Iterator[Any]:
    """The values at a path, in order, lists taken apart.

    `{"a": {"b": 1}}`, `{"a": [{"b": 1}]}` and `{"a.b": 1}` hold the same field, `a.b`. A body may
    be nested to any depth; an empty path names nothing.
    """
    waiting: list[tuple[Any, str | None]] = [(body, path)] if path else []
    while waiting:
        node, rest = waiting.pop()
        if isinstance(node, list | tuple):
            waiting += [(item, rest) for item in reversed(node)]
        elif rest is None:
            yield node
        elif isinstance(node, Mapping):
            splits = reversed(_splits(rest))
            waiting += [(node[name], below) for name, below in splits if name in node]


def strings_at(body: Body, path: str) -> Iterator[str]:
    """The strings among the values at a path."""
    return (value for value in values_at(body, path) if isinstance(value, str))


def _splits(path: str) -> list[tuple[str, str | None]]:
    """A path as a name and what is left below it, in every way: a name may hold a dot itself."""
    parts = path.split(".")
    return [
        (".".join(parts[:length]), ".".join(parts[length:]) if length < len(parts) else None)
        for length in range(1, len(parts) + 1)
    ]
