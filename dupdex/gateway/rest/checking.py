"""check: texts and stored documents are looked up, alone or many together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
import orjson

from dupdex.banks.bank_check import BankQuestion
from dupdex.gateway.observe.metrics import count_lookup
from dupdex.gateway.rest.admitting import admitted
from dupdex.gateway.rest.bank_access import FloodBody
from dupdex.gateway.rest.bank_checks import answers_of
from dupdex.gateway.rest.checks_together import gathering_of
from dupdex.gateway.rest.filter_clauses import checked
from dupdex.gateway.rest.operations import Asked, Reply, Target
from dupdex.gateway.rest.problems import Refused, problem_of
from dupdex.gateway.rest.rest_limits import CHARACTERS, TEXTS, Id, Share, Text, Url
from dupdex.gateway.rest.seen_documents import at_address, seen
from dupdex.wire.forms import to_json
from mappings.errors import DupdexError, NotFound, TextRefused
from query.answers import Answer, Ref
from query.questions import Options, Question

_MOST: Final = 10_000

Limit = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]


class CheckQuery(Target):
    """`index`: store what is asked about, unless it is a duplicate of a stored document; `copies`:
    store it then as well."""

    index: bool = False
    copies: bool = False


class AskedText(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A text; the answer calls it by `id`."""

    text: Text
    id: Id | None = None


class CheckBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One of `text`, `texts`, `id`, `ids` and `url`; to store, `text` or `document`, and `id`. The
    rest as in `query.questions.Options`. `all`: no limits; `self`: the id of a text names a stored
    document, which is left out of the answer. `banks`: name the entries of banks that match as
    well, under `banks` of the answer; `flood`: there, also how often the like of a text has
    arrived. What is denied, or a flood, is not stored.
    """

    text: Text | None = None
    texts: Annotated[list[AskedText], msgspec.Meta(min_length=1, max_length=TEXTS)] | None = None
    id: Id | None = None
    ids: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=TEXTS)] | None = None
    url: Url | None = None
    document: dict[str, Any] | None = None
    size: Limit = 10
    candidates: Limit | None = None
    verify: Limit | None = None
    threshold: Share = 0.0
    filters: list[dict[str, Any]] | None = None
    facts: bool = True
    located: bool = True
    boilerplate: bool = False
    as_meant: bool = True
    backwards: bool = False
    templates: bool = True
    bodies: bool = True
    decided: bool = False
    all: bool = False
    itself: bool = msgspec.field(default=False, name="self")
    banks: bool = False
    flood: FloodBody | None = None


_EITHER: Final = {
    "items": {
        "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Answer", "ProblemDetails")]
    }
}


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to several texts or ids, in their order; a problem in the place of one that
    cannot be answered."""

    answers: Annotated[tuple[Any, ...], msgspec.Meta(extra_json_schema=_EITHER)]


Unanswered = Question | DupdexError
"""What is asked, or why it cannot be."""


def check(asked: Asked) -> Reply:
    """Look up what was asked for: one answer, or one for each of several."""
    body: CheckBody = asked.body
    if asked.query.index:
        return admitted(asked, options_of(asked))
    several = body.texts is not None or body.ids is not None
    options = options_of(asked)
    questions = _questions(asked)
    answers = list(_answers(asked, questions, options))
    if not several and isinstance(answers[0], DupdexError):
        raise answers[0]
    told = [_told(each) for each in answers]
    if body.banks or body.flood is not None:
        _add_banks(asked, questions, told)
    return Reply({"answers": told} if several else told[0])


def _add_banks(
    asked: Asked, questions: Sequence[Unanswered], told: Sequence[dict[str, Any]]
) -> None:
    """Put what banks say of the texts beside the answers of the index."""
    pairs = [
        (each.text, answer)
        for each, answer in zip(questions, told, strict=True)
        if isinstance(each, Question) and "code" not in answer
    ]
    wanted = BankQuestion(asked.target)
    found = answers_of(asked, [text for text, _ in pairs], wanted, asked.body.flood)
    for (_, answer), said in zip(pairs, found, strict=True):
        answer["banks"] = to_json(said)


