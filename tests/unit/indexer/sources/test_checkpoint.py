from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.model import Document
from indexer.sources import BadLine, FileSource, Item, Mark, ReadOptions, Source
from indexer.sources.checkpoint import Checkpoint, Reached, state_folder
from mappings.errors import InputRefused, NotFound


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
        files = FileSource(str(name), ReadOptions(**more))  # type: ignore[arg-type]
        return Checkpoint.open(store, index, files, tmp_path / "state", clock)

    return run


def at(line: int, part: str = "") -> Document:
    return Document(f"d{line}", "t", {}, f"somewhere:{line}", Mark(part, line))


def reached(line: int, part: str = "") -> Reached:
    return Reached(Mark(part, line), f"d{line}")


def files(folder: Path) -> list[Path]:
    return sorted((folder / "state").glob("*"))


def test_an_interrupted_run_is_taken_up(opened: Open, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), opened() as checkpoint:
        assert checkpoint.reached is None
        checkpoint.advance(at(7))
        raise KeyboardInterrupt
    assert opened().reached == reached(7)
    assert len(files(tmp_path)) == 1


def test_written_at_most_once_a_second(opened: Open, clock: Clock) -> None:
    checkpoint = opened()
    checkpoint.advance(at(1))
    assert opened().reached is None
    clock.now += 1
    checkpoint.advance(at(2))
    assert opened().reached == reached(2)
    clock.now += 0.9
    checkpoint.advance(at(3))
    assert opened().reached == reached(2)
    clock.now += 0.1
    checkpoint.advance(at(4))
    assert opened().reached == reached(4)
    checkpoint.advance(Document("x", "t", {}, "no place"))
    checkpoint.save()
    assert opened().reached == reached(4)


def test_a_finished_run_leaves_nothing(opened: Open, tmp_path: Path) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(7))
        checkpoint.save()
        checkpoint.advance(at(10))
        checkpoint.finish()
    assert files(tmp_path) == []
    assert opened().reached is None


def test_another_target_file_or_option_begins_anew(
    opened: Open, source: Path, tmp_path: Path
) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(7))
    assert opened(store="other").reached is None
    assert opened(index="other").reached is None
    assert not opened(index="other").changed
    assert opened(id_field="other").reached is None
    assert opened(id_field="other").changed
    assert opened().reached == reached(7)
    assert not opened().changed
    os.utime(source, ns=(1, 1))
    assert opened().reached is None
    assert opened().changed
    with opened() as checkpoint:
        checkpoint.advance(at(2))
    source.write_bytes(b"{}\n")
    os.utime(source, ns=(1, 1))
    assert opened().reached is None
    assert len(files(tmp_path)) == 1


def test_the_path_is_absolute(
    opened: Open, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(7))
    monkeypatch.chdir(tmp_path)
    again = Checkpoint.open(
        "es", "news", FileSource(source.name, ReadOptions()), tmp_path / "state"
    )
    assert again.reached == reached(7)


def test_the_state_names_no_store(opened: Open, tmp_path: Path) -> None:
    with opened(store="https://user:secret@host") as checkpoint:
        checkpoint.advance(at(7))
    assert "secret" not in files(tmp_path)[0].read_text()


@pytest.mark.parametrize("state", ["", "[]", '{"key": 1}', "\x00", "[" * 100_000])
def test_a_damaged_state_is_none(opened: Open, tmp_path: Path, state: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(7))
    files(tmp_path)[0].write_text(state)
    assert opened().reached is None


@pytest.mark.parametrize("line", ['"7"', "-7", "true", "7.5", "null"])
def test_a_line_that_is_none(opened: Open, tmp_path: Path, line: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(9))
    path = files(tmp_path)[0]
    path.write_text(path.read_text().replace('"position": 9', f'"position": {line}'))
    assert opened().reached is None


def test_a_state_that_cannot_be_written_only_costs_resuming(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    with opened() as checkpoint:
        checkpoint.advance(at(7))
        checkpoint.save()
        assert "cannot be resumed" in checkpoint.problem
        checkpoint.finish()


def test_counts_go_with_the_mark(opened: Open) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(7), {"bad_lines": 2})
        checkpoint.advance(at(8), {"bad_lines": 3})
    assert opened().reached == Reached(Mark("", 8), "d8", {"bad_lines": 3})


