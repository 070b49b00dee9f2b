"""Found pairs that the truth does not list although their texts do overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from dupdex.evaluation.truth import Pair
from indexer.text import prepare
from mappings.plan import TABLE_STEPS, Plan

NATURAL: Final = 0.5
"""From this containment on, an unlisted pair shares its text by nature and not by our mistake."""

GRAM: Final = 5
"""Characters of a gram."""

_TOGETHER: Final = 200

Texts = Callable[[Sequence[str]], dict[str, str]]
"""The texts of documents, by id."""


def natural_pairs(pairs: Sequence[Pair], texts: Texts, plan: Plan) -> frozenset[Pair]:
    """The pairs whose containment reaches NATURAL; texts are fetched in batches of pairs."""
    natural: set[Pair] = set()
    for start in range(0, len(pairs), _TOGETHER):
        chunk = pairs[start : start + _TOGETHER]
        fetched = texts(sorted({name for pair in chunk for name in pair}))
        grams = {name: grams_of(text, plan) for name, text in fetched.items()}
        natural.update(
            (left, right)
            for left, right in chunk
            if containment(grams[left], grams[right]) >= NATURAL
        )
    return frozenset(natural)


def containment(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared grams by the grams of the smaller set; 0 when that is empty."""
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0


def grams_of(text: str, plan: Plan) -> frozenset[str]:
    """Character 5-grams of the folded text; a shorter text is one gram.

    Folded by every step, whatever the plan leaves out, so that plans are measured alike.
    """
    codes = prepare(text, replace(plan, steps=TABLE_STEPS)).folded.values
    folded = codes.tobytes().decode("utf-32-le", "surrogatepass")
    starts = range(max(len(folded) - GRAM + 1, 1 if folded else 0))
    return frozenset(folded[start : start + GRAM] for start in starts)
