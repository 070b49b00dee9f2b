"""The commands by name, each loaded when it is asked for: a run needs one of them, and loading all
is a fifth of the time that a short one takes.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Final

import click

_MODULES: Final = {
    "api_key_commands": ("keys",),
    "attach_commands": ("attach", "detach"),
    "banks": ("banks",),
    "check_store": ("check-store",),
    "crawling_sites": ("crawl",),
    "decide": ("decide",),
    "delete": ("delete",),
    "evaluate": ("evaluate",),
    "explain": ("explain",),
    "forget": ("forget",),
    "group": ("group",),
    "groups": ("groups",),
    "infringements": ("infringement",),
    "jobs": ("jobs",),
    "kibana": ("kibana",),
    "learn": ("learn",),
    "lookups": ("check", "compare"),
    "matches": ("matches",),
    "pages": ("pages",),
    "pairs": ("pairs",),
    "planning": ("plan",),
    "reading": ("get", "info", "search"),
    "replaying": ("replay",),
    "reporting": ("report",),
    "reviewing": ("review",),
    "schedule": ("schedule",),
    "scheme_commands": ("schemes",),
    "serve": ("serve",),
    "spark_group": ("spark-group",),
    "statistics": ("statistics",),
    "sweeping": ("sweep",),
    "tune": ("tune",),
    "work_commands": ("works",),
    "writing": ("index", "rebuild"),
}
"""The commands of each module of this folder; the function of `spark-group` is `spark_group`."""


class LazyCommands(MutableMapping[str, click.Command]):
    """Every command of `dupdex` by its name."""

    def __init__(self) -> None:
        self._modules = {name: module for module, names in _MODULES.items() for name in names}
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            module = import_module(f"dupdex.cli.{self._modules[name]}")
            self._loaded[name] = getattr(module, name.replace("-", "_"))
        return self._loaded[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._modules.pop(name, None)
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._modules, *self._loaded))

    def __len__(self) -> int:
        return len({*self._modules, *self._loaded})
