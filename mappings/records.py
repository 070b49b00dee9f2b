"""What is kept beside an index: matches, groups, decisions, pins, corrections, runs, copies,
leases, requests, reviews.

Documents are named in them by `key_of`: index and id in one keyword.
"""

from __future__ import annotations

from typing import Final

from mappings.collections import Attribute, Collection, Kind, keyword

_SEPARATOR: Final = "|"
"""No name of an index has it."""


def key_of(index: str, document_id: str) -> str:
    """A document in one keyword, for attributes of collections."""
    return f"{index}{_SEPARATOR}{document_id}"


def parts_of_key(key: str) -> tuple[str, str]:
    """The index and the id in a key."""
    index, _, document_id = key.partition(_SEPARATOR)
    return index, document_id


MATCHES: Final = Collection(
    "matches",
    1,
    (
        keyword("first", required=True),
        keyword("second", required=True),
        keyword("verdict", required=True),
        Attribute("similarity", Kind.DOUBLE, indexed=True, required=True),
        Attribute("first_share", Kind.DOUBLE, indexed=True),
        Attribute("second_share", Kind.DOUBLE, indexed=True),
        keyword("direction"),
        keyword("schemes"),
        keyword("facts"),
        keyword("template"),
        keyword("disguise"),
        keyword("plan", required=True),
        keyword("run"),
        keyword("decision"),
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
        keyword("canonical", required=True),
        Attribute("size", Kind.LONG, indexed=True, required=True),
        Attribute("made", Kind.DATE, indexed=True, required=True),
        Attribute("changed", Kind.DATE, indexed=True, required=True),
        keyword("merged_into"),
        keyword("by_hand"),
        keyword("complete", indexed=False),
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
        keyword("first", required=True),
        keyword("second", required=True),
        keyword("decision", required=True),
        keyword("by"),
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
        keyword("place", required=True),
        keyword("by"),
        Attribute("why", Kind.TEXT),
        Attribute("at", Kind.DATE, indexed=True, required=True),
    ),
)
"""Documents that people put into a group, by key: those of one `place` are together."""

CORRECTIONS: Final = Collection(
    "corrections",
    1,
    (
        keyword("kind", required=True),
        keyword("first_place"),
        keyword("second_place"),
        keyword("chosen"),
        keyword("by"),
        Attribute("why", Kind.TEXT),
        Attribute("at", Kind.DATE, indexed=True, required=True),
        Attribute("documents", Kind.JSON),
        Attribute("groups", Kind.JSON),
    ),
)
"""What people corrected in groups, with what was before, until it is undone. `kind` is merge,
split, canonical or release; `first_place`, `second_place`: where documents were pinned, or ids of
groups that show a release; `chosen`: the key of the document that became canonical; `documents`: by
key, the place, the group before and the pin before; `groups`: records of groups before, by id.
"""

RUNS: Final = Collection(
    "runs",
    1,
    (
        keyword("job", required=True),
        keyword("state", required=True),
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

COPIES: Final = Collection(
    "copies",
    1,
    (
        keyword("document", required=True),
        keyword("original", required=True),
        keyword("group", required=True),
        keyword("source"),
        keyword("original_source"),
        keyword("across", required=True),
        Attribute("time", Kind.DATE, indexed=True),
        Attribute("original_time", Kind.DATE, indexed=True),
        Attribute("delay", Kind.LONG, indexed=True),
        Attribute("listed", Kind.DATE, indexed=True, required=True),
    ),
)
"""One copy an item, by the id of the pair: a member of a group beside the canonical one, its
`original`. `across`: "yes" when both have sources and these differ, else "no"; `delay`: seconds
from the original to the copy, negative when the copy has the earlier time; `listed`: when the list
was made.
"""

LEASES: Final = Collection(
    "leases",
    1,
    (
        keyword("owner", required=True),
        Attribute("until", Kind.DATE, indexed=True, required=True),
        Attribute("unsettled", Kind.JSON),
    ),
    passing=True,
)
"""Who may do what only one may do at a time, by the name of that; it lapses at `until`.
`unsettled`: what the owner has begun, for whoever comes after it."""

REQUESTS: Final = Collection(
    "requests",
    1,
    (
        keyword("digest", required=True),
        Attribute("until", Kind.DATE, indexed=True, required=True),
        Attribute("status", Kind.LONG),
        Attribute("answer", Kind.JSON),
    ),
)
"""What a service remembers of requests until `until`: those with an idempotency key, by a digest of
the key, with what they asked (`digest`) and what they were answered, `status` absent while they are
under way; and jobs that are to stop.
"""

REVIEWS: Final = Collection(
    "reviews",
    1,
    (
        keyword("first", required=True),
        keyword("second", required=True),
        keyword("state", required=True),
        keyword("owner", required=True),
        Attribute("until", Kind.DATE, indexed=True, required=True),
    ),
)
"""Pairs before the eyes of reviewers, each until a time: `held`, by the id of the match, which
nobody but the owner is given; `skipped`, which the owner is not given again.
"""

RECORDS: Final = (
    MATCHES,
    GROUPS,
    DECISIONS,
    PINS,
    CORRECTIONS,
    RUNS,
    COPIES,
    LEASES,
    REQUESTS,
    REVIEWS,
)
"""Everything that is kept beside an index, and goes with it."""
