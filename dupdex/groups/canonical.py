"""Which member of a group stands for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indexer.field_path import values_at
from indexer.grouping import Grouping, Policy
from indexer.model import Body, Ref


@dataclass(frozen=True, slots=True)
class Member:
    """What policies read of a document. `length`: letters and digits; `indexed`: when it was
    written last, in milliseconds; `value`: of the policy's field."""

    length: int
    indexed: int
    value: Any = None


def canonical(
    candidates: Sequence[Ref], members: Mapping[Ref, Member], grouping: Grouping, before: Ref | None
) -> Ref:
    """The candidate that the policy prefers. Of equals it is the one that was canonical `before`,
    else the one written first, else the least reference.
    """

    def place(ref: Ref) -> tuple[Any, ...]:
        member = members[ref]
        return (*_place(member, grouping), ref != before, member.indexed, ref)

    return min(candidates, key=place)


def value_of(body: Body, grouping: Grouping) -> Any:
    """The value of the policy's field in a document; None when it has none."""
    if not grouping.field:
        return None
    values = [value for value in values_at(body, grouping.field) if value is not None]
    if grouping.policy is Policy.AUTHORITY:
        ranks = [grouping.values.index(v) for v in map(str, values) if v in grouping.values]
        return min(ranks, default=None)
    return values[0] if values else None


def _place(member: Member, grouping: Grouping) -> tuple[Any, ...]:
    if grouping.policy is Policy.LONGEST:
        return (-member.length,)
    if grouping.policy is Policy.FIRST:
        return ()
    value = member.value
    if value is None:  # behind all that have one
        return (2, 0)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return (0, value) if number else (1, str(value))
