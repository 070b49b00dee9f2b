"""Documents that are heavy once they are unpacked: memory is bounded by one of them."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.command import SCRIPT, run, write_lines
from tests.service.elastic_data import chinese

JUNK: Final = b"a" * (12 << 20)
HEAVY: Final = 24
MOST_MEGABYTES: Final = 450


def write_bomb(path: Path, text: str) -> None:
    """Documents of a few words each, and of 290 megabytes together."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        for n in range(HEAVY):
            file.write(
                b'{"id":"b%d","text":"%s","junk":"' % (n, (text % n).encode() if text else b"")
            )
            file.write(JUNK + b'"}\n')


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["index", "bomb.jsonl.gz", "--store", "bomb"], "short text number %d here"),
        (["check", "--file", "bomb.jsonl.gz"], "short text number %d here"),
        (["pairs", "bomb.jsonl.gz"], "short text number %d here"),
        (["index", "bomb.jsonl.gz"], ""),  # every document is rejected, and kept
        (["replay", "dupdex-rejects.ndjson"], ""),
    ],
    ids=["index", "check", "pairs", "rejects", "replay"],
)
def test_memory_is_bounded_by_the_document(tmp_path: Path, command: list[str], text: str) -> None:
    """1.8 megabytes of gzip took 3.9 gigabytes, as only the texts were counted."""
    write_lines(tmp_path / "in.jsonl", [{"id": "good", "text": chinese("good"), "n": 1}])
    assert run("index", "in.jsonl", "--plan", "characters", folder=tmp_path).status == 0
    write_bomb(tmp_path / "bomb.jsonl.gz", text)
    if command[0] == "replay":
        assert run("index", "bomb.jsonl.gz", folder=tmp_path).status == 1
    program = (sys.executable, str(Path(__file__).parents[1] / "peak.py"), SCRIPT)
    done = run(*command, folder=tmp_path, program=program)
    assert done.status in (0, 1)
    assert int(done.err.splitlines()[-1]) < MOST_MEGABYTES
