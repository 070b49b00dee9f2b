"""What becomes of a write that changes a text where nobody can look: scripts, ingest pipelines."""

from __future__ import annotations

from enum import StrEnum


class OnRewrite(StrEnum):
    """`refuse`: it does not take place; `mark`: it does, and what is stored by then gets its
    fingerprint anew."""

    REFUSE = "refuse"
    MARK = "mark"

    @classmethod
    def of(cls, value: object) -> OnRewrite:
        """What is stored; anything unknown is the careful one."""
        return cls.MARK if value == cls.MARK.value else cls.REFUSE
