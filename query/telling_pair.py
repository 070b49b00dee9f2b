"""Two texts to be compared: where they are no duplicates as they are given, as they may be meant.

Lookups read a text that shows signs of a disguise as it may be meant, too. Who compares it with
what was found has to see the same.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from indexer.meant.meanings import meanings
from indexer.meant.meant import Meant
from query.meant_matches import disguised, given_verdict
from query.pair import Comparison, PairJudge


def compared(judge: PairJudge, first: str, second: str) -> Comparison:
    """All measures of two texts in the readings that tell; `disguise` has what was undone."""
    pair = telling(judge, first, second)
    found = judge.comparison(*judge.read([each.text for each in pair]))
    disguise = disguised(found.disguise, *pair)
    return replace(found, verdict=given_verdict(found.verdict, *pair), disguise=disguise)


def telling(judge: PairJudge, first: str, second: str) -> tuple[Meant, Meant]:
    """The two texts as they are given, unless they are duplicates only as they may be meant."""
    one, other = ([Meant.given(text), *meanings(text)] for text in (first, second))
    pairs = list(product(one, other))
    if len(pairs) == 1:
        return pairs[0]
    return next((pair for pair in pairs if _are_duplicates(judge, *pair)), pairs[0])


def _are_duplicates(judge: PairJudge, one: Meant, other: Meant) -> bool:
    read = judge.read([one.text, other.text])
    return judge.judgement(*read).verdict is not None
