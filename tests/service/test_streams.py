"""Exit statuses hold when nobody can read what is said: streams that are full, closed or broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.command import SCRIPT, Result, environment, halted, interrupted, run, start, write_lines
from tests.unit.dupdex.cli.conftest import FOX, NEWS, RAIN

ROOT: Final = Path(__file__).resolve().parents[2]
MANY: Final = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of four documents."""
    folder = tmp_path_factory.mktemp("streams")
    write_lines(folder / "news.jsonl", NEWS)
    write_lines(folder / "bad.jsonl", [{"id": "1", "text": ""}, *NEWS])
    twins: list[dict[str, object]] = [{"id": str(n), "text": RAIN} for n in range(MANY)]
    write_lines(folder / "twins.jsonl", twins)
    assert run("index", "news.jsonl", folder=folder).status == 0
    return folder


def shell(command: str, *arguments: str, folder: Path) -> Result:
    """`command` is for bash, with the program and its arguments as `"$@"`."""
    return run("-c", command, "bash", SCRIPT, *arguments, folder=folder, program=("bash",))


@pytest.mark.parametrize("where", ["2>/dev/full", "2> >(exit 0)", ">&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["check", "hello", "--store", "http://127.0.0.1:1"], 6),
        (["check", "hello", "--store", "nothing"], 3),
        (["check", "hello", "--bogus"], 2),
        (["check", "--file", "bad.jsonl"], 2),
    ],
    ids=["no server", "no store", "usage", "bad line"],
)
def test_an_error_that_nobody_hears_keeps_its_status(
    folder: Path, arguments: list[str], status: int, where: str
) -> None:
    assert shell(f'"$@" {where}', *arguments, folder=folder).status == status


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["index", "news.jsonl"], 0),
        (["check", "--file", "news.jsonl", "--all"], 0),
        (["check", RAIN], 0),
        (["check", "nothing of the kind", "--json"], 1),
        (["pairs", "news.jsonl"], 0),
        (["explain", "rain", "again"], 0),
        (["rebuild"], 0),
        (["get", "rain"], 0),
        (["search", "暴雨"], 0),
        (["delete", "nobody"], 1),
        (["--help"], 0),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_closed_streams(folder: Path, arguments: list[str], status: int) -> None:
    for closed in (">&-", "<&- >&-"):
        done = shell(f'"$@" {closed}', *arguments, folder=folder)
        assert (done.status, "error" in done.err) == (status, False), done.err


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["index", "-"], 1), (["check", "--file", "-"], 2), (["pairs", "-"], 2)],
    ids=["index", "check", "pairs"],
)
def test_closed_input_is_not_an_empty_one(folder: Path, arguments: list[str], status: int) -> None:
    done = shell('"$@" <&-', *arguments, folder=folder)
    assert done.status == status
    assert "standard input is closed" in done.err


@pytest.mark.parametrize(
    "arguments",
    [["pairs", "twins.jsonl"], ["check", RAIN], ["get", "rain", "--json"], ["check", "--help"]],
    ids=["pairs", "check", "json", "help"],
)
def test_a_reader_that_has_left(folder: Path, arguments: list[str]) -> None:
    """Never 1, which says that there is no duplicate."""
    broken = shell('"$@" | exit 0; exit ${PIPESTATUS[0]}', *arguments, folder=folder)
    assert broken.status == 2
    assert [line for line in broken.err.splitlines() if "documents" not in line] == []


@pytest.mark.parametrize("arguments", [["check", FOX], ["check", FOX, "--json"], ["--help"]])
def test_output_on_a_full_disk(folder: Path, arguments: list[str]) -> None:
    full = shell('"$@" >/dev/full', *arguments, folder=folder)
    assert full.status == 2
    assert "No space left on device" in full.error()


def test_ctrl_c_before_anything_has_begun(tmp_path: Path) -> None:
    """While modules are still being loaded, which takes most of a short run."""
    halts = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n"
    (tmp_path / "orjson.py").write_text(halts)
    program = (sys.executable, "-c", "from dupdex_command import main; main()")
    path = f"{tmp_path}:{ROOT}"
    left = interrupted(
        halted(start("check", "x", folder=tmp_path, program=program, PYTHONPATH=path))
    )
    assert (left.status, left.out, left.err) == (130, "", "dupdex: interrupted\n")


def test_the_installed_command_hears_ctrl_c_first() -> None:
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'dupdex = "dupdex_command:main"' in settings
    assert 'py-modules = ["dupdex_command"]' in settings


@pytest.mark.usefixtures("stored")
def test_a_live_stream_is_answered_line_by_line(tmp_path: Path) -> None:
    write_lines(tmp_path / "one.jsonl", NEWS[:1])
    with subprocess.Popen(
        [SCRIPT, "check", "--file", "-"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write((tmp_path / "one.jsonl").read_bytes())
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"rain\texact")  # before the stream ends
        process.stdin.close()
        assert process.wait() == 0


def test_what_a_run_writes_it_does_not_read_from_standard_input(tmp_path: Path) -> None:
    """`dupdex index - --rejects FILE < FILE` read what it wrote for ever."""
    (tmp_path / "bad.jsonl").write_text("{oops\n")
    command = 'exec timeout 60 "$0" "$@" < bad.jsonl'
    program = ("bash", "-c", command, SCRIPT)
    done = run("index", "-", "--rejects", "bad.jsonl", folder=tmp_path, program=program)
    assert done.error().startswith("standard input cannot be read and written at once")
    assert (tmp_path / "bad.jsonl").read_text() == "{oops\n"


@pytest.mark.usefixtures("stored")
def test_the_reader_of_the_output_may_leave(tmp_path: Path) -> None:
    pipe = f"'{SCRIPT}' check --file news.jsonl --json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = run("-c", pipe, folder=tmp_path, program=("bash",))
    assert done.err == ""
    assert done.out == "{"


def test_a_line_is_given_out_before_the_next_arrives() -> None:
    code = (
        "from indexer.sources import *\n"
        "for item in read('-', ReadOptions()): print(item.id, flush=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id": "a", "text": "b"}\n')
        process.stdin.flush()
        assert process.stdout.readline() == b"a\n"
