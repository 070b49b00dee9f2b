"""Many texts looked up together: the answers of single lookups, in two round trips."""

from __future__ import annotations

import pytest

from mappings.plan import STANDARD
from query.answers import Ref
from query.lookup import near_duplicates_all
from query.questions import EVERYTHING, Options, Question
from tests.lookups import near_duplicates
from tests.texts import LIBRARY, METRO, TEA, chinese
from tests.unit.query.memory import MemoryReader
from tests.unit.query.metros import LONG, METROS, TEXTS, ids


@pytest.fixture
def reader() -> MemoryReader:
    return MemoryReader(TEXTS, STANDARD)


@pytest.mark.parametrize("options", [None, Options(size=1), Options(verify=1), EVERYTHING])
def test_a_batch_gives_the_answers_of_single_lookups(
    reader: MemoryReader, options: Options | None
) -> None:
    texts = [METRO, chinese(400, 9), LIBRARY, "😀", LONG, TEA, METRO]
    batch = near_duplicates_all([Question(text) for text in texts], STANDARD, reader, options)
    assert batch == [near_duplicates(text, STANDARD, reader, options) for text in texts]


def test_a_batch_by_id_and_by_text(reader: MemoryReader) -> None:
    questions = [
        Question(METRO, "metro", Ref("", "metro"), reader.fingerprint("metro")),
        Question(TEA),
        Question(LIBRARY, "library", Ref("", "library")),
        Question(METRO, "another", Ref("", "metro edited"), reader.fingerprint("metro")),
        Question(TEA, "absent", Ref("", "absent")),
    ]
    answers = near_duplicates_all(questions, STANDARD, reader)
    assert [answer.id for answer in answers] == ["metro", None, "library", "another", "absent"]
    left_out = [answer.left_out for answer in answers]
    assert left_out == ["metro", None, "library", "metro edited", None]
    assert [ids(answer) for answer in answers] == [
        METROS[1:],
        ["tea"],
        [],
        [name for name in METROS if name != "metro edited"],
        ["tea"],
    ]


def test_a_batch_takes_two_round_trips(reader: MemoryReader) -> None:
    near_duplicates_all([Question(METRO), Question(TEA), Question(METRO)], STANDARD, reader)
    assert len(reader.requests) == 3
    (read,) = reader.read
    assert sorted(read) == sorted({*METROS, "tea"})  # each once


def test_an_empty_batch(reader: MemoryReader) -> None:
    assert near_duplicates_all([], STANDARD, reader) == []
