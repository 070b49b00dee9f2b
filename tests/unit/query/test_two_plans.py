"""One answer of lookups under two plans."""

from __future__ import annotations

from itertools import count

import pytest

from indexer.boilerplate import NOTHING
from mappings.plan import CHARACTERS, STANDARD
from query.guarantee import in_words
from query.questions import Question
from query.two_plans import Asked, near_duplicates_under
from tests.texts import METRO
from tests.unit.query.memory import MemoryReader

BEFORE, AFTER = Asked(STANDARD, NOTHING), Asked(CHARACTERS, NOTHING)


def test_both_plans_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr("query.lookup.time.perf_counter", lambda: next(ticks))
    reader = MemoryReader({"metro": METRO}, STANDARD)
    (answer,) = near_duplicates_under([Question(METRO)], BEFORE, AFTER, reader)
    assert [match.id for match in answer.matches] == ["metro"]
    assert answer.compared_seconds == 2
    for plan in (STANDARD, CHARACTERS):
        assert in_words(plan) in answer.completeness.guarantee
    (answer,) = near_duplicates_under([Question(METRO)], BEFORE, BEFORE, reader)
    assert answer.completeness.guarantee == in_words(STANDARD)
