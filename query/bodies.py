"""Elasticsearch search bodies: pure functions; no client in this file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from indexer.model import Keys
from indexer.stores.stored_object import is_id
from mappings.contract import OBJECT_FIELD, Field
from query.model import CUT_FROM, Filter, Request

WINDOW: Final = 10_000
"""`index.max_result_window`: the most hits one page can hold."""

MAX_CLAUSES: Final = 900
"""Terms in one query. The server allows 1,024 or more, by its heap; filters need some too."""

_FREQUENCIES: Final = "frequencies"
_SIZES: Final = "sizes"
_BM25_K1: Final = 1.2
_SAME: Final = 1e-5  # scores come as 32-bit floats

Term = tuple[Field, str]

_TERM: Final = re.compile(r'"([^"]*)"|([^\s"]+)')
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟＂«»「」『』", '"'))


def candidate_body(
    request: Request, size: int, least: float | None = None, shared: int = 1
) -> dict[str, Any]:
    """Documents that share `shared` terms and score `least`, best first.

    Scored, because BM25 makes a rare shared key outweigh any number of frequent ones: with a
    sentence that 100,000 documents share, an unscored page of 50 found 0 of 100 true pairs and
    a scored one all. A simhash key weighs the same whatever its frequency, so that a score tells
    what shares nothing else (see `is_simhash_only`).
    """
    weight = simhash_weight(least)
    query: dict[str, Any] = {
        "should": [_clause(name, term, weight) for name, term in terms_of(request.keys)],
        "minimum_should_match": shared,
    }
    if request.filters:
        query["filter"] = list(request.filters)
    if request.exclude is not None and is_id(request.exclude):
        query["must_not"] = [{"ids": {"values": [request.exclude]}}]
    body: dict[str, Any] = {
        "query": {"bool": query},
        "size": size,
        "track_total_hits": False,
        "_source": False,
        "docvalue_fields": [Field.SIMHASH.path, Field.TEXT_HASH.path],
    }
    if least is not None:
        body["min_score"] = least
    return body


def blocks_body(request: Request, size: int) -> dict[str, Any]:
    """Simhashes and text hashes of documents that share a simhash key, without their ids.

    An id is a stored field, in one compressed block with the whole document: ids take
    several times as long as simhashes, and hardly one of these documents is worth one.
    """
    keys = list(request.keys.get(Field.SIMHASH_KEYS, ()))
    body = _among(request, {"terms": {Field.SIMHASH_KEYS.path: keys}}, size)
    return {**body, "stored_fields": "_none_"}


def same_texts_body(request: Request, text_hashes: Sequence[str], size: int) -> dict[str, Any]:
    """Documents by text hash."""
    return _among(request, {"terms": {Field.TEXT_HASH.path: list(text_hashes)}}, size)


def _among(request: Request, clause: dict[str, Any], size: int) -> dict[str, Any]:
    """Documents that fulfil a clause and may be candidates of the request; no scores."""
    query: dict[str, Any] = {"filter": [clause, *request.filters]}
    if request.exclude is not None and is_id(request.exclude):
        query["must_not"] = [{"ids": {"values": [request.exclude]}}]
    return {
        "query": {"bool": query},
        "size": size,
        "track_total_hits": False,
        "_source": False,
        "docvalue_fields": [Field.SIMHASH.path, Field.TEXT_HASH.path],
    }


def _clause(name: Field, term: str, simhash_weight: float) -> dict[str, Any]:
    clause = {"term": {name.path: term}}
    if name is not Field.SIMHASH_KEYS:
        return clause
    return {"constant_score": {"filter": clause, "boost": simhash_weight}}


def simhash_weight(least: float | None) -> float:
    """What one shared simhash key scores: as much as the most frequent term that has a vote."""
    return least or 1.0


def is_simhash_only(score: float, weight: float) -> bool:
    """Whether a score is made of simhash keys alone: a whole number of their weights.

    Rarities of other terms add up to one by chance only, and no verdict hangs on this alone.
    """
    keys = score / weight
    return round(keys) >= 1 and abs(keys - round(keys)) < _SAME


def least_score(hot: int, documents: int) -> float | None:
    """What a document scores that shares one term of `hot` documents: BM25 without lengths.

    None where rarity tells too little to go by (see CUT_FROM).
    """
    if documents < CUT_FROM * max(1, hot):
        return None
    rarity = math.log1p((documents - hot + 0.5) / (hot + 0.5))
    return rarity / (1 + _BM25_K1) * (1 - 1e-6)  # the server counts in 32-bit floats


def sizes_body() -> dict[str, Any]:
    """Counts the documents of each index behind a name."""
    by_index = {"terms": {"field": "_index", "size": WINDOW}}
    return {"size": 0, "track_total_hits": False, "aggs": {_SIZES: by_index}}


def smallest_in(answer: Mapping[str, Any]) -> int:
    """The documents of the smallest index, from the answer to `sizes_body`; 0 for none.

    Rarity is counted within an index, so a small one behind an alias decides for all.
    """
    buckets = answer["aggregations"][_SIZES]["buckets"]
    return min((int(bucket["doc_count"]) for bucket in buckets), default=0)


def terms_of(keys: Keys) -> Iterator[Term]:
    """Every (field, term), each once."""
    for name, terms in keys.items():
        for term in dict.fromkeys(terms):
            yield name, term


def parts_of(request: Request, bound: int = MAX_CLAUSES) -> list[Request]:
    """The request cut into requests of at most `bound` terms each; none for no terms."""
    terms = terms_of(request.keys)
    parts = []
    while some := list(islice(terms, bound)):
        parts.append(replace(request, keys=_keys_of(some)))
    return parts


def without(keys: Keys, hot: Iterable[Term]) -> Keys:
    """The keys less the hot terms."""
    dropped = set(hot)
    return _keys_of(term for term in terms_of(keys) if term not in dropped)


def _keys_of(terms: Iterable[Term]) -> Keys:
    out: dict[Field, tuple[str, ...]] = {}
    for name, term in terms:
        out[name] = (*out.get(name, ()), term)
    return out


def may_be_hot(keys: Keys) -> list[Term]:
    """The terms whose frequency is to be looked up: all but the text hash, which is never hot."""
    return [(name, term) for name, term in terms_of(keys) if name is not Field.TEXT_HASH]


def frequencies_body(terms: Sequence[Term]) -> dict[str, Any]:
    """Counts the documents of each term in one search, exactly.

    `_termvectors` would be as fast, but it counts within one shard only and counts documents
    that were deleted or replaced.
    """
    filters = {str(at): {"term": {name.path: term}} for at, (name, term) in enumerate(terms)}
    return {
        "size": 0,
        "track_total_hits": False,
        "aggs": {_FREQUENCIES: {"filters": {"filters": filters}}},
    }


def frequencies_in(answer: Mapping[str, Any], terms: Sequence[Term]) -> dict[Term, int]:
    """What the answer to `frequencies_body` says of each term."""
    buckets = answer["aggregations"][_FREQUENCIES]["buckets"]
    return {term: int(buckets[str(at)]["doc_count"]) for at, term in enumerate(terms)}


def search_terms(text: str) -> list[str]:
    """The white-space separated terms and quoted phrases of a query, each once.

    Those without a letter or a digit are left out: no index holds them.
    """
    whole = text.translate(_QUOTES).encode("utf-8", "ignore").decode("utf-8")
    found = (quoted or plain for quoted, plain in _TERM.findall(whole))
    return list(dict.fromkeys(term.strip() for term in found if any(map(str.isalnum, term))))


def search_body(
    terms: Sequence[str],
    fields: Sequence[str],
    size: int,
    offset: int = 0,
    filters: Sequence[Filter] = (),
) -> dict[str, Any]:
    """Documents that hold every term, each as a phrase, in one of the fields."""
    must = [
        {"multi_match": {"query": term, "type": "phrase", "fields": list(fields), "lenient": True}}
        for term in terms
    ]
    query: dict[str, Any] = {"must": must}
    if filters:
        query["filter"] = list(filters)
    return {
        "query": {"bool": query},
        "from": offset,
        "size": size,
        "track_total_hits": True,
        "_source": {"excludes": [OBJECT_FIELD]},
    }


def ids_body(ids: Sequence[str]) -> dict[str, Any]:
    """The documents of these ids, in whichever index of an alias they are."""
    return {"query": {"ids": {"values": list(ids)}}, "size": len(ids), "track_total_hits": False}


def scan_body(
    pit: str, size: int, after: Sequence[Any] | None, without_plan: str | None, keep_alive: str
) -> dict[str, Any]:
    """The next page of every document in a point in time, in the order of the shards."""
    query: dict[str, Any] = {"match_all": {}}
    if without_plan is not None:
        query = {"bool": {"must_not": [{"term": {Field.PLAN.path: without_plan}}]}}
    body: dict[str, Any] = {
        "query": query,
        "size": size,
        "pit": {"id": pit, "keep_alive": keep_alive},
        "sort": ["_shard_doc"],
        "track_total_hits": False,
    }
    if after is not None:
        body["search_after"] = list(after)
    return body
