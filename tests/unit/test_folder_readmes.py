"""ARCHITECTURE.md and the README of each folder name what is there, and nothing else."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from mappings.contract import OBJECT_FIELD, Field
from tests.source_tree import (
    LAYERS,
    ROOT,
    children,
    left_over,
    listed_in,
    names_in,
    paths_named_in,
)

FOLDERS = (*LAYERS, "scripts", "tests")


def missing_and_stale(folder: Path, readme: str) -> list[str]:
    """What to change in a README so that its table lists the folder."""
    listed, there = listed_in(readme), children(folder)
    return [
        *(f"missing: a row with `{each}`" for each in there if each not in listed),
        *(f"stale: `{each}` is not there" for each in listed if not is_there(folder / each)),
    ]


def is_there(path: Path) -> bool:
    return path.exists() and not left_over(path)


def absent_paths(document: str, folder: Path) -> list[str]:
    """The paths a document names that are neither below its folder, nor the root, nor a layer."""
    return [
        path
        for path in paths_named_in(document)
        if not (folder / path).exists()
        and not (ROOT / path).exists()
        and ("/" in path or not any(any((ROOT / top).rglob(path)) for top in FOLDERS))
    ]


def absent_names(document: str) -> list[str]:
    return [each for each in names_in(document) if not resolves(each)]


def resolves(dotted: str) -> bool:
    """Whether a dotted name is a module, stands in one, or is a stored field."""
    if dotted.removeprefix(f"{OBJECT_FIELD}.") in set(Field):
        return True
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[length:]:
            found = getattr(found, attribute, None)
        return found is not None
    return False


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_readme_lists_its_folder(folder: str) -> None:
    readme = (ROOT / folder / "README.md").read_text("utf-8")
    found = missing_and_stale(ROOT / folder, readme)
    assert not found, "\n".join([f"correct {folder}/README.md", *found])


@pytest.mark.parametrize(
    "document", ["ARCHITECTURE.md", *(f"{each}/README.md" for each in FOLDERS)]
)
def test_a_document_names_only_what_exists(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    found = absent_paths(text, (ROOT / document).parent) + absent_names(text)
    assert not found, "\n".join([f"{document} names what is not there:", *found])


# --- the checks can fail


def test_missing_and_stale_rows_are_seen(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    for name in ("model.py", "meta.py", "__init__.py", "README.md", ".hidden"):
        (tmp_path / name).touch()
    good = (
        "| part | what |\n|---|---|\n| `model.py`, `meta.py` | nouns of `x.py` |\n| `text/` | t |"
    )
    assert missing_and_stale(tmp_path, good) == []
    assert missing_and_stale(tmp_path, good.replace("`meta.py`", "`old.py`")) == [
        "missing: a row with `meta.py`",
        "stale: `old.py` is not there",
    ]
    assert missing_and_stale(tmp_path, good.replace("text/", "text")) == [
        "missing: a row with `text/`"
    ]


def test_a_folder_of_bytecode_is_none(tmp_path: Path) -> None:
    """It is what stays of a package that another branch has and this one lacks."""
    for cached in ("old/__pycache__", "old/deep/__pycache__", "new/__pycache__"):
        (tmp_path / cached).mkdir(parents=True)
        (tmp_path / cached / "model.cpython-311.pyc").touch()
    (tmp_path / "new/model.py").touch()
    row = "| part | what |\n|---|---|\n| `new/` | nouns |"
    assert missing_and_stale(tmp_path, row) == []
    assert missing_and_stale(tmp_path, row.replace("`new/`", "`new/`, `old/`")) == [
        "stale: `old/` is not there"
    ]


@pytest.mark.parametrize(
    ("token", "absent"),
    [
        ("indexer/text/ragged.py", False),
        ("indexer/prepare/ragged.py", True),
        ("ragged.py", False),
        ("features.py", True),
        ("indexer/text/", False),
        ("indexer/prepare/", True),
        ("scripts/bench", False),
        ("scripts/benches", True),
        ("news-000002", False),
        ("mappings.contract.Field", False),
        ("query.features", True),
        ("query.grams.nothing", True),
    ],
)
def test_an_absent_name_is_seen(token: str, absent: bool) -> None:
    document = f"Read `{token}` first."
    assert bool(absent_paths(document, ROOT) + absent_names(document)) is absent
