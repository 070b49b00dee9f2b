"""Checks texts against banks: which entries match, where, and what they say all in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from dupdex.banks.bank_home import BANK_FIELD, TEXT_FIELD
from dupdex.banks.bank_model import (
    Bank,
    BankAnswer,
    BankEntry,
    BankHit,
    BankKind,
    BankPassage,
    Ruling,
    parts_of_entry,
)
from dupdex.banks.bank_store import Banks
from dupdex.banks.overruling import frees, overruled
from mappings.collections import moment
from mappings.errors import NotFound
from mappings.plan import Plan
from query.answers import Answer, Filter, Match
from query.explain.shared_passages import shared_passages
from query.grams import features_all
from query.pair import PairJudge
from query.questions import Options, Question
from query.telling_pair import telling

CANDIDATES: Final = 1_000
"""Entries that are compared with a text, at most."""

PLACED: Final = 100
"""Hits, at most, whose passages are looked for to see which allow entry overrules which."""

_EVERY_MATCH: Final = Options(
    size=None,
    candidates=CANDIDATES,
    verify=None,
    boilerplate=True,  # what many entries share is what the bank is about
    facts=False,
    located=False,
)


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """How texts are checked. `index`: the banks for this one, None for all; `banks`: only these.
    `size`: hits shown at most. `passages`: say where in the text an entry was found.
    """

    index: str | None = None
    banks: tuple[str, ...] = ()
    size: int = 10
    passages: bool = True


def check_banks(
    banks: Banks, texts: Sequence[str], asked: BankQuestion | None = None
) -> list[BankAnswer]:
    """One answer for each text. An entry matches by the same fingerprints and the same comparison
    as a document does.

    Raises TextRefused for a text that cannot be compared, NotFound for a bank that is not there.
    """
    asked = asked or BankQuestion()
    wanted = {bank.name: bank for bank in banks.which_are_for(asked.index, asked.banks)}
    nothing = BankAnswer(Ruling.NONE, banks=tuple(wanted))
    if not wanted or not texts:
        return [nothing] * len(texts)
    try:
        stored = banks.home.texts()
    except NotFound:  # the index was removed a moment ago
        return [nothing] * len(texts)
    options = replace(_EVERY_MATCH, filters=_only(wanted, banks))
    answers = stored.lookup_all([Question(text) for text in texts], options)
    names = {match.id for answer in answers for match in answer.matches}
    said = banks.said_about(sorted(names)) if names else {}
    now = moment(datetime.now(UTC))
    acting = {name: entry for name, entry in said.items() if entry.acts(now)}
    return [
        _answer(text, answer, acting, wanted, asked, stored.plan)
        for text, answer in zip(texts, answers, strict=True)
    ]


def _only(wanted: Mapping[str, Bank], banks: Banks) -> tuple[Filter, ...]:
    """The filter for these banks, where the store has one: entries of others are left out later."""
    if len(wanted) == len(banks.which_are_for(None)):
        return ()
    if len(wanted) == 1:
        return ({"term": {BANK_FIELD: next(iter(wanted))}},)
    if banks.home.session.location.is_server:
        return ({"terms": {BANK_FIELD: sorted(wanted)}},)
    return ()


def _answer(
    text: str,
    answer: Answer,
    acting: Mapping[str, BankEntry],
    wanted: Mapping[str, Bank],
    asked: BankQuestion,
    plan: Plan,
) -> BankAnswer:
    found = [
        (_hit(match, wanted[bank], acting[match.id]), match)
        for match in answer.matches
        for bank in (parts_of_entry(match.id)[0],)
        if bank in wanted and match.id in acting
    ]
    both = len({hit.kind for hit, _ in found}) > 1
    placed = found[: PLACED if both else asked.size] if both or asked.passages else []
    hits = _with_passages(text, placed, plan) + [hit for hit, _ in found[len(placed) :]]
    out = overruled(hits)
    hits = [replace(hit, overruled=is_out) for hit, is_out in zip(hits, out, strict=True)]
    ruling = _ruling(hits)
    # What decided first; the best match of each first, as lookups order them.
    acted = BankKind.DENY if ruling is Ruling.DENIED else BankKind.ALLOW
    hits.sort(key=lambda hit: (hit.overruled, hit.kind is not acted))
    shown = hits[: asked.size]
    if not asked.passages:
        shown = [replace(hit, passages=()) for hit in shown]
    return BankAnswer(
        ruling, tuple(shown), len(hits), tuple(wanted), not answer.completeness.truncated
    )


def _ruling(hits: Sequence[BankHit]) -> Ruling:
    if any(hit.kind is BankKind.DENY and not hit.overruled for hit in hits):
        return Ruling.DENIED
    return Ruling.ALLOWED if any(frees(hit) for hit in hits) else Ruling.NONE


def _hit(match: Match, bank: Bank, entry: BankEntry) -> BankHit:
    return BankHit(
        bank.name,
        bank.kind,
        entry.id,
        entry.labels,
        entry.reason,
        entry.expires,
        match.verdict,
        match.similarity,
        match.share,
        match.stored_share,
    )


def _with_passages(text: str, hits: Sequence[tuple[BankHit, Match]], plan: Plan) -> list[BankHit]:
    """The hits with the passages that text and entry share, in the readings that tell."""
    out, judge = [], PairJudge(plan)
    for hit, match in hits:
        one, other, _ = telling(judge, text, str(match.document.get(TEXT_FIELD, "")))
        asked, entry = features_all([one.text, other.text], plan)
        listed = shared_passages(asked.batch.streams(asked.spaced and entry.spaced)).passages
        places = (
            BankPassage(
                one.span(each.left.start, each.left.stop),
                other.span(each.right.start, each.right.stop),
            )
            for each in listed
        )
        out.append(replace(hit, passages=tuple(sorted(places, key=lambda place: place.asked))))
    return out
