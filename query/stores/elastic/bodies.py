"""Elasticsearch search bodies: pure functions; no client in this file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import structs

from indexer.model import Keys
from indexer.stores.stored_object import is_id
from indexer.text.query_terms import query_terms
from mappings.contract import OBJECT_FIELD, Field
from query.answers import SAME_TEXT, Filter, Ref, Request, Term
from query.passage_terms import FIELDS
from query.stores.elastic.scores import Cut, simhash_weight

WINDOW: Final = 10_000
"""`index.max_result_window`: the most hits one page can hold."""

MAX_CLAUSES: Final = 900
"""Terms in one query. The server allows 1,024 or more, by its heap; filters need some too."""

_FREQUENCIES: Final = "frequencies"
_BEST_FIRST: Final = ({"_score": "desc"}, "_doc")
_IN_ORDER: Final = ("_doc",)
"""The orders that the server answers in anyhow. A search that names its order is run by one thread;
one that does not makes a task of each term in each segment, which takes longer than to look it up.
"""

_VALUES: Final = (Field.SIMHASH.path, Field.TEXT_HASH.path)
_ENOUGH: Final = 8
"""Passages and sentences: texts of 60 characters have more. Of fewer, a copy may share one only."""


def candidate_body(
    request: Request,
    size: int,
    cut: Cut | None = None,
    shared: int = 1,
    frequent: Collection[Term] = (),
    texts: bool = False,
) -> dict[str, Any]:
    """Documents that share `shared` terms and score what `cut` asks for, best first.

    Of the terms in `frequent` a document has to share two. With `texts` the documents come along,
    which hold simhash and text hash, too, and those below the cut are not left out: which they are,
    their scores say.

    Scored, because a rare shared key should outweigh any number of frequent ones: with a
    sentence that 100,000 documents share, an unscored page of 50 found 0 of 100 true pairs and
    a scored one all. A simhash key weighs the same whatever its frequency, so that a score tells
    what shares nothing else (see `is_simhash_only`).
    """
    rare: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for name, term in terms_of(request.keys):
        (others if (name, term) in frequent else rare).append(_clause(name, term, cut))
    if len(others) > 1:
        rare.append({"bool": {"should": others, "minimum_should_match": 2}})
    query: dict[str, Any] = {"should": rare, "minimum_should_match": shared}
    if request.is_narrowed:
        query["filter"] = _narrowing(request)
    if request.exclude is not None and is_id(request.exclude.id):
        query["must_not"] = _named([request.exclude])
    body: dict[str, Any] = {
        "query": {"bool": query},
        "size": size,
        "track_total_hits": False,
        "_source": texts,
        "sort": list(_BEST_FIRST),
    }
    if not texts:
        body["docvalue_fields"] = list(_VALUES)
        if cut is not None:
            body["min_score"] = cut.least
    return body


def blocks_body(request: Request, size: int) -> dict[str, Any]:
    """Simhashes and text hashes of documents that share a simhash key, without their ids.

    An id is a stored field, in one compressed block with the whole document: ids take
    several times as long as simhashes, and hardly one of these documents is worth one.
    """
    keys = list(request.keys.get(Field.SIMHASH_KEYS, ()))
    body = _among(request, {"terms": {Field.SIMHASH_KEYS.path: keys}}, size)
    return {**body, "stored_fields": "_none_"}


def pairs_body(request: Request) -> dict[str, Any]:
    """Whether any document shares two passages or sentences, which are half of a lookup's terms; of
    texts that have few of these any two terms. It ends at the first one, and scores nothing.
    """
    keys = {name: request.keys[name] for name in FIELDS if request.keys.get(name)}
    if sum(map(len, keys.values())) < _ENOUGH:
        keys = dict(request.keys)
    body = candidate_body(structs.replace(request, keys=keys), 0, shared=2)
    query = {"bool": {"filter": [body["query"]]}}
    return {"query": query, "size": 0, "terminate_after": 1, "track_total_hits": 1}


def sharing_body(request: Request, most: int) -> dict[str, Any]:
    """How many documents share a term, counted up to `most`; nothing is scored."""
    query = {"bool": {"filter": [candidate_body(request, 0)["query"]]}}
    return {"query": query, "size": 0, "terminate_after": most, "track_total_hits": most}


def same_texts_body(
    request: Request, text_hashes: Sequence[str], size: int, texts: bool = False
) -> dict[str, Any]:
    """Documents by text hash; with `texts` the whole documents."""
    body = _among(request, {"terms": {Field.TEXT_HASH.path: list(text_hashes)}}, size)
    return {**body, "_source": texts}


def _among(request: Request, clause: dict[str, Any], size: int) -> dict[str, Any]:
    """Documents that fulfil a clause and may be candidates of the request; no scores."""
    query: dict[str, Any] = {"filter": [clause, *_narrowing(request)]}
    if request.exclude is not None and is_id(request.exclude.id):
        query["must_not"] = _named([request.exclude])
    return {
        "query": {"bool": query},
        "size": size,
        "track_total_hits": False,
        "_source": False,
        "docvalue_fields": list(_VALUES),
    }


def _narrowing(request: Request) -> list[Filter]:
    """The clauses that every candidate fulfils."""
    plan_id = request.plan_id
    of_plan = [] if plan_id is None else [{"term": {Field.PLAN.path: plan_id}}]
    return [*request.filters, *of_plan]


def _clause(name: Field, term: str, cut: Cut | None) -> dict[str, Any]:
    if name is Field.SIMHASH_KEYS:
        clause = {"term": {name.path: term}}
        return {"constant_score": {"filter": clause, "boost": simhash_weight(cut)}}
    if cut is None:
        return {"term": {name.path: term}}
    if name is Field.TEXT_HASH:  # equal texts are never too many
        clause = {"term": {name.path: term}}
        return {"constant_score": {"filter": clause, "boost": SAME_TEXT * cut.least}}
    return {"term": {name.path: {"value": term, "boost": cut.boosts.get(name, 1.0)}}}


def terms_of(keys: Keys) -> Iterator[Term]:
    """Every (field, term), each once."""
    for name, terms in keys.items():
        for term in dict.fromkeys(terms):
            yield name, term


def parts_of(request: Request, bound: int = MAX_CLAUSES) -> list[Request]:
    """The request cut into requests of at most `bound` terms each; none for no terms."""
    terms = terms_of(request.keys)
    parts = []
    while chunk := list(islice(terms, bound)):
        parts.append(structs.replace(request, keys=_keys_of(chunk)))
    return parts


def without(keys: Keys, terms: Iterable[Term]) -> Keys:
    """The keys without these terms."""
    dropped = set(terms)
    return _keys_of(term for term in terms_of(keys) if term not in dropped)


def _keys_of(terms: Iterable[Term]) -> Keys:
    out: dict[Field, tuple[str, ...]] = {}
    for name, term in terms:
        out[name] = (*out.get(name, ()), term)
    return out


def may_be_frequent(keys: Keys) -> list[Term]:
    """The terms whose df is to be counted: all but the text hash, which always has a vote."""
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
        "sort": list(_IN_ORDER),
        "aggs": {_FREQUENCIES: {"filters": {"filters": filters}}},
    }


def frequencies_in(aggregations: Mapping[str, Any], terms: Sequence[Term]) -> dict[Term, int]:
    """What the answer to `frequencies_body` says of each term."""
    buckets = aggregations[_FREQUENCIES]["buckets"]
    return {term: int(buckets[str(at)]["doc_count"]) for at, term in enumerate(terms)}


def search_terms(text: str) -> list[str]:
    """The white-space separated terms and quoted phrases of a query, each once.

    Those without a letter or a digit are left out: no index holds them.
    """
    terms = (term.strip() for term in query_terms(text) if any(map(str.isalnum, term)))
    return list(dict.fromkeys(terms))


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


def ids_body(refs: Sequence[Ref], size: int) -> dict[str, Any]:
    """The first `size` of these documents, and how many there are in all."""
    query = {"bool": {"filter": [{"bool": {"should": _named(refs)}}]}}
    return {"query": query, "size": size, "track_total_hits": True}


def _named(refs: Iterable[Ref]) -> list[dict[str, Any]]:
    """Clauses one of which each of the documents fulfils, and no other document does."""
    ids: dict[str, list[str]] = {}
    for ref in refs:
        ids.setdefault(ref.index, []).append(ref.id)
    clauses: list[dict[str, Any]] = []
    for index, values in ids.items():
        named: list[dict[str, Any]] = [{"ids": {"values": values}}]
        if index:
            named.append({"term": {"_index": index}})
        clauses.append({"bool": {"filter": named}})
    return clauses


def scan_body(
    without_plan: str | None, share: float = 1.0, since: int | None = None
) -> dict[str, Any]:
    """Every document, or a `share` of them, the same ones on every page; see `StoreReader.scan`."""
    clauses: dict[str, Any] = {}
    if without_plan is not None:
        clauses["must_not"] = [{"term": {Field.PLAN.path: without_plan}}]
    if since is not None:
        clauses["filter"] = [{"range": {Field.INDEXED.path: {"gte": since}}}]
    query: dict[str, Any] = {"bool": clauses} if clauses else {"match_all": {}}
    if share >= 1.0:
        return {"query": query}
    drawn = {"seed": 1, "field": "_seq_no"}
    scored = {"query": query, "random_score": drawn, "boost_mode": "replace"}
    return {"query": {"function_score": scored}, "min_score": 1.0 - share}
