"""What programs give to an index, checked: where it is, ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dupdex.location import Location
from dupdex.session import Session
from mappings.errors import InputRefused
from query.answers import Stored


def told(documents: Iterator[Stored], step: Callable[[int], None]) -> Iterator[Stored]:
    """Documents as they come; `step` is told of each once the next one is asked for."""
    for document in documents:
        yield document
        step(1)


def session_of(where: Location | Session) -> tuple[Session, bool]:
    """The session, and whether it was made here. Raises InputRefused for neither of the two."""
    if not isinstance(where, Location | Session):
        raise InputRefused(f"{type(where).__name__} is no place of an index; give Location(PLACE)")
    return (where, False) if isinstance(where, Session) else (Session(where), True)


def ids_in(ids: Iterable[str]) -> list[str]:
    """Raises InputRefused for one id in place of several, and for ids that are no strings."""
    if isinstance(ids, str):
        raise InputRefused(f"{ids!r} is one id, a list of ids is needed: write [{ids!r}]")
    wanted = list(ids)
    for name in wanted:
        if not isinstance(name, str):
            raise InputRefused(f"the id {name!r} is not a string; ids are stored as strings")
    return wanted
