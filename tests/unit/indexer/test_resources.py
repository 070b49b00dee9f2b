"""Resources: what a plan reads texts with goes to a process that has none of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexer.resources import resources_of
from mappings.errors import PlanMismatch
from mappings.plan import STANDARD


def test_skeletons_go_along_with_either_step_that_reads_them() -> None:
    steps = ("nfkc", "casefold", "simplified", "invisible", "space", "punctuation")
    names = [
        set(resources_of(replace(STANDARD, steps=(*steps, *more))).files)
        for more in ((), ("skeleton",), ("meant",), ("skeleton", "meant"))
    ]
    assert names[1] == names[2] == names[3] > names[0]


def test_what_is_not_here_cannot_be_sent() -> None:
    with pytest.raises(PlanMismatch, match="does not ship"):
        resources_of(replace(STANDARD, table="99"))
