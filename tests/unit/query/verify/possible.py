"""Whether two texts pass the first look."""

from __future__ import annotations

from collections.abc import Sequence

from mappings.plan import Plan
from query.grams import Features
from query.verify.quick_no import Could, what_could_match


def could_match(asked: Features, stored: Features, plan: Plan) -> bool:
    """Whether anything is possible for a pair."""
    return could_match_all(asked, [stored], plan)[0]


def could_match_all(asked: Features, stored: Sequence[Features], plan: Plan) -> list[bool]:
    """Whether anything is possible for each of several pairs."""
    return [could is not Could.NOT for could in what_could_match(asked, stored, plan)]
