"""How an index keeps groups of near duplicates: which member of a group stands for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

from mappings.errors import InputRefused

_LONGEST: Final = 1_000
"""Values of an authority list."""


class Policy(StrEnum):
    """Which member of a group is the canonical one; ties go to the one seen first."""

    FIRST = "first"  # seen by the index before the others
    EARLIEST = "earliest"  # the least value of a date or number field
    LONGEST = "longest"
    AUTHORITY = "authority"  # by a list of a field's values, best first


@dataclass(frozen=True, slots=True)
class Grouping:
    """A policy, with the field (a dotted path) and the values that it needs. `live`: documents are
    grouped as they are written, not by sweeps alone.

    Raises InputRefused for a policy without what it needs.
    """

    policy: Policy = Policy.FIRST
    field: str = ""
    values: tuple[str, ...] = ()
    live: bool = False

    def __post_init__(self) -> None:
        if (self.policy in (Policy.EARLIEST, Policy.AUTHORITY)) != bool(self.field):
            needs = "needs the name of a field" if not self.field else "reads no field"
            raise InputRefused(f"the policy {self.policy.value!r} {needs}")
        if (self.policy is Policy.AUTHORITY) != bool(self.values):
            needs = "needs a list of values" if not self.values else "takes no list of values"
            raise InputRefused(f"the policy {self.policy.value!r} {needs}")
        if len(self.values) > _LONGEST:
            raise InputRefused(f"an authority list has at most {_LONGEST:,} values")

    def to_json(self) -> dict[str, Any]:
        """As it is stored in the meta of the index."""
        out: dict[str, Any] = {"policy": self.policy.value, "live": self.live}
        if self.field:
            out["field"] = self.field
        if self.values:
            out["values"] = list(self.values)
        return out

    @classmethod
    def from_json(cls, value: object) -> Self | None:
        """What is stored; None for an index that keeps no groups, or by a policy that this version
        does not know."""
        if not isinstance(value, dict):
            return None
        values = value.get("values")
        try:
            return cls(
                Policy(str(value.get("policy"))),
                str(value.get("field", "")),
                tuple(map(str, values)) if isinstance(values, list) else (),
                value.get("live") is True,
            )
        except (ValueError, InputRefused):
            return None
