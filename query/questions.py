"""What is asked: a text, how far one lookup goes, and the request for candidates they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.model import Fingerprint
from mappings.errors import InputRefused, NotFound
from query.answers import DocumentReader, Filter, Ref, Request
from query.other_reading import in_both_readings
from query.pair import PairJudge, Text
from query.telling_keys import without_boilerplate

_LARGEST: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """How far one lookup goes.

    `size`: matches returned at most; None returns all. `candidates`: looked at, at most; None
    asks for all. `verify`: judged from their text, at most; None judges all. `threshold`: least
    similarity (or share, for partial copies) of a returned match; of a text that was not read the
    similarity is an estimate, and one below counts as undecided. `facts`: look in near duplicates
    for facts that differ. `located`: look for the place of partial copies and excerpts in either
    text. `boilerplate`: let boilerplate count, and keep widespread matches. `as_meant`: ask
    for a text that shows signs of a disguise, and judge a stored one, also as it may be meant
    (`indexer.meant`). `backwards`: ask
    for the text read backwards as well. `templates`: keep matches that are fillings of one form;
    without `facts` they are not marked, and without them all candidates are judged from their text
    (but with `verify` 0), as many of one form may stand before a copy. `bodies`: give the fields of
    matches along.
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

    @property
    def texts(self) -> int | None:
        """How many candidates are judged from their text, at most; None for all."""
        if self.templates or not self.verify:
            return self.verify
        return None if self.candidates is None else max(self.verify, self.candidates)

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


def question_of(document_id: str, reader: DocumentReader) -> Question:
    """The question for near duplicates of the (first) stored document of an id. Raises NotFound."""
    stored = next(iter(reader.by_ids([document_id]).get(document_id, ())), None)
    if stored is None:
        raise NotFound(f"no document {document_id!r} in the index; 'dupdex search' finds ids")
    # its keys are made anew: the stored ones may be older than the text
    return Question(stored.text, document_id, stored.ref)


def requests_of(
    questions: Sequence[Question], judge: PairJudge, options: Options, *, of_plan_only: bool = False
) -> list[tuple[Text, Request]]:
    """For each question its text and what is asked for first; the texts are read together, and
    fingerprints that the questions lack are computed. `of_plan_only`: documents of other plans are
    no candidates.
    """
    plan_id = judge.plan.id if of_plan_only else None
    texts = [question.text for question in questions]
    read = judge.read(texts, [question.fingerprint for question in questions])
    out = []
    for question, one in zip(questions, read, strict=True):
        fingerprint = in_both_readings(one.fingerprint, question.text, one.features, judge.plan)
        asked = Text(one.features, fingerprint)
        out.append((asked, _request(question, asked, judge, options, plan_id)))
    return out


def _request(
    question: Question, asked: Text, judge: PairJudge, options: Options, plan_id: str | None
) -> Request:
    limits = judge.plan.thresholds
    return Request(
        without_boilerplate(asked.fingerprint.keys, asked.features),
        options.candidates,
        options.filters,
        question.exclude,
        limits.hot,
        None if options.verify is None else asked.fingerprint.simhash,
        limits.simhash_only,
        limits.hamming,
        options.texts,
        plan_id,
    )
