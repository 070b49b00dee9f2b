"""Who sends a request, and what they may do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mappings.errors import AccessRefused
from query.answers import Filter

if TYPE_CHECKING:
    from starlette.types import Scope


class Right(StrEnum):
    """What a caller may do: ask; store and delete documents; decide about pairs, groups and banks;
    attach, schedule and everything else. `admin` includes all, `write` and `review` include
    `read`."""

    READ = "read"
    WRITE = "write"
    REVIEW = "review"
    ADMIN = "admin"


class NotAllowed(AccessRefused):
    """The caller is known, and may not do this."""

    status = 403


@lru_cache(maxsize=10_000)
def covers(pattern: str, name: str) -> bool:
    """Whether a pattern, in which only `*` is special, covers a name, or all that a name with
    wildcards can stand for: a `*` in the name is met by nothing but a `*` in the pattern."""
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(".*".join(parts), name, re.DOTALL) is not None


@dataclass(frozen=True, slots=True)
class Caller:
    """`indices`: patterns of the names that may be used; `filters`: query clauses that every
    document must meet that this caller is told of, by pattern of the index. A caller with filters
    may use only names that one of their patterns covers, with `[]` for all documents, so that no
    alias leads past them; it may write where there is no clause to meet.

    `rate`: requests a second of one process, None for any number. `seal`: known to gateways with
    this key in their file, and to nobody else.
    """

    name: str
    rights: frozenset[Right]
    indices: tuple[str, ...] = ("*",)
    filters: Mapping[str, Sequence[Filter]] = field(default_factory=dict)
    rate: float | None = None
    seal: str = field(default="", repr=False, compare=False)

    @property
    def is_restricted(self) -> bool:
        """Whether some indices or documents do not exist for this caller."""
        return "*" not in self.indices or bool(self.filters)

    def may(self, right: Right) -> bool:
        if Right.ADMIN in self.rights or right in self.rights:
            return True
        return right is Right.READ and bool(self.rights & {Right.WRITE, Right.REVIEW})

    def check(self, right: Right, *names: str) -> None:
        """Raises NotAllowed unless the caller may do this with indices of these names."""
        if not self.may(right):
            raise NotAllowed(
                f"key {self.name!r} may not do this; it takes the right {right.value!r}"
            )
        for name in (each for joined in names for each in joined.split(",")):
            if not any(covers(pattern, name) for pattern in self.indices):
                shown = ", ".join(self.indices)
                raise NotAllowed(f"key {self.name!r} may not use index {name!r}, only {shown}")
            if self.filters and not any(covers(pattern, name) for pattern in self.filters):
                shown = ", ".join(self.filters)
                raise NotAllowed(
                    f"key {self.name!r} sees filtered documents of {shown}, and nothing of {name!r}"
                )
            if right is Right.WRITE and self.filters_of(name):
                raise NotAllowed(
                    f"key {self.name!r} sees filtered documents of {name!r}, and so may not write "
                    "there; give what writes a key without filters"
                )

    def filters_of(self, name: str) -> list[Filter]:
        """What documents of an index must meet for this caller; an empty list for all. For a name
        with wildcards that is what all indices ask for."""
        return [
            clause
            for pattern, clauses in self.filters.items()
            if "*" in name or covers(pattern, name)
            for clause in clauses
        ]


ANYBODY: Final = Caller("anybody", frozenset({Right.ADMIN}))
"""The caller where there is no authentication."""

_KEY: Final = "dupdex.caller"


def caller_of(scope: Scope) -> Caller:
    """The caller of a request, as the guard has found out."""
    caller: Caller = scope.get(_KEY, ANYBODY)
    return caller


def set_caller(scope: Scope, caller: Caller) -> None:
    scope[_KEY] = caller
