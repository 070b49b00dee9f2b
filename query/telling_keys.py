"""The keys that have a vote: those that boilerplate alone makes have none."""

from __future__ import annotations

from indexer.model import Keys
from mappings.contract import Field
from query.grams import Features


def without_boilerplate(keys: Keys, *texts: Features) -> Keys:
    """The keys of one text, or the shared keys of two, without those that boilerplate makes in
    every one of the texts: a key that is boilerplate in one text alone still has a vote.
    """
    if not all(text.boilerplate() for text in texts):
        return keys
    dropped = {
        Field.SENTENCES: frozenset(texts[0].batch.boilerplate.sentences),
        Field.PASSAGE_KEYS: frozenset.intersection(*(t.boilerplate_passage_keys() for t in texts)),
    }
    kept = {
        name: tuple(term for term in terms if term not in dropped.get(name, ()))
        for name, terms in keys.items()
    }
    return {name: terms for name, terms in kept.items() if terms}
