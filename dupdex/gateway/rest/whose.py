"""Who is told to have said something."""

from __future__ import annotations

from dupdex.gateway.callers import ANYBODY
from dupdex.gateway.rest.operations import Asked


def by_of(asked: Asked, said: str = "") -> str:
    """The name that was given, else that of the key; nothing where there is no key."""
    if said or asked.caller == ANYBODY:
        return said
    return asked.caller.name
