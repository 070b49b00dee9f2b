"""Two texts to be compared: the readings in which they tell most of each other.

Lookups read a text that shows signs of a disguise as it may be meant, too. Who compares it with
what was found has to see the same.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import NamedTuple

from indexer.meant.meanings import meanings
from indexer.meant.meant import Meant
from query.answers import Verdict
from query.meant_matches import disguised, given_verdict, which_tells
from query.pair import Comparison, PairJudge


class Telling(NamedTuple):
    """Readings of two texts. `says`: whether what they tell counts; strokes alone do not."""

    one: Meant
    other: Meant
    says: bool = True

    def verdict(self, told: Verdict | None) -> Verdict | None:
        """What a verdict on the readings is on the texts as they are given."""
        return given_verdict(told, self.one, self.other) if self.says else None

    def disguises(self, told: tuple[str, ...]) -> tuple[str, ...]:
        """What was told of a disguise, and what was undone."""
        return disguised(told, self.one, self.other)


def compared(judge: PairJudge, first: str, second: str) -> Comparison:
    """All measures of two texts in the readings that tell; `disguise` has what was undone."""
    pair = telling(judge, first, second)
    found = judge.comparison(*judge.read([pair.one.text, pair.other.text]))
    verdict = pair.verdict(found.verdict)
    return replace(found, verdict=verdict, disguise=pair.disguises(found.disguise))


def telling(judge: PairJudge, first: str, second: str) -> Telling:
    """The readings in which two texts are duplicates, the most alike; as given, if in none."""
    one, other = ([Meant.given(text), *meanings(text)] for text in (first, second))
    pairs = list(product(one, other))
    if len(pairs) == 1:
        return Telling(*pairs[0])
    read = [judge.read([each.text for each in pair]) for pair in pairs]
    judged = [judge.judgement(asked, stored) for asked, stored in read]
    at, verdict = which_tells(judged, pairs)
    return Telling(*pairs[at], says=verdict is not None or judged[at].verdict is None)
