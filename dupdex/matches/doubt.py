"""How much a pair needs somebody's eyes: what a queue of reviews is ordered by.

The doubt about a pair is how near its similarity is to the plan's threshold `near`, 1 at it or
below and 0 for equal texts; facts that differ add .25 and a template .5, as such pairs are alike
whatever they say. So a filling of a form comes before any clear copy, and a copy with another
number in it before one that is as similar. Records do not keep the length of texts, so the higher
threshold of short ones is left out of account.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from heapq import merge
from typing import Final

from dupdex.matches.match_record import UNDECIDED, MatchRecord
from indexer.stores.collection_store import CollectionStore, Condition, Cursor, Equals, Query
from mappings.plan import Plan
from query.answers import Verdict

_PAGE: Final = 50


class Cause(StrEnum):
    """What a pair is doubtful for, above all."""

    TEMPLATE = "template"
    FACTS = "facts"
    THRESHOLD = "threshold"


MORE: Final = {Cause.TEMPLATE: 0.5, Cause.FACTS: 0.25, Cause.THRESHOLD: 0.0}
"""What a cause adds to the doubt."""

_ASKED: Final[dict[Cause, tuple[Condition, ...]]] = {
    Cause.TEMPLATE: (Equals("template", ("yes",)),),
    Cause.FACTS: (Equals("facts", ("differ",)),),
    Cause.THRESHOLD: (),
}


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A pair with the doubt about it, 0 to 1.5."""

    record: MatchRecord
    doubt: float
    cause: Cause


def doubt_of(record: MatchRecord, plan: Plan) -> Doubtful:
    """The doubt about a pair under a plan."""
    cause = _cause(record)
    near = plan.thresholds.near
    distance = max(record.similarity - near, 0.0) / max(1.0 - near, 1e-9)
    return Doubtful(record, 1.0 - min(distance, 1.0) + MORE[cause], cause)


def by_doubt(
    matches: CollectionStore, plan: Plan, verdicts: tuple[Verdict, ...]
) -> Iterator[Doubtful]:
    """The undecided pairs with one of these verdicts, the most doubtful first, read page by page as
    they are taken. Each cause is a query of its own, sorted by similarity, and these are merged; a
    pair comes with the first cause it has."""
    streams = [_stream(matches, plan, verdicts, cause) for cause in Cause]
    yield from merge(*streams, key=lambda each: -each.doubt)


def _stream(
    matches: CollectionStore, plan: Plan, verdicts: tuple[Verdict, ...], cause: Cause
) -> Iterator[Doubtful]:
    asked = (*undecided(verdicts), *_ASKED[cause])
    after: Cursor | None = None
    while True:
        page = matches.query(Query(asked, "similarity", limit=_PAGE, after=after))
        for item in page.items:
            found = doubt_of(MatchRecord.from_values(item.values), plan)
            if found.cause is cause:
                yield found
        after = page.next
        if after is None:
            return


def undecided(verdicts: tuple[Verdict, ...]) -> tuple[Condition, ...]:
    """What makes a pair wait for a decision."""
    return (
        Equals("decision", (UNDECIDED,)),
        Equals("verdict", tuple(verdict.value for verdict in verdicts)),
    )


def _cause(record: MatchRecord) -> Cause:
    if record.template:
        return Cause.TEMPLATE
    return Cause.FACTS if record.facts == "differ" else Cause.THRESHOLD
