"""Files that people name, on a disk that is full: whole, or as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import run_on_a_full_disk, write_lines
from tests.texts import chinese
from tests.unit.dupdex.cli.conftest import NEWS


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["explain", "{0}", "{0}", "--html", "page.html"], "page.html"),
        (["plan", "--write", "plan.json"], "plan.json"),
        (["statistics", "news.jsonl", "--write", "table"], "table"),
    ],
    ids=["page", "plan", "statistics"],
)
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, arguments: list[str], name: str) -> None:
    long = chinese(3_000, 1)
    (tmp_path / "long.txt").write_text(long)
    write_lines(tmp_path / "news.jsonl", [*NEWS, {"id": "long", "text": long}])
    (tmp_path / name).write_text("before")
    given = [each.format("@long.txt") for each in arguments]
    done = run_on_a_full_disk(*given, folder=tmp_path, largest_file=1024)
    assert done.status == 2
    assert "cannot be written" in done.err
    assert (tmp_path / name).read_text() == "before"
    assert not list(tmp_path.glob(".dupdex-*"))
