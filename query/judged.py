"""What a lookup knows of a question while it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from indexer.meant.meant import Meant
from query.answers import CandidatePage, Match, Ref
from query.known_spread import KnownSpread
from query.pair import Text

Texts = dict[Ref, Text]
"""The texts of matches, ready for what else is asked of them."""


@dataclass(slots=True)
class Judged:
    """An asked text with its candidates judged. `meanings`: what it may mean. `matches` are its own
    business until they are ranked, best first; `widespread` and `templates`: how many were left
    out; `seconds`: what the comparison of texts took.
    """

    asked: Text
    page: CandidatePage
    to_read: list[Ref]
    spread: KnownSpread
    meanings: Sequence[Meant] = ()
    matches: list[Match] = field(default_factory=list)
    examined: int = 0
    from_stored: int = 0
    undecided: int = 0
    widespread: int = 0
    templates: int = 0
    seconds: float = 0.0
