"""How far an index that dupdex did not make answers lookups."""

from __future__ import annotations

from enum import StrEnum

from mappings.errors import PlanMismatch


class Attachment(StrEnum):
    """The state of an attached index, kept in its meta."""

    FILLING = "filling"  # some documents have no fingerprint yet
    DONE = "done"
    LEAVING = "leaving"  # `dupdex detach` has begun to take everything away

    @classmethod
    def of(cls, value: object) -> Attachment | None:
        """What is stored; None for an index that dupdex made, or an unknown state."""
        return cls(value) if isinstance(value, str) and value in set(cls) else None


class BeingDetached(PlanMismatch):
    """`dupdex detach` has begun: nothing is looked up, nothing gets a fingerprint any more."""


def check_attached(state: Attachment | None) -> None:
    """Raise BeingDetached for an index that is being detached: some documents have lost their keys
    already, and "no duplicate" would be wrong."""
    if state is Attachment.LEAVING:
        raise BeingDetached(
            "dupdex is being detached from the index; run 'dupdex detach' again to go on, or "
            "'dupdex attach' to have it back"
        )


def furthest_back(states: list[Attachment | None]) -> Attachment | None:
    """The state of several indices behind one name: that of the one that covers least."""
    for state in (Attachment.LEAVING, Attachment.FILLING, Attachment.DONE):
        if state in states:
            return state
    return None
