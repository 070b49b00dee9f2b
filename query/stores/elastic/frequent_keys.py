"""Keys that are known to be frequent, as earlier answers of the same session showed.

A document that scores below the cut shares frequent keys only. Once a text is known to have such a
key, a document has to share two of them, or something rarer, to be a candidate: the same documents
as the cut leaves, without those that it would leave out coming over the wire.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from indexer.model import Keys
from mappings.contract import Field
from query.answers import Term

_MOST: Final = 20_000
_SECONDS: Final = 60.0
"""Documents are deleted and written anew: after this time a key has to be met again."""


class FrequentKeys:
    """A bounded table of keys with the time until which each is taken for frequent."""

    def __init__(self) -> None:
        self._until: dict[tuple[Term, int], float] = {}

    def among(self, keys: Keys, max_df: int) -> frozenset[Term]:
        """Those of the keys that are in more than `max_df` documents, as far as is known."""
        if not self._until:
            return frozenset()
        now = time.monotonic()
        terms = ((name, term) for name, some in keys.items() for term in some)
        return frozenset(term for term in terms if self._until.get((term, max_df), 0.0) > now)

    def learn(self, asked: Keys, met: Iterable[Keys], max_df: int) -> None:
        """Note the keys that documents below the cut, `met`, share with an asked text."""
        until = time.monotonic() + _SECONDS
        for keys in met:
            for name, terms in keys.items():
                if name in (Field.SIMHASH_KEYS, Field.TEXT_HASH):
                    continue  # their scores say nothing of their frequency
                for term in {*terms}.intersection(asked.get(name, ())):
                    self._until[(name, term), max_df] = until
        while len(self._until) > _MOST:
            self._until.pop(next(iter(self._until)), None)
