"""Records with keys of their own, and an embedded store of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.meta import IndexMeta
from indexer.model import Outcome, Record
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.plan import CHARACTERS
from tests.contract.stores import made

META: Final = IndexMeta(plan=CHARACTERS)


def record(number: int, generation: int = 0) -> Record:
    terms = tuple(f"k{number}-{generation}-{n}" for n in range(20))
    return made(f"d{number}", "all", *terms, text=f"第{number}篇，第{generation}版。" * 20)


def records(start: int, stop: int) -> Iterator[Record]:
    return (record(number) for number in range(start, stop))


def write(folder: Path, start: int, stop: int) -> list[Outcome]:
    with EmbeddedWriter.open(folder, "a", META, None) as writer:
        return list(writer.write(records(start, stop)))
