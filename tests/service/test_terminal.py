"""What is shown on a real (pseudo) terminal, and only there; terminals and shells of all kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import SCRIPT, on_a_terminal, run

BAR = "indexing  ---"


@pytest.mark.usefixtures("news")
def test_a_bar_on_the_terminal_that_leaves_nothing_behind(tmp_path: Path) -> None:
    shown = on_a_terminal("index", "news.jsonl", folder=tmp_path)
    assert shown.status == 0
    assert BAR in shown.err
    *_, last = shown.err.split("\r\x1b[K")
    assert last.startswith("4 documents stored")


@pytest.mark.usefixtures("news")
def test_the_bar_goes_to_standard_error(tmp_path: Path) -> None:
    output = tmp_path / "output"
    shown = on_a_terminal("index", "news.jsonl", "--json", folder=tmp_path, output=output)
    assert BAR in shown.err
    assert shown.json()["created"] == 4


@pytest.mark.usefixtures("news")
def test_no_bar_without_a_terminal(tmp_path: Path) -> None:
    for command in (["index", "news.jsonl"], ["check", "--file", "news.jsonl"]):
        done = run(*command, folder=tmp_path)
        assert (done.status, done.err) == (0, "")
        assert "\r" not in done.out
    assert run("pairs", "news.jsonl", folder=tmp_path).err == "dupdex: 4 documents, 1 pair\n"


def test_delete_asks(stored: Path) -> None:
    asked = on_a_terminal("delete", "fox", "nobody", folder=stored, typed=b"n\n")
    assert asked.status == 1
    assert "fox  A fox" in asked.err
    assert "Delete 1 document from dupdex-store (index dupdex)? [y/N]" in asked.err
    assert "nothing was deleted" in asked.err
    assert run("get", "fox", folder=stored).status == 0

    agreed = on_a_terminal("delete", "fox", folder=stored, typed=b"y\n")
    assert agreed.status == 0
    assert "1 deleted, 0 not found" in agreed.err


@pytest.mark.usefixtures("stored")
def test_delete_does_not_ask_with_yes(tmp_path: Path) -> None:
    done = on_a_terminal("delete", "fox", "--yes", folder=tmp_path)
    assert done.status == 0
    assert "[y/N]" not in done.err


@pytest.mark.parametrize("typed", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_the_question(stored: Path, typed: bytes) -> None:
    left = on_a_terminal("delete", "fox", folder=stored, typed=typed)
    assert left.status == 130
    assert left.err.splitlines()[-1].endswith("dupdex: interrupted")
    assert run("get", "fox", folder=stored).status == 0


@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
@pytest.mark.usefixtures("stored")
def test_a_terminal_that_lacks_characters(tmp_path: Path, encoding: str) -> None:
    shown = run("get", "rain", folder=tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert shown.status == 0
    assert (
        "暴雨预警" in run("get", "rain", "--json", folder=tmp_path, PYTHONIOENCODING=encoding).out
    )


def test_completion_in_bash(tmp_path: Path) -> None:
    ask = (
        f'set -e; PATH="{Path(SCRIPT).parent}:$PATH"; eval "$(dupdex completion bash)"; '
        "complete -p dupdex; COMP_WORDS=(dupdex re); COMP_CWORD=1; _dupdex_completion dupdex; "
        'echo "${COMPREPLY[@]}"'
    )
    done = run("-c", ask, folder=tmp_path, program=("bash",))
    assert (done.status, done.err) == (0, "")
    assert {"rebuild", "replay"} <= set(done.out.split())
