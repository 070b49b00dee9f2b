"""The commands of the command line, loaded one by one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click
import pytest

import dupdex.cli
from dupdex.cli.lazy_commands import LazyCommands


def test_every_command_is_there() -> None:
    """Each command of a module of the folder, unless it stands below another."""
    commands = LazyCommands()
    every: set[click.Command] = set()
    for module in iter_modules(dupdex.cli.__path__, "dupdex.cli."):
        found = vars(import_module(module.name)).values()
        every.update(each for each in found if isinstance(each, click.Command))
    for each in list(every):
        if isinstance(each, click.Group):
            every -= set(each.commands.values())
    assert set(commands.values()) == every - {dupdex.cli.cli}
    assert {name: command.name for name, command in commands.items()} == {n: n for n in commands}


def test_it_is_a_mapping() -> None:
    commands, other = LazyCommands(), click.Command("other")
    size = len(commands)
    assert "check" in commands
    assert commands["check"] is commands["check"]
    assert commands.get("absent") is None
    commands["other"] = other
    assert (commands["other"], len(commands), list(commands)[-1]) == (other, size + 1, "other")
    del commands["other"], commands["check"]
    assert len(commands) == len(list(commands)) == size - 1
    assert "check" not in commands
    with pytest.raises(KeyError):
        del commands["check"]
