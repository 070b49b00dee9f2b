"""Corpus statistics: what is shipped, what a census counts, and what a plan finds."""

from __future__ import annotations

import math
import os
import pwd
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.text.corpus_statistics import (
    Census,
    Statistics,
    data_folder,
    file_name,
    from_bytes,
    install,
    load_statistics,
    to_bytes,
    version_of,
)
from indexer.text.initials import INITIALS
from mappings.errors import InputRefused, PlanMismatch
from mappings.plan import CHARACTERS, STANDARD, Plan
from tests.texts import LIBRARY, METRO, TEA

CORPUS = [METRO, METRO, TEA, LIBRARY, "", "…"]


def counted(texts: list[str], plan: Plan = STANDARD) -> bytes:
    census = Census(plan)
    census.add(texts)
    return census.to_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a user of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "dupdex"


def test_the_shipped_table_tells_common_words_from_rare() -> None:
    known = load_statistics(STANDARD)
    assert known.share("的") > 0.9
    assert 0.5 < known.share("中国") < 0.9
    assert 0.01 < known.share("足球") < 0.05
    assert known.share("银杏路") == known.share("，") == 0.0
    assert known.idf("的") < known.idf("中国") < known.idf("足球") < known.idf("银杏路")
    assert len(known.frequencies) == 60_000


def test_the_shipped_initials() -> None:
    shares = dict(zip(INITIALS, load_statistics(STANDARD).initials, strict=True))
    assert 0.97 < sum(shares.values()) < 1  # the rest are a, e and o
    assert max(shares, key=shares.__getitem__) == "z"
    assert min(shares, key=shares.__getitem__) == "p"


def test_a_logarithm_is_the_smoothed_one() -> None:
    made = Statistics(1_000, {"a": 9, "b": 1_000}, ())
    assert made.idf("a") == pytest.approx(math.log(1_001 / 10) + 1)
    assert made.idf("b") == 1.0
    assert made.idf("unknown") == pytest.approx(math.log(1_001) + 1)
    assert made.idf("a").hex() == "0x1.66cb7bf0a4dd9p+2"  # the same bits everywhere


def test_documents_are_counted_not_words() -> None:
    made = from_bytes(counted(CORPUS))
    assert made.documents == 4  # two of the six have no letter
    assert made.share("集团") == 0.5  # three times in each of two texts
    assert made.share("茶农") == 0.25
    assert made.share("library") == 0.25
    assert made.share("，") == 0.0


def test_pairs_of_characters_in_a_plan_without_words() -> None:
    """In scripts with spaces words all the same."""
    made = from_bytes(counted(CORPUS, CHARACTERS))
    assert made.share("团昨") == 0.5
    assert made.share("library") == 0.25
    assert made.share("li") == 0.0


def test_the_same_corpus_gives_the_same_bytes_in_any_batches_and_order() -> None:
    parts = Census(STANDARD)
    for text in reversed(CORPUS):
        parts.add([text])
    assert parts.to_bytes() == counted(CORPUS)
    assert counted(CORPUS[:-4]) != counted(CORPUS)


def test_only_so_many_words_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.text.corpus_statistics.MAX_WORDS", 2)
    content = to_bytes(9, {"rare": 1, "b": 5, "a": 5}, [1] * 21)
    assert list(from_bytes(content).frequencies) == ["a", "b"]


def test_words_of_one_document_are_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("indexer.text.corpus_statistics.MOST_COUNTED", 10)
    made = from_bytes(counted(CORPUS))
    assert made.share("集团") == 0.5
    assert made.share("茶农") == 0.0


def test_no_initial_is_impossible() -> None:
    made = from_bytes(to_bytes(1, {"a": 1}, [0] * 21))
    assert len(made.initials) == 20
    assert min(made.initials) > 0


def test_nothing_counted_is_refused() -> None:
    with pytest.raises(InputRefused, match="no text to count"):
        counted(["", "…"])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"documents":1,"initials":[1],"words":{"a":1}}',
        b'{"documents":1,"initials":"x","words":{"a":1}}',
        to_bytes(1, {"a": 2}, [1] * 21),
        to_bytes(5, {"a": 2}, [1] * 20),
    ],
)
def test_what_is_no_table_is_refused(content: bytes) -> None:
    with pytest.raises(InputRefused, match="not a table of statistics"):
        from_bytes(content)


def test_a_plan_finds_its_table_by_digest(folder: Path) -> None:
    content = counted(CORPUS)
    path = install(content, folder)
    assert path == folder / file_name(version_of(content))
    assert [each.name for each in folder.iterdir()] == [path.name]
    plan = replace(STANDARD, statistics=version_of(content))
    assert load_statistics(plan).documents == 4
    assert load_statistics(plan) is load_statistics(plan)


def test_a_table_that_is_not_here(folder: Path) -> None:
    plan = replace(STANDARD, statistics="sha256-" + "0" * 16)
    with pytest.raises(PlanMismatch, match=r"cannot be read.*copy the file there, or run") as error:
        load_statistics(plan)
    assert str(folder) in str(error.value)


def test_a_table_that_was_changed_is_refused(folder: Path) -> None:
    content = counted(CORPUS)
    install(content, folder).write_bytes(content.replace(b":4", b":5"))
    with pytest.raises(PlanMismatch, match="was changed since it was made"):
        load_statistics(replace(STANDARD, statistics=version_of(content)))


def test_a_version_that_is_not_shipped() -> None:
    with pytest.raises(PlanMismatch, match="statistics '2', which this dupdex does not ship"):
        load_statistics(replace(STANDARD, statistics="2"))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputRefused, match="set XDG_DATA_HOME to another folder"):
        install(b"x", tmp_path / "file" / "dupdex")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"XDG_DATA_HOME": "/data", "HOME": "/home/a"}, "/data/dupdex"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/home/a"}, "/home/a/.local/share/dupdex"),
        ({"HOME": "/home/a"}, "/home/a/.local/share/dupdex"),
        ({}, f"{pwd.getpwuid(os.getuid()).pw_dir}/.local/share/dupdex"),
    ],
)
def test_the_data_folder(environment: dict[str, str], expected: str) -> None:
    assert data_folder(environment) == Path(expected)
