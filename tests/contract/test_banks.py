"""Banks on both stores: entries found like documents, who sees them when, and what they rule."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from dupdex.banks.bank_check import BankQuestion, check_banks
from dupdex.banks.bank_model import BankAnswer, BankEntry, BankKind, Ruling
from dupdex.banks.bank_store import Banks
from dupdex.location import Location
from dupdex.session import Session
from mappings.bank_records import BANKS
from mappings.collections import moment
from mappings.errors import InputRefused, NotFound, TextRefused
from query.answers import Verdict
from tests.texts import (
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    ORCHARD,
    TEA,
    chinese,
)

DENY, ALLOW = BankKind.DENY, BankKind.ALLOW
WITHIN = 5.0


@pytest.fixture
def banks(place: Location) -> Iterator[Banks]:
    with Session(place) as session:
        yield Banks(session)


def asked(banks: Banks, text: str, *names: str, index: str | None = None) -> BankAnswer:
    (answer,) = check_banks(banks, [text], BankQuestion(index, names))
    return answer


def until(banks: Banks, text: str, ruling: Ruling) -> float:
    """Seconds until a text is ruled so."""
    begun = time.monotonic()
    while asked(banks, text).ruling is not ruling:
        assert time.monotonic() - begun < WITHIN
        time.sleep(0.02)
    return time.monotonic() - begun


def test_nothing_is_made_by_asking(banks: Banks) -> None:
    assert asked(banks, METRO) == BankAnswer(Ruling.NONE)
    assert banks.all() == []
    assert banks.count() == {}
    for call in (lambda: banks.get("spam"), lambda: list(banks.add("spam", []))):
        with pytest.raises(NotFound, match="no bank 'spam'"):
            call()
    with pytest.raises(NotFound, match="no index"):
        banks.home.session.reader(banks.home.name)


def test_a_copy_of_an_entry_is_named_with_its_passages(banks: Banks) -> None:
    banks.create("spam", DENY, about="advertisements", by="ann")
    entry = BankEntry("metro", METRO, ("traffic", "old"), "seen before", "ann")
    (outcome,) = banks.add("spam", [entry])
    assert (outcome.id, outcome.status) == ("metro", "created")
    answer = asked(banks, METRO_HOMOPHONES)
    (hit,) = answer.hits
    assert (answer.ruling, answer.banks, answer.total) == (Ruling.DENIED, ("spam",), 1)
    assert (hit.bank, hit.kind, hit.entry) == ("spam", DENY, "metro")
    assert (hit.labels, hit.reason, hit.verdict) == (("traffic", "old"), "seen before", "near")
    assert answer.labels == ("traffic", "old")
    around = ORCHARD + " " + METRO + LIBRARY
    (passage,) = asked(banks, around).hits[0].passages
    assert around[slice(*passage.asked)].strip("。") == METRO.strip("。")
    assert asked(banks, METRO_TRADITIONAL).hits[0].verdict is Verdict.EXACT
    assert asked(banks, TEA).ruling is Ruling.NONE
    assert asked(banks, TEA).banks == ("spam",)


def test_an_entry_is_replaced_and_removed(banks: Banks) -> None:
    banks.create("spam", DENY)
    assert [o.status for o in banks.add("spam", [BankEntry("x", METRO)])] == ["created"]
    added = banks.entry("spam", "x").added
    assert [o.status for o in banks.add("spam", [BankEntry("x", TEA, ("tea",))])] == ["updated"]
    assert asked(banks, METRO).ruling is Ruling.NONE
    assert asked(banks, TEA).labels == ("tea",)
    assert banks.entry("spam", "x").added == added
    assert banks.remove("spam", ["x", "y"]) == ["x"]
    assert asked(banks, TEA).ruling is Ruling.NONE
    with pytest.raises(NotFound, match="bank 'spam' has no entry 'x'"):
        banks.entry("spam", "x")


def test_one_bad_text_costs_the_others_nothing(banks: Banks) -> None:
    banks.create("spam", DENY)
    entries = [BankEntry("", METRO), BankEntry("none", " "), BankEntry("", METRO)]
    outcomes = banks.add("spam", [*entries, BankEntry("tea", TEA)])
    assert [each.status for each in outcomes] == ["created", "rejected", "created", "created"]
    assert outcomes[0].id == outcomes[2].id  # by its text
    assert "empty" in outcomes[1].reason
    assert banks.count() == {"spam": 2}
    with pytest.raises(TextRefused):
        asked(banks, " ")


def test_entries_are_paged_and_told_apart_by_bank(banks: Banks) -> None:
    banks.create("spam", DENY)
    banks.create("other", DENY)
    wanted = {f"e{number}": chinese(60, number) for number in range(7)}
    banks.add("spam", [BankEntry(name, text) for name, text in wanted.items()])
    banks.add("other", [BankEntry("e1", TEA)])
    found: dict[str, str] = {}
    page = banks.entries("spam", limit=3)
    found |= {entry.id: entry.text for entry in page.entries}
    while page.next is not None:
        page = banks.entries("spam", limit=3, after=page.next)
        found |= {entry.id: entry.text for entry in page.entries}
    assert found == wanted
    assert {entry.id for entry in banks.everything("spam")} == set(wanted)
    assert banks.count() == {"spam": 7, "other": 1}
    assert banks.drop("spam") == 7
    assert [bank.name for bank in banks.all()] == ["other"]
    assert banks.entry("other", "e1").text == TEA
    assert asked(banks, wanted["e3"]).ruling is Ruling.NONE


def test_a_bank_begins_without_entries(banks: Banks) -> None:
    """Even where an older one of its name was dropped by a program that did not get to its end."""
    banks.create("spam", DENY)
    banks.add("spam", [BankEntry("m", METRO), BankEntry("t", TEA)])
    banks.home.collection(BANKS).delete("spam")
    banks.home.collection(BANKS).refresh()
    until(banks, METRO, Ruling.NONE)
    banks.create("spam", DENY)
    assert banks.count() == {}
    assert asked(banks, METRO).ruling is Ruling.NONE
    banks.create("spam", DENY, about="again")
    assert banks.get("spam").about == "again"


def test_an_expired_entry_does_not_act(banks: Banks) -> None:
    banks.create("spam", DENY)
    soon = moment(datetime.now(UTC) + timedelta(seconds=1))
    later = moment(datetime.now(UTC) + timedelta(hours=1))
    banks.add("spam", [BankEntry("a", METRO, expires=soon), BankEntry("b", TEA, expires=later)])
    until(banks, METRO, Ruling.NONE)
    assert moment(datetime.now(UTC)) >= soon
    assert asked(banks, TEA).hits[0].expires == later
    assert banks.entry("spam", "a").expires == soon
    assert banks.remove_expired("spam") == 1
    assert banks.count() == {"spam": 1}


def test_banks_are_for_indices(banks: Banks) -> None:
    banks.create("all", DENY)
    banks.create("forum", DENY, ["forum-*", "chat"])
    banks.add("all", [BankEntry("m", METRO)])
    banks.add("forum", [BankEntry("t", TEA)])
    assert asked(banks, TEA, index="news").banks == ("all",)
    assert asked(banks, TEA, index="news").ruling is Ruling.NONE
    assert asked(banks, TEA, index="forum-1").ruling is Ruling.DENIED
    assert asked(banks, TEA, index="chat").ruling is Ruling.DENIED
    assert asked(banks, METRO, "forum").ruling is Ruling.NONE
    assert asked(banks, METRO, "forum", "all").ruling is Ruling.DENIED
    with pytest.raises(NotFound, match="no bank 'none'"):
        asked(banks, METRO, "none")
    banks.create("forum", DENY, ["*"])
    assert asked(banks, TEA, index="news").ruling is Ruling.DENIED
    with pytest.raises(InputRefused, match="is a bank to deny"):
        banks.create("forum", ALLOW)


def test_allow_goes_before_deny_for_the_same_text(banks: Banks) -> None:
    banks.create("spam", DENY)
    banks.create("fine", ALLOW)
    banks.add("spam", [BankEntry("m", METRO), BankEntry("o", ORCHARD)])
    banks.add("fine", [BankEntry("m", METRO)])
    answer = asked(banks, METRO_HOMOPHONES)
    assert answer.ruling is Ruling.ALLOWED
    assert [(hit.bank, hit.overruled) for hit in answer.hits] == [("fine", False), ("spam", True)]
    # What was put beside the allowed text is still denied.
    mixed = asked(banks, METRO + ORCHARD)
    assert mixed.ruling is Ruling.DENIED
    assert (mixed.hits[0].bank, mixed.hits[0].entry) == ("spam", "o")
    # A text that only has the allowed one in it, among others, is neither.
    assert asked(banks, METRO + TEA * 3 + chinese(900, 5), "fine").ruling is Ruling.NONE


STROKES, TURNED = "丨".join(TEA), f"\u202e{TEA[::-1]}"
EDITED = TEA.replace("今年", "去年").replace("六十三", "七十一")


@pytest.mark.parametrize(
    ("deny", "allow", "text"),
    [
        (EDITED, TEA, STROKES),
        (EDITED, TEA, TURNED),
        ("丨".join(EDITED), TEA, TEA),
        (EDITED, STROKES, TEA),
        (EDITED, STROKES, TURNED),
    ],
)
def test_allow_goes_before_deny_in_a_disguise(
    banks: Banks, deny: str, allow: str, text: str
) -> None:
    """Whichever of text and entries is in one; passages are of the texts as they are given."""
    for name, kind, said in (("bad", DENY, deny), ("good", ALLOW, allow)):
        banks.create(name, kind)
        banks.add(name, [BankEntry(name, said)])
    found = asked(banks, text)
    assert found.ruling is Ruling.ALLOWED
    hits = {hit.bank: hit for hit in found.hits}
    assert (hits["bad"].overruled, hits["good"].overruled) == (True, False)
    (whole,) = hits["good"].passages
    assert whole.asked[1] - whole.asked[0] > 0.9 * len(text)
    assert whole.entry[1] - whole.entry[0] > 0.9 * len(allow)
    alone = asked(banks, text, "bad")
    assert alone.ruling is Ruling.DENIED
    assert alone.hits[0].passages


def test_another_session_sees_it_in_time(banks: Banks, place: Location) -> None:
    with Session(place) as elsewhere:
        others = Banks(elsewhere)
        assert asked(others, METRO).ruling is Ruling.NONE  # it has looked for banks in vain
        banks.create("spam", DENY)
        banks.add("spam", [BankEntry("m", METRO)])
        assert until(others, METRO, Ruling.DENIED) < WITHIN
        banks.remove("spam", ["m"])
        assert until(others, METRO, Ruling.NONE) < WITHIN
        others.add("spam", [BankEntry("t", TEA)])
        assert until(banks, TEA, Ruling.DENIED) < WITHIN
        banks.drop("spam")
        assert until(others, TEA, Ruling.NONE) < WITHIN


def test_banks_can_be_asked_while_they_are_made(banks: Banks, place: Location) -> None:
    """An index that was made this moment cannot be searched yet."""
    made = Event()

    def asking() -> int:
        times = 0
        with Session(place) as elsewhere:
            while not made.is_set():
                assert asked(Banks(elsewhere), METRO).ruling is not Ruling.ALLOWED
                times += 1
        return times

    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(asking)
        try:
            banks.create("spam", DENY)
            banks.add("spam", [BankEntry("m", METRO)])
        finally:
            made.set()
        assert answers.result() > 0


def test_a_bank_is_passed_over_by_searches_with_wildcards(banks: Banks) -> None:
    banks.create("spam", DENY)
    banks.add("spam", [BankEntry("m", METRO)])
    session = banks.home.session
    if session.location.is_server:
        client, _ = session.connection(banks.home.name)
        pattern = f"{banks.home.name[:-2]}*"
        assert client.count(index=pattern)["count"] == 0
        assert client.count(index=banks.home.name)["count"] == 1
        assert banks.home.name not in session.indices()
