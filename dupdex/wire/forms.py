"""The JSON form of every noun, in one place, both ways; `FORMAT` counts its versions.

A noun is plain data, so its JSON form is made from its types: field names stay, enums are their
values, shares and similarities have four decimals. `schema()` says the same as JSON Schema 2020-12.
The command line prints these forms; whatever serves them over the network serves the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

import msgspec

from dupdex.banks.bank_forms import BankLines, EntryLines, RetroLines
from dupdex.banks.bank_model import BankAnswer, EntryOutcome
from dupdex.groups.group_forms import GroupDetail, GroupLines
from dupdex.infringement.infringement_findings import InfringementReport
from dupdex.matches.decisions import Decided
from dupdex.matches.forgetting import Receipt
from dupdex.matches.match_record import MatchRecord
from dupdex.report.findings import DuplicateReport
from dupdex.wire.explanation_form import ExplanationForm
from dupdex.works.work_forms import ChapterLines, WorkLines
from indexer.model import Status
from mappings.errors import InputRefused
from query.answers import (
    Answer,
    Direction,
    Evidence,
    FactDifference,
    Located,
    Match,
    Verdict,
)
from query.pair import Comparison
from query.sweep import SweepReport, VerifiedPair

FORMAT: Final = 1
"""A form that an older reader could misunderstand raises it."""

DIGITS: Final = 4

_AS_IT_IS: Final = ("document", "steps")
"""What nothing rounds: the user's own fields, and numbers as they were held against limits."""

Noun = TypeVar("Noun")


@dataclass(frozen=True, slots=True)
class Stored:
    """The fate of one document: `id`, `status`, and why it was rejected."""

    id: str
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FilePair:
    """Two documents of a file, by id and place ("news.jsonl:17"); the rest as in `Match`, where
    the first is the asked text.
    """

    first: str
    second: str
    first_origin: str
    second_origin: str
    verdict: Verdict
    similarity: float
    share: float | None
    stored_share: float | None
    direction: Direction | None
    located: Located | None
    facts_differ: tuple[FactDifference, ...] | None
    facts_total: int | None
    template: bool
    evidence: Evidence
    disguise: tuple[str, ...] = ()

    @classmethod
    def of(cls, first: tuple[str, str], second: tuple[str, str], match: Match) -> Self:
        """From (id, place) of either document."""
        return cls(
            first[0],
            second[0],
            first[1],
            second[1],
            match.verdict,
            match.similarity,
            match.share,
            match.stored_share,
            match.direction,
            match.located,
            match.facts_differ,
            match.facts_total,
            match.template,
            match.evidence,
            match.disguise,
        )


NOUNS: Final = (
    Answer,
    Match,
    VerifiedPair,
    SweepReport,
    Comparison,
    FilePair,
    ExplanationForm,
    GroupLines,
    GroupDetail,
    DuplicateReport,
    Stored,
    MatchRecord,
    Decided,
    Receipt,
    BankLines,
    EntryLines,
    EntryOutcome,
    BankAnswer,
    RetroLines,
    WorkLines,
    ChapterLines,
    InfringementReport,
)

_WHOLE: Final = tuple(kind for kind in NOUNS if kind is not Match)
"""What is printed or sent by itself and therefore names its format; a match is part of others."""

_MEASURED: Final = "compared_seconds"


def to_json(noun: Any) -> dict[str, Any]:
    """A noun as plain JSON values."""
    value = dict(_rounded(msgspec.to_builtins(noun, str_keys=True)))
    if isinstance(noun, Answer):
        del value[_MEASURED]  # of this run; equal answers have equal forms
        value = {"duplicate": bool(noun.matches), **value}
    return {"format": FORMAT, **value} if isinstance(noun, _WHOLE) else value


def from_json(kind: type[Noun], value: object) -> Noun:
    """The noun again, to four decimals.

    Raises InputRefused naming the entry that is wrong, and for a form of another format.
    """
    stated = value.get("format", FORMAT) if isinstance(value, Mapping) else FORMAT
    if kind in _WHOLE and stated != FORMAT:
        raise InputRefused(
            f"{kind.__name__} of format {stated}, this dupdex reads {FORMAT}; use the dupdex that "
            "made it"
        )
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputRefused(f"not the JSON form of {kind.__name__}: {error}") from error


def schema(references: str = "#/$defs/{name}") -> dict[str, Any]:
    """JSON Schema of all forms, by name under `$defs`; `references` says where that will be."""
    _, parts = msgspec.json.schema_components(NOUNS, ref_template=references)
    for kind in _WHOLE:
        parts[kind.__name__]["properties"] |= {"format": {"const": FORMAT}}
        parts[kind.__name__]["required"] += ["format"]
    parts["Answer"]["properties"] |= {
        "duplicate": {"type": "boolean", "description": "Whether there are matches."},
    }
    parts["Answer"]["required"] += ["duplicate"]
    del parts["Answer"]["properties"][_MEASURED]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": parts}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {
            name: _lists(item) if name in _AS_IT_IS else _rounded(item)
            for name, item in value.items()
        }
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value


def _lists(value: Any) -> Any:
    """Tuples become lists, as in JSON."""
    if isinstance(value, dict):
        return {name: _lists(item) for name, item in value.items()}
    return [_lists(item) for item in value] if isinstance(value, list | tuple) else value