async def check_together(asked: Asked) -> Reply:
    """The same. Single texts that wait at the same time are looked up together."""
    body: CheckBody = asked.body
    with_banks = body.banks or body.flood is not None
    if body.text is None or len(_given(body)) != 1 or asked.query.index or with_banks:
        return await asked.services.blocking(check, asked)
    kind = (asked.target, repr(asked.filters), msgspec.json.encode(_without_text(body)))
    return await gathering_of(asked.services, _several).answer(asked, kind, len(body.text))


def _several(asked: Sequence[Asked]) -> list[Reply | DupdexError]:
    """The answers to single texts that differ in nothing else."""
    questions: list[Unanswered] = []
    for each in asked:
        try:
            questions += _questions(each)
        except DupdexError as error:
            questions.append(error)
    answers = _answers(asked[0], questions, options_of(asked[0]))
    return [each if isinstance(each, DupdexError) else _encoded(each) for each in answers]


def _encoded(answer: Answer) -> Reply:
    return Reply(content=orjson.dumps(to_json(answer)))


def _without_text(body: CheckBody) -> CheckBody:
    return msgspec.structs.replace(body, text=None)


def _given(body: CheckBody) -> list[Any]:
    """What is asked about; one thing it should be."""
    several = (body.text, body.texts, body.id, body.ids, body.url, body.document)
    return [each for each in several if each is not None]


def options_of(asked: Asked) -> Options:
    """How far the lookups go; the filters of the caller are among theirs."""
    body: CheckBody = asked.body
    candidates = min(max(50, 5 * body.size), _MOST) if body.candidates is None else body.candidates
    verify = max(20, body.size) if body.verify is None else body.verify
    return Options(
        None if body.all else body.size,
        None if body.all else candidates,
        None if body.all else verify,
        threshold=body.threshold,
        filters=(*asked.filters, *checked(body.filters)),
        facts=body.facts,
        located=body.located,
        boilerplate=body.boilerplate,
        as_meant=body.as_meant,
        backwards=body.backwards,
        templates=body.templates,
        bodies=body.bodies,
        decided=body.decided,
    )


def _questions(asked: Asked) -> list[Unanswered]:
    body: CheckBody = asked.body
    if len(_given(body)) != 1 or body.document is not None:
        raise Refused(
            422, "invalid_request", "give one of text, texts, id, ids and url", pointer=""
        )
    if body.text is not None:
        return [_question(AskedText(text=body.text), "/text", False)]
    if body.texts is not None:
        return [
            _question(each, f"/texts/{number}/text", body.itself)
            for number, each in enumerate(body.texts)
        ]
    if body.url is not None:
        stored = at_address(asked, body.url)
        return [Question(stored.text, stored.ref.id, stored.ref)]
    names = [body.id] if body.id is not None else list(body.ids or ())
    found = seen(asked, names)
    return [
        Question(found[name][0].text, name, found[name][0].ref)
        if name in found
        else NotFound(f"no document {name!r} in {asked.target!r}")
        for name in names
    ]


def _question(given: AskedText, pointer: str, itself: bool) -> Question:
    if len(given.text) > CHARACTERS:
        said = f"a text has more than {CHARACTERS:,} characters (at {pointer}); ask for parts of it"
        raise Refused(413, "too_large", said, pointer=pointer)
    exclude = Ref("", given.id) if itself and given.id is not None else None
    return Question(given.text, given.id, exclude)


def _answers(
    asked: Asked, questions: Sequence[Unanswered], options: Options
) -> Iterator[Answer | DupdexError]:
    """In order; a text that cannot be looked up costs the others nothing."""
    index = asked.index
    whole = [each for each in questions if isinstance(each, Question)]
    try:
        found: Iterator[Answer | DupdexError] = iter(index.lookup_all(whole, options))
    except TextRefused:
        found = (_alone(asked, each, options) for each in whole)
    for each in questions:
        answer = each if isinstance(each, DupdexError) else next(found)
        if isinstance(answer, Answer):
            count_lookup(answer)
        yield answer


def _alone(asked: Asked, question: Question, options: Options) -> Answer | DupdexError:
    try:
        return asked.index.lookup_all([question], options)[0]
    except TextRefused as error:
        return error


def _told(answer: Answer | DupdexError) -> dict[str, Any]:
    if isinstance(answer, DupdexError):
        return dict(msgspec.to_builtins(problem_of(answer)))
    return to_json(answer)
