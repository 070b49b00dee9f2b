"""The program as a whole: help, usage errors, exit statuses, completion, what it imports."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from dupdex.cli import cli
from dupdex.cli.parameters import EXIT_CODES
from mappings.errors import DupdexError
from tests.command import environment
from tests.unit.dupdex.cli.conftest import CommandLine


def test_help_of_every_command(dupdex: CommandLine) -> None:
    assert dupdex("--help").out.startswith("Usage: dupdex [OPTIONS] COMMAND")
    for name in cli.commands:
        shown = dupdex(name, "--help")
        assert shown.status == 0
        assert shown.out.startswith(f"Usage: dupdex {name}")
    assert dupdex("--version").out.startswith("dupdex, version ")


def test_nothing_at_all_shows_the_help(dupdex: CommandLine) -> None:
    shown = dupdex()
    assert "Commands:" in shown.out + shown.err
    assert "internal error" not in shown.err


@pytest.mark.parametrize("arguments", [["bogus"], ["--bogus"], ["get"], ["completion", "tcsh"]])
def test_usage_errors_are_one_line_with_the_next_step(
    dupdex: CommandLine, arguments: list[str]
) -> None:
    refused = dupdex(*arguments)
    assert refused.status == 2
    assert "--help'" in refused.error()


def test_every_error_has_an_exit_status_that_the_help_lists() -> None:
    kinds = DupdexError.__subclasses__()
    assert set(EXIT_CODES) == set(kinds)
    shown = " ".join(str(cli.help).split())
    for status in {0, 1, 70, 130, *EXIT_CODES.values()}:
        assert f" {status} " in shown


def test_a_fault_of_ours_is_one_line_too(
    dupdex: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(cli.commands["info"], "callback", broken)
    fault = dupdex("info")
    assert fault.status == 70
    (line,) = fault.err.splitlines()
    assert line.startswith("dupdex: internal error: RuntimeError: two lines; please report it")
    monkeypatch.setenv("DUPDEX_DEBUG", "1")
    with pytest.raises(RuntimeError):
        dupdex("info")


def test_interrupted(dupdex: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.commands["info"], "callback", interrupt)
    left = dupdex("info")
    assert left.status == 130
    assert left.err.split() == ["dupdex:", "interrupted"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_in_other_shells(dupdex: CommandLine, shell: str) -> None:
    script = dupdex("completion", shell)
    assert script.status == 0
    assert "_DUPDEX_COMPLETE" in script.out


def test_every_argument_and_option_has_a_name_for_its_value() -> None:
    for command in cli.commands.values():
        for each in command.params:
            if isinstance(each, click.Argument):
                assert each.metavar


def test_the_environment_of_these_tests_is_their_own(tmp_path: Path) -> None:
    os.environ["DUPDEX_STORE"] = "http://127.0.0.1:1"
    try:
        assert "DUPDEX_STORE" not in environment(tmp_path)
    finally:
        del os.environ["DUPDEX_STORE"]
