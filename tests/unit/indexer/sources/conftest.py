"""Short ways to write a file and read it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.model import Document
from indexer.sources import BadLine, Item, ReadOptions, read

ReadBytes = Callable[..., list[Item]]


@pytest.fixture
def read_bytes(tmp_path: Path) -> ReadBytes:
    """Write bytes under a name and read that file with the given options."""

    def run(data: bytes, name: str = "in.jsonl", **options: Any) -> list[Item]:
        path = tmp_path / name
        path.write_bytes(data)
        return list(read(str(path), ReadOptions(**options)))

    return run


def documents(items: list[Item]) -> list[Document]:
    return [item for item in items if isinstance(item, Document)]


def bad(items: list[Item]) -> list[BadLine]:
    return [item for item in items if isinstance(item, BadLine)]
