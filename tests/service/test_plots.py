"""`dupdex evaluate --plots`: files drawn beside each other, replaced as a whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.command import run
from tests.unit.dupdex.evaluation.test_scheme_scores import write_corpus


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_corpus(tmp_path)


def test_plots_are_drawn(folder: Path, tmp_path: Path) -> None:
    with (folder / "truth.tsv").open("a", encoding="utf-8") as stream:
        stream.write("\na\ta-cut\t1\tcut\t0.5")
    names = ["recall-cut.svg", "precision-recall.svg"]
    plots_folder = tmp_path / "new" / "plots"
    drawn = run("evaluate", str(folder), "--plots", str(plots_folder), folder=tmp_path)
    assert drawn.status == 0, drawn.err
    assert [line.rpartition("/")[2] for line in drawn.err.splitlines()] == names
    for name in names:
        text = (plots_folder / name).read_text("utf-8")
        assert text.startswith("<?xml") and "</svg>" in text
    linked = tmp_path / "linked.svg"
    os.link(plots_folder / names[0], linked)
    linked.write_text("before")
    assert run("evaluate", str(folder), "--plots", str(plots_folder), folder=tmp_path).status == 0
    assert linked.read_text() == "before"  # the file is replaced, not written over
    assert sorted(path.name for path in plots_folder.iterdir()) == sorted(names)


def test_a_folder_of_plots_that_cannot_be_made_is_refused_first(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    refused = run("evaluate", str(folder), "--plots", str(tmp_path / "file"), folder=tmp_path)
    assert (refused.status, refused.out) == (2, "")
    assert "name another with --plots" in refused.error()
