"""check, compare, explain, fingerprint: what texts are to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from dupdex.gateway.callers import Right
from dupdex.gateway.rest.admitting import Admission
from dupdex.gateway.rest.checking import Answers, CheckBody, CheckQuery, check, check_together
from dupdex.gateway.rest.operations import (
    HTML,
    JSON,
    Asked,
    Gives,
    Operation,
    Operations,
    Reply,
)
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import CHARACTERS, Id, Text, Url
from dupdex.gateway.rest.seen_documents import at_address, text_of
from dupdex.wire.explanation_form import ExplanationForm
from dupdex.wire.forms import to_json
from dupdex.wire.page import explanation_page
from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.compute import check_text
from indexer.model import Document, Record
from indexer.stores.stored_object import object_of
from query.answers import Answer
from query.explain.explanation import Subject
from query.pair import Comparison, PairJudge
from query.telling_pair import compared

_TAG: Final = "texts"


class Side(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A text, or the id of a stored document, or the address of its page."""

    text: Text | msgspec.UnsetType = msgspec.UNSET
    id: Id | msgspec.UnsetType = msgspec.UNSET
    url: Url | msgspec.UnsetType = msgspec.UNSET


class PairBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Two texts or ids. `boilerplate`: let sentences have their say that many unrelated documents
    share."""

    first: Side
    second: Side
    boilerplate: bool = False


@dataclass(frozen=True, slots=True)
class FingerprintForm:
    """What is stored of a text, as the field `dupdex` of its document holds it; keys by field."""

    plan: str
    text_hash: str
    simhash: int
    length: int


def compare(asked: Asked) -> Reply:
    """All measures of two texts under the plan of the index."""
    body: PairBody = asked.body
    meta = asked.index.meta
    subjects = [_subject(asked, body.first, "/first"), _subject(asked, body.second, "/second")]
    for subject in subjects:
        check_text(subject.text, meta.plan)
    judge = PairJudge(meta.plan) if body.boilerplate else PairJudge(meta.plan, meta.boilerplate)
    return Reply(to_json(compared(judge, *(subject.text for subject in subjects))))


def explain(asked: Asked) -> Reply:
    """Why two texts are duplicates, or are not; as a page to who asks for HTML."""
    body: PairBody = asked.body
    first, second = _subject(asked, body.first, "/first"), _subject(asked, body.second, "/second")
    found = asked.index.explain(first, second, boilerplate=body.boilerplate)
    if asked.prefers(HTML):
        return Reply(content=explanation_page(found).encode(), media=HTML)
    return Reply(to_json(ExplanationForm.of(found)))


def fingerprint(asked: Asked) -> Reply:
    """What would be stored of a text."""
    plan = asked.index.meta.plan
    subject = _subject(asked, asked.body, "")
    check_text(subject.text, plan)
    record = Record(Document("-", subject.text), fingerprint_of(subject.text, plan), plan.id)
    return Reply(object_of(record))


def _subject(asked: Asked, side: Side, pointer: str) -> Subject:
    if [side.text, side.id, side.url].count(msgspec.UNSET) != 2:
        raise Refused(422, "invalid_request", "give one of text, id and url", pointer=pointer)
    if isinstance(side.url, str):
        stored = at_address(asked, side.url)
        return Subject(stored.text, stored.ref.id)
    if isinstance(side.id, str):
        return Subject(text_of(asked, side.id), side.id)
    text = str(side.text)
    if len(text) > CHARACTERS:
        said = f"the text has more than {CHARACTERS:,} characters; compare parts of it"
        raise Refused(413, "too_large", said, pointer=f"{pointer}/text")
    return Subject(text)


OPERATIONS: Final[Operations] = (
    Operation(
        "POST",
        "/check",
        "check",
        "Which stored documents are texts, or stored documents, copies of? With `index=true` it "
        "decides and stores in one step, which takes the right `write`.",
        Right.READ,
        {
            200: Gives("The answer, or the answers in order.", (Answer, Answers, Admission)),
            201: Gives("The document is the first, or a copy that was wanted.", Admission),
        },
        check,
        check_together,
        query=CheckQuery,
        body=CheckBody,
        keeps_key=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/compare",
        "compare",
        "Compares two texts or stored documents, by all measures.",
        Right.READ,
        {200: Gives("All measures.", Comparison)},
        compare,
        body=PairBody,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/explain",
        "explain",
        "Says why two texts are duplicates, or are not. A page with both texts side by side "
        "for `Accept: text/html`.",
        Right.READ,
        {200: Gives("The explanation.", ExplanationForm, (JSON, HTML))},
        explain,
        body=PairBody,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/fingerprint",
        "fingerprint",
        "Says what is stored of a text.",
        Right.READ,
        {200: Gives("The object that its document would carry.", FingerprintForm)},
        fingerprint,
        body=Side,
        tag=_TAG,
    ),
)
