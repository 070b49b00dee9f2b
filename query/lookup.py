"""Lookup: text or id in, verified matches out.

1. keys of the text, the same way they were stored; 2. candidates, one bool/should query;
3. the best candidates are judged from their text, the others from stored values;
4. matches, best first, with what the answer covers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from msgspec import structs

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import check_text
from indexer.fingerprints.simhash import hamming
from indexer.garbage import no_collections
from indexer.model import Body, Fingerprint
from indexer.weight import HELD_BYTES, weight
from mappings.errors import InputRefused, NotFound
from mappings.plan import Plan
from query.ahead import pages_ahead
from query.answers import (
    Answer,
    Candidate,
    CandidatePage,
    CandidateReader,
    Completeness,
    DocumentReader,
    Filter,
    Match,
    Ref,
    Request,
    Stored,
    Verdict,
)
from query.candidate_texts import in_groups
from query.guarantee import in_words
from query.joined_answers import joined
from query.known_spread import KnownSpread
from query.meant.meanings import meanings
from query.other_reading import in_both_readings
from query.pair import PairJudge, Text
from query.second_look import Counts, Judged, SecondLook, Texts
from query.telling_keys import without_boilerplate

_LARGEST: Final = 1_000_000_000
_HELD_BYTES: Final = 8 * HELD_BYTES
"""The most that the fields of matches weigh while other documents are still being compared."""


@dataclass(frozen=True, slots=True)
class Options:
    """How far one lookup goes.

    `size`: matches returned at most; None returns all. `candidates`: looked at, at most; None
    asks for all. `verify`: judged from their text, at most; None judges all. `threshold`: least
    similarity (or share, for partial copies) of a returned match; of a text that was not read the
    similarity is an estimate, and one below counts as undecided. `facts`: look in near duplicates
    for facts that differ. `located`: look for the place of partial copies and excerpts in either
    text. `boilerplate`: let boilerplate count, and keep widespread matches. `as_meant`: ask for a
    text that shows signs of a disguise also as it may be meant (`query.meant`). `backwards`: ask
    for the text read backwards as well. `templates`: keep matches that are fillings of one form;
    without `facts` they are not marked. `bodies`: give the fields of matched documents along.
    `decided`: keep matches that somebody decided to be no duplicates (`query.decided`).
    Raises InputRefused for a limit that is no whole number from 0 to a billion, and a threshold
    outside of 0 to 1.
    """

    size: int | None = 10
    candidates: int | None = 50
    verify: int | None = 20
    threshold: float = 0.0
    filters: tuple[Filter, ...] = ()
    facts: bool = True
    located: bool = True
    boilerplate: bool = False
    as_meant: bool = True
    backwards: bool = False
    templates: bool = True
    bodies: bool = True
    decided: bool = False

    def __post_init__(self) -> None:
        for name in ("size", "candidates", "verify"):
            limit = getattr(self, name)
            if limit is None:
                continue
            if not isinstance(limit, int):
                raise InputRefused(f"{name} is {limit!r}; give a whole number, or None")
            if limit < 0:
                raise InputRefused(f"{name} is {limit}; give 0 or more, or None for no limit")
            if limit > _LARGEST:
                raise InputRefused(f"{name} is beyond {_LARGEST:,}; give None for no limit")
        if not isinstance(self.threshold, float | int):
            raise InputRefused(f"threshold is {self.threshold!r}; give a number from 0 to 1")
        if not 0 <= self.threshold <= 1:  # nan is not, either
            raise InputRefused(f"threshold is {self.threshold}; give a number from 0 to 1")


EVERYTHING: Final = Options(size=None, candidates=None, verify=None)
"""No limit anywhere."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text to look up. `id` is what the answer calls it, and says nothing of stored documents.

    `exclude` names a stored document that is left out of the answer: the text itself, when it is
    stored. `fingerprint`: of the text, when it is at hand.
    """

    text: str
    id: str | None = None
    exclude: Ref | None = None
    fingerprint: Fingerprint | None = None


def near_duplicates(
    text: str,
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    boilerplate: Boilerplate = NOTHING,
) -> Answer:
    """The verified near duplicates of a text, which need not be indexed.

    `boilerplate`: sentences that have no say. Raises InputRefused for a text that cannot be
    fingerprinted, StoreUnavailable when the store cannot give a complete page: a failure never
    reads as "no duplicate".
    """
    return near_duplicates_all([Question(text)], plan, reader, options, boilerplate)[0]


def near_duplicates_of(
    document_id: str,
    plan: Plan,
    reader: DocumentReader,
    options: Options | None = None,
    boilerplate: Boilerplate = NOTHING,
) -> Answer:
    """The same for a stored document, by id; the document itself is left out. Behind an alias with
    several documents of that id, the first is asked. Raises NotFound.
    """
    question = question_of(document_id, reader)
    return near_duplicates_all([question], plan, reader, options, boilerplate)[0]


def question_of(document_id: str, reader: DocumentReader) -> Question:
    """The question for near duplicates of the (first) stored document of an id. Raises NotFound."""
    stored = next(iter(reader.by_ids([document_id]).get(document_id, ())), None)
    if stored is None:
        raise NotFound(f"no document {document_id!r} in the index; 'dupdex search' finds ids")
    # its keys are made anew: the stored ones may be older than the text
    return Question(stored.text, document_id, stored.ref)


def near_duplicates_all(
    questions: Sequence[Question],
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    boilerplate: Boilerplate = NOTHING,
    *,
    of_plan_only: bool = False,
) -> list[Answer]:
    """Many lookups in one round trip for candidates and one for texts. `of_plan_only`: documents of
    other plans are no candidates."""
    options = options or Options()
    for question in questions:
        if question.fingerprint is None:
            check_text(question.text, plan)
    lookup = _Lookup(reader, PairJudge(plan, boilerplate), options, of_plan_only)
    found = [
        meanings(each.text, as_meant=options.as_meant, backwards=options.backwards)
        for each in questions
    ]
    others = [
        replace(each, text=meant.text, fingerprint=None)
        for each, several in zip(questions, found, strict=True)
        for meant in several
    ]
    asked = [*questions, *others]
    with no_collections():
        answers = iter(lookup.answers(asked))
    if not others:
        return list(answers)
    given = list(islice(answers, len(questions)))
    return [
        joined(answer, [(meant, next(answers)) for meant in each], options.size)
        for answer, each in zip(given, found, strict=True)
    ]


class _Lookup:
    """Answers several questions together, with one round trip for candidates and one for texts."""

    def __init__(
        self,
        reader: CandidateReader,
        judge: PairJudge,
        options: Options,
        of_plan_only: bool = False,
    ) -> None:
        boilerplate = NOTHING if options.boilerplate else judge.boilerplate
        self._judge = PairJudge(judge.plan, boilerplate)
        self._reader, self._options, self._plan = reader, options, judge.plan
        self._plan_id = judge.plan.id if of_plan_only else None
        self._forms = options.facts or not options.templates
        self._held = 0
        self._unheld: set[Ref] = set()

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer for each question, in order."""
        asked = self._read(questions)
        requests = [self._request(*pair) for pair in zip(questions, asked, strict=True)]
        look, options = SecondLook(self._judge, Counts(self._reader.frequencies)), self._options
        texts: Texts = {}
        lookups: list[Judged] = []
        waiting = zip(requests, asked, strict=True)
        for pages in pages_ahead(self._reader, requests):
            together = zip(islice(waiting, len(pages)), pages, strict=True)
            begun = [self._begun(*pair, page) for pair, page in together]
            for group in in_groups(self._reader, pages, [lookup.to_read for lookup in begun]):
                self._compare(begun, group, texts)
            for lookup in begun:  # what came along was read
                if not any(match.verdict is Verdict.PARTIAL for match in lookup.matches):
                    lookup.spread.forget()
                lookup.page = structs.replace(lookup.page, documents={}, others={})
            lookups += begun
        if not options.boilerplate:
            look.leave_out_widespread(lookups, texts, self._forms)
        for lookup in lookups:
            self._rank(lookup)
        if self._forms:
            look.mark_templates(lookups, texts, options.size, options.facts, options.templates)
        left_out = self._left_out(questions)
        return [
            self._answer(lookup, texts, question.id, name)
            for lookup, question, name in zip(lookups, questions, left_out, strict=True)
        ]

    def _left_out(self, questions: Sequence[Question]) -> list[str | None]:
        """The ids of the excluded documents. One without an index was not read before, so it is
        asked for: there may be no such document."""
        excluded = [question.exclude for question in questions]
        unread = [ref.id for ref in excluded if ref is not None and not ref.index]
        stored = self._reader.stored_ids(unread) if unread else set()
        return [
            ref.id if ref is not None and (ref.index or ref.id in stored) else None
            for ref in excluded
        ]

    def _read(self, questions: Sequence[Question]) -> list[Text]:
        """The asked texts; fingerprints that the questions lack are computed."""
        texts = [question.text for question in questions]
        read = self._judge.read(texts, [question.fingerprint for question in questions])
        return [
            Text(one.features, in_both_readings(one.fingerprint, text, one.features, self._plan))
            for text, one in zip(texts, read, strict=True)
        ]

    def _request(self, question: Question, asked: Text) -> Request:
        fingerprint, options = asked.fingerprint, self._options
        return Request(
            without_boilerplate(fingerprint.keys, asked.features),
            options.candidates,
            options.filters,
            question.exclude,
            self._plan.thresholds.hot,
            None if options.verify is None else fingerprint.simhash,
            self._plan.thresholds.simhash_only,
            self._plan.thresholds.hamming,
            options.verify,
            self._plan_id,
        )

    def _met_by_chance(self, candidate: Candidate, asked: Text) -> bool:
        """Whether equal simhash blocks are all that is shared, and the simhashes are far apart."""
        if not candidate.simhash_only:
            return False
        distance = hamming(asked.fingerprint.simhash, candidate.simhash)
        return distance > self._plan.thresholds.simhash_only

    def _begun(self, request: Request, asked: Text, page: CandidatePage) -> Judged:
        """A question whose best candidates are to be read, and the others judged."""
        judged = Judged(asked, page, [], KnownSpread(page, request), undecided=page.unlisted)
        most = self._options.verify
        for candidate in page.candidates:
            by_chance = most is not None and self._met_by_chance(candidate, asked)
            if most is None or (not by_chance and len(judged.to_read) < most):
                judged.to_read.append(candidate.ref)
                continue
            match = self._judge.match_of_values(asked, candidate)
            decided = match is not None or by_chance
            judged.from_stored += decided
            judged.undecided += not decided
            if match is not None:
                judged.matches.append(match)
        return judged

    def _compare(self, lookups: Sequence[Judged], group: Sequence[Stored], texts: Texts) -> None:
        """Compare every question with those of its candidates that are in the group; a document
        that was deleted between the two round trips is in none."""
        read = self._judge.read([d.text for d in group], [d.fingerprint for d in group])
        here = {one.ref: (text, one) for one, text in zip(group, read, strict=True)}
        for lookup in lookups:
            found = [(ref, here[ref]) for ref in lookup.to_read if ref in here]
            if not found:
                continue
            lookup.examined += len(found)
            stored: list[tuple[Text, Ref, Body]] = []
            for ref, (text, document) in found:
                lookup.spread.note(ref, document.fingerprint)
                stored.append((text, ref, {}))
            began = time.perf_counter()
            compared = self._judge.matches(lookup.asked, stored)
            lookup.seconds += time.perf_counter() - began
            for match, (ref, (text, document)) in zip(compared, found, strict=True):
                if match is not None:
                    body = self._hold(ref, document.body)
                    lookup.matches.append(structs.replace(match, document=body) if body else match)
                    texts[ref] = text

    def _hold(self, ref: Ref, body: Body) -> Body:
        """The fields of a match, when the answers have room for them: most matches are shown, but
        heavy documents are read again for those that are."""
        if not self._options.bodies:
            return {}
        self._held += weight(body)
        if self._held <= _HELD_BYTES:
            return body
        self._unheld.add(ref)
        return {}

    def _complete(self, matches: list[Match]) -> list[Match]:
        """The matches with their fields; those of documents that are gone by now stay without."""
        missing = [match.ref for match in matches if match.ref in self._unheld]
        if not missing:
            return matches
        bodies = {document.ref: document.body for document in self._reader.each(missing)}
        return [
            structs.replace(match, document=bodies[match.ref]) if match.ref in bodies else match
            for match in matches
        ]

    def _rank(self, judged: Judged) -> None:
        """The matches that are strong enough, best first."""
        matches = [match for match in judged.matches if match.strength >= self._options.threshold]
        # An estimate below the threshold decides nothing: the text was not read.
        undecided = sum(match.is_estimate for match in judged.matches)
        undecided -= sum(match.is_estimate for match in matches)
        judged.undecided += undecided
        judged.from_stored -= undecided
        judged.matches = sorted(matches, key=Match.rank)

    def _answer(
        self, judged: Judged, texts: Texts, name: str | None, left_out: str | None
    ) -> Answer:
        page = judged.page
        completeness = Completeness(
            candidates=len(page.candidates) + page.unlisted,
            examined=judged.examined,
            from_stored=judged.from_stored,
            undecided=judged.undecided,
            truncated=page.truncated,
            frequent_keys=len(page.frequent),
            rare_only=page.rare_only,
            boilerplate=judged.asked.features.boilerplate(),
            widespread=judged.widespread,
            templates=judged.templates,
            guarantee=in_words(self._plan),
        )
        detailed = tuple(
            self._with_place(match, judged.asked, texts)
            for match in self._complete(judged.matches[: self._options.size])
        )
        return Answer(detailed, completeness, name, left_out, judged.seconds)

    def _with_place(self, match: Match, asked: Text, texts: Texts) -> Match:
        """The match with its place, where the options ask for it; that needs the text."""
        if match.evidence.verified != "text" or not self._options.located:
            return match
        return self._judge.with_place(match, asked, texts[match.ref])
