"""Random files for the readers: python -m scripts.fuzz --seconds 600 [--seed N]

Whatever a file holds, reading it ends, gives documents that can be stored and bad lines that name
their place, goes on after any document as if it had not stopped, and loses no good line among bad
ones. A case is a number: the same number makes the same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.model import Document
from indexer.sources import BadLine, FileSource, Item, ReadOptions
from mappings.errors import InputRefused
from scripts.made_archives import book, packed, page, record
from scripts.sample_site.site_lists import rss
from scripts.sample_site.site_pages import Page

NAMES: Final = (
    "a.jsonl",
    "a.ndjson.gz",
    "a.csv",
    "a.tsv",
    "a.csv.gz",
    "a.txt",
    "a.epub",
    "a.wet",
    "a.warc.gz",
    "a.rss",
    "a",
)
FORMATS: Final = ("auto", "auto", "jsonl", "csv", "text", "novel", "epub", "warc", "feed")
ENCODINGS: Final = (
    "utf-8",
    "utf-8-sig",
    "gb18030",
    "gbk",
    "big5",
    "utf-16",
    "utf-16-le",
    "latin-1",
)

SLOWEST: Final = 20.0
"""Seconds that a file of some kilobytes may take; nothing is concluded from fewer."""

_WORDS: Final = (
    "桥",
    "大桥通车",
    "plain",
    "caf\xe9",
    "\U00020000",
    "a,b",
    '"',
    "'",
    "{",
    "}",
    "\t",
    "",
)
_PIECES: Final = (
    b"\0", b"\r", b"\n", b'"', b"\\", b",", b"{", b"}", b"[" * 600, b"]" * 600, b'{"id":"x"', b":",
    b"\xff", b"\xfe\xff", b"\xff\xfe", b"\x1f\x8b", b"\xef\xbb\xbf", b"\\ud800", b"1" * 400,
    b"1e400", b"\x81\x30\x81\x30", b"\xe9\xa6", b"text", b"id", b"x" * 5_000,
)  # fmt: skip


def seeds(chance: random.Random) -> list[str]:
    """Files as they should be, of each kind that is read as text."""
    texts = ["".join(chance.choices(_WORDS, k=chance.randrange(1, 6))) + "。" for _ in range(9)]
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    cells = ['"{}"'.format(text.replace('"', '""')) for text in texts]
    return [
        "\n".join(lines) + "\n",
        "\r\n".join(lines),
        "\n\n".join(json.dumps({**row, "more": [row, {"n": 2**70}]}) for row in rows),
        "\n".join(["id,text", *(f"{n},{cell}" for n, cell in enumerate(cells))]),
        "\r\n".join(["id\ttext\tn", *(f"{n}\t{cell}\t{n}" for n, cell in enumerate(cells))]),
        "\n".join(["text;id", *(f'"{n}\n{n}";{n}' for n in range(9))]),
        "\n".join(texts),
        "\n".join(f"第{number}章 {text}\n{text}" for number, text in enumerate(texts)),
        rss([Page("news", f"/{n}", text, text) for n, text in enumerate(texts)], "").decode(),
        "",
    ]


def archives(chance: random.Random) -> list[bytes]:
    """The same of each kind that is no text."""
    texts = ["".join(chance.choices(_WORDS, k=9)) + "。" for _ in range(5)]
    files = {f"c{number}.xhtml": page(f"第{number}章", text) for number, text in enumerate(texts)}
    records = [record(f"http://a/{number}", text.encode()) for number, text in enumerate(texts)]
    points = [(name, name) for name in files][: chance.randrange(6)]
    return [book(files, points), b"".join(records), packed(records)]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Pieces put in, taken out, repeated and overwritten at random places."""
    for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
        at, size = chance.randrange(len(data) + 1), chance.choice((0, 1, 1, 8, 100))
        piece = chance.choice(
            (*_PIECES, chance.randbytes(chance.randrange(1, 9)), data[at : at + 50])
        )
        data = data[:at] + piece + data[at + size :]
    return data


