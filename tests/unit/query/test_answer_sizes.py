"""An answer of some size is the beginning of the whole one, marks included."""

from __future__ import annotations

import pytest

from indexer.meta import IndexMeta
from mappings.plan import STANDARD
from query.answers import Decision, Ref
from query.decided import decided_all
from query.questions import Options, Question
from scripts.forms.name_words import NameWords
from scripts.templates import PARTS
from tests.lookups import near_duplicates
from tests.texts import METRO, METRO_HOMOPHONES, TEA, chinese
from tests.unit.query.memory import MemoryReader

FORMS = [PARTS["tuning"]["donation"](NameWords(f"{number}")) for number in range(15)]
STROKES = ["丨".join(METRO[:size] + chinese(150 - size, size)) for size in (40, 50, 60, 140)]
PARTS_OF_METRO = [chinese(60, at) + METRO[40 * at : 40 * at + 120] for at in range(4)]


@pytest.mark.parametrize("size", [0, 1, 2, 5, 10])
@pytest.mark.parametrize("templates", [True, False])
@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (FORMS[0], FORMS[1:]),
        (FORMS[0], [FORMS[0], METRO, *FORMS[1:5]]),
        ("丨".join(METRO[:150]), [METRO, *STROKES]),
        (METRO, [METRO_HOMOPHONES, TEA + METRO, *PARTS_OF_METRO]),
    ],
)
def test_the_size_changes_no_match(
    asked: str, stored: list[str], templates: bool, size: int
) -> None:
    reader = MemoryReader({f"{at}": text for at, text in enumerate(stored)}, STANDARD)
    whole = near_duplicates(asked, STANDARD, reader, Options(size=None, templates=templates))
    part = near_duplicates(asked, STANDARD, reader, Options(size=size, templates=templates))
    assert len(whole.matches) + whole.completeness.templates > 1
    assert part.matches == whole.matches[:size]
    assert part.completeness == whole.completeness


def test_decisions_about_one_text_change_nothing_of_another() -> None:
    """Those beside it take more matches than are shown: what is left out is made up for."""
    reader = MemoryReader({f"{at}": text for at, text in enumerate(FORMS[1:])}, STANDARD)
    questions = [Question(FORMS[0]), Question(FORMS[1])]
    apart = {Ref("", f"{at}"): Decision.NOT_DUPLICATE for at in range(5, 9)}
    meta, options = IndexMeta(STANDARD), Options(size=1)
    (alone,) = decided_all(questions[:1], [{}], meta, reader, options)
    beside, other = decided_all(questions, [{}, apart], meta, reader, options)
    assert alone.matches[0].template
    assert beside == alone
    assert other.completeness.decided and other.matches[0].decided is None
