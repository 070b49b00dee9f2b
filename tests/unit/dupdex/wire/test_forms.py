"""The JSON form of every noun: there and back, and as its schema says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from dupdex.banks.bank_forms import BankLine, BankLines, EntryLines, RetroLines
from dupdex.banks.bank_model import (
    BankAnswer,
    BankEntry,
    BankHit,
    BankKind,
    BankPassage,
    EntryOutcome,
    Flood,
    Ruling,
)
from dupdex.banks.retro_hits import RetroHit
from dupdex.groups.group_forms import GroupDetail, GroupEdge, GroupLine, GroupLines, GroupMember
from dupdex.matches.decisions import Decided
from dupdex.matches.forgetting import Receipt
from dupdex.matches.match_record import MatchRecord
from dupdex.wire.explanation_form import ExplanationForm
from dupdex.wire.forms import FORMAT, NOUNS, FilePair, Stored, from_json, schema, to_json
from dupdex.works.work_forms import ChapterLine, ChapterLines, WorkLine, WorkLines
from indexer.model import Status
from mappings.errors import InputRefused
from mappings.plan import STANDARD
from query.answers import Answer, Match, Verdict
from query.explain.explanation import Subject, explain
from query.pair import PairJudge
from query.questions import Options
from query.sweep import SweepReport, all_pairs
from tests.lookups import near_duplicates
from tests.texts import METRO, METRO_HOMOPHONES, TEA
from tests.unit.dupdex.infringement import samples as infringements
from tests.unit.dupdex.report.samples import EMPTY, REPORT
from tests.unit.query.memory import MemoryReader

TEXTS = {
    "metro": METRO,
    "update": METRO.replace("十七座", "十八座"),
    "homophones": METRO_HOMOPHONES,
    "inside": TEA + METRO + TEA,
}


def answers() -> Iterator[Answer]:
    reader = MemoryReader(TEXTS, STANDARD)
    for options in (Options(), Options(facts=False, located=False), Options(verify=0)):
        yield near_duplicates(METRO, STANDARD, reader, options)
    yield near_duplicates(TEA * 3, STANDARD, MemoryReader({}, STANDARD))


def of_banks() -> Iterator[Any]:
    line = BankLine("spam", BankKind.DENY, ("news-*",), "about", "ann", "then", 7)
    yield from (BankLines((line,)), BankLines(()))
    entry = BankEntry("e", METRO, ("a",), "why", "ann", "then", "later")
    yield from (EntryLines("spam", (entry,), "next"), EntryLines("spam", ()))
    yield EntryOutcome("e", "rejected", "no text")
    said = ("spam", BankKind.DENY, "e", ("a",), "why", None, Verdict.NEAR, 0.75, 1.0, None)
    hit = BankHit(*said, (BankPassage((0, 5), (1, 6)),), overruled=True)
    yield BankAnswer(Ruling.NONE)
    flood = Flood("f", 20, 20, 600.0, "then", is_flood=True)
    yield BankAnswer(Ruling.DENIED, (hit,), 2, ("spam",), complete=False, flood=flood)
    yield RetroLines("run", 3, (RetroHit("spam", "e", "news", "1", Verdict.EXACT, 1.0, 1.0),))


def nouns() -> Iterator[Any]:
    for answer in answers():
        yield answer
        for match in answer.matches:
            yield match
            yield FilePair.of(("a", "f:1"), ("b", "f:2"), match)
    reader, report = MemoryReader(TEXTS, STANDARD), SweepReport()
    for pair in all_pairs(reader.stored.values(), STANDARD, reader, report=report):
        yield pair
        yield MatchRecord.of(pair, STANDARD.id, "sweep", "2026-01-31T00:00:00.000Z")
    yield report
    judge = PairJudge(STANDARD)
    for text in TEXTS.values():
        yield judge.comparison(*judge.read([METRO, text]))
        yield ExplanationForm.of(explain(Subject(METRO), Subject(text, "1"), STANDARD))
    yield from (REPORT, EMPTY)
    decided = {"first": "i|a", "second": "i|b", "decision": "undo", "at": "now", "why": "错"}
    yield Decided.from_values(decided)
    yield Decided.from_values({**decided, "decision": "duplicate", "history": [{"at": "before"}]})
    yield Receipt("a", "now", ("i",), {"sentences": 3}, "a", 1, 2, 3, {"a": "removed"}, ("jobs",))
    line = GroupLine("a", "b", 3, "then", "now", 2)
    yield GroupLines(1, (line,), "next")
    member = GroupMember("b", "news", "标题", "then", pinned=True)
    edge = GroupEdge("b", "c", Verdict.NEAR, 0.75, None)
    yield GroupDetail("a", "c", member, "why", 3, "then", "now", ("x",), (member,), (edge,))
    yield Stored("1", Status.CREATED)
    yield from of_banks()
    yield from of_works()
    yield Stored("2", Status.REJECTED, "no text")


def of_works() -> Iterator[Any]:
    work = WorkLine("夜渡", 1, "holder", "", ("a.example",), ("*",), "now")
    chapter = ChapterLine("c1", 1, "first", "", None, 3, "now", "now")
    yield WorkLines((work,))
    yield ChapterLines(work, (chapter,))
    yield infringements.REPORT
    yield infringements.EMPTY


def validator(kind: type) -> Draft202012Validator:
    whole = schema()
    return Draft202012Validator({**whole, "$ref": f"#/$defs/{kind.__name__}"})


@pytest.mark.parametrize("noun", list(nouns()), ids=lambda noun: type(noun).__name__)
def test_there_and_back_and_as_the_schema_says(noun: Any) -> None:
    value = orjson.loads(orjson.dumps(to_json(noun)))
    assert value == to_json(noun), "more than plain JSON values"
    validator(type(noun)).validate(value)
    again = from_json(type(noun), value)
    assert type(again) is type(noun)
    assert to_json(again) == value  # numbers have four decimals


def test_every_noun_is_tried() -> None:
    assert {type(noun) for noun in nouns()} == set(NOUNS)


@pytest.mark.parametrize("noun", list(nouns()), ids=lambda noun: type(noun).__name__)
def test_what_is_printed_as_a_whole_says_its_format(noun: Any) -> None:
    value = to_json(noun)
    if isinstance(noun, Match):  # it is part of others
        assert "format" not in value
        return
    assert value["format"] == FORMAT
    with pytest.raises(InputRefused, match=f"format {FORMAT + 1}, this dupdex reads {FORMAT}"):
        from_json(type(noun), {**value, "format": FORMAT + 1})
    del value["format"]
    assert list(validator(type(noun)).iter_errors(value))


def test_an_answer_says_whether_there_are_duplicates() -> None:
    first, *_, none = answers()
    assert to_json(first)["duplicate"] is True
    assert to_json(none)["duplicate"] is False


def test_the_users_numbers_are_not_rounded() -> None:
    (answer, *_) = answers()
    match = answer.matches[0]
    values = to_json(Match(**{**plain(match), "document": {"price": 1.23456789}}))
    assert values["document"] == {"price": 1.23456789}


def plain(match: Match) -> dict[str, Any]:
    return {name: getattr(match, name) for name in Match.__struct_fields__}


@pytest.mark.parametrize(
    ("change", "said"),
    [({"verdict": "maybe"}, "verdict"), ({"similarity": "high"}, "similarity"), ({"id": 7}, "id")],
)
def test_what_is_wrong_is_named(change: dict[str, Any], said: str) -> None:
    (answer, *_) = answers()
    value = to_json(answer.matches[0])
    with pytest.raises(InputRefused, match=rf"not the JSON form of Match: .*{said}"):
        from_json(Match, {**value, **change})


def test_the_schema_refuses_what_is_no_answer() -> None:
    (answer, *_) = answers()
    value = to_json(answer)
    del value["completeness"]
    assert list(validator(Answer).iter_errors(value))
