"""The collections beside an index: matches, groups, decisions, pins, runs, leases.

Documents are named in them by `key_of`: index and id in one keyword.
"""

from __future__ import annotations

from typing import Final

from mappings.collections import Attribute, Collection, Kind

_SEPARATOR: Final = "|"
"""No name of an index has it."""


def key_of(index: str, document_id: str) -> str:
    """A document in one keyword, for attributes of collections."""
    return f"{index}{_SEPARATOR}{document_id}"


def parts_of_key(key: str) -> tuple[str, str]:
    """The index and the id in a key."""
    index, _, document_id = key.partition(_SEPARATOR)
    return index, document_id


def _keyword(name: str, *, indexed: bool = True, required: bool = False) -> Attribute:
    return Attribute(name, Kind.KEYWORD, indexed, required)


MATCHES: Final = Collection(
    "matches",
    1,
    (
        _keyword("first", required=True),
        _keyword("second", required=True),
        _keyword("verdict", required=True),
        Attribute("similarity", Kind.DOUBLE, indexed=True, required=True),
        Attribute("first_share", Kind.DOUBLE, indexed=True),
        Attribute("second_share", Kind.DOUBLE, indexed=True),
        _keyword("direction"),
        _keyword("schemes"),
        _keyword("facts"),
        _keyword("template"),
        _keyword("disguise"),
        _keyword("plan", required=True),
        _keyword("run"),
        _keyword("decision"),
        Attribute("found", Kind.DATE, indexed=True, required=True),
        Attribute("differences", Kind.JSON),
        Attribute("evidence", Kind.JSON),
    ),
)
"""One verified pair an item, its documents in order of their keys. `direction` is read from the
first; `schemes`: labels of the schemes whose keys met, joined by commas; `facts`: "differ", "same"
or absent when nobody looked; `differences`: the facts; `run`: the sweep or command that found it;
`decision`: what somebody decided about the pair, or "undecided".
"""

GROUPS: Final = Collection(
    "groups",
    1,
    (
        _keyword("canonical", required=True),
        Attribute("size", Kind.LONG, indexed=True, required=True),
        Attribute("made", Kind.DATE, indexed=True, required=True),
        Attribute("changed", Kind.DATE, indexed=True, required=True),
        _keyword("merged_into"),
        _keyword("by_hand"),
        _keyword("complete", indexed=False),
        Attribute("merged", Kind.JSON),
    ),
)
"""One group of two or more an item, by the id that `dupdex.group` holds. A group that another one
took in stays, with `merged_into`, a size of 0 and no canonical member, so that its id can be
resolved. `by_hand`: the canonical member that somebody chose; `merged`: ids of groups that merged
into this one; `complete`: "yes" when all its members are similar to each other, and to no others.
"""

DECISIONS: Final = Collection(
    "decisions",
    1,
    (
        _keyword("first", required=True),
        _keyword("second", required=True),
        _keyword("decision", required=True),
        _keyword("by"),
        Attribute("why", Kind.TEXT),
        Attribute("at", Kind.DATE, indexed=True, required=True),
        Attribute("history", Kind.JSON),
    ),
)
"""What people decided about a pair, by the id of the match: `duplicate`, `not-duplicate`, or `undo`
of an earlier decision. `history`: earlier entries, oldest first.
"""

PINS: Final = Collection(
    "pins",
    1,
    (
        _keyword("place", required=True),
        _keyword("by"),
        Attribute("why", Kind.TEXT),
        Attribute("at", Kind.DATE, indexed=True, required=True),
    ),
)
"""Documents that people put into a group, by key: those of one `place` are together."""

RUNS: Final = Collection(
    "runs",
    1,
    (
        _keyword("job", required=True),
        _keyword("state", required=True),
        Attribute("started", Kind.DATE, indexed=True, required=True),
        Attribute("ended", Kind.DATE, indexed=True),
        Attribute("counts", Kind.JSON),
        Attribute("mark", Kind.JSON),
        Attribute("error", Kind.TEXT),
    ),
)
"""Runs of jobs (`sweep`, `attach`, …): `state` is running, done or failed; `mark`: where an
interrupted one goes on; `counts`: what it did so far.
"""

LEASES: Final = Collection(
    "leases",
    1,
    (
        _keyword("owner", required=True),
        Attribute("until", Kind.DATE, indexed=True, required=True),
        Attribute("unsettled", Kind.JSON),
    ),
)
"""Who may do what only one may do at a time, by the name of that; it lapses at `until`.
`unsettled`: what the owner has begun, for whoever comes after it."""

RECORDS: Final = (MATCHES, GROUPS, DECISIONS, PINS, RUNS, LEASES)
"""Everything that is kept beside an index, and goes with it."""
