"""--group and its kin: how an index keeps groups of near duplicates."""

from __future__ import annotations

from typing import Any

import click

from dupdex.cli.parameters import Command, Words
from indexer.grouping import Grouping, Policy
from indexer.meta import IndexMeta
from mappings.errors import InputRefused


def grouping_options(command: Command) -> Command:
    """--group, --canonical, --canonical-field and --authority."""
    for option in (
        click.option(
            "--authority",
            metavar="VALUE,VALUE...",
            type=Words(),
            help="With --canonical authority: values of the field, the best one first.",
        ),
        click.option(
            "--canonical-field",
            metavar="FIELD",
            type=Words(),
            help="With --canonical earliest or authority: the field that is read.",
        ),
        click.option(
            "--canonical",
            type=click.Choice([policy.value for policy in Policy]),
            help="Which member stands for a group. [default: first]",
        ),
        click.option(
            "--group",
            is_flag=True,
            help="Group near duplicates, from now on with every document that is written.",
        ),
    ):
        command = option(command)
    return command


def grouping_of(options: dict[str, Any], stored: IndexMeta | None) -> Grouping | None:
    """How the index is to keep groups; None when nothing is to change. An index that keeps them
    already keeps its policy, unless another one is named.

    Raises InputRefused for options without what they need.
    """
    policy, field, values = options["canonical"], options["canonical_field"], options["authority"]
    if not options["group"]:
        if policy or field or values:
            raise InputRefused("--canonical and what belongs to it need --group")
        return None
    if policy is None and not field and not values:
        before = stored.grouping if stored else None
        given = before or Grouping()
        return Grouping(given.policy, given.field, given.values, live=True)
    listed = tuple(value.strip() for value in (values or "").split(",") if value.strip())
    return policy_of(Policy(policy or Policy.FIRST), field or "", listed, live=True)


def policy_of(
    policy: Policy, field: str, values: tuple[str, ...], *, live: bool = False
) -> Grouping:
    """A policy as the options name it. Raises InputRefused, naming the options that are missing."""
    try:
        return Grouping(policy, field, values, live)
    except InputRefused as error:
        raise InputRefused(f"{error}; see --canonical-field and --authority") from error
