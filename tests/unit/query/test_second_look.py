"""Document frequencies that are asked for once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

import pytest

from indexer.model import Keys
from mappings.contract import Field
from mappings.plan import STANDARD
from query import known_spread, lookup, pair
from query.answers import Answer, CandidatePage, Request, Term, Verdict
from query.facts.differ import Compared, compare
from query.facts.fact_reading import Reading
from query.known_spread import KnownSpread
from query.questions import Options
from query.second_look import Counts
from tests.lookups import near_duplicates
from tests.texts import chinese
from tests.unit.query.memory import MemoryReader

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


class Counting(MemoryReader):
    """Notes what is asked of it."""

    asked: list[Keys]

    def frequencies(self, keys: Keys) -> dict[Term, int]:
        self.asked.append(keys)
        return super().frequencies(keys)


def test_facts_of_partial_copies_wait_for_what_the_index_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Passages that few documents have are no forms: one request says so of all matches, also of
    one that shares more than a passage, and nothing is compared."""
    first, second, third = (chinese(70, seed) for seed in range(3))
    stored = {
        f"{at}-{copy}": chinese(90, 10 + 20 * at + copy) + quotation
        for at, quotation in enumerate((first, second))
        for copy in range(2)
    }
    stored["both"] = chinese(60, 97) + first + chinese(30, 98) + third
    reader = Counting(stored, STANDARD)
    reader.asked = []
    compared = []

    def counted(asked: Reading, other: Reading) -> Compared:
        compared.append(other)
        return compare(asked, other)

    monkeypatch.setattr(pair, "compare", counted)
    text = first + chinese(40, 99) + second + chinese(40, 100) + third
    options = Options(candidates=3)  # there are more, so that the page tells no frequencies
    answer = near_duplicates(text, STANDARD, reader, options)
    assert answer.completeness.truncated
    assert {match.verdict for match in answer.matches} == {Verdict.PARTIAL}
    assert (len(answer.matches), answer.matches[0].id) == (3, "both")
    assert len(reader.asked) == 1
    assert not compared


def test_what_the_candidates_show_is_not_counted_and_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither where a passage is in few documents nor where it is in many, and proves nothing."""
    few, many = chinese(110, 1), chinese(70, 2)
    stored = {f"few-{at}": chinese(90, 10 + at) + few for at in range(3)}
    stored |= {f"many-{at}": chinese(90, 50 + at) + many for at in range(40)}
    text = few + chinese(60, 3) + many
    answers: list[list[Answer]] = []
    asked = []
    for most in (100, 0):
        monkeypatch.setattr(known_spread, "_SEEN", most)
        reader = Counting(stored, STANDARD)
        reader.asked = []
        both = (Options(candidates=20), Options(templates=False, facts=False))
        answers.append([near_duplicates(text, STANDARD, reader, options) for options in both])
        asked.append(sum(map(len, chain.from_iterable(keys.values() for keys in reader.asked))))
    assert told(answers[0]) == told(answers[1])
    assert answers[0][0].completeness.widespread and answers[0][0].matches
    assert asked[0] < asked[1]


@pytest.mark.parametrize("is_partial", [True, False])
def test_what_was_seen_is_held_only_where_a_match_may_be_widespread(
    is_partial: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[KnownSpread] = []

    class Noted(KnownSpread):
        def __init__(self, page: CandidatePage, request: Request) -> None:
            super().__init__(page, request)
            made.append(self)

    monkeypatch.setattr(lookup, "KnownSpread", Noted)
    text = chinese(300, 1)
    stored = {"copy": text.replace(text[9], "改")}
    if is_partial:
        stored["part"] = chinese(200, 2) + text[100:220] + chinese(200, 3)
    answer = near_duplicates(text, STANDARD, MemoryReader(stored, STANDARD))
    assert len(answer.matches) == len(stored)
    assert bool(made[0].seen) is is_partial


def told(answers: list[Answer]) -> list[Answer]:
    return [replace(answer, compared_seconds=0.0) for answer in answers]
