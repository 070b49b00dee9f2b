"""Files that people name are written whole or not at all, and never over what is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dupdex.cli.saving import save
from mappings.errors import InputRefused
from tests.texts import chinese
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine


def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    path, other, link = tmp_path / "page", tmp_path / "other", tmp_path / "link"
    path.write_text("before")
    path.chmod(0o640)
    os.link(path, other)
    link.symlink_to(path)
    save(b"after", str(link), "--html")
    assert link.is_symlink()
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o640
    assert other.read_text() == "before"  # the old file itself was never open for writing
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "other", "page"]


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        save(b"x", str(tmp_path / "new"), "--html")
    finally:
        os.umask(mask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_devices_and_pipes_are_written_to() -> None:
    save(b"x", "/dev/null", "--html")
    assert Path("/dev/null").is_char_device()
    reader, writer = os.pipe()
    save(b"through", f"/dev/fd/{writer}", "--html")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("name", ["", ".", "no/such/file", "file/inside", "x" * 300, "a\0b"])
def test_names_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(InputRefused, match="name another file with --html"):
        save(b"x", name, "--html")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["explain", "@a.txt", "@b.txt", "--html", "a.txt"], ["a.txt"]),
        (["explain", "a.txt", "b.txt", "--html", "./b.txt"], ["b.txt"]),
        (["explain", "@a.txt", "@b.txt", "--html", "link"], ["a.txt"]),
        (["plan", "--sample", "news.jsonl", "--write", "news.jsonl"], ["news.jsonl"]),
        (["plan", "--sample", "folder", "--write", "folder/c.txt"], ["folder/c.txt"]),
        (["statistics", "news.jsonl", "--write", "news.jsonl"], ["news.jsonl"]),
        (["tune", "folder", "--write", "folder/c.txt"], ["folder/c.txt"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_nothing_is_written_over_what_is_read(
    dupdex: CommandLine, tmp_path: Path, arguments: list[str], files: list[str]
) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("a.txt", "b.txt", "folder/c.txt"):
        (tmp_path / name).write_text(RAIN)
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    before = {name: (tmp_path / name).read_bytes() for name in files}
    refused = dupdex(*arguments)
    assert refused.status == 2
    assert "is read from, so it is not written" in refused.error()
    assert {name: (tmp_path / name).read_bytes() for name in files} == before


def test_a_new_file_beside_what_is_read(dupdex: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for number in range(9):
        (tmp_path / "folder" / f"{number}.txt").write_text(chinese(60, number))
    assert dupdex("plan", "--sample", "folder", "--write", "folder/plan.json").status == 0
    assert dupdex("explain", ".", "x", "--html", "page.html").status == 1  # "." is a text here
