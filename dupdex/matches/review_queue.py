"""Undecided pairs, handed out to reviewers: the most doubtful first, none to two of them at once.

A pair is held for who got it (a *seat*: one window of one reviewer) until that lapses or it is
given back; a decision leaves it held, so that who takes it back has it again.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from dupdex.matches.decisions import Decided
from dupdex.matches.doubt import Cause, Doubtful, by_doubt, doubt_of, undecided
from dupdex.matches.match_record import MatchRecord, key, pair_id
from dupdex.matches.review_figures import ReviewFigures, figures_of, reviewers_of
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores.collection_store import (
    Between,
    CollectionStore,
    Equals,
    Item,
    Query,
    scan,
)
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import DECISIONS, MATCHES, REVIEWS
from query.answers import Verdict
from query.stores import StoreReader

HELD: Final = 300.0
"""Seconds for which a pair is held; who asks for the next one holds all theirs as long again."""

SKIPPED: Final = timedelta(days=1)
"""After this a pair comes again to who skipped it."""

MOST: Final = 20
"""Pairs that a seat holds."""

_RECENT: Final = 500
"""Decisions, the last ones, of which some are handed out for a second opinion."""

_HELD, _SECOND, _SKIPPED = "held", "second", "skipped"
_NEAR: Final = (Verdict.NEAR,)


@dataclass(frozen=True, slots=True)
class Seat:
    """`name`: who holds pairs, of one window; `reviewer`: who decides, "" for nobody in
    particular."""

    name: str
    reviewer: str = ""

    @property
    def skips_as(self) -> str:
        return self.reviewer or self.name


@dataclass(frozen=True, slots=True)
class Turn:
    """A pair that is held until a time. `second_opinion`: somebody else has decided about it, and
    the record does not say what."""

    record: MatchRecord
    doubt: float
    cause: Cause
    until: str
    second_opinion: bool = False


class ReviewQueue:
    """The queue of an index. Nothing is made before something is handed out; threads share it."""

    def __init__(self, session: Session, index: str | None, reader: StoreReader) -> None:
        self._session, self._index, self._reader = session, index, reader
        self._opened: CollectionStore | None = None
        self._turn = threading.Lock()

    def next(
        self, seat: Seat, size: int = 1, second: float = 0.0, verdicts: Sequence[Verdict] = _NEAR
    ) -> list[Turn]:
        """Up to `size` pairs for a seat: those that it holds, then pairs that wait for a second
        opinion, then the most doubtful ones that nobody decided about. `second`: the share of
        decided pairs that somebody else gets, too, without being told.

        Raises InputRefused for a share that is none, and for a seat without a name.
        """
        if not seat.name:
            raise InputRefused("a seat has a name; give each window of a reviewer one")
        if not 0 <= second <= 1 or not 1 <= size <= MOST:
            raise InputRefused(f"a seat gets 1 to {MOST} pairs, and a share is 0 to 1")
        matches = self._session.stored_collection(MATCHES, self._index)
        if matches is None:
            return []
        hand = _Hand(matches, self._reviews(), self._decisions(), self._reader, seat)
        return hand.filled(size, second, tuple(verdicts))

    def pass_over(self, one: Ref, other: Ref, seat: Seat, undo: bool = False) -> str:
        """Give a pair back and do not get it again before the time that is returned; `undo` lets
        it come again at once."""
        reviews, name = self._reviews(), pair_id(one, other)
        mark, until = _skip_id(name, seat), moment(datetime.now(UTC) + SKIPPED)
        if undo:
            reviews.delete(mark)
        else:
            reviews.put(mark, _values(one, other, _SKIPPED, seat.skips_as, until))
            held = reviews.get(name)
            if held is not None and held.values["owner"] == seat.name:
                reviews.delete(name, held.version)
        reviews.refresh()
        return moment(datetime.now(UTC)) if undo else until

    def give_back(self, seat: Seat) -> int:
        """Hold nothing any more; how many pairs that were."""
        reviews = self._session.stored_collection(REVIEWS, self._index)
        if reviews is None:
            return 0
        reviews = self._reviews()
        reviews.refresh()
        given = [
            reviews.delete(item.id, item.version)
            for item in scan(reviews, [Equals("owner", (seat.name,))])
            if item.values["state"] != _SKIPPED
        ]
        reviews.refresh()
        return sum(given)

    def left(self, verdicts: Sequence[Verdict] = _NEAR) -> int:
        """How many pairs nobody has decided about."""
        matches = self._session.stored_collection(MATCHES, self._index)
        return 0 if matches is None else matches.count(undecided(tuple(verdicts)))

    def figures(self, since: str, verdicts: Sequence[Verdict] = _NEAR) -> ReviewFigures:
        """How much is left, and what was decided since a time (see `moment`), by whom, how fast,
        and how far reviewers agree."""
        matches, left = self._session.stored_collection(MATCHES, self._index), self.left(verdicts)
        reviews = self._session.stored_collection(REVIEWS, self._index)
        held = 0
        if reviews is not None and matches is not None:
            live = Between("until", moment(datetime.now(UTC)))
            names = [item.id for item in scan(reviews, [live, Equals("state", (_HELD,))])]
            seen = matches.get_all(names).values()
            held = sum(MatchRecord.from_values(item.values).decision is None for item in seen)
        decisions = self._decisions()
        items = scan(decisions) if decisions is not None else iter(())
        said = (Decided.from_values(item.values) for item in items)
        return figures_of(said, since, left, held)

    def _reviews(self) -> CollectionStore:
        with self._turn:
            if self._opened is None:
                self._opened = self._session.collection(REVIEWS, self._index)
            return self._opened

    def _decisions(self) -> CollectionStore | None:
        return self._session.stored_collection(DECISIONS, self._index)


class _Hand:
    """What one seat is handed out at one time."""

    def __init__(
        self,
        matches: CollectionStore,
        reviews: CollectionStore,
        decisions: CollectionStore | None,
        reader: StoreReader,
        seat: Seat,
    ) -> None:
        self.matches, self.reviews, self.decisions = matches, reviews, decisions
        self.plan, self.seat = reader.meta.plan, seat
        now = datetime.now(UTC)
        self.now, self.until = moment(now), moment(now + timedelta(seconds=HELD))
        self.turns: list[Turn] = []

    def filled(self, size: int, second: float, verdicts: tuple[Verdict, ...]) -> list[Turn]:
        self.reviews.refresh()
        self._tidy()
        live = list(scan(self.reviews, [Between("until", self.now)]))
        mine = [each for each in live if each.values["owner"] == self.seat.name]
        held = [each for each in mine if each.values["state"] != _SKIPPED]
        out = {each.id for each in live if each.values["owner"] != self.seat.name}
        out |= {
            each.id.partition("-")[0]
            for each in live
            if each.values["state"] == _SKIPPED and each.values["owner"] == self.seat.skips_as
        }
        for found, state in sorted(self._again(held), key=lambda each: -each[0].doubt):
            self._take(found, state)
        if second and self.seat.reviewer:
            self._fill(self._second(second), _SECOND, size, out)
        self._fill(by_doubt(self.matches, self.plan, verdicts), _HELD, size, out)
        if self.turns:
            self.reviews.refresh()
        return self.turns[:size]

    def _tidy(self) -> None:
        """Remove what has lapsed, unless somebody holds it again."""
        lapsed = Query((Between("until", None, self.now),), "until", limit=200)
        for item in self.reviews.query(lapsed).items:
            self.reviews.delete(item.id, item.version)

    def _again(self, held: Sequence[Item]) -> Iterator[tuple[Doubtful, str]]:
        for item in held:
            found = self._open(item.id, item.values["state"])
            if found is not None:
                yield found, item.values["state"]

    def _fill(self, pairs: Iterator[Doubtful], state: str, size: int, out: set[str]) -> None:
        if len(self.turns) >= size:
            return
        out = out | {turn.record.id for turn in self.turns}
        for each in pairs:
            if each.record.id not in out:
                self._take(each, state)
                if len(self.turns) >= size:
                    return

    def _take(self, found: Doubtful, state: str) -> None:
        """Hold a pair, if nobody else does and it still waits."""
        record = found.record
        values = _values(record.first, record.second, state, self.seat.name, self.until)
        if not self._hold(record.id, values):
            return
        now = self._open(record.id, state)  # somebody may have decided before it was held
        if now is None:
            self.reviews.delete(record.id)
            return
        blind = replace(now.record, decision=None)
        self.turns.append(Turn(blind, now.doubt, now.cause, self.until, state == _SECOND))

    def _hold(self, name: str, values: dict[str, str]) -> bool:
        while self.reviews.create(name, values) is None:
            item = self.reviews.get(name)
            if item is None:
                continue
            if item.values["owner"] != self.seat.name and item.values["until"] > self.now:
                return False
            return self.reviews.update(name, values, item.version) is not None
        return True

    def _open(self, name: str, state: str) -> Doubtful | None:
        """The pair if it waits: undecided, or for the second opinion of this reviewer."""
        item = self.matches.get(name)
        if item is None:
            return None
        record = MatchRecord.from_values(item.values)
        if state == _SECOND:
            decided = self.decisions.get(name) if self.decisions is not None else None
            waits = decided is not None and self._wants_second(Decided.from_values(decided.values))
        else:
            waits = record.decision is None
        return doubt_of(record, self.plan) if waits else None

    def _second(self, share: float) -> Iterator[Doubtful]:
        """That share of the last decisions of one other reviewer, the same ones each time."""
        if self.decisions is None:
            return
        recent = Query((), "at", descending=True, limit=_RECENT)
        wanted = [
            item.id
            for item in self.decisions.query(recent).items
            if int(item.id[:8], 16) < share * (1 << 32)
            and self._wants_second(Decided.from_values(item.values))
        ]
        for item in self.matches.get_all(wanted).values():
            yield doubt_of(MatchRecord.from_values(item.values), self.plan)

    def _wants_second(self, said: Decided) -> bool:
        names = reviewers_of(said)
        return len(names) == 1 and "" not in names and self.seat.reviewer not in names


def _values(one: Ref, other: Ref, state: str, owner: str, until: str) -> dict[str, str]:
    first, second = sorted((key(one), key(other)))
    return {"first": first, "second": second, "state": state, "owner": owner, "until": until}


def _skip_id(name: str, seat: Seat) -> str:
    who = hashlib.blake2b(seat.skips_as.encode(), digest_size=8).hexdigest()
    return f"{name}-{who}"
