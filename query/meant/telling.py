"""Two texts to be compared: where they are no duplicates as they are given, one as it may be meant.

Lookups ask for a text that shows signs of a disguise as it may be meant, too. Who compares it with
what was found has to see the same.
"""

from __future__ import annotations

from dataclasses import replace

from query.meant.meanings import meanings
from query.meant.meant import Meant
from query.pair import Comparison, PairJudge


def compared(judge: PairJudge, first: str, second: str) -> Comparison:
    """All measures of two texts in the reading that tells; `disguise` has what was undone."""
    one, other = telling(judge, first, second)
    found = judge.comparison(*judge.read([one.text, other.text]))
    verdict = one.verdict(other.verdict(found.verdict))
    return replace(found, verdict=verdict, disguise=disguised(found.disguise, one, other))


def telling(judge: PairJudge, first: str, second: str) -> tuple[Meant, Meant]:
    """The two texts as they are given, unless they are duplicates only with one of them as it may
    be meant."""
    given = Meant.given(first), Meant.given(second)
    others = [(meant, given[1]) for meant in meanings(first)]
    others += [(given[0], meant) for meant in meanings(second)]
    if not others:
        return given
    return next((pair for pair in (given, *others) if _are_duplicates(judge, *pair)), given)


def disguised(told: tuple[str, ...], *texts: Meant) -> tuple[str, ...]:
    """What a comparison told of a disguise, and what was undone before it."""
    undone = (disguise for text in texts for disguise in text.disguises)
    return tuple(dict.fromkeys((*told, *undone)))


def _are_duplicates(judge: PairJudge, one: Meant, other: Meant) -> bool:
    read = judge.read([one.text, other.text])
    return judge.judgement(*read).verdict is not None
