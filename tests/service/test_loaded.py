"""A run that is forked from a process with everything loaded is the run of the installed script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.command import SCRIPT, run
from tests.service.elastic_data import chinese

LINES: Final = "".join(
    json.dumps({"id": f"{n}", "text": chinese(n % 700, 60)}) + "\n" for n in range(1_000)
)


@pytest.mark.parametrize(
    ("arguments", "stdin", "status"),
    [
        (["--version"], "", 0),
        ([], "", 2),
        (["check", "x", "--bogus"], "", 2),
        (["check", "x"], "", 3),
        (["check", "x", "--store", "http://127.0.0.1:1"], "", 6),
        (["index", "-", "--json"], LINES, 0),
        (["index", "absent.jsonl"], "", 3),
        (["pairs", "-"], LINES, 0),
        (["plan", "--write", "plan.json", "--documents", "5"], "", 0),
        (["index", "-", "--workers", "2"], LINES, 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_forked_run_says_and_does_the_same(
    tmp_path: Path, arguments: list[str], stdin: str, status: int
) -> None:
    results, left = [], []
    for name, program in (("forked", (SCRIPT,)), ("started", ("env", SCRIPT))):
        folder = tmp_path / name
        folder.mkdir()
        results.append(run(*arguments, folder=folder, stdin=stdin, program=program))
        left.append(sorted(path.relative_to(folder) for path in folder.rglob("*")))
    assert results[0] == results[1]
    assert results[0].status == status
    assert left[0] == left[1]


def test_it_has_the_environment_and_the_folder_of_the_run(tmp_path: Path) -> None:
    refused = run("check", "x", folder=tmp_path, DUPDEX_STORE="elsewhere", DUPDEX_INDEX="there")
    assert "elsewhere" in refused.error()
    assert run("index", "-", folder=tmp_path, stdin=LINES.partition("\n")[0]).status == 0
    assert (tmp_path / "dupdex-store").is_dir()
    assert run("check", "x", folder=tmp_path).status == 1  # nothing stays of the run before
