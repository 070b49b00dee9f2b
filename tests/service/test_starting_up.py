"""How a process starts: what it imports, what stands in its way, with which rights and home."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dupdex
from tests.command import SCRIPT, run, write_lines
from tests.unit.dupdex.cli.conftest import NEWS

ROOT = Path(dupdex.__file__).resolve().parents[1]


EVERY_COMMAND = "import sys, dupdex.cli; assert all(dupdex.cli.cli.commands.values())"


def test_what_starting_up_imports() -> None:
    """A server's client and the dictionary of words take longer to load than a lookup takes."""
    imports = f"{EVERY_COMMAND}; print(*sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", imports], capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in shown.stdout.decode().split()}
    assert "dupdex" in loaded
    assert not loaded & {"elasticsearch", "elastic_transport", "jieba", "rjieba", "pypinyin"}


@pytest.mark.usefixtures("stored")
def test_a_store_without_a_server_needs_no_client(tmp_path: Path) -> None:
    program = (
        sys.executable,
        "-c",
        "import sys, dupdex.cli\n"
        "try: dupdex.cli.main()\n"
        "finally: print(*sorted(sys.modules), file=sys.stderr)",
    )
    for arguments in (["--help"], ["get", "rain"], ["info"]):
        done = run(*arguments, folder=tmp_path, program=program)
        assert done.status == 0
        loaded = {name.partition(".")[0] for name in done.err.split()}
        assert not loaded & {"elasticsearch", "elastic_transport", "jieba", "rjieba"}


@pytest.mark.usefixtures("stored")
def test_a_command_loads_no_other(tmp_path: Path) -> None:
    code = (
        "import sys, dupdex.cli\n"
        "try: dupdex.cli.main()\n"
        "finally: print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = run("get", "rain", folder=tmp_path, program=(sys.executable, "-c", code))
    assert done.status == 0
    loaded = set(done.err.split())
    assert "dupdex.cli.reading" in loaded
    assert not loaded & {"dupdex.cli.serve", "dupdex.cli.schedule", "dupdex.jobs.scheduler"}


def test_commands_that_write_no_page_do_not_wait_for_templates() -> None:
    code = f"{EVERY_COMMAND}; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["query.py", "indexer/__init__.py", "mappings/other.py"])
def test_a_module_in_the_way_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("x = 1\n")
    (tmp_path / "app.py").write_text("import dupdex\nprint(dupdex.__version__)\n")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "app.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if name == "mappings/other.py":  # no package: ours goes before it
        assert (done.returncode, done.stdout) == (0, f"{dupdex.__version__}\n")
        return
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: dupdex needs its own package")
    assert str(path) in last
    command = run("schemes", folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert command.status == 2
    assert command.error().startswith("dupdex needs its own package")  # and no traceback


def test_a_folder_that_may_not_be_entered(tmp_path: Path) -> None:
    """As root without the capabilities that let it pass by all rights."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o600)
    drop = "setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "
    if os.getuid():
        drop = ""
    elif not shutil.which("setpriv"):
        pytest.fail("setpriv is not installed; on Debian: apt-get install util-linux")
    for store in ("closed", "closed/inside"):
        command = f'{drop}"$0" "$@"'
        done = run(
            "-c", command, SCRIPT, "info", "--store", store, folder=tmp_path, program=("bash",)
        )
        assert done.status == 4, done.err
        assert "(--store, or DUPDEX_STORE)" in done.error()


def test_without_a_home(tmp_path: Path) -> None:
    """As services often run: no configuration was named, so none is missed."""
    write_lines(tmp_path / "news.jsonl", NEWS)
    done = run("index", "news.jsonl", folder=tmp_path, HOME="/dev/null")
    assert (done.status, done.err) == (0, "")
    assert run("info", folder=tmp_path, HOME="/dev/null").err == ""
