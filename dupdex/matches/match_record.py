"""One verified pair as it is kept beside an index, its documents in the order of their keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import msgspec
from msgspec import structs

from indexer.model import Ref
from mappings.records import key_of, parts_of_key
from mappings.schemes import label_of
from query.answers import Decision as Decision
from query.answers import Direction, FactDifference, FactKind, Located, Match, Verdict
from query.sweep import VerifiedPair

UNDECIDED: Final = "undecided"
"""What is stored of a pair that nobody decided about: conditions cannot ask for what is absent."""

_DIFFER, _SAME = "differ", "same"
_YES: Final = "yes"
_BETWEEN: Final = ", "
_TURNED: Final = {
    Direction.CONTAINS: Direction.CONTAINED_IN,
    Direction.CONTAINED_IN: Direction.CONTAINS,
    Direction.OVERLAPS: Direction.OVERLAPS,
}


@dataclass(frozen=True, slots=True)
class KeptPair:
    """The two documents of a pair that is kept."""

    first: Ref
    second: Ref


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A verified pair. `first` is the document with the lesser key; shares, direction and what is
    `asked` in `differences` and `located` are the first's.

    `schemes`: labels of those whose keys met; `facts`: "differ", "same", or None when nobody
    looked, and `facts_total` how many differ, of which the first are listed; `plan`: id of the
    plan it was verified under; `run`: what found it; `found`: when it was first found with this
    verdict; `verified`: from "text" or "stored" values.
    """

    first: Ref
    second: Ref
    verdict: Verdict
    similarity: float
    first_share: float | None = None
    second_share: float | None = None
    direction: Direction | None = None
    schemes: tuple[str, ...] = ()
    facts: str | None = None
    template: bool = False
    disguise: tuple[str, ...] = ()
    plan: str = ""
    run: str = ""
    found: str = ""
    decision: Decision | None = None
    differences: tuple[FactDifference, ...] = ()
    facts_total: int | None = None
    located: Located | None = None
    verified: str = "text"
    hamming: int | None = None
    jaccard: float | None = None
    syllable_jaccard: float | None = None

    @classmethod
    def of(cls, pair: VerifiedPair, plan: str, run: str, found: str) -> Self:
        """The record of a pair that was found at a time (see `mappings.collections.moment`)."""
        match = _in_order(pair)
        first, second = sorted((pair.first, pair.second), key=key)
        evidence, total = match.evidence, match.facts_total
        return cls(
            first,
            second,
            match.verdict,
            match.similarity,
            match.share,
            match.stored_share,
            match.direction,
            tuple(sorted(label_of(field) for field in evidence.keys)),
            None if total is None else _DIFFER if total else _SAME,
            match.template,
            tuple(map(str, match.disguise)),
            plan,
            run,
            found,
            None,
            match.facts_differ or (),
            total,
            match.located,
            evidence.verified,
            evidence.hamming,
            evidence.jaccard,
            evidence.syllable_jaccard,
        )

    @property
    def id(self) -> str:
        return pair_id(self.first, self.second)

    @property
    def is_edge(self) -> bool:
        """Whether the pair counts for groups: a decision goes before the verdict."""
        if self.decision is not None:
            return self.decision is Decision.DUPLICATE
        return self.verdict is not Verdict.PARTIAL and not self.template

    def same_as(self, other: MatchRecord) -> bool:
        """Whether both say the same of the pair, whoever found it, and when."""
        return replace(self, run="", found="") == replace(other, run="", found="")

    def values(self) -> dict[str, Any]:
        """As the collection MATCHES holds it."""
        differences = {
            "total": self.facts_total,
            "listed": [[d.kind.value, d.asked, d.stored] for d in self.differences],
        }
        evidence = {
            "verified": self.verified,
            "hamming": self.hamming,
            "jaccard": self.jaccard,
            "syllable_jaccard": self.syllable_jaccard,
            "located": self.located and [list(self.located.asked), list(self.located.stored)],
        }
        return {
            "first": key(self.first),
            "second": key(self.second),
            "verdict": self.verdict.value,
            "similarity": self.similarity,
            "first_share": self.first_share,
            "second_share": self.second_share,
            "direction": self.direction and self.direction.value,
            "schemes": _BETWEEN.join(self.schemes) or None,
            "facts": self.facts,
            "template": _YES if self.template else None,
            "disguise": _BETWEEN.join(self.disguise) or None,
            "plan": self.plan,
            "run": self.run or None,
            "found": self.found,
            "decision": self.decision.value if self.decision else UNDECIDED,
            "differences": None if self.facts_total is None else differences,
            "evidence": {name: value for name, value in evidence.items() if value is not None},
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The record that a collection holds."""
        facts, evidence = values.get("differences") or {}, values.get("evidence") or {}
        direction, decision = values.get("direction"), values.get("decision", UNDECIDED)
        listed = facts.get("listed", ())
        return cls(
            Ref(*parts_of_key(values["first"])),
            Ref(*parts_of_key(values["second"])),
            Verdict(values["verdict"]),
            values["similarity"],
            values.get("first_share"),
            values.get("second_share"),
            direction and Direction(direction),
            _listed(values.get("schemes")),
            values.get("facts"),
            values.get("template") == _YES,
            _listed(values.get("disguise")),
            values["plan"],
            values.get("run", ""),
            values["found"],
            None if decision == UNDECIDED else Decision(decision),
            tuple(FactDifference(FactKind(kind), here, there) for kind, here, there in listed),
            facts.get("total"),
            msgspec.convert(_place(evidence.get("located")), Located | None),
            evidence.get("verified", "text"),
            evidence.get("hamming"),
            evidence.get("jaccard"),
            evidence.get("syllable_jaccard"),
        )


def key(ref: Ref) -> str:
    """A document as collections name it, and the order of the two of a pair."""
    return key_of(ref.index, ref.id)


def pair_id(one: Ref, other: Ref) -> str:
    """The id of what is kept of a pair, in any order: 128 bits of its keys, as hexadecimals."""
    first, second = sorted((key(one), key(other)))
    joined = f"{len(first)}:{first}{second}".encode()
    return hashlib.blake2b(joined, digest_size=16).hexdigest()


def _in_order(pair: VerifiedPair) -> Match:
    """The match as the document with the lesser key asks for it."""
    match = pair.match
    if key(pair.first) <= key(pair.second):
        return match
    facts, place = match.facts_differ, match.located
    return structs.replace(
        match,
        share=match.stored_share,
        stored_share=match.share,
        direction=match.direction and _TURNED[match.direction],
        facts_differ=facts and tuple(FactDifference(f.kind, f.stored, f.asked) for f in facts),
        located=place and Located(place.stored, place.asked),
    )


def _listed(joined: str | None) -> tuple[str, ...]:
    return tuple(joined.split(_BETWEEN)) if joined else ()


def _place(stored: Any) -> Any:
    return None if stored is None else {"asked": stored[0], "stored": stored[1]}
