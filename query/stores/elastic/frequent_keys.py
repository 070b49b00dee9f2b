"""Keys that are known to be frequent, as earlier answers of the same session showed.

A document that scores below the cut shares frequent keys only. Once a text is known to have such a
key, a document has to share two of them, or something rarer, to be a candidate: the same documents
as the cut leaves, without those that it would leave out coming over the wire.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Final

from indexer.model import Keys
from mappings.contract import Field
from query.answers import Term

_MOST: Final = 20_000
_SECONDS: Final = 60.0
"""Documents are deleted and written anew: after this time a key has to be met again."""


class FrequentKeys:
    """A bounded table of keys with the time until which each is taken for frequent. Threads may
    share it. Behind an alias over several indices it stays empty: a key that is frequent in one of
    them may be rare in another.
    """

    def __init__(self) -> None:
        self._until: dict[tuple[Term, int], float] = {}
        self._indices: set[str] = set()
        self._lock = threading.Lock()

    def among(self, keys: Keys, max_df: int) -> frozenset[Term]:
        """Those of the keys that are in more than `max_df` documents, as far as is known."""
        if not self._until:
            return frozenset()
        now = time.monotonic()
        all_terms = ((name, term) for name, terms in keys.items() for term in terms)
        return frozenset(term for term in all_terms if self._until.get((term, max_df), 0.0) > now)

    def learn(
        self, asked: Keys, met: Iterable[Keys], max_df: int, indices: Iterable[str] = ()
    ) -> None:
        """Note the keys that documents below the cut, `met`, share with an asked text; `indices`:
        those that the whole answer came from.
        """
        until = time.monotonic() + _SECONDS
        with self._lock:
            self._indices.update(indices)
            if len(self._indices) > 1:
                self._until.clear()
                return
            for keys in met:
                for term in _shared(keys, asked):
                    self._until[term, max_df] = until
            while len(self._until) > _MOST:
                self._until.pop(next(iter(self._until)))


def _shared(keys: Keys, asked: Keys) -> Iterator[Term]:
    """The keys in common, without those whose scores say nothing of their frequency."""
    for name, terms in keys.items():
        if name not in (Field.SIMHASH_KEYS, Field.TEXT_HASH):
            yield from ((name, term) for term in {*terms}.intersection(asked.get(name, ())))
