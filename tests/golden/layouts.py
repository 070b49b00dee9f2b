"""Embedded stores of every layout there has been, kept as SQL text and brought back as files.

    python -m tests.golden.layouts > tests/golden/layout-N.sql

writes the store that the program at hand makes. A file of an older layout is never made again:
it is there because the program that could write it is gone.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document
from mappings.plan import CHARACTERS

HERE: Final = Path(__file__).resolve().parent

DOCUMENTS: Final = {
    "bridge": "云溪市北岸的白鹭大桥昨天上午正式通车。全长一千二百米，双向六车道，两侧设有人行道。",
    "rain": "市气象台今天上午发布暴雨蓝色预警信号，预计今天下午到夜间全市大部分地区将出现强降雨。",
    "fox": "The quick brown fox jumps over the lazy dog and runs into the deep forest.",
    "gone": "这一篇写入之后又被删除，所以它的编号是空着的，任何查询都不应该再找到它。",
}
DELETED: Final = "gone"


def _make(folder: Path) -> Path:
    """A store with a document that was written twice and one that was removed."""
    with Index.create(Location(str(folder)), plan=CHARACTERS) as index:
        for text in ("这是第一稿，后来整篇重写了。", DOCUMENTS["bridge"]):
            list(index.add([_document("bridge", text)]))
        list(index.add(_document(name, text) for name, text in DOCUMENTS.items()))
        index.delete([DELETED])
    return folder / "dupdex.sqlite"


def _document(name: str, text: str) -> Document:
    return Document(name, text, {"text": text, "title": f"标题 {name}", "n": len(text)})


def _dump(path: Path) -> Iterator[str]:
    with closing(sqlite3.connect(path)) as db:
        # full text has no rows of its own: it is in the tables that SQLite keeps for it
        yield from (
            line for line in db.iterdump() if not line.startswith('INSERT INTO "fulltext" ')
        )
        for name in ("application_id", "user_version"):
            (value,) = db.execute(f"PRAGMA {name}").fetchone()
            yield f"PRAGMA {name}={value};"


def restore(layout: int, folder: Path, index: str = "dupdex") -> Path:
    """The store of that layout as a file of today's machine; returns its path."""
    path = folder / f"{index}.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((HERE / f"layout-{layout}.sql").read_text("utf-8"))
        db.execute("PRAGMA journal_mode=WAL")
    return path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        sys.stdout.writelines(f"{line}\n" for line in _dump(_make(Path(place))))