def check_any_bytes(case: int, folder: Path) -> None:
    """Reading a file of nearly any bytes; raises AssertionError, or whatever a reader raises."""
    chance = random.Random(case)
    written = chance.choice(ENCODINGS)
    if chance.random() < 0.3:
        data = mutated(chance.choice(archives(chance)), chance)
    else:
        data = mutated(chance.choice(seeds(chance)).encode(written, "replace"), chance)
    name = chance.choice(NAMES)
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
        data = mutated(data, chance) if chance.random() < 0.3 else data
    path = folder / name
    path.write_bytes(data)
    options = ReadOptions(
        encoding=chance.choice(("auto", "auto", written)),
        format=chance.choice(FORMATS),
        split=chance.choice((0, 5)),
        make_ids=chance.random() < 0.5,
        max_line_bytes=chance.choice((16, 200, 64 << 20)),
    )
    source = FileSource(str(chance.choice((path, folder))), options)
    began = time.monotonic()
    try:
        items = list(source.items())
    except InputRefused:
        if name != "a":
            raise
        return  # the name tells no format, nor does what begins there
    for item in items:
        check_item(item, str(folder))
    documents = [number for number, item in enumerate(items) if isinstance(item, Document)]
    for number in chance.sample(documents, min(3, len(documents))):
        expect(list(source.items(items[number].mark)) == items[number + 1 :], "other items went on")
    expect(time.monotonic() - began < SLOWEST, "it took too long")


def check_item(item: Item, folder: str) -> None:
    """A document that can be printed and stored, or a message that names its place."""
    expect(item.mark is not None and item.origin.startswith(folder), "no place")
    if isinstance(item, BadLine):
        expect("\n" not in item.message and bool(item.message), "a message of several lines")
        item.message.encode()
    else:
        item.id.encode()
        item.text.encode()
        json.dumps(item.body, allow_nan=False).encode()


def check_good_lines(case: int, folder: Path) -> None:
    """Good lines among as many bad ones; raises AssertionError when one is lost."""
    chance = random.Random(case)
    is_csv = chance.random() < 0.5
    # The first line says that this is UTF-8, the others that a few broken ones do not change it.
    texts = [f"图书馆{number}" for number in range(chance.randrange(2, 30))]
    good = {f"g{number}": text for number, text in enumerate(texts)}
    lines = [_line(name, text, is_csv).encode() for name, text in good.items()]
    for _ in range(chance.randrange(len(lines))):
        lines.insert(chance.randrange(1, len(lines) + 1), _garbage(chance, is_csv))
    data = b"\n".join([b"id,text"] * is_csv + lines)
    name = f"a.{'csv' if is_csv else 'jsonl'}{chance.choice(('', '.gz'))}"
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    items = FileSource(str(path), ReadOptions()).items()
    read = {item.id: item.text for item in items if isinstance(item, Document)}
    expect(read | good == read, "a good line was lost")


def _line(name: str, text: str, is_csv: bool) -> str:
    return (
        f"{name},{text}" if is_csv else json.dumps({"id": name, "text": text}, ensure_ascii=False)
    )


def _garbage(chance: random.Random, is_csv: bool) -> bytes:
    """A bad line. In CSV two quotes make one row of all between them, which nobody can tell."""
    pieces = [chance.choice((*_PIECES, chance.randbytes(20))) for _ in range(chance.randrange(4))]
    line = b"!" + b"".join(pieces).replace(b"\n", b"")
    return line.replace(b'"', b"") if is_csv else line


def expect(holds: bool, what: str) -> None:
    """Raises AssertionError, also under python -O."""
    if not holds:
        raise AssertionError(what)


def run(cases: Iterator[int]) -> int:
    """Every case in a folder of its own; says which failed, and returns how many were tried."""
    count = 0
    for case in cases:
        for check in (check_any_bytes, check_good_lines):
            with tempfile.TemporaryDirectory(prefix="dupdex-fuzz-") as folder:
                try:
                    check(case, Path(folder))
                except BaseException as error:
                    error.add_note(
                        f"python -m scripts.fuzz --seed {case} --seconds 0 shows it again"
                    )
                    raise
        count += 1
    return count


def numbered(first: int, seconds: float) -> Iterator[int]:
    """Cases from `first` on until the time is over; always one."""
    end = time.monotonic() + seconds
    yield first
    while time.monotonic() < end:
        first += 1
        yield first


def main() -> None:
    """Run until the time is over or a case fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None, help="the first case [default: random]")
    given = parser.parse_args()
    first = random.SystemRandom().randrange(1 << 40) if given.seed is None else given.seed
    print(f"cases from {first} on", file=sys.stderr)
    print(f"{run(numbered(first, given.seconds)):,} cases held")


if __name__ == "__main__":
    main()
