"""Resources: what a plan reads texts with goes to a process that has none of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexer.resources import resources_of
from mappings.errors import PlanMismatch
from mappings.plan import STANDARD


def test_what_is_not_here_cannot_be_sent() -> None:
    with pytest.raises(PlanMismatch, match="does not ship"):
        resources_of(replace(STANDARD, table="99"))
