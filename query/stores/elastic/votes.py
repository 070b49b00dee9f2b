"""Which candidates of a lookup without limits count, where all are known with their keys."""

from __future__ import annotations

from dataclasses import replace

from indexer.model import Keys
from query.answers import FREQUENT_ONLY, CandidatePage, Request, Term
from query.stores.elastic.bodies import may_be_frequent


def by_votes(page: CandidatePage, request: Request) -> CandidatePage:
    """The page of all documents that share a key, which came along with it: of those that share
    frequent keys only, the best FREQUENT_ONLY stay. What searches for the others, and for the
    frequencies of keys, would say.
    """
    if len(page.candidates) <= request.max_df:
        return page
    read = [page.documents[each.ref].fingerprint for each in page.candidates]
    holders = _holders([{} if one is None else one.keys for one in read], request.keys)
    itself = request.exclude is not None
    frequent = tuple(
        term
        for term in may_be_frequent(request.keys)
        if len(holders.get(term, ())) + itself > request.max_df
    )
    if not frequent:
        return page
    rare = {at for term in holders.keys() - {*frequent} for at in holders[term]}
    best = FREQUENT_ONLY + len(rare)
    stay = tuple(each for at, each in enumerate(page.candidates) if at < best or at in rare)
    truncated = page.truncated or len(page.candidates) >= best
    return replace(page, candidates=stay, truncated=truncated, frequent=frequent)


def _holders(stored: list[Keys], asked: Keys) -> dict[Term, list[int]]:
    """The asked terms that some documents have, with the numbers of these."""
    out: dict[Term, list[int]] = {}
    for name, terms in asked.items():
        wanted = frozenset(terms)
        for at, keys in enumerate(stored):
            for term in wanted.intersection(keys.get(name, ())):
                out.setdefault((name, term), []).append(at)
    return out
