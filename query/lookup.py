"""Lookup: text or id in, verified matches out.

1. keys of the text, the same way they were stored; 2. candidates, one bool/should query;
3. the best candidates are judged from their text, the others from stored values;
4. matches, best first, with what the answer covers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final

import numpy as np

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import check_text, fingerprints_of_prepared
from indexer.fingerprints.simhash import hamming
from indexer.model import Fingerprint
from indexer.text import prepare_all
from mappings.errors import NotFound
from mappings.plan import Plan
from query.answers import (
    Answer,
    Candidate,
    CandidatePage,
    CandidateReader,
    Completeness,
    Evidence,
    Facts,
    Filter,
    Lazy,
    Match,
    Request,
    Stored,
    Verdict,
)
from query.facts.differ import facts_differ
from query.grams import (
    Features,
    features_all,
    features_of_prepared,
    without_boilerplate,
)
from query.guarantee import in_words
from query.verify.located import locate
from query.verify.verdict import could_match, judge
from query.verify.widespread import Suspect, may_be_common, suspect, which_are_common

_ORDER: Final = {Verdict.EXACT: 0, Verdict.NEAR: 1, Verdict.PARTIAL: 2}


@dataclass(frozen=True, slots=True)
class Options:
    """How far one lookup goes.

    `size`: matches returned at most; None returns all. `candidates`: looked at, at most; None
    asks for all. `verify`: judged from their text, at most; None judges all. `threshold`: least
    similarity (or share, for partial copies) of a returned match. `facts`: look in near duplicates
    for facts that differ. `boilerplate`: let sentences have their say that many unrelated
    documents share, and keep matches that rest on such passages.
    """

    size: int | None = 10
    candidates: int | None = 50
    verify: int | None = 20
    threshold: float = 0.0
    filters: tuple[Filter, ...] = ()
    facts: bool = True
    boilerplate: bool = False


EVERYTHING: Final = Options(size=None, candidates=None, verify=None)
"""No limit anywhere: what `evaluate` and `pairs` use."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text to look up; `id` names the stored document it is, which is then left out."""

    text: str
    id: str | None = None
    fingerprint: Fingerprint | None = field(default=None)


def near_duplicates(
    text: str,
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    known: Boilerplate = NOTHING,
) -> Answer:
    """The verified near duplicates of a text, which need not be indexed.

    `known`: sentences that have no say. Raises InputRefused for a text that cannot be
    fingerprinted, StoreUnavailable when the store cannot give a complete page: a failure never
    reads as "no duplicate".
    """
    return near_duplicates_all([Question(text)], plan, reader, options, known)[0]


def near_duplicates_of(
    document_id: str,
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    known: Boilerplate = NOTHING,
) -> Answer:
    """The same for a stored document, by id. Raises NotFound."""
    stored = reader.documents([document_id]).get(document_id)
    if stored is None:
        raise NotFound(f"no document {document_id!r} in the index; 'dupdex search' finds ids")
    # its keys are made anew: the stored ones may be older than the text
    question = Question(stored.text, document_id)
    return near_duplicates_all([question], plan, reader, options, known)[0]


