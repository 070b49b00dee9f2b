"""The nouns of the generator, and the number that tells how much of a text a mutation left."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

GRAM: Final = 5


@dataclass(frozen=True, slots=True)
class Source:
    """A text of the user's corpus."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A document that is written. `base` and `donor`: ids of the texts it was made of."""

    id: str
    text: str
    role: str
    kind: str = ""
    strength: str = ""
    base: str = ""
    donor: str = ""

    def to_json(self) -> dict[str, str]:
        """Only what is set, and the text in any case."""
        names = ("role", "kind", "strength", "base", "donor")
        more = {name: getattr(self, name) for name in names if getattr(self, name)}
        return {"id": self.id, "text": self.text, **more}


@dataclass(frozen=True, slots=True)
class Link:
    """A row of the truth. `label`: 1 duplicate, 2 partial copy, 0 neither."""

    left: Row
    right: Row
    label: int
    kind: str
    strength: str

    def to_line(self) -> str:
        """The columns of truth.tsv, between tabs."""
        jaccard = jac5(self.left.text, self.right.text)
        columns = (self.left.id, self.right.id, str(self.label), self.kind, self.strength)
        return "\t".join((*columns, f"{jaccard:.4f}"))


Mutation = Callable[[str, Random], str | None]
"""The mutated text, or None where the text gives nothing to mutate."""


def jac5(left: str, right: str) -> float:
    """Jaccard similarity of character 5-grams of letters and digits, width and case folded."""
    first, second = _grams(left), _grams(right)
    return len(first & second) / max(1, len(first | second))


def letters_of(text: str) -> str:
    """The letters and digits of a text, in one width and case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _grams(text: str) -> set[str]:
    letters = letters_of(text)
    return {letters[at : at + GRAM] for at in range(max(len(letters) - GRAM + 1, 1))}
