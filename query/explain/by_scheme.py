"""Compares two texts by single schemes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from indexer.fingerprints.compute import check_text
from indexer.fingerprints.registry import REGISTRY
from indexer.fingerprints.scheme import Entry, Scheme
from indexer.text import Streams, prepare_all, spaced_rows
from mappings.errors import InputRefused
from mappings.plan import Plan

_WITHOUT_LETTERS: Final = "exact"
"""The one scheme that has something to say of a text without letters and digits."""


@dataclass(frozen=True, slots=True)
class SchemeScore:
    """`verdict`: the similarity reaches the threshold, from which the scheme, used alone, calls
    two texts near duplicates. `shared`: index terms that both texts have.
    """

    name: str
    similarity: float
    threshold: float
    verdict: bool
    shared: tuple[str, ...]


def scheme_scores(left: str, right: str, plan: Plan, names: Sequence[str]) -> list[SchemeScore]:
    """What each of the named schemes says of two texts, in the order of the names.

    The pair is read by words only when both texts are written with spaces. Raises InputRefused
    for a text that cannot be fingerprinted, and for a name that no scheme has.
    """
    for text in (left, right):
        check_text(text, plan)
    prepared = prepare_all([left, right], plan)
    return pair_scores(Streams(prepared, plan, bool(spaced_rows(prepared).all())), names)


def pair_scores(streams: Streams, names: Sequence[str]) -> list[SchemeScore]:
    """The same for the streams of two texts."""
    return [_score(entry, streams) for entry in entries_of(names)]


def entries_of(names: Sequence[str]) -> list[Entry]:
    """The schemes of these names, each once. Raises InputRefused for an unknown one."""
    for name in names:
        if name not in REGISTRY:
            raise InputRefused(f"no scheme {name!r}; known: {', '.join(REGISTRY)}")
    return [REGISTRY[name] for name in dict.fromkeys(names)]


def _score(entry: Entry, streams: Streams) -> SchemeScore:
    similarity = 0.0
    shared: tuple[str, ...] = ()
    if entry.name == _WITHOUT_LETTERS or (streams.characters.lengths > 0).all():
        scheme = _made(entry.name, streams.plan)
        values = scheme.values(streams)
        similarity = scheme.similarity(*values)
        left, right = scheme.terms(values)
        in_right = set(right)
        shared = tuple(term for term in left if term in in_right)
    threshold = entry.threshold(streams.plan)
    return SchemeScore(entry.name, similarity, threshold, similarity >= threshold, shared)


@lru_cache(maxsize=16)
def _made(name: str, plan: Plan) -> Scheme[Any]:
    """Kept, as some schemes remember the words they have seen."""
    return REGISTRY[name].make(plan)