def near_duplicates_all(
    questions: Sequence[Question],
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    known: Boilerplate = NOTHING,
) -> list[Answer]:
    """Many lookups in one round trip for candidates and one for texts."""
    options = options or Options()
    known = NOTHING if options.boilerplate else known
    fingerprints, asked = _asked(questions, plan, known)
    pages = reader.candidates(
        [
            Request(
                without_boilerplate(fingerprint.keys, features),
                options.candidates,
                options.filters,
                question.id,
                plan.thresholds.hot,
                None if options.verify is None else fingerprint.simhash,
                plan.thresholds.simhash_only,
            )
            for question, fingerprint, features in zip(questions, fingerprints, asked, strict=True)
        ]
    )
    chosen = [
        _worth_reading(page, fingerprint, plan, options.verify)
        for page, fingerprint in zip(pages, fingerprints, strict=True)
    ]
    texts = _Texts.read(reader, set().union(*chosen), plan, known)
    judged = [
        _judged(_Asked(*each), page, ids, texts, plan)
        for each, page, ids in zip(
            zip(questions, fingerprints, asked, strict=True), pages, chosen, strict=True
        )
    ]
    if not options.boilerplate:
        _leave_out_common(judged, texts, reader, plan)
    return [_answer(each, texts, plan, options) for each in judged]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all that is known of its text."""

    question: Question
    fingerprint: Fingerprint
    features: Features


@dataclass(frozen=True, slots=True)
class _Texts:
    """Stored documents with the features of their texts."""

    stored: dict[str, Stored]
    features: dict[str, Features]

    @classmethod
    def read(cls, reader: CandidateReader, ids: set[str], plan: Plan, known: Boilerplate) -> _Texts:
        stored = reader.documents(sorted(ids)) if ids else {}
        features = features_all([each.text for each in stored.values()], plan, known)
        return cls(stored, dict(zip(stored, features, strict=True)))


def _worth_reading(
    page: CandidatePage, fingerprint: Fingerprint, plan: Plan, verify: int | None
) -> set[str]:
    """The ids of the best candidates whose text is to be compared."""
    if verify is None:
        return {candidate.id for candidate in page.candidates}
    worth = (c.id for c in page.candidates if not _met_by_chance(c, fingerprint, plan))
    return set(islice(worth, verify))


def _met_by_chance(candidate: Candidate, fingerprint: Fingerprint, plan: Plan) -> bool:
    """Whether one equal block of two otherwise unlike simhashes is all there is."""
    if not candidate.simhash_only:
        return False
    return hamming(fingerprint.simhash, candidate.simhash) > plan.thresholds.simhash_only


def _asked(
    questions: Sequence[Question], plan: Plan, known: Boilerplate
) -> tuple[list[Fingerprint], list[Features]]:
    """Fingerprints (those that are not known yet are made) and features of the asked texts."""
    for question in questions:
        if question.fingerprint is None:
            check_text(question.text, plan)
    prepared = prepare_all([question.text for question in questions], plan)
    rows = [row for row, question in enumerate(questions) if question.fingerprint is None]
    made = iter(fingerprints_of_prepared(prepared.select(np.array(rows, np.int64)), plan))
    fingerprints = [question.fingerprint or next(made) for question in questions]
    return fingerprints, features_of_prepared(prepared, plan, known)


@dataclass(slots=True)
class _Judged:
    """The candidates of a question, looked at. `common`: matches left out again."""

    asked: _Asked
    page: CandidatePage
    matches: list[Match]
    examined: int
    from_stored: int
    undecided: int
    common: int = 0


def _judged(
    asked: _Asked, page: CandidatePage, to_compare: set[str], texts: _Texts, plan: Plan
) -> _Judged:
    matches: list[Match] = []
    examined = from_stored = undecided = 0
    for candidate in page.candidates:
        if candidate.id not in to_compare:
            match = _from_stored(asked.fingerprint, candidate, plan)
            decided = match is not None or _met_by_chance(candidate, asked.fingerprint, plan)
            from_stored += decided
            undecided += not decided
        elif candidate.id in texts.stored:
            examined += 1
            match = _from_text(asked, candidate, texts, plan)
        else:
            continue  # it was deleted between the two round trips
        if match is not None:
            matches.append(match)
    return _Judged(asked, page, matches, examined, from_stored, undecided)


def _leave_out_common(
    judged: Sequence[_Judged], texts: _Texts, reader: CandidateReader, plan: Plan
) -> None:
    """Matches whose evidence is in many documents that have nothing to do with either text."""
    suspects = [[_suspect(each.asked, match, texts) for match in each.matches] for each in judged]
    flat = [suspect for those in suspects for suspect in those]
    common = iter(which_are_common(flat, reader.frequencies, plan.thresholds.unrelated))
    for each in judged:
        kept = [match for match in each.matches if not next(common)]
        each.common, each.matches = len(each.matches) - len(kept), kept


def _suspect(asked: _Asked, match: Match, texts: _Texts) -> Suspect | None:
    shares = (match.share, match.stored_share)
    if match.evidence.verified != "text" or not may_be_common(match.verdict, shares):
        return None
    stored = texts.stored[match.id].fingerprint
    if stored is None:
        return None
    return suspect((asked.fingerprint, stored), (asked.features, texts.features[match.id]))


def _answer(judged: _Judged, texts: _Texts, plan: Plan, options: Options) -> Answer:
    asked, page = judged.asked, judged.page
    found = [match for match in judged.matches if _strength(match) >= options.threshold]
    found.sort(key=lambda m: (_ORDER[m.verdict], -m.similarity, -m.share, m.id))
    found = found[: options.size]
    if options.facts:
        found = [_with_facts(match, asked, texts) for match in found]
    found = [_with_place(match, asked, texts) for match in found]
    completeness = Completeness(
        candidates=len(page.candidates),
        examined=judged.examined,
        from_stored=judged.from_stored,
        undecided=judged.undecided,
        truncated=page.truncated,
        hot_keys=len(page.hot),
        rare_only=page.rare_only,
        boilerplate=asked.features.boilerplate(),
        common=judged.common,
        guarantee=in_words(plan),
    )
    return Answer(tuple(found), completeness, asked.question.id)


def _with_facts(match: Match, asked: _Asked, texts: _Texts) -> Match:
    """A near duplicate with the facts that differ; only texts can tell these."""
    if match.verdict is not Verdict.NEAR or match.evidence.verified != "text":
        return match
    find = partial(facts_differ, asked.features, texts.features[match.id])
    return replace(match, facts=Facts(find))


def _with_place(match: Match, asked: _Asked, texts: _Texts) -> Match:
    """A match of which one text, or a part of it, stands in the other, with where it does."""
    if match.direction is None:
        return match
    return replace(match, where=Lazy(partial(locate, asked.features, texts.features[match.id])))


def _strength(match: Match) -> float:
    """What `threshold` is held against: a partial copy counts by its share."""
    if match.verdict is Verdict.PARTIAL:
        return max(match.similarity, match.share, match.stored_share)
    return match.similarity


def _from_text(asked: _Asked, candidate: Candidate, texts: _Texts, plan: Plan) -> Match | None:
    other, theirs = texts.stored[candidate.id], texts.features[candidate.id]
    fingerprint = asked.fingerprint
    if not could_match(asked.features, theirs, plan):
        return None
    found = judge(asked.features, theirs, plan)
    if found.verdict is None:
        return None
    evidence = Evidence(
        keys=fingerprint.shared_with(other.fingerprint) if other.fingerprint else {},
        hamming=hamming(fingerprint.simhash, candidate.simhash),
        jaccard=found.jaccard,
        syllable_jaccard=found.syllable_jaccard,
        shared=found.shared,
    )
    return Match(
        other.id,
        found.verdict,
        found.similarity,
        found.share,
        found.stored_share,
        found.direction,
        evidence,
        other.body,
    )


def _from_stored(fingerprint: Fingerprint, candidate: Candidate, plan: Plan) -> Match | None:
    """A verdict without the text: equal hashes are exact, few differing bits near, others open."""
    distance = hamming(fingerprint.simhash, candidate.simhash)
    exact = fingerprint.text_hash == candidate.text_hash
    if not exact and (distance > plan.thresholds.hamming or not fingerprint.length):
        return None
    evidence = Evidence(hamming=distance, verified="stored")
    similarity = 1.0 if exact else 1 - distance / plan.simhash.bits
    share = 1.0 if exact else 0.0
    verdict = Verdict.EXACT if exact else Verdict.NEAR
    return Match(candidate.id, verdict, similarity, share, share, None, evidence)
