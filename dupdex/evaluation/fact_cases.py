"""The listed pairs in which the facts guard finds a different number, date or name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from dupdex.evaluation.natural import Texts
from dupdex.evaluation.truth import Pair
from mappings.plan import Plan
from query.facts.differ import facts_differ
from query.grams import features_all

_TOGETHER: Final = 200


def pairs_with_facts(pairs: Collection[Pair], texts: Texts, plan: Plan) -> frozenset[Pair]:
    """The near duplicates among `pairs` whose facts differ; texts are fetched in batches."""
    rows = sorted(pairs)
    out: set[Pair] = set()
    for start in range(0, len(rows), _TOGETHER):
        chunk = rows[start : start + _TOGETHER]
        fetched = texts(sorted({name for pair in chunk for name in pair}))
        features = dict(zip(fetched, features_all(list(fetched.values()), plan), strict=True))
        out.update(
            (left, right)
            for left, right in chunk
            if facts_differ(features[left], features[right])[1]
        )
    return frozenset(out)
