"""The documentation says what the program does: docs/cli.md is made from it and holds all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dupdex.cli import cli
from scripts.cli_reference import reference

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def options() -> Iterator[tuple[str, click.Option]]:
    for name, command in cli.commands.items():
        for each in command.params:
            if isinstance(each, click.Option):
                yield name, each


def test_the_reference_is_up_to_date() -> None:
    committed = DOCUMENT.read_text("utf-8")
    assert committed == reference(), "run: python -m scripts.cli_reference > docs/cli.md"


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_and_option_is_named(name: str) -> None:
    document = DOCUMENT.read_text("utf-8")
    _, found, rest = document.partition(f"\n## {name}\n")
    assert found
    section = rest.partition("\n## ")[0]
    assert f"dupdex {name}" in section
    for each in cli.commands[name].params:
        if isinstance(each, click.Option):
            for option in each.opts:
                assert f"`{option}`" in section


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_help(name: str) -> None:
    command = cli.commands[name]
    assert command.help
    first = command.help.split("\n\n")[0]
    assert len(" ".join(first.split())) <= 70, "the list of commands shows one line of each"


def test_every_option_has_help() -> None:
    for command, option in options():
        assert option.help, f"{command} {option.opts}"
        assert option.help[0].isupper() or not option.help[0].isalpha()


def test_commands_that_answer_by_exit_status_say_so() -> None:
    silent = {"completion", "evaluate", "info", "plan", "schemes"}
    for name in set(cli.commands) - silent:
        assert "Exit status" in str(cli.commands[name].help), name
