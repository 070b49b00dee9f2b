"""Two texts in, one judgement out: the only place where a pair is judged.

    PairJudge(plan, boilerplate).read(texts) -> Text, Texts -> matches(...) -> Match | None each

Lookup, sweep, evaluation, `explain` and `compare` all go through here, so no two of them can
disagree. Nothing here knows a store: document frequencies come in as a function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec import structs

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import fingerprints_of_prepared
from indexer.fingerprints.simhash import hamming
from indexer.meant.meant import Meant
from indexer.model import Body, Fingerprint
from indexer.text import prepare_all
from mappings.contract import Field
from mappings.plan import Plan
from query.answers import (
    Candidate,
    Direction,
    Evidence,
    FactDifference,
    Located,
    Match,
    Ref,
    Verdict,
)
from query.facts.differ import Compared, compare, facts_differ
from query.facts.fact_reading import Reading
from query.grams import Features, features_of_prepared
from query.passage_terms import Frequencies
from query.verify.disguise import disguises
from query.verify.estimate import estimated_similarity, has_few_units, is_in_signs
from query.verify.located import locate
from query.verify.quick_no import Could, what_could_match
from query.verify.strewn import strewn
from query.verify.templates import Filled, which_are_templates
from query.verify.verdict import Judgement, judge, judge_part
from query.verify.widespread import (
    Suspect,
    may_be_widespread,
    suspect,
    which_are_widespread,
)

_ALL: Final = frozenset(Verdict)


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is ready to be judged. `meant`: as what it is read, if not as it is given."""

    features: Features
    fingerprint: Fingerprint
    meant: Meant | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All measures of two texts, neither of which need be stored; the second takes the part of the
    stored text. Fields as in `Judgement`, `Evidence` and `Match`; `shared_keys`: how many keys both
    have, by field.
    """

    verdict: Verdict | None
    similarity: float
    jaccard: float
    syllable_jaccard: float
    share: float
    stored_share: float
    direction: Direction | None
    shared: int
    hamming: int
    shared_keys: Mapping[Field, int]
    facts_differ: tuple[FactDifference, ...] | None
    facts_total: int | None
    disguise: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairJudge:
    """Judges pairs of texts under a plan; sentences of `boilerplate` have no say."""

    plan: Plan
    boilerplate: Boilerplate = NOTHING

    def read(
        self, texts: Sequence[str], fingerprints: Sequence[Fingerprint | None] | None = None
    ) -> list[Text]:
        """Texts, prepared together. `fingerprints` are those at hand; the others are computed."""
        prepared = prepare_all(texts, self.plan)
        given = fingerprints or [None] * len(texts)
        missing = [row for row, fingerprint in enumerate(given) if fingerprint is None]
        unread = prepared.select(np.array(missing, np.int64))
        computed = iter(fingerprints_of_prepared(unread, self.plan) if missing else ())
        features = features_of_prepared(prepared, self.plan, self.boilerplate)
        return [
            Text(feature, fingerprint or next(computed))
            for feature, fingerprint in zip(features, given, strict=True)
        ]

    def judgement(self, asked: Text, stored: Text) -> Judgement:
        """All measures of a pair, also of one that is no match."""
        return judge(asked.features, stored.features, self.plan)

    def comparison(self, first: Text, second: Text) -> Comparison:
        """All measures of a pair, and the facts that differ."""
        judged = self.judgement(first, second)
        shared = first.fingerprint.shared_with(second.fingerprint)
        return Comparison(
            judged.verdict,
            judged.similarity,
            judged.jaccard,
            judged.syllable_jaccard,
            judged.share,
            judged.stored_share,
            judged.direction,
            judged.shared,
            hamming(first.fingerprint.simhash, second.fingerprint.simhash),
            {name: len(shared.get(name, ())) for name in first.fingerprint.keys},
            *facts_between(judged.verdict, first.features, second.features),
            disguise_between(judged, first.features, second.features),
        )

    def matches(self, asked: Text, stored: Sequence[tuple[Text, Ref, Body]]) -> list[Match | None]:
        """For each stored text its match with the asked one, None where they are no duplicates.

        Most candidates are none, which is told for all of them together.
        """
        judged = self.judgements(asked, [text for text, _, _ in stored])
        return [
            None if judgement is None else self._match(asked, judgement, *each)
            for judgement, each in zip(judged, stored, strict=True)
        ]

    def judgements(
        self, asked: Text, stored: Sequence[Text], partial: bool = True
    ) -> list[Judgement | None]:
        """For each stored text how it was judged a duplicate of the asked one; None for the others,
        and for partial copies where these do not count. The same as `matches` without what only
        answers tell: fingerprints are not looked at.
        """
        possible = what_could_match(asked.features, [text.features for text in stored], self.plan)
        wanted = _ALL if partial else _ALL - {Verdict.PARTIAL}
        out: list[Judgement | None] = []
        for text, could in zip(stored, possible, strict=True):
            judged = None
            if could is Could.MATCH:
                judged = self.judgement(asked, text)
            elif could is Could.PART and partial:
                judged = judge_part(asked.features, text.features, self.plan)
            out.append(judged if judged is not None and judged.verdict in wanted else None)
        return out

    def match_by_decision(self, asked: Text, stored: Text, ref: Ref, body: Body) -> Match:
        """The match of two texts that are duplicates whatever the comparison says: near ones, where
        it says nothing.
        """
        asked.features.meet([stored.features])
        return self._match(asked, self.judgement(asked, stored), stored, ref, body)

    def _match(self, asked: Text, judged: Judgement, stored: Text, ref: Ref, body: Body) -> Match:
        evidence = Evidence(
            keys=asked.fingerprint.shared_with(stored.fingerprint),
            hamming=hamming(asked.fingerprint.simhash, stored.fingerprint.simhash),
            jaccard=judged.jaccard,
            syllable_jaccard=judged.syllable_jaccard,
            shared=judged.shared,
        )
        return Match(
            ref.id,
            ref.index,
            judged.verdict or Verdict.NEAR,
            judged.similarity,
            judged.share,
            judged.stored_share,
            judged.direction,
            evidence,
            body,
            disguise=disguise_between(judged, asked.features, stored.features),
        )

    def match_of_values(self, asked: Text, stored: Candidate) -> Match | None:
        """A verdict from stored values alone: equal text hashes are exact, simhashes that differ in
        few bits near; None leaves the pair undecided, as of texts of which these values say little.
        """
        values = asked.fingerprint
        distance = hamming(values.simhash, stored.simhash)
        exact = values.text_hash == stored.text_hash
        if not exact and (distance > self.plan.thresholds.hamming or not values.length):
            return None
        if (is_in_signs if exact else has_few_units)(asked.features):
            return None
        similarity = 1.0 if exact else estimated_similarity(distance, self.plan.simhash.bits)
        verdict = Verdict.EXACT if exact else Verdict.NEAR
        share = 1.0 if exact else None
        evidence = Evidence(hamming=distance, verified="stored")
        return Match(stored.id, stored.index, verdict, similarity, share, share, None, evidence)

    def facts(
        self, asked: Text, matches: Sequence[tuple[Match, Text | None]]
    ) -> list[Compared | None]:
        """The facts of near duplicates and partial copies of one text; None for equal texts, and
        for texts that were not read.
        """
        reading: Reading | None = None
        out: list[Compared | None] = []
        for match, stored in matches:
            if (
                stored is None
                or match.verdict is Verdict.EXACT
                or match.evidence.verified != "text"
            ):
                out.append(None)
                continue
            reading = reading or Reading.of(asked.features)
            out.append(compare(reading, Reading.of(stored.features)))
        return out

    def with_facts(self, match: Match, compared: Compared | None) -> Match:
        """The match with the facts that differ: of near duplicates, as partial copies differ in
        more than facts. Equal texts have none.
        """
        if match.evidence.verified != "text" or match.verdict is Verdict.PARTIAL:
            return match
        listed, total = compared[:2] if compared else ((), 0)
        return structs.replace(match, facts_differ=listed, facts_total=total)

    def are_templates(
        self,
        lookups: Sequence[Sequence[tuple[Match, Compared | None]]],
        frequencies: Frequencies,
    ) -> list[list[bool]]:
        """For each match of each lookup, whether it is another filling of a form that many
        documents have. `frequencies` is called once at most.
        """
        filled = [
            [compared and Filled.of(compared, match.evidence.keys) for match, compared in matches]
            for matches in lookups
        ]
        return which_are_templates(filled, frequencies, self.plan.thresholds.unrelated)

    def with_place(self, match: Match, asked: Text, stored: Text) -> Match:
        """The match with where the common part stands, when one text or a part of it stands in
        the other.
        """
        if match.direction is None:
            return match
        place = locate(asked.features, stored.features)
        if place is not None and stored.meant is not None:
            place = Located(place.asked, stored.meant.span(*place.stored))
        return structs.replace(match, located=place)

    def suspect(self, judged: Judgement | Match, asked: Text, stored: Text) -> Suspect | None:
        """The pair, when its evidence may be in many documents that are copies of neither text
        (see `query.verify.widespread`).
        """
        shares = (judged.share or 0.0, judged.stored_share or 0.0)
        if not may_be_widespread(judged.verdict, shares):
            return None
        little = self.shares_little(judged, asked.features.spaced and stored.features.spaced)
        fingerprints = (asked.fingerprint, stored.fingerprint)
        if isinstance(judged, Match):
            shared = judged.evidence.keys
        else:
            shared = asked.fingerprint.shared_with(stored.fingerprint)
        return suspect(fingerprints, shared, (asked.features, stored.features), little=little)

    def shares_little(self, judged: Judgement | Match, spaced: bool) -> bool:
        """Whether a partial copy is one by a passage alone, of a part of the text that quotations
        may make: those of several texts that many documents quote are no copy, in scripts without
        spaces.
        """
        share = max(judged.share or 0.0, judged.stored_share or 0.0)
        return not spaced and share < self.plan.thresholds.covered

    def are_widespread(
        self, suspects: Sequence[Suspect | None], frequencies: Frequencies
    ) -> list[bool]:
        """For each suspect, whether its evidence is in so many documents. `frequencies` is called
        for all of them at once, twice at most.
        """
        return which_are_widespread(suspects, frequencies, self.plan.thresholds.unrelated)


def facts_between(
    verdict: Verdict | None, asked: Features, stored: Features
) -> tuple[tuple[FactDifference, ...] | None, int | None]:
    """The facts in which two texts differ, and how many there are. Equal texts have none; None for
    texts that are not near duplicates, as they differ in more than facts.
    """
    if verdict is Verdict.EXACT:
        return (), 0
    return facts_differ(asked, stored) if verdict is Verdict.NEAR else (None, None)


def disguise_between(judged: Judgement, asked: Features, stored: Features) -> tuple[str, ...]:
    """What one of two texts is disguised by; nothing for texts that are no copies."""
    if judged.verdict is None:
        return ()
    named = disguises(asked, stored)
    told = None if judged.scrambled is None else judged.scrambled.disguise
    if told is None and not named and judged.verdict is Verdict.NEAR:
        told = strewn(asked, stored)
    return named if told is None else (*named, told)
