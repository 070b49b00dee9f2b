"""banks: named sets of known texts that are denied or allowed, and their entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from dupdex.banks.bank_forms import BankLine, BankLines, EntryLines
from dupdex.banks.bank_model import MOST_LABELS, BankEntry, BankKind, EntryOutcome
from dupdex.banks.entry_reading import expiry_of
from dupdex.gateway.callers import Right
from dupdex.gateway.rest.bank_access import banks_of, may_use, readable
from dupdex.gateway.rest.operations import (
    Asked,
    Gives,
    Nothing,
    Operation,
    Operations,
    Reply,
)
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import TEXTS, Name, Size, Text, Word
from dupdex.gateway.rest.whose import by_of
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json
from mappings.collections import moment
from mappings.errors import InputRefused

TAG: Final = "banks"


class BankBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`indices`: patterns of the names of the indices that it is for. The kind of a bank stays."""

    name: Name
    kind: BankKind
    indices: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=100)] = msgspec.field(
        default_factory=lambda: ["*"]
    )
    about: Word = ""
    by: Word = ""


class EntryBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A known text. Without an `id` it gets one that is made of the text. `expires`: a time, or how
    long from now, as 30d."""

    text: Text
    id: Word = ""
    labels: Annotated[list[Name], msgspec.Meta(max_length=MOST_LABELS)] = []
    reason: Word = ""
    by: Word = ""
    expires: Word | None = None


class EntriesBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Entries to be added, each in the place of one of the same id."""

    entries: Annotated[list[EntryBody], msgspec.Meta(min_length=1, max_length=TEXTS)]


class EntriesQuery(Nothing):
    """The page after `after`."""

    size: Size = 100
    after: Word | None = None


@dataclass(frozen=True, slots=True)
class EntryOutcomes:
    """What became of the entries, in their order."""

    entries: tuple[EntryOutcome, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was removed: `removed` entries."""

    removed: int


def listed(asked: Asked) -> Reply:
    """The banks for indices that the caller may use."""
    lines = BankLines.of(banks_of(asked.services))
    shown = tuple(line for line in lines.banks if may_use(asked.caller, line.indices))
    return Reply(to_json(BankLines(shown)))


def shown(asked: Asked) -> Reply:
    """One bank."""
    return Reply(_line(asked, asked.path["bank"]))


def made(asked: Asked) -> Reply:
    """Make a bank, or change one."""
    body: BankBody = asked.body
    banks = banks_of(asked.services)
    asked.caller.check(Right.REVIEW, *body.indices)
    if body.name in {bank.name for bank in banks.all()}:
        readable(asked, body.name)
    banks.create(body.name, body.kind, body.indices, body.about, by_of(asked, body.by))
    return Reply(_line(asked, body.name), 201)


def dropped(asked: Asked) -> Reply:
    """Remove a bank with its entries."""
    bank = readable(asked, asked.path["bank"])
    return Reply({"removed": banks_of(asked.services).drop(bank.name)})


def entries_listed(asked: Asked) -> Reply:
    """A page of entries."""
    bank, query = readable(asked, asked.path["bank"]), asked.query
    after = from_word(query.after) if query.after else None
    page = banks_of(asked.services).entries(bank.name, query.size, after)
    following = to_word(page.next) if page.next else None
    return Reply(to_json(EntryLines(bank.name, page.entries, following)))


def entry_shown(asked: Asked) -> Reply:
    """One entry."""
    bank = readable(asked, asked.path["bank"])
    entry = banks_of(asked.services).entry(bank.name, asked.path["entry"])
    return Reply(to_json(EntryLines(bank.name, (entry,))))


def entries_added(asked: Asked) -> Reply:
    """Add entries; all act when this is answered."""
    bank = readable(asked, asked.path["bank"])
    given: list[EntryBody] = asked.body.entries
    entries = [_entry(asked, each, number) for number, each in enumerate(given)]
    outcomes = banks_of(asked.services).add(bank.name, entries)
    return Reply({"entries": [to_json(each) for each in outcomes]}, 201)


def entry_removed(asked: Asked) -> Reply:
    """Remove one entry."""
    bank, name = readable(asked, asked.path["bank"]), asked.path["entry"]
    banks = banks_of(asked.services)
    banks.entry(bank.name, name)
    return Reply({"removed": len(banks.remove(bank.name, [name]))})


def _line(asked: Asked, name: str) -> dict[str, object]:
    bank = readable(asked, name)
    count = banks_of(asked.services).count().get(name, 0)
    return to_json(BankLines((BankLine.of(bank, count),)))


def _entry(asked: Asked, given: EntryBody, number: int) -> BankEntry:
    try:
        until = moment(expiry_of(given.expires)) if given.expires else None
        labels = tuple(given.labels)
        by = by_of(asked, given.by)
        return BankEntry(given.id, given.text, labels, given.reason, by, "", until)
    except InputRefused as error:
        pointer = f"/entries/{number}"
        raise Refused(422, "invalid_request", f"{error} (at {pointer})", pointer=pointer) from error


OPERATIONS: Final[Operations] = (
    Operation(
        "GET",
        "/banks",
        "list_banks",
        "Lists the banks, with the number of their entries.",
        Right.READ,
        {200: Gives("The banks.", BankLines)},
        listed,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "POST",
        "/banks",
        "make_bank",
        "Makes a bank, or changes what an existing one is for.",
        Right.REVIEW,
        {201: Gives("The bank as it is now.", BankLines)},
        made,
        query=Nothing,
        body=BankBody,
        keeps_key=True,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "GET",
        "/banks/{bank}",
        "show_bank",
        "Shows a bank.",
        Right.REVIEW,
        {200: Gives("The bank.", BankLines)},
        shown,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "DELETE",
        "/banks/{bank}",
        "drop_bank",
        "Removes a bank with all its entries.",
        Right.REVIEW,
        {200: Gives("How many entries it had.", Dropped)},
        dropped,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "GET",
        "/banks/{bank}/entries",
        "list_entries",
        "Lists the entries of a bank with their texts, the one added last first.",
        Right.REVIEW,
        {200: Gives("A page of entries.", EntryLines)},
        entries_listed,
        query=EntriesQuery,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "POST",
        "/banks/{bank}/entries",
        "add_entries",
        "Adds entries; they act, on every service, when this is answered or within a second. "
        "Looking back (`/banks/{bank}/retro`) lists the documents that they would have caught.",
        Right.REVIEW,
        {201: Gives("What became of each, in their order.", EntryOutcomes)},
        entries_added,
        query=Nothing,
        body=EntriesBody,
        keeps_key=True,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "GET",
        "/banks/{bank}/entries/{entry}",
        "show_entry",
        "Shows an entry with its text.",
        Right.REVIEW,
        {200: Gives("The entry, alone on its page.", EntryLines)},
        entry_shown,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "DELETE",
        "/banks/{bank}/entries/{entry}",
        "remove_entry",
        "Removes an entry; it acts no more.",
        Right.REVIEW,
        {200: Gives("It is gone.", Dropped)},
        entry_removed,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
)
