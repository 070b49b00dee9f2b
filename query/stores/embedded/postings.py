"""Candidates in the embedded store: postings of rare keys first, frequent ones only when needed."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import orjson

from indexer.model import Keys, is_text
from indexer.stores.embedded.rows import Unreadable, body_of, damaged, id_of, simhash_of
from indexer.stores.embedded.schema import posting_key
from mappings.contract import Field
from query.answers import (
    CUT_FROM,
    FREQUENT_ONLY,
    SAME_TEXT,
    Candidate,
    CandidatePage,
    Request,
    Term,
)
from query.stores.embedded.term_filter import Accepts as BodyAccepts
from query.stores.embedded.term_filter import acceptor

_NUMS: Final = "SELECT num FROM recent WHERE key=?1 UNION ALL SELECT num FROM postings WHERE key=?1"
# One statement for all keys is five times faster than one for each. The scalar query finds the
# posting at which a frequent key is cut off.
_BOUNDED: Final = " UNION ALL ".join(
    f"SELECT p.key, p.num FROM json_each(?1) q CROSS JOIN {table} p ON p.key = q.value"
    f" AND p.num <= coalesce((SELECT num FROM {table} WHERE key = q.value"
    " ORDER BY num LIMIT 1 OFFSET ?2), 9223372036854775807)"
    for table in ("postings", "recent")
)
_STORED: Final = (
    "SELECT d.num, d.id, text_hash, simhash FROM json_each(?1) q CROSS JOIN documents d"
    " ON d.num = q.value"
)
_TOGETHER: Final = 500
_COUNTED: Final = 8
"""Frequent keys are ranked by their frequency up to this many times `max_df`."""

Accepts = Callable[[int], bool]


@dataclass(slots=True)
class _Votes:
    """What the terms of a request brought: a score for every document number.

    `others`: documents that share a term other than simhash keys. `frequent`: the frequent keys,
    each with the numbers of the first documents that have it.
    """

    scores: dict[int, float] = field(default_factory=dict)
    others: set[int] = field(default_factory=set)
    frequent: dict[Term, list[int]] = field(default_factory=dict)

    def add(self, name: Field, nums: Sequence[int], weight: float) -> None:
        scores = self.scores
        for num in nums:
            scores[num] = scores.get(num, 0.0) + weight
        if name is not Field.SIMHASH_KEYS:
            self.others.update(nums)

    def add_frequent(self, term: Term, nums: list[int]) -> None:
        self.frequent[term] = nums
        if term[0] is not Field.SIMHASH_KEYS:
            self.others.update(nums)

    def is_simhash_only(self, num: int) -> bool:
        return num in self.scores and num not in self.others


def page(
    db: sqlite3.Connection, index: str, request: Request
) -> tuple[CandidatePage, list[tuple[int, Candidate]]]:
    """Answer one request to the index of that name; the caller holds a read transaction. The page,
    and its candidates with the numbers of their documents.

    The best `limit` by rarity of what is shared. Without a limit all there are, and at most
    FREQUENT_ONLY that share frequent keys only. A text hash always has a vote.
    """
    accepts = _accepts(db, index, request)
    total = _total(db)
    votes = _vote(db, request, total)
    if request.limit is None:
        chosen = _best(votes.scores, accepts)
        extra = _from_frequent(db, request, votes, total, FREQUENT_ONLY + 1, accepts)
        candidates = _candidates(db, index, chosen + extra[:FREQUENT_ONLY], votes)
        return _page(candidates, len(extra) > FREQUENT_ONLY, tuple(votes.frequent))
    wanted = request.limit + 1
    cut = bool(votes.frequent) and total >= CUT_FROM * max(1, request.max_df)
    rankings = _together(votes, request.max_df, total) if cut else (votes.scores,)
    chosen = next(filter(None, (_best(scores, accepts, wanted) for scores in rankings)), [])
    frequent = () if cut else tuple(votes.frequent)
    if len(chosen) < wanted and frequent:
        chosen += _from_frequent(db, request, votes, total, wanted - len(chosen), accepts)
        frequent = ()
    candidates = _candidates(db, index, chosen[: request.limit], votes)
    truncated = len(chosen) == wanted
    rare_only = cut and not truncated and _left_out(votes, chosen, request, accepts)
    return _page(candidates, truncated, frequent, rare_only)


def _page(
    candidates: list[tuple[int, Candidate]],
    truncated: bool,
    frequent: tuple[Term, ...],
    rare_only: bool = False,
) -> tuple[CandidatePage, list[tuple[int, Candidate]]]:
    found = tuple(candidate for _, candidate in candidates)
    return CandidatePage(found, truncated, frequent, rare_only), candidates


def frequencies(db: sqlite3.Connection, keys: Keys) -> dict[Term, int]:
    """In how many documents each term is; the caller holds a read transaction."""
    counted = f"SELECT count(*) FROM ({_NUMS})"
    return {
        (name, term): int(db.execute(counted, (posting_key(name, term),)).fetchone()[0])
        for name, terms in keys.items()
        for term in terms
    }


def _best(
    scores: dict[int, float], accepts: Accepts, wanted: int | None = None
) -> list[tuple[int, float]]:
    """The documents of the highest scores that may be candidates, best first."""
    ranked = sorted(sorted(scores), key=scores.__getitem__, reverse=True)  # equals by number
    return list(islice(((num, scores[num]) for num in ranked if accepts(num)), wanted))


def _left_out(
    votes: _Votes, chosen: Sequence[tuple[int, float]], request: Request, accepts: Accepts
) -> bool:
    """Whether a document that shares a frequent key is not among the chosen, which leave room.

    More documents of a frequent key were read than a page has room for, so they decide. Filters may
    refuse all of those that were read: then there may be more, and the answer is yes.
    """
    listed = {num for num, _ in chosen}
    lists = votes.frequent.values()
    if any(num not in listed and accepts(num) for nums in lists for num in nums):
        return True
    return request.is_narrowed and any(len(nums) > _bound(request) for nums in lists)


def _bound(request: Request) -> int:
    """How many documents of a frequent key are read: a page, and the one to exclude."""
    return max(request.max_df, (request.limit or 0) + 1)


def _together(votes: _Votes, max_df: int, total: int) -> tuple[dict[int, float], ...]:
    """First the scores of documents whose shared keys together are as rare as one key of `max_df`
    documents; second, for when there are none, of those that share two frequent keys.

    Of a frequent key only the first documents were read, so its df is not known and counts as the
    highest that is told apart.
    """
    scores = dict(votes.scores)
    weight = math.log1p(total / (_COUNTED * max(1, max_df)))
    shared: Counter[int] = Counter()
    for nums in votes.frequent.values():
        shared.update(nums)
    for num, count in shared.items():
        scores[num] = scores.get(num, 0.0) + count * weight
    least = math.log1p(total / max(1, max_df))
    rare = {num: score for num, score in scores.items() if score >= least}
    return rare, {num: scores[num] for num, count in shared.items() if count > 1}


def _total(db: sqlite3.Connection) -> int:
    """About the number of documents, without a scan: deletions do not lower it."""
    total: int = db.execute("SELECT coalesce(max(num), 0) FROM documents").fetchone()[0]
    return total


def _vote(db: sqlite3.Connection, request: Request, total: int) -> _Votes:
    """The votes of the keys in at most `max_df` documents, and the frequent keys."""
    votes = _Votes()
    terms = {
        posting_key(name, term): (name, term)
        for name, field_terms in request.keys.items()
        for term in field_terms
    }
    for key, nums in _bounded(db, list(terms), _bound(request)):
        if len(nums) > request.max_df:
            if terms[key][0] is not Field.TEXT_HASH:
                votes.add_frequent(terms[key], nums)
                continue
            if request.limit is None or request.is_narrowed:
                nums = list(_nums(db, key))
            least = math.log1p(total / max(1, request.max_df))
            votes.add(Field.TEXT_HASH, nums, SAME_TEXT * least)
            continue
        votes.add(terms[key][0], nums, math.log1p(total / len(nums)))
    return votes


def _bounded(
    db: sqlite3.Connection, keys: Sequence[int], bound: int
) -> Iterator[tuple[int, list[int]]]:
    """The postings of each key that has any; of a long list the first, more than `bound`."""
    for start in range(0, len(keys), _TOGETHER):
        nums: dict[int, list[int]] = {}
        asked = orjson.dumps(keys[start : start + _TOGETHER]).decode()
        last, own = None, list[int]()
        for key, num in db.execute(
            _BOUNDED, (asked, bound)
        ):  # of a key one after the other in either table
            if key != last:
                last, own = key, nums.setdefault(key, [])
            own.append(num)
        yield from nums.items()


def _from_frequent(
    db: sqlite3.Connection,
    request: Request,
    votes: _Votes,
    total: int,
    wanted: int,
    accepts: Accepts,
) -> list[tuple[int, float]]:
    """Up to `wanted` documents that share frequent keys only, the rarer keys first."""
    scores: dict[int, float] = {}
    for frequency, key in sorted(_frequent_keys(db, request, votes.frequent)):
        weight = math.log1p(total / frequency)
        for num in _nums(db, key):
            if len(scores) == wanted:
                return list(scores.items())
            if num not in votes.scores and num not in scores and accepts(num):
                scores[num] = weight
    return list(scores.items())


def _frequent_keys(
    db: sqlite3.Connection, request: Request, frequent: Iterable[Term]
) -> Iterator[tuple[int, int]]:
    """(frequency, key) of frequent keys; the text hash is none of them."""
    counted = f"SELECT count(*) FROM ({_NUMS} LIMIT ?2)"
    for name, term in frequent:
        key = posting_key(name, term)
        bound = (key, max(1, request.max_df) * _COUNTED)
        frequency: int = db.execute(counted, bound).fetchone()[0]
        yield frequency, key


def _nums(db: sqlite3.Connection, key: int) -> Iterator[int]:
    for (num,) in db.execute(_NUMS, (key,)):
        yield num


def _accepts(db: sqlite3.Connection, index: str, request: Request) -> Accepts:
    """A test for document numbers that may be candidates: not excluded, and through the filters."""
    left_out = request.exclude
    here = left_out is not None and left_out.index in ("", index)
    excluded = _num_of(db, left_out.id) if left_out is not None and here else None
    passes = acceptor(request.filters)

    def accepts(num: int) -> bool:
        if num == excluded or (request.plan_id and _plan_of(db, num) != request.plan_id):
            return False
        return passes is None or passing(db, num, passes)

    return accepts


def _plan_of(db: sqlite3.Connection, num: int) -> str | None:
    row = db.execute("SELECT plan FROM documents WHERE num=?", (num,)).fetchone()
    return row[0] if row else None


def passing(db: sqlite3.Connection, num: int, passes: BodyAccepts) -> bool:
    """Whether the body of a document passes. Raises StoreRefused when it cannot be read: a
    damaged document may be the one that is looked for."""
    row = db.execute("SELECT id, body FROM documents WHERE num=?", (num,)).fetchone()
    if row is None:
        raise damaged(db, num, "it has words or keys and no row")
    name, packed = row
    try:
        body_of(packed)  # the test looks for bytes first, and reads only a body that has them
    except Unreadable as error:
        raise damaged(db, name, error) from error
    return passes(packed)


def _num_of(db: sqlite3.Connection, name: str) -> int | None:
    if not is_text(name):  # no id of ours
        return None
    row = db.execute("SELECT num FROM documents WHERE id=?", (name,)).fetchone()
    return None if row is None else int(row[0])


def _candidates(
    db: sqlite3.Connection, index: str, chosen: Sequence[tuple[int, float]], votes: _Votes
) -> list[tuple[int, Candidate]]:
    """The chosen documents, in their order, with their numbers."""
    nums = orjson.dumps([num for num, _ in chosen]).decode()
    rows = {num: row for num, *row in db.execute(_STORED, (nums,))}
    out = []
    for num, score in chosen:
        if num not in rows:
            raise damaged(db, num, "it has keys and no row")
        name, text_hash, simhash = rows[num]
        alone = votes.is_simhash_only(num)
        try:
            found = Candidate(id_of(name), index, score, text_hash, simhash_of(simhash), alone)
        except Unreadable as error:
            raise damaged(db, name, error) from error
        out.append((num, found))
    return out
