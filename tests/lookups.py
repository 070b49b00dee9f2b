"""Lookups of one text or document over the read side of a store."""

from __future__ import annotations

from indexer.boilerplate import NOTHING, Boilerplate
from mappings.plan import Plan
from query.answers import Answer, CandidateReader, DocumentReader
from query.lookup import near_duplicates_all
from query.questions import Options, Question, question_of


def near_duplicates(
    text: str,
    plan: Plan,
    reader: CandidateReader,
    options: Options | None = None,
    boilerplate: Boilerplate = NOTHING,
) -> Answer:
    """The answer to a text."""
    return near_duplicates_all([Question(text)], plan, reader, options, boilerplate)[0]


def near_duplicates_of(
    document_id: str, plan: Plan, reader: DocumentReader, options: Options | None = None
) -> Answer:
    """The answer to a stored document."""
    return near_duplicates_all([question_of(document_id, reader)], plan, reader, options)[0]
