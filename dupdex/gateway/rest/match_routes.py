"""matches and decisions: the verified pairs that are kept, and what people say about them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

import msgspec

from dupdex.gateway.callers import Right
from dupdex.gateway.rest.index_writing import writing
from dupdex.gateway.rest.operations import Asked, Gives, Operation, Operations, Reply, Target
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import Id, Size, Word
from dupdex.gateway.rest.seen_documents import one
from dupdex.gateway.rest.whose import by_of
from dupdex.index import Index
from dupdex.matches.decisions import LONGEST_WHY, UNDO, Decided
from dupdex.matches.match_record import UNDECIDED, KeptPair, MatchRecord
from dupdex.matches.match_store import MatchQuery
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json
from mappings.collections import moment
from query.answers import Decision, Verdict

_TAG: Final = "pairs"


class MatchesQuery(Target):
    """`of`: pairs of this document; `decision`: about which this was decided, or nobody decided;
    `since`: found at or after a time; `run`: found by this job."""

    of: Id | None = None
    verdict: list[Verdict] | None = None
    decision: Literal["duplicate", "not-duplicate", "undecided"] | None = None
    since: datetime | None = None
    run: Word = ""
    size: Size = 100
    after: Word | None = None


class DecisionBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is decided about two stored documents; `undo` takes it back. Without `by` the caller
    decides."""

    first: Id
    second: Id
    decision: Literal["duplicate", "not-duplicate", "undo"]
    why: Annotated[str, msgspec.Meta(max_length=LONGEST_WHY)] = ""
    by: Word = ""


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs, the ones found last first; the next page is after `next`."""

    matches: tuple[MatchRecord, ...]
    next: str | None


def listed(asked: Asked) -> Reply:
    """A page of pairs."""
    query: MatchesQuery = asked.query
    wanted = MatchQuery(
        tuple(asked.index.refs_of(query.of)) if query.of is not None else (),
        tuple(query.verdict or ()),
        UNDECIDED if query.decision == UNDECIDED else query.decision or "",
        time_of(query.since) if query.since else None,
        run=query.run,
    )
    after = from_word(query.after) if query.after else None
    page = asked.index.matches(wanted, query.size, after)
    following = to_word(page.next) if page.next is not None else None
    return Reply({"matches": [to_json(each) for each in page.records], "next": following})


def shown(asked: Asked) -> Reply:
    """The documents of one pair."""
    return Reply(to_json(KeptPair(*asked.index.pair(asked.path["id"]))))


def decide(asked: Asked) -> Reply:
    """Keep a decision, or take it back."""
    body: DecisionBody = asked.body
    if asked.filters:
        for name in (body.first, body.second):
            one(asked, name)
    said = None if body.decision == UNDO else Decision(body.decision)
    by = by_of(asked, body.by)
    with _regrouping(asked) as index:
        return Reply(to_json(index.decide(body.first, body.second, said, body.why, by)))


def _regrouping(asked: Asked) -> AbstractContextManager[Index]:
    """The index, open for what a decision changes: two that are made at the same time wait for each
    other where a folder is grouped, which has one writer."""
    index = asked.index
    if asked.services.location.is_server or index.meta.grouping is None:
        return nullcontext(index)
    return writing(asked.services, asked.target)


def time_of(time: datetime) -> str:
    """A time of the query as it is stored. Raises Refused."""
    try:
        return moment(time if time.tzinfo else time.replace(tzinfo=UTC))
    except (OverflowError, ValueError) as error:
        said = "since is no time that can be compared"
        raise Refused(400, "invalid_request", said, parameter="since") from error


OPERATIONS: Final[Operations] = (
    Operation(
        "GET",
        "/matches",
        "list_matches",
        "Lists the verified pairs that are kept of an index.",
        Right.READ,
        {200: Gives("A page of pairs.", Matches)},
        listed,
        query=MatchesQuery,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/matches/{id}",
        "show_match",
        "Names the two documents of a pair that is kept, by the id of its record: a verified pair, "
        "or a copy and its original in the list of copies.",
        Right.READ,
        {200: Gives("The pair.", KeptPair)},
        shown,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/decisions",
        "decide",
        "Decides whether two stored documents are duplicates. A decision goes before the "
        "verdict, in lookups of stored documents and in groups, until it is undone.",
        Right.REVIEW,
        {200: Gives("What is decided now, and what was before.", Decided)},
        decide,
        body=DecisionBody,
        keeps_key=True,
        tag=_TAG,
    ),
)
