"""Templates: fillings of one form are marked, copies of one text never are."""

from __future__ import annotations

from random import Random

import pytest

from indexer.model import Keys
from mappings.contract import Field
from query.answers import Term
from query.facts.differ import Compared, Slot
from query.verify.templates import Filled, suspects, which_are_templates

UNRELATED = 8
KEYS: Keys = {Field.PASSAGE_KEYS: ("p1", "p2", "p3"), Field.MINHASH_KEYS: ("m1",)}


def filled(**slots: str) -> Filled:
    """A match that says other things in some slots; three facts agree."""
    facts = tuple(Slot(name, said) for name, said in slots.items())
    return Filled.of(Compared((), len(facts), facts, 3), KEYS)


def counted(df: int) -> dict[Term, int]:
    return {(Field.PASSAGE_KEYS, term): df for term in KEYS[Field.PASSAGE_KEYS]}


def marks(matches: list[Filled | None], df: int) -> list[bool]:
    asked: list[Keys] = []

    def frequencies(keys: Keys) -> dict[Term, int]:
        asked.append(keys)
        return counted(df)

    (out,) = which_are_templates([matches], frequencies, UNRELATED)
    assert len(asked) <= 1
    return out


def test_every_filling_says_something_else() -> None:
    assert marks([filled(title=f"t{n}") for n in range(5)], 100) == [True] * 5


def test_a_form_is_in_many_documents() -> None:
    matches: list[Filled | None] = [filled(title=f"t{n}") for n in range(5)]
    assert not any(marks(matches, UNRELATED - 1))
    assert all(marks(matches, UNRELATED))


def test_copies_count_against_a_form() -> None:
    matches: list[Filled | None] = [filled(title="t1"), filled(title="t2"), *[None] * 6]
    assert marks(matches, UNRELATED + 5) == [False] * 8
    assert marks(matches, UNRELATED + 6) == [True, True, *[False] * 6]


def test_an_update_that_was_copied_is_no_template() -> None:
    """All copies of the older version say the same other thing."""
    assert not any(marks([filled(number="5", day="3")] * 9, 100))


def test_a_copy_with_one_broken_fact_is_no_template() -> None:
    others: list[Filled | None] = [
        filled(title=f"t{n}", day=f"d{n}", name=f"n{n}", place=f"p{n}") for n in range(6)
    ]
    assert marks([filled(day="d9"), *others], 100) == [False] + [True] * 6


def test_copies_that_are_broken_each_in_its_own_place_are_no_templates() -> None:
    assert not any(marks([filled(**{f"slot{n}": "x"}) for n in range(9)], 100))


def test_what_mostly_agrees_is_a_copy() -> None:
    """Page furniture differs around each copy, what is inside does not."""
    copies: list[Filled | None] = [
        Filled.of(Compared((), 1, (Slot("12", f"{n}"),), 30), KEYS) for n in range(9)
    ]
    assert not any(marks(copies, 100))


def test_no_term_is_asked_for_without_a_suspect() -> None:
    def never(keys: Keys) -> dict[Term, int]:
        raise AssertionError(keys)

    assert which_are_templates([[None, None], []], never, UNRELATED) == [[False, False], []]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_matches_does_not_matter(seed: int) -> None:
    matches: list[Filled | None] = [
        None,
        filled(day="d9"),
        *(filled(title=f"t{n}", day=f"d{n}", name=f"n{n}", place=f"p{n}") for n in range(6)),
    ]
    order = Random(seed).sample(range(len(matches)), len(matches))
    found = suspects(matches)
    assert suspects([matches[place] for place in order]) == [found[place] for place in order]
