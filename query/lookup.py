"""Lookup: text or id in, verified matches out.

1. keys of the text, the same way they were stored; 2. candidates, one bool/should query;
3. the best candidates are judged from their text, the others from stored values;
4. matches, best first, with what the answer covers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from msgspec import structs

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import check_text
from indexer.garbage import no_collections
from indexer.meant.meanings import meanings
from indexer.meant.meant import Meant
from indexer.model import Body
from indexer.weight import HELD_BYTES, weight
from mappings.plan import Plan
from query.ahead import pages_ahead
from query.answers import (
    Answer,
    CandidatePage,
    CandidateReader,
    Completeness,
    Match,
    Ref,
    Request,
    Stored,
    Verdict,
)
from query.candidate_texts import in_groups
from query.guarantee import in_words
from query.joined_answers import joined
from query.judged import Judged, Texts
from query.known_spread import KnownSpread
from query.meant_matches import Readings, are_marked_up, in_strokes, is_of_strokes
from query.pair import PairJudge, Text
from query.questions import Options, Question, requests_of
from query.second_look import Counts, SecondLook

_SEVERAL: Final = 5
"""Candidates share more with the asked text, the earlier they are read."""

_HELD_BYTES: Final = 8 * HELD_BYTES
"""The most that the fields of matches weigh while other documents are still being compared."""


def near_duplicates_all(
    questions: Sequence[Question],
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    boilerplate: Boilerplate = NOTHING,
    *,
    of_plan_only: bool = False,
) -> list[Answer]:
    """The verified near duplicates of texts, which need not be indexed: in one round trip for
    candidates and one for texts.

    `boilerplate`: sentences that have no say. `of_plan_only`: documents of other plans are no
    candidates. Raises InputRefused for a text that cannot be fingerprinted, StoreUnavailable when
    the store cannot give a complete page: a failure never reads as "no duplicate".
    """
    options = options or Options()
    for question in questions:
        if question.fingerprint is None:
            check_text(question.text, plan)
    judge = PairJudge(plan, NOTHING if options.boilerplate else boilerplate)
    lookup = _Lookup(reader, judge, options, of_plan_only)
    found = [
        meanings(each.text, as_meant=options.as_meant, backwards=options.backwards)
        for each in questions
    ]
    others = [
        replace(each, text=meant.text, fingerprint=None)
        for each, several in zip(questions, found, strict=True)
        for meant in several
    ]
    with no_collections():
        answers = iter(lookup.answers([*questions, *others], [*found, *([] for _ in others)]))
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
        self, reader: CandidateReader, judge: PairJudge, options: Options, of_plan_only: bool
    ) -> None:
        self._reader, self._judge, self._options = reader, judge, options
        self._of_plan_only = of_plan_only
        self._forms = options.facts or not options.templates
        self._held = 0
        self._unheld: set[Ref] = set()

    def answers(
        self, questions: Sequence[Question], meant: Sequence[Sequence[Meant]]
    ) -> list[Answer]:
        """One answer for each question, in order; `meant`: what its text may mean."""
        texts: Texts = {}
        lookups = self._judged(questions, meant, texts)
        look, options = SecondLook(self._judge, Counts(self._reader.frequencies)), self._options
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

    def _judged(
        self, questions: Sequence[Question], meant: Sequence[Sequence[Meant]], texts: Texts
    ) -> list[Judged]:
        """The questions with their candidates judged; the texts of matches are put into `texts`."""
        judge, options = self._judge, self._options
        asked = requests_of(questions, judge, options, of_plan_only=self._of_plan_only)
        lookups: list[Judged] = []
        waiting = zip(asked, meant, strict=True)
        for pages in pages_ahead(self._reader, [request for _, request in asked]):
            begun = [
                self._begun(*pair, page, own)
                for page, (pair, own) in zip(pages, islice(waiting, len(pages)), strict=True)
            ]
            for group in in_groups(self._reader, pages, [lookup.to_read for lookup in begun]):
                self._compare(begun, group, texts)
            for lookup in begun:  # what came along was read
                if not any(match.verdict is Verdict.PARTIAL for match in lookup.matches):
                    lookup.spread.forget()
                lookup.page = structs.replace(lookup.page, documents={}, others={})
            lookups += begun
        return lookups

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

    def _begun(
        self, asked: Text, request: Request, page: CandidatePage, meant: Sequence[Meant]
    ) -> Judged:
        """A question whose best candidates are to be read, and the others judged."""
        spread = KnownSpread(page, request)
        judged = Judged(asked, page, [], spread, meant, undecided=page.unlisted)
        most = self._options.texts
        for candidate in page.candidates:
            by_chance = request.met_by_chance(candidate)
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
        readings, as_meant = Readings(self._judge), self._options.as_meant
        for lookup in lookups:
            stored = [here[ref] for ref in lookup.to_read if ref in here]
            if not stored:
                continue
            lookup.read.update(document.ref for _, document in stored)
            for _, document in stored:
                lookup.spread.note(document.ref, document.fingerprint)
            began = time.perf_counter()
            in_markup = are_marked_up(lookup.meant)
            matches = readings.matches(lookup.asked, stored, as_meant, in_markup)
            lookup.seconds += time.perf_counter() - began
            for told, (_, document) in zip(matches, stored, strict=True):
                if told is not None:
                    body = self._hold(document.ref, document.body)
                    match = structs.replace(told.match, document=body) if body else told.match
                    lookup.matches.append(match)
                    texts[document.ref] = told.text

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
        """The matches that are strong enough, best first; without those of strokes alone."""
        if in_strokes(judged.meant):
            judged.matches = [match for match in judged.matches if not is_of_strokes(match)]
        if any(map(_is_guess, judged.matches)) and not self._guesses_hold(judged):
            sure = [match for match in judged.matches if not _is_guess(match)]
            judged.undecided += len(judged.matches) - len(sure)
            judged.from_stored -= len(judged.matches) - len(sure)
            judged.matches = sure
        matches = [match for match in judged.matches if match.strength >= self._options.threshold]
        # An estimate below the threshold decides nothing: the text was not read.
        undecided = sum(match.is_estimate for match in judged.matches)
        undecided -= sum(match.is_estimate for match in matches)
        judged.undecided += undecided
        judged.from_stored -= undecided
        judged.matches = sorted(matches, key=Match.rank)

    def _guesses_hold(self, judged: Judged) -> bool:
        """Whether most of the texts that were read are near duplicates where stored values say so:
        those of texts in letters that nobody knows are alike, whatever they say. Where several
        were read and none has such values, a near duplicate would have been among them.
        """
        alike = {
            candidate.ref
            for candidate in judged.page.candidates
            if candidate.ref in judged.read and self._judge.match_of_values(judged.asked, candidate)
        }
        found = (match.ref for match in judged.matches if match.verdict is not Verdict.PARTIAL)
        if not alike:
            return len(judged.read) < _SEVERAL
        return 2 * len(alike.intersection(found)) >= len(alike)

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
            guarantee=in_words(self._judge.plan),
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


def _is_guess(match: Match) -> bool:
    """Whether its text was not read, and its simhash is near."""
    return match.is_estimate and match.verdict is Verdict.NEAR
