"""Texts of which five are copies of one, for lookups."""

from __future__ import annotations

from query.answers import Answer
from tests.texts import (
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    ORCHARD,
    TEA,
    chinese,
)

LONG = chinese(900, 50) + "。" + METRO.replace("盼望", "期盼") + chinese(900, 51)
EDITED = METRO.replace("昨天", "前天").replace("李明华", "李明花")

TEXTS = {
    "metro": METRO,
    "metro traditional": METRO_TRADITIONAL,
    "metro edited": EDITED,
    "metro homophones": METRO_HOMOPHONES,
    "metro inside": LONG,
    "tea": TEA,
    "library": LIBRARY,
    "orchard": ORCHARD,
}
METROS = ["metro", "metro traditional", "metro homophones", "metro edited", "metro inside"]


def ids(answer: Answer) -> list[str]:
    return [match.id for match in answer.matches]
