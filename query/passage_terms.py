"""The keys that tell a passage: what copies share whatever else was changed in them.

Their document frequencies tell a passage, or a form, of many documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from indexer.model import Keys
from mappings.contract import Field
from query.answers import Term

FIELDS: Final = (Field.PASSAGE_KEYS, Field.SENTENCES)

FORM_FIELDS: Final = (*FIELDS, Field.LOOSE_KEYS)
"""The keys that tell a form: between slots its words may be too few for a passage."""

Frequencies = Callable[[Keys], Mapping[Term, int]]
"""In how many documents each term is."""


def passage_terms(keys: Mapping[Field, Iterable[str]]) -> Iterator[Term]:
    """The passages and sentences among keys."""
    return ((name, term) for name in FIELDS for term in keys.get(name, ()))


def form_terms(keys: Mapping[Field, Iterable[str]]) -> list[Term]:
    """The passages and sentences among keys; where there are none, the loose windows."""
    terms = list(passage_terms(keys))
    return terms or [(Field.LOOSE_KEYS, term) for term in keys.get(Field.LOOSE_KEYS, ())]


def by_field(terms: Iterable[Term]) -> Keys:
    """Terms of any fields as keys, each once."""
    out: dict[Field, dict[str, None]] = {}
    for name, term in terms:
        out.setdefault(name, {})[term] = None
    return {name: tuple(values) for name, values in out.items()}


def all_but_few(few: int, count: int, spared: float) -> bool:
    """Whether all of `count` passages are in many documents when `few` are in few of them: but for
    a part smaller than `spared`, and for none where that is 0."""
    return few < max(1, spared * count)
