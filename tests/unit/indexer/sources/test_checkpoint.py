from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.model import Document
from indexer.sources import Place, ReadOptions
from indexer.sources.checkpoint import Checkpoint, Mark, state_folder
from mappings.errors import NotFound


class Clock:
    """A clock that goes on when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


Open = Callable[..., Checkpoint]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "news.jsonl"
    path.write_bytes(b"{}\n" * 10)
    return path


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(tmp_path: Path, source: Path, clock: Clock) -> Open:
    def run(store: str = "es", index: str = "news", name: Path = source, **more: str) -> Checkpoint:
        options = ReadOptions(**more)  # type: ignore[arg-type]
        return Checkpoint.open(store, index, str(name), options, tmp_path / "state", clock)

    return run


def at(source: Path, line: int) -> Document:
    return Document(f"d{line}", "t", {}, f"{source}:{line}")


def mark(line: int, file: str = "") -> Mark:
    return Mark(Place(file, line), f"d{line}")


def files(folder: Path) -> list[Path]:
    return sorted((folder / "state").glob("*"))


def test_an_interrupted_run_is_taken_up(opened: Open, source: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), opened() as checkpoint:
        assert checkpoint.mark is None
        checkpoint.advance(at(source, 7))
        raise KeyboardInterrupt
    assert opened().mark == mark(7)
    assert len(files(tmp_path)) == 1


def test_written_at_most_once_a_second(opened: Open, source: Path, clock: Clock) -> None:
    checkpoint = opened()
    checkpoint.advance(at(source, 1))
    assert opened().mark is None
    clock.now += 1
    checkpoint.advance(at(source, 2))
    assert opened().mark == mark(2)
    clock.now += 0.9
    checkpoint.advance(at(source, 3))
    assert opened().mark == mark(2)
    clock.now += 0.1
    checkpoint.advance(at(source, 4))
    assert opened().mark == mark(4)
    checkpoint.advance(Document("x", "t", {}, "no place"))
    checkpoint.save()
    assert opened().mark == mark(4)


def test_a_finished_run_leaves_nothing(opened: Open, source: Path, tmp_path: Path) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(source, 7))
        checkpoint.save()
        checkpoint.advance(at(source, 10))
        checkpoint.finish()
    assert files(tmp_path) == []
    assert opened().mark is None


def test_another_target_file_or_option_begins_anew(
    opened: Open, source: Path, tmp_path: Path
) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(source, 7))
    assert opened(store="other").mark is None
    assert opened(index="other").mark is None
    assert not opened(index="other").changed
    assert opened(id_field="other").mark is None
    assert opened(id_field="other").changed
    assert opened().mark == mark(7)
    assert not opened().changed
    os.utime(source, ns=(1, 1))
    assert opened().mark is None
    assert opened().changed
    with opened() as checkpoint:
        checkpoint.advance(at(source, 2))
    source.write_bytes(b"{}\n")
    os.utime(source, ns=(1, 1))
    assert opened().mark is None
    assert len(files(tmp_path)) == 1


def test_the_path_is_absolute(
    opened: Open, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(source, 7))
    monkeypatch.chdir(tmp_path)
    again = Checkpoint.open("es", "news", source.name, ReadOptions(), tmp_path / "state")
    assert again.mark == mark(7)


def test_the_state_names_no_store(opened: Open, source: Path, tmp_path: Path) -> None:
    with opened(store="https://user:secret@host") as checkpoint:
        checkpoint.advance(at(source, 7))
    assert "secret" not in files(tmp_path)[0].read_text()


@pytest.mark.parametrize("state", ["", "[]", '{"key": 1}', "\x00", "[" * 100_000])
def test_a_damaged_state_is_none(opened: Open, source: Path, tmp_path: Path, state: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(source, 7))
    files(tmp_path)[0].write_text(state)
    assert opened().mark is None


@pytest.mark.parametrize("line", ['"7"', "-7", "true", "7.5", "null"])
def test_a_line_that_is_none(opened: Open, source: Path, tmp_path: Path, line: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(source, 9))
    path = files(tmp_path)[0]
    path.write_text(path.read_text().replace('"line": 9', f'"line": {line}'))
    assert opened().mark is None


def test_a_state_that_cannot_be_written_only_costs_resuming(
    opened: Open, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("in the way")
    with opened() as checkpoint:
        checkpoint.advance(at(source, 7))
        checkpoint.save()
        assert "cannot be resumed" in checkpoint.problem
        checkpoint.finish()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "texts"
    (root / "sub").mkdir(parents=True)
    (root / "a.csv").write_bytes(b"id,text\n")
    (root / "sub" / "b.txt").write_bytes(b"text")
    (root / "photo.png").touch()
    return root


def test_a_folder_is_taken_up_in_one_of_its_files(opened: Open, folder: Path) -> None:
    with opened(name=folder) as checkpoint:
        checkpoint.advance(at(folder / "a.csv", 7))
        checkpoint.save()
        assert opened(name=folder).mark == mark(7, "a.csv")
        checkpoint.advance(at(folder / "sub" / "b.txt", 1))
    (folder / "photo.png").write_bytes(b"is not read")
    assert opened(name=folder).mark == mark(1, "sub/b.txt")


@pytest.mark.parametrize("change", ["new", "gone", "size", "time"])
def test_a_changed_folder_begins_anew(opened: Open, folder: Path, change: str) -> None:
    with opened(name=folder) as checkpoint:
        checkpoint.advance(at(folder / "a.csv", 7))
    deep = folder / "sub" / "b.txt"
    before = deep.stat().st_mtime_ns
    if change == "new":
        (folder / "sub" / "c.txt").touch()
    elif change == "gone":
        deep.unlink()
    else:
        deep.write_bytes(b"text" if change == "time" else b"texts")
        os.utime(deep, ns=(1, 1 if change == "time" else before))
    assert opened(name=folder).mark is None
    assert opened(name=folder).changed


def test_a_file_that_the_run_writes_changes_nothing(folder: Path, tmp_path: Path) -> None:
    own = folder / "rejects.ndjson"
    arguments = ("es", "news", str(folder), ReadOptions(), tmp_path / "state")
    with Checkpoint.open(*arguments, but=own) as checkpoint:
        checkpoint.advance(at(folder / "a.csv", 7))
    own.write_text("{}")
    assert Checkpoint.open(*arguments, but=own).mark == mark(7, "a.csv")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Checkpoint.open("es", "news", str(tmp_path / "no"), ReadOptions(), tmp_path)


def test_where_state_is_kept() -> None:
    assert state_folder({"XDG_STATE_HOME": "/x", "HOME": "/h"}) == Path("/x/dupdex")
    assert state_folder({"XDG_STATE_HOME": "x", "HOME": "/h"}) == Path("/h/.local/state/dupdex")
    assert state_folder({"HOME": "/h"}) == Path("/h/.local/state/dupdex")
