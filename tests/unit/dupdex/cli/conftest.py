"""The fixture `dupdex`: the command line run in this process, in a folder of the test's own."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dupdex.cli import main
from tests.command import Result, write_lines

RAIN: Final = (
    "北京市气象台今天上午发布暴雨蓝色预警信号，预计今天下午到夜间，全市大部分地区将出现强降雨，"
    "局地可达暴雨，并伴有雷电和短时大风，请市民注意防范。"
)
FILM: Final = (
    "上海国际电影节昨晚在大剧院开幕，来自六十多个国家和地区的影片将在未来十天内展映，"
    "其中不少作品是全球首映。"
)
FOX: Final = "The quick brown fox jumps over the lazy dog and runs into the deep forest."

NEWS: Final[list[dict[str, object]]] = [
    {"id": "rain", "title": "暴雨预警", "text": RAIN, "city": "北京", "n": 1},
    {
        "id": "again",
        "title": "转载",
        "text": RAIN.replace("今天上午", "上午"),
        "city": "天津",
        "n": 2,
    },
    {"id": "film", "title": "电影节", "text": FILM, "city": "上海", "n": 3},
    {"id": "fox", "title": "A fox", "text": FOX, "city": "London", "n": 4},
]

CommandLine = Callable[..., Result]


@pytest.fixture
def dupdex(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> CommandLine:
    """Run `dupdex ARGUMENTS` with an optional `stdin`; news.jsonl is there to be indexed."""
    for name in list(os.environ):
        if name.startswith(("DUPDEX_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "news.jsonl", NEWS)

    def run(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["dupdex", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        sys.stdout.flush()
        said = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return Result(left.value.code, said.out, said.err)

    return run


@pytest.fixture
def indexed(dupdex: CommandLine) -> CommandLine:
    """The same, with the four documents of news.jsonl in the default store."""
    assert dupdex("index", "news.jsonl").status == 0
    return dupdex
