from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.checkpoint import Checkpoint, state_folder
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
    def run(store: str = "es", index: str = "news", options: str = "o") -> Checkpoint:
        return Checkpoint.open(store, index, str(source), options, tmp_path / "state", clock)

    return run


def files(folder: Path) -> list[Path]:
    return sorted((folder / "state").glob("*"))


def test_an_interrupted_run_is_taken_up(opened: Open, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), opened() as checkpoint:
        assert checkpoint.line == 0
        checkpoint.advance(7)
        raise KeyboardInterrupt
    assert opened().line == 7
    assert len(files(tmp_path)) == 1


def test_written_at_most_once_a_second(opened: Open, clock: Clock) -> None:
    checkpoint = opened()
    checkpoint.advance(1)
    assert opened().line == 0
    clock.now += 1
    checkpoint.advance(2)
    assert opened().line == 2
    clock.now += 0.9
    checkpoint.advance(3)
    assert opened().line == 2
    clock.now += 0.1
    checkpoint.advance(1)
    assert checkpoint.line == opened().line == 3


def test_a_finished_run_leaves_nothing(opened: Open, tmp_path: Path) -> None:
    with opened() as checkpoint:
        checkpoint.advance(7)
        checkpoint.save()
        checkpoint.advance(10)
        checkpoint.finish()
    assert files(tmp_path) == []
    assert opened().line == 0


def test_another_target_file_or_option_begins_anew(
    opened: Open, source: Path, tmp_path: Path
) -> None:
    with opened() as checkpoint:
        checkpoint.advance(7)
    assert opened(store="other").line == opened(index="other").line == 0
    assert opened(options="other").line == 0
    assert opened().line == 7
    os.utime(source, ns=(1, 1))
    assert opened().line == 0
    with opened() as checkpoint:
        checkpoint.advance(2)
    source.write_bytes(b"{}\n")
    os.utime(source, ns=(1, 1))
    assert opened().line == 0
    assert len(files(tmp_path)) == 1


def test_the_path_is_absolute(
    opened: Open, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened() as checkpoint:
        checkpoint.advance(7)
    monkeypatch.chdir(tmp_path)
    assert Checkpoint.open("es", "news", source.name, "o", tmp_path / "state").line == 7


def test_the_state_names_no_store(opened: Open, tmp_path: Path) -> None:
    with opened(store="https://user:secret@host") as checkpoint:
        checkpoint.advance(7)
    assert "secret" not in files(tmp_path)[0].read_text()


@pytest.mark.parametrize("state", ["", "[]", '{"key": 1}', "\x00", "[" * 100_000])
def test_a_damaged_state_is_none(opened: Open, tmp_path: Path, state: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(7)
    files(tmp_path)[0].write_text(state)
    assert opened().line == 0


@pytest.mark.parametrize("line", ['"7"', "-7", "true", "7.5", "null"])
def test_a_line_that_is_none(opened: Open, tmp_path: Path, line: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(9)
    path = files(tmp_path)[0]
    path.write_text(path.read_text().replace("9}", line + "}"))
    assert opened().line == 0


def test_a_folder_that_cannot_be_written_only_costs_resuming(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    with opened() as checkpoint:
        checkpoint.advance(7)
        checkpoint.save()
        assert "cannot be resumed" in checkpoint.problem
        checkpoint.finish()


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Checkpoint.open("es", "news", str(tmp_path / "no"), "o", tmp_path)


def test_where_state_is_kept() -> None:
    assert state_folder({"XDG_STATE_HOME": "/x", "HOME": "/h"}) == Path("/x/dupdex")
    assert state_folder({"XDG_STATE_HOME": "x", "HOME": "/h"}) == Path("/h/.local/state/dupdex")
    assert state_folder({"HOME": "/h"}) == Path("/h/.local/state/dupdex")
