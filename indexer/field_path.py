"""Values of a document by dotted path, read as Elasticsearch reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.model import Body


def values_at(body: Body, path: str) -> Iterator[Any]:
    """The values at a path, in order, with lists flattened.

    `{"a": {"b": 1}}`, `{"a": [{"b": 1}]}` and `{"a.b": 1}` hold the same field, `a.b`. A body may
    be nested to any depth; nothing is at an empty path.
    """
    waiting: list[tuple[Any, str | None]] = [(body, path)] if path else []
    while waiting:
        node, remainder = waiting.pop()
        if isinstance(node, list | tuple):
            waiting += [(item, remainder) for item in reversed(node)]
        elif remainder is None:
            yield node
        elif isinstance(node, Mapping):
            splits = reversed(_splits(remainder))
            waiting += [(node[name], below) for name, below in splits if name in node]


def strings_at(body: Body, path: str) -> Iterator[str]:
    """The strings among the values at a path."""
    return (value for value in values_at(body, path) if isinstance(value, str))


def _splits(path: str) -> list[tuple[str, str | None]]:
    """Every split of a path into a name and the path below it, since names may contain dots."""
    parts = path.split(".")
    return [
        (".".join(parts[:length]), ".".join(parts[length:]) if length < len(parts) else None)
        for length in range(1, len(parts) + 1)
    ]
