"""Document frequencies that are asked for once."""

from __future__ import annotations

from collections.abc import Mapping

from indexer.model import Keys
from mappings.contract import Field
from query.answers import Term
from query.second_look import Counts

P, S = Field.PASSAGE_KEYS, Field.SENTENCES


def test_each_is_asked_for_once_and_wishes_come_along() -> None:
    asked: list[Keys] = []

    def store(keys: Keys) -> Mapping[Term, int]:
        asked.append(keys)
        return {(name, term): 7 for name, terms in keys.items() for term in terms}

    counts = Counts(store)
    counts.wish([(P, "w"), (S, "a"), (P, "w")])
    assert counts.known == {}
    assert asked == []  # a wish alone is no reason to ask
    assert counts({P: ("a", "b")})[P, "a"] == 7
    assert asked == [{P: ("a", "b", "w"), S: ("a",)}]
    assert counts({P: ("w", "b")})[P, "w"] == 7
    assert len(asked) == 1
    counts({P: ("b", "c")})
    assert asked[1:] == [{P: ("c",)}]
    assert counts.known[P, "c"] == 7
    assert counts({}) is counts.known
    assert len(asked) == 2
