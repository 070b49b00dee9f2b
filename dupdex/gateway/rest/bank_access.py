"""The banks of the service, and which of them a caller may see and change."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Final
from weakref import WeakKeyDictionary

import msgspec

from dupdex.banks.bank_model import Bank
from dupdex.banks.bank_store import Banks
from dupdex.banks.flood_guard import LONGEST_WINDOW, MOST_TIMES, FloodGuard, FloodRule
from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.rest.operations import Asked
from dupdex.gateway.rest.rest_limits import Name
from dupdex.gateway.services import Services

_MOST_GUARDS: Final = 100


class FloodBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """So many `times` the same within a window of `seconds` are a flood. What is asked with the
    same `name` and window is counted together."""

    times: Annotated[int, msgspec.Meta(ge=2, le=MOST_TIMES)]
    seconds: Annotated[float, msgspec.Meta(ge=1, le=LONGEST_WINDOW.total_seconds())]
    name: Name = "default"


@dataclass(slots=True)
class Kept:
    """What requests have in common; guards are kept, as threads of one take turns."""

    banks: Banks
    guards: dict[FloodRule, FloodGuard] = field(default_factory=dict)
    turn: threading.Lock = field(default_factory=threading.Lock)


_EVERY: Final[WeakKeyDictionary[Services, Kept]] = WeakKeyDictionary()
_TURN: Final = threading.Lock()


def banks_of(services: Services) -> Banks:
    """The banks of a service; the same object for all that ask."""
    return _kept(services).banks


def guard_of(asked: Asked, body: FloodBody) -> FloodGuard:
    """The guard that counts for all who ask so. A key with limits counts for itself: it is not to
    learn what others post."""
    caller = asked.caller
    own = f"{caller.name}|" if caller.filters or caller.indices != ("*",) else ""
    rule = FloodRule(body.times, timedelta(seconds=body.seconds), own + body.name)
    kept = _kept(asked.services)
    with kept.turn:
        if rule not in kept.guards:
            if len(kept.guards) >= _MOST_GUARDS:
                kept.guards.pop(next(iter(kept.guards)))
            kept.guards[rule] = FloodGuard(kept.banks.home, rule)
        return kept.guards[rule]


def readable(asked: Asked, name: str) -> Bank:
    """A bank whose entries the caller may see. Raises NotFound, NotAllowed."""
    bank = banks_of(asked.services).get(name)
    asked.caller.check(Right.REVIEW, *bank.indices)
    return bank


def may_use(caller: Caller, names: Iterable[str]) -> bool:
    """Whether the caller may use all indices of these names, or that these patterns stand for."""
    try:
        caller.check(Right.READ, *names)
    except NotAllowed:
        return False
    return True


def _kept(services: Services) -> Kept:
    with _TURN:
        kept = _EVERY.get(services)
        if kept is None:
            kept = _EVERY[services] = Kept(Banks(services.session))
        return kept
