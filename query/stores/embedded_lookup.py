"""Candidates in the embedded store: postings of rare terms first, hot ones only when needed."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import orjson

from indexer.stores.embedded_schema import posting_key
from indexer.stores.stored_object import to_unsigned
from mappings.contract import Field
from query.model import HOT_ONLY, Candidate, CandidatePage, Request
from query.stores.term_filter import acceptor

_NUMS: Final = "SELECT num FROM recent WHERE key=?1 UNION ALL SELECT num FROM postings WHERE key=?1"
# One statement for all keys is five times faster than one for each. The scalar query finds the
# posting at which a hot key is cut off.
_BOUNDED: Final = " UNION ALL ".join(
    f"SELECT p.key, p.num FROM json_each(?1) q CROSS JOIN {table} p ON p.key = q.value"
    f" AND p.num <= coalesce((SELECT num FROM {table} WHERE key = q.value"
    " ORDER BY num LIMIT 1 OFFSET ?2), 9223372036854775807)"
    for table in ("postings", "recent")
)
_TOGETHER: Final = 500
_COUNTED: Final = 8
"""Hot terms are told apart by their frequency up to this many times `hot`."""

Term = tuple[Field, str]
Accepts = Callable[[int], bool]


@dataclass(slots=True)
class _Votes:
    """What the terms of a request brought: a score for every document number."""

    scores: dict[int, float] = field(default_factory=dict)
    hot: list[Term] = field(default_factory=list)

    def add(self, nums: Iterable[int], weight: float) -> None:
        scores = self.scores
        for num in nums:
            scores[num] = scores.get(num, 0.0) + weight


def page(db: sqlite3.Connection, request: Request) -> CandidatePage:
    """Answer one request; the caller holds a read transaction.

    The best `limit` by rarity of what is shared. Without a limit all there are, and HOT_ONLY of
    those that share hot terms only. A text hash is never hot.
    """
    accepts = _accepts(db, request)
    total = _total(db)
    votes = _vote(db, request, total)
    ranked = sorted(votes.scores.items(), key=lambda vote: (-vote[1], vote[0]))
    limit = request.limit
    if limit is None:
        chosen = [vote for vote in ranked if accepts(vote[0])]
        more = _from_hot(db, request, votes, total, HOT_ONLY + 1, accepts) if votes.hot else []
        chosen += more[:HOT_ONLY]
        return CandidatePage(_candidates(db, chosen), len(more) > HOT_ONLY, tuple(votes.hot))
    chosen = []
    for vote in ranked:
        if len(chosen) > limit:
            break
        if accepts(vote[0]):
            chosen.append(vote)
    unheard = tuple(votes.hot)
    if len(chosen) <= limit and votes.hot:
        chosen += _from_hot(db, request, votes, total, limit + 1 - len(chosen), accepts)
        unheard = ()
    return CandidatePage(_candidates(db, chosen[:limit]), len(chosen) > limit, unheard)


def _total(db: sqlite3.Connection) -> int:
    """About the number of documents, in no time: deletions leave it as it was."""
    total: int = db.execute("SELECT coalesce(max(num), 0) FROM documents").fetchone()[0]
    return total


def _vote(db: sqlite3.Connection, request: Request, total: int) -> _Votes:
    """The votes of the terms in at most `hot` documents; the others are listed."""
    votes = _Votes()
    terms = {
        posting_key(name, term): (name, term)
        for name, those in request.keys.items()
        for term in those
    }
    for key, nums in _bounded(db, list(terms), request.hot):
        if len(nums) > request.hot:
            if request.limit is not None or terms[key][0] is not Field.TEXT_HASH:
                votes.hot.append(terms[key])
                continue
            nums = list(_nums(db, key))
        votes.add(nums, math.log1p(total / len(nums)))
    return votes


def _bounded(
    db: sqlite3.Connection, keys: Sequence[int], hot: int
) -> Iterator[tuple[int, list[int]]]:
    """The postings of each key that has any; of a hot key only some, but more than `hot`."""
    for start in range(0, len(keys), _TOGETHER):
        nums: dict[int, list[int]] = {}
        asked = orjson.dumps(keys[start : start + _TOGETHER]).decode()
        for key, num in db.execute(_BOUNDED, (asked, hot)):
            nums.setdefault(key, []).append(num)
        yield from nums.items()


def _from_hot(
    db: sqlite3.Connection,
    request: Request,
    votes: _Votes,
    total: int,
    wanted: int,
    accepts: Accepts,
) -> list[tuple[int, float]]:
    """Up to `wanted` documents that share hot terms only: equal texts, then rarer terms."""
    found: dict[int, float] = {}
    for frequency, key in sorted(_hot_keys(db, request, votes.hot)):
        weight = math.log1p(total / abs(frequency))
        for num in _nums(db, key):
            if len(found) == wanted:
                return list(found.items())
            if num not in votes.scores and num not in found and accepts(num):
                found[num] = weight
    return list(found.items())


def _hot_keys(
    db: sqlite3.Connection, request: Request, hot: Iterable[Term]
) -> Iterator[tuple[int, int]]:
    """(frequency, key) of hot terms; negative for the text hash, which so comes first."""
    counted = f"SELECT count(*) FROM ({_NUMS} LIMIT ?2)"
    for name, term in hot:
        key = posting_key(name, term)
        bound = (key, max(1, request.hot) * _COUNTED)
        frequency: int = db.execute(counted, bound).fetchone()[0]
        yield (-frequency if name is Field.TEXT_HASH else frequency), key


def _nums(db: sqlite3.Connection, key: int) -> Iterator[int]:
    for (num,) in db.execute(_NUMS, (key,)):
        yield num


def _accepts(db: sqlite3.Connection, request: Request) -> Accepts:
    """Whether a document number may be a candidate: not excluded, and through the filters."""
    excluded = None if request.exclude is None else _num_of(db, request.exclude)
    passes = acceptor(request.filters)

    def accepts(num: int) -> bool:
        if num == excluded:
            return False
        if passes is None:
            return True
        row = db.execute("SELECT body FROM documents WHERE num=?", (num,)).fetchone()
        return row is not None and passes(row[0])

    return accepts


def _num_of(db: sqlite3.Connection, name: str) -> int | None:
    try:
        row = db.execute("SELECT num FROM documents WHERE id=?", (name,)).fetchone()
    except UnicodeEncodeError:  # half a surrogate pair: no id of ours
        return None
    return None if row is None else int(row[0])


def _candidates(
    db: sqlite3.Connection, chosen: Iterable[tuple[int, float]]
) -> tuple[Candidate, ...]:
    out = []
    for num, score in chosen:
        row = db.execute("SELECT id, text_hash, simhash FROM documents WHERE num=?", (num,))
        for name, text_hash, simhash in row:
            out.append(Candidate(name, score, text_hash, to_unsigned(simhash)))
    return tuple(out)