@pytest.mark.parametrize("tally", ["7", '{"bad_lines": "7"}', '{"bad_lines": -7}', "null"])
def test_counts_that_are_none(opened: Open, tmp_path: Path, tally: str) -> None:
    with opened() as checkpoint:
        checkpoint.advance(at(9), {"bad_lines": 7})
    path = files(tmp_path)[0]
    path.write_text(path.read_text().replace('{"bad_lines": 7}', tally))
    assert opened().reached == reached(9)


class Pages:
    """A crawl in memory: each page has a few items."""

    identity = "https://example.com/"

    def __init__(self, pages: dict[str, list[Item]]) -> None:
        self.pages = pages

    def state(self) -> str | None:
        return "as it was"

    def items(self, after: Mark | None = None) -> Iterator[Item]:
        is_behind = after is None
        for url, items in self.pages.items():
            for number, item in enumerate(items):
                mark = Mark(url, number)
                if is_behind:
                    yield replace(item, mark=mark)
                is_behind = is_behind or mark == after

    def describe(self, mark: Mark) -> str:
        return f"item {mark.position} of {mark.part}"


def test_any_source_can_be_taken_up(tmp_path: Path) -> None:
    source: Source = Pages(
        {
            "/a": [Document("a0", "t"), BadLine("/a", "no text")],
            "/b": [Document("b0", "t"), Document("b1", "t")],
        }
    )
    with Checkpoint.open("es", "pages", source, tmp_path) as checkpoint:
        items = source.items()
        for item in (next(items), next(items), next(items)):
            if isinstance(item, Document):
                checkpoint.advance(item)
    taken_up = Checkpoint.open("es", "pages", source, tmp_path).reached
    assert taken_up == Reached(Mark("/b", 0), "b0")
    assert list(source.items(taken_up.mark)) == [Document("b1", "t")]
    assert source.describe(taken_up.mark) == "item 0 of /b"


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
        checkpoint.advance(at(7, "a.csv"))
        checkpoint.save()
        assert opened(name=folder).reached == reached(7, "a.csv")
        checkpoint.advance(at(1, "sub/b.txt"))
    (folder / "photo.png").write_bytes(b"is not read")
    assert opened(name=folder).reached == reached(1, "sub/b.txt")


@pytest.mark.parametrize("change", ["new", "gone", "size", "time"])
def test_a_changed_folder_begins_anew(opened: Open, folder: Path, change: str) -> None:
    with opened(name=folder) as checkpoint:
        checkpoint.advance(at(7, "a.csv"))
    deep = folder / "sub" / "b.txt"
    before = deep.stat().st_mtime_ns
    if change == "new":
        (folder / "sub" / "c.txt").touch()
    elif change == "gone":
        deep.unlink()
    else:
        deep.write_bytes(b"text" if change == "time" else b"texts")
        os.utime(deep, ns=(1, 1 if change == "time" else before))
    assert opened(name=folder).reached is None
    assert opened(name=folder).changed


def test_a_file_that_the_run_writes_changes_nothing(folder: Path, tmp_path: Path) -> None:
    own = folder / "rejects.ndjson"
    files = FileSource(str(folder), ReadOptions(), exclude=own)
    with Checkpoint.open("es", "news", files, tmp_path / "state") as checkpoint:
        checkpoint.advance(at(7, "a.csv"))
    own.write_text("{}")
    assert Checkpoint.open("es", "news", files, tmp_path / "state").reached == reached(7, "a.csv")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        FileSource(str(tmp_path / "no"), ReadOptions()).items()
    with pytest.raises(InputRefused, match="cannot be read again"):
        Checkpoint.open("es", "news", FileSource("-", ReadOptions()), tmp_path)


def test_where_state_is_kept() -> None:
    assert state_folder({"XDG_STATE_HOME": "/x", "HOME": "/h"}) == Path("/x/dupdex")
    assert state_folder({"XDG_STATE_HOME": "x", "HOME": "/h"}) == Path("/h/.local/state/dupdex")
    assert state_folder({"HOME": "/h"}) == Path("/h/.local/state/dupdex")
