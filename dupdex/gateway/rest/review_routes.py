"""review: undecided pairs handed out to reviewers, and what reviewers did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import msgspec

from dupdex.gateway.callers import Right
from dupdex.gateway.rest.match_routes import time_of
from dupdex.gateway.rest.operations import Asked, Gives, Operation, Operations, Reply, Target
from dupdex.gateway.rest.rest_limits import Id, Share
from dupdex.gateway.rest.whose import by_of
from dupdex.matches.review_figures import ReviewFigures
from dupdex.matches.review_queue import MOST, Seat, Turn
from dupdex.wire.forms import to_json
from mappings.collections import moment
from query.answers import Verdict

_TAG: Final = "review"
_LONGEST: Final = 100

SeatName = Annotated[
    str,
    msgspec.Meta(
        min_length=1, max_length=_LONGEST, description="A name of the window of a reviewer."
    ),
]


class NextBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`seat`: who holds the pairs, a name that each window makes for itself. `second_opinions`: the
    share of decided pairs that another reviewer gets, too. Without `by` the caller reviews."""

    seat: SeatName
    by: Annotated[str, msgspec.Meta(max_length=_LONGEST)] = ""
    size: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = 1
    second_opinions: Share = 0.0
    verdict: list[Verdict] = msgspec.field(default_factory=lambda: [Verdict.NEAR])


class SkipBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`undo`: the pair may come again at once."""

    first: Id
    second: Id
    seat: SeatName
    by: Annotated[str, msgspec.Meta(max_length=_LONGEST)] = ""
    undo: bool = False


class ReleaseBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Whose pairs are given back."""

    seat: SeatName


class FiguresQuery(Target):
    """`since`: decisions of this time and later are recent ones, without it those of the last 24
    hours; `verdict`: what is left of pairs with it."""

    since: datetime | None = None
    verdict: list[Verdict] | None = None


@dataclass(frozen=True, slots=True)
class Turns:
    """Pairs that the seat holds now; `left`: pairs that nobody has decided about."""

    pairs: tuple[Turn, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Until when the pair does not come again."""

    until: str


@dataclass(frozen=True, slots=True)
class GivenBack:
    """How many pairs were given back."""

    released: int


def following(asked: Asked) -> Reply:
    """Hand out pairs."""
    body: NextBody = asked.body
    verdicts, reviews = tuple(body.verdict) or (Verdict.NEAR,), asked.index.reviews
    turns = reviews.next(_seat(asked, body), body.size, body.second_opinions, verdicts)
    pairs = [{**to_json(each), "record": to_json(each.record)} for each in turns]
    return Reply({"pairs": pairs, "left": reviews.left(verdicts)})


def skip(asked: Asked) -> Reply:
    """Give a pair back for a day."""
    body: SkipBody = asked.body
    index = asked.index
    refs = index.ref_of(body.first), index.ref_of(body.second)
    return Reply({"until": index.reviews.pass_over(*refs, _seat(asked, body), body.undo)})


def release(asked: Asked) -> Reply:
    """Give all pairs of a seat back."""
    return Reply({"released": asked.index.reviews.give_back(_seat(asked, asked.body))})


def figures(asked: Asked) -> Reply:
    """What is left, and what was done."""
    query: FiguresQuery = asked.query
    day = moment(datetime.now(UTC) - timedelta(days=1))
    since = time_of(query.since) if query.since else day
    verdicts = tuple(query.verdict or (Verdict.NEAR,))
    return Reply(to_json(asked.index.reviews.figures(since, verdicts)))


def _seat(asked: Asked, body: NextBody | SkipBody | ReleaseBody) -> Seat:
    """Seats of different callers are different ones, whatever they are called."""
    by = "" if isinstance(body, ReleaseBody) else body.by
    return Seat(f"{asked.caller.name}/{body.seat}", by_of(asked, by))


OPERATIONS: Final[Operations] = (
    Operation(
        "POST",
        "/review/next",
        "next_reviews",
        "Hands out pairs that nobody decided about, the most doubtful first: those near the "
        "threshold of the plan, with facts that differ, or of one template. A pair is held for "
        "five minutes, in which no other seat gets it; asking again holds it on.",
        Right.REVIEW,
        {200: Gives("The pairs that the seat holds.", Turns)},
        following,
        body=NextBody,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/review/skip",
        "skip_review",
        "Gives a pair back; it goes to others, and for a day not to this reviewer.",
        Right.REVIEW,
        {200: Gives("Until when.", Skipped)},
        skip,
        body=SkipBody,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/review/release",
        "release_reviews",
        "Gives back all pairs that a seat holds, as when its window is closed.",
        Right.REVIEW,
        {200: Gives("How many.", GivenBack)},
        release,
        body=ReleaseBody,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/review/figures",
        "review_figures",
        "Says how many pairs wait for a decision, what each reviewer decided and how fast, and "
        "how far two reviewers of one pair agree.",
        Right.REVIEW,
        {200: Gives("The figures.", ReviewFigures)},
        figures,
        query=FiguresQuery,
        whole=True,
        tag=_TAG,
    ),
)
