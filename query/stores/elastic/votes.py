"""Which candidates of a lookup without limits count, where all are known with their keys."""

from __future__ import annotations

from msgspec import structs

from indexer.model import Keys
from query.answers import FREQUENT_ONLY, Candidate, CandidatePage, Request, Term
from query.stores.elastic.bodies import may_be_frequent


def are_all(request: Request) -> bool:
    """Whether every document that shares a key is a candidate: then these tell how many have it."""
    return not request.is_narrowed and request.exclude is None


def by_votes(page: CandidatePage, request: Request) -> CandidatePage | None:
    """The page of all documents that share a key, where these came along: of those that share
    frequent keys only, the best FREQUENT_ONLY stay. What searches for the others, and for the
    frequencies of keys, would say.

    None where the documents do not tell: some did not come along or have nothing that could be
    read, or others, which are no candidates, have the keys as well.
    """
    if len(page.candidates) <= request.max_df:
        return page
    keys = [_keys_of(page, each) for each in page.candidates]
    if None in keys or not are_all(request):
        return None
    holders = _holders([each for each in keys if each is not None], request.keys)
    asked = may_be_frequent(request.keys)
    frequent = tuple(term for term in asked if len(holders.get(term, ())) > request.max_df)
    if not frequent:
        return page
    rare = {at for term in holders.keys() - {*frequent} for at in holders[term]}
    best = FREQUENT_ONLY + len(rare)
    stay = tuple(each for at, each in enumerate(page.candidates) if at < best or at in rare)
    return structs.replace(
        page,
        candidates=stay,
        truncated=page.truncated or len(page.candidates) >= best,
        frequent=frequent,
        documents={each.ref: page.documents[each.ref] for each in stay},
    )


def _keys_of(page: CandidatePage, candidate: Candidate) -> Keys | None:
    stored = page.documents.get(candidate.ref)
    return None if stored is None or stored.fingerprint is None else stored.fingerprint.keys


def _holders(stored: list[Keys], asked: Keys) -> dict[Term, list[int]]:
    """The asked terms that some documents have, with the numbers of these."""
    out: dict[Term, list[int]] = {}
    for name, terms in asked.items():
        wanted = frozenset(terms)
        for at, keys in enumerate(stored):
            for term in wanted.intersection(keys.get(name, ())):
                out.setdefault((name, term), []).append(at)
    return out
