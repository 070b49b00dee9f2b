"""The readers under random files: a few seconds of `python -m scripts.fuzz`."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from indexer.model import Document, Mark
from indexer.sources import BadLine
from scripts import fuzz

CASES = 200


def test_random_files() -> None:
    """The same in CI, so that a run can be repeated; new ones elsewhere."""
    first = 0 if os.environ.get("CI") else random.SystemRandom().randrange(1 << 40)
    assert fuzz.run(iter(range(first, first + CASES))) == CASES


def test_a_failure_says_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(case: int, folder: Path) -> None:
        fuzz.expect(case != 7 and folder.is_dir(), "a good line was lost")

    monkeypatch.setattr(fuzz, "check_good_lines", broken)
    with pytest.raises(AssertionError, match="lost") as failure:
        fuzz.run(iter(range(5, 9)))
    assert failure.value.__notes__ == ["python -m scripts.fuzz --seed 7 --seconds 0 shows it again"]
    assert list(fuzz.numbered(7, 0)) == [7]


@pytest.mark.parametrize(
    "item",
    [
        Document("a", "t", {"text": "t"}, "/in/a:1"),
        Document("a\ud800", "t", {"text": "t"}, "/in/a:1", Mark("", 1)),
        Document("a", "t", {"n": float("nan")}, "/in/a:1", Mark("", 1)),
        BadLine("/in/a:1", "two\nlines", None, Mark("", 1)),
        BadLine("elsewhere:1", "bad", None, Mark("", 1)),
    ],
)
def test_what_no_reader_may_give_is_seen(item: Document | BadLine) -> None:
    with pytest.raises((AssertionError, ValueError)):
        fuzz.check_item(item, "/in")


def test_the_same_number_makes_the_same_file(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        fuzz.check_any_bytes(11, tmp_path / name)
        written.append([(path.name, path.read_bytes()) for path in (tmp_path / name).iterdir()])
    assert written[0] == written[1]
