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
    """An asked text with its candidates judged. `meant`: what it may mean. `matches` are its own
    business until they are ranked, best first; `read`: the candidates whose text was compared;
    `widespread` and `templates`: how many were left out; `seconds`: what comparing texts took.
    """

    asked: Text
    page: CandidatePage
    to_read: list[Ref]
    spread: KnownSpread
    meant: Sequence[Meant] = ()
    matches: list[Match] = field(default_factory=list)
    read: set[Ref] = field(default_factory=set)
    from_stored: int = 0
    undecided: int = 0
    widespread: int = 0
    templates: int = 0
    seconds: float = 0.0

    @property
    def examined(self) -> int:
        """How many candidates were judged from their text."""
        return len(self.read)
