"""Names, patterns and what is stored of banks and entries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.banks.bank_model import (
    Bank,
    BankAnswer,
    BankEntry,
    BankHit,
    BankKind,
    Ruling,
    entry_name,
    parts_of_entry,
)
from indexer.stores.collection_store import Item
from mappings.bank_records import BANK_ENTRIES, BANKS
from mappings.errors import InputRefused
from query.answers import Verdict
from tests.texts import LAW, anything

NOW = "2026-05-01T12:00:00.000Z"
LATER = "2026-05-01T12:00:00.001Z"

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
names = st.builds(str.__add__, st.sampled_from(LETTERS), st.text(LETTERS + "_-", max_size=60))


@LAW
@given(names, st.text(min_size=1, max_size=30))
def test_an_entry_is_named_by_bank_and_id(bank: str, entry: str) -> None:
    assert parts_of_entry(entry_name(bank, entry)) == (bank, entry)


@LAW
@given(anything)
def test_a_name_is_refused_or_safe_in_an_id(name: str) -> None:
    try:
        bank = Bank(name, BankKind.DENY)
    except InputRefused:
        return
    assert parts_of_entry(entry_name(bank.name, "x")) == (name, "x")


@pytest.mark.parametrize("name", ["", "A", "a/b", "-a", "a b", "a" * 65, "ä"])
def test_names_that_no_bank_has(name: str) -> None:
    with pytest.raises(InputRefused, match="cannot name a bank"):
        Bank(name, BankKind.DENY)


def test_patterns() -> None:
    bank = Bank("a", BankKind.DENY, ("news-*", "chat"))
    assert [bank.is_for(index) for index in ("news-1", "chat", "news", "chats")] == [
        True,
        True,
        False,
        False,
    ]
    for patterns in ((), ("",), ("a", " ")):
        with pytest.raises(InputRefused, match="for no index"):
            Bank("a", BankKind.DENY, patterns)


def test_what_is_stored_is_read_again() -> None:
    bank = Bank("a", BankKind.ALLOW, ("x*",), "about", "ann", NOW)
    assert Bank.from_item(Item("a", BANKS.item(bank.values()), "1")) == bank
    entry = BankEntry("e/1", "text", ("l",), "why", "ann", NOW, LATER)
    values = BANK_ENTRIES.item(entry.values("a"))
    assert BankEntry.from_values("a/e/1", values, "text") == entry
    least = BankEntry("e", "", added=NOW)
    assert BankEntry.from_values("a/e", BANK_ENTRIES.item(least.values("a"))) == least


def test_an_entry_acts_until_it_expires() -> None:
    assert BankEntry("e", "").acts(NOW)
    assert BankEntry("e", "", expires=LATER).acts(NOW)
    assert not BankEntry("e", "", expires=NOW).acts(NOW)


@pytest.mark.parametrize(
    "wrong",
    [{"id": "长" * 134}, {"labels": ("",)}, {"labels": ("x",) * 51}, {"reason": "x" * 10_001}],
)
def test_what_no_entry_has(wrong: dict[str, object]) -> None:
    with pytest.raises(InputRefused):
        BankEntry(**{"id": "e", "text": "", **wrong})  # type: ignore[arg-type]


def test_labels_are_those_of_the_entries_that_decided() -> None:
    def hit(kind: BankKind, *labels: str, overruled: bool = False) -> BankHit:
        head = ("b", kind, "e", labels, "", None)
        return BankHit(*head, Verdict.NEAR, 0.9, 1.0, 1.0, overruled=overruled)

    deny, allow = BankKind.DENY, BankKind.ALLOW
    hits = (
        hit(deny, "x", "y"),
        hit(deny, "y", "z"),
        hit(allow, "ok"),
        hit(deny, "o", overruled=True),
    )
    assert BankAnswer(Ruling.DENIED, hits).labels == ("x", "y", "z")
    assert BankAnswer(Ruling.ALLOWED, hits[2:]).labels == ("ok",)
    assert BankAnswer(Ruling.NONE).labels == ()
