"""check with `?index=true`: a document is looked up and stored in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dupdex.admission import SAME
from dupdex.banks.bank_check import BankQuestion
from dupdex.banks.bank_model import BankAnswer, Ruling
from dupdex.gateway.callers import Right
from dupdex.gateway.rest.bank_checks import answers_of
from dupdex.gateway.rest.index_writing import writing
from dupdex.gateway.rest.operations import Asked, Reply
from dupdex.gateway.rest.problems import Refused
from dupdex.index import Index
from dupdex.wire.forms import Stored, to_json
from indexer.model import Document, Ref, Status
from indexer.sources.documents import made_id
from query.answers import Answer
from query.questions import Options, Question


@dataclass(frozen=True, slots=True)
class Admission:
    """`is_first`: nothing that was stored before is the same; `outcome`: what became of the
    document, None where it is a duplicate and was not stored. `banks`: what they say of it, where
    they were asked; what they deny, or a flood, is not stored."""

    is_first: bool
    answer: Answer
    outcome: Stored | None
    banks: BankAnswer | None = None


def admitted(asked: Asked, options: Options) -> Reply:
    """Store the document, unless it is a duplicate or copies are wanted, too. A duplicate is 200,
    what was stored as new 201."""
    asked.caller.check(Right.WRITE, asked.target)
    with writing(asked.services, asked.target) as index:
        document = _document(asked, index)
        from_banks = _from_banks(asked, document.text)
        by_id = asked.body.id is not None
        if _is_refused(from_banks):
            exclude = Ref("", document.id) if by_id else None
            answer = index.lookup_all([Question(document.text, document.id, exclude)], options)[0]
            is_first, outcome = not any(each.verdict in SAME for each in answer.matches), None
        else:
            copies = asked.query.copies
            done = index.admit(document, options, store_copies=copies, is_same_by_id=by_id)
            is_first, answer, outcome = done.is_first, done.answer, done.outcome
    value = {
        "is_first": is_first,
        "answer": to_json(answer),
        "outcome": to_json(Stored(document.id, outcome.status)) if outcome else None,
        "banks": to_json(from_banks) if from_banks else None,
    }
    created = outcome is not None and outcome.status is Status.CREATED
    return Reply(value, 201 if created else 200)


def _from_banks(asked: Asked, text: str) -> BankAnswer | None:
    """What banks say of the text, where they are asked."""
    if not asked.body.banks and asked.body.flood is None:
        return None
    return answers_of(asked, [text], BankQuestion(asked.target), asked.body.flood)[0]


def _is_refused(said: BankAnswer | None) -> bool:
    if said is None:
        return False
    return said.ruling is Ruling.DENIED or (said.flood is not None and said.flood.is_flood)


def _document(asked: Asked, index: Index) -> Document:
    """The document of a body: its fields, or its text alone. Without an id it gets one that is
    made from the text."""
    body = asked.body
    if body.texts is not None or body.ids is not None or body.url is not None:
        said = "one document at a time is stored by a check; give its text, or the document"
        raise Refused(422, "invalid_request", said, pointer="")
    if (body.text is None) == (body.document is None):
        said = "give the text, or the document, that is to be stored"
        raise Refused(422, "invalid_request", said, pointer="")
    fields: dict[str, Any] = body.document or {}
    text: str = body.text if body.text is not None else index.meta.text_of(fields)
    return Document(body.id or made_id(text), text, fields)
