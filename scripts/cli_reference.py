"""Prints docs/cli.md, the reference of the command line: python -m scripts.cli_reference.

It is made from the same declarations as `--help`, not from its printed form, which differs from
one version of click to the next. A test compares the committed file with what this prints.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import click

from dupdex.cli import cli

_HEAD = """# Command line

Made by `python -m scripts.cli_reference` from what `dupdex --help` says; do not edit it here.

Where every command finds its index: an option goes before the environment (`DUPDEX_STORE`,
`DUPDEX_INDEX`, `DUPDEX_USERNAME`, `DUPDEX_PASSWORD`, `DUPDEX_API_KEY`, `DUPDEX_CA_FILE`), and
that before the file which `DUPDEX_CONFIG` names: by default `~/.config/dupdex/config.toml`, with
the same names in lower case and no prefix, for example `store = "http://localhost:9200"`.
"""


def main() -> None:
    """Print the reference."""
    sys.stdout.write(reference())


def reference() -> str:
    """The Markdown text of docs/cli.md."""
    parts = [
        _HEAD,
        "```\ndupdex [OPTIONS] COMMAND [ARGS]...\n```\n",
        *_paragraphs(cli),
        _options(cli),
    ]
    for name in sorted(cli.commands):
        parts += _section(name, cli.commands[name])
    return "\n".join(parts)


def _section(name: str, command: click.Command) -> Iterator[str]:
    names = " ".join(_argument(each) for each in command.params if isinstance(each, click.Argument))
    yield f"## {name}\n"
    yield f"```\ndupdex {name} [OPTIONS] {names}".rstrip() + "\n```\n"
    yield from _paragraphs(command)
    yield _options(command)
    if isinstance(command, click.Group):
        for below in sorted(command.commands):
            yield from _section(f"{name} {below}", command.commands[below])


def _argument(argument: click.Argument) -> str:
    name = argument.metavar or str(argument.name).upper()
    return name if argument.required else f"[{name}]"


def _paragraphs(command: click.Command) -> Iterator[str]:
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield " ".join(paragraph.split()) + "\n"


def _options(command: click.Command) -> str:
    lines = ["| option | what it does |", "|---|---|"]
    for each in command.params:
        if isinstance(each, click.Option):
            names = ", ".join(f"`{name}`" for name in each.opts)
            lines.append(f"| {names}{_value(each)} | {_cell(each.help or '')}{_default(each)} |")
    lines.append("| `-h`, `--help` | Show this message and exit. |")
    return "\n".join(lines) + "\n"


def _value(option: click.Option) -> str:
    """What follows the option's name."""
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        name = "|".join(option.type.choices)
    else:
        name = option.metavar or option.type.name.partition(" ")[0].upper()
    return f" {_cell(name)}"


def _default(option: click.Option) -> str:
    return f" [default: {option.default}]" if option.show_default else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
