"""Banks asked about texts, and about what is stored already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final
from urllib.parse import quote

import msgspec

from dupdex.banks.bank_check import BankQuestion, check_banks
from dupdex.banks.bank_forms import RetroLines
from dupdex.banks.bank_model import BankAnswer
from dupdex.banks.retro import Retro, retro
from dupdex.banks.retro_hits import JOB, hits_of, indices_of, run_of, runs_of
from dupdex.gateway.callers import NotAllowed, Right
from dupdex.gateway.observe.metrics import count_flood
from dupdex.gateway.rest.background_jobs import Job, jobs_of
from dupdex.gateway.rest.bank_access import FloodBody, banks_of, guard_of, may_use, readable
from dupdex.gateway.rest.bank_routes import TAG, EntriesQuery
from dupdex.gateway.rest.job_routes import Runs
from dupdex.gateway.rest.operations import (
    ROOT,
    Asked,
    Gives,
    Nothing,
    Operation,
    Operations,
    Reply,
)
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import CHARACTERS, TEXTS, Name, Text
from dupdex.jobs.run_store import Run
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json
from dupdex.wire.job_forms import RunForm
from mappings.errors import NotFound

_WAIT: Final = 1.0


class BankCheckBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`text`, or several `texts`. `banks`: only these; else all that are for the index. `passages`:
    say where in the text an entry was found. `flood`: count each text as one that has just
    arrived, and say how often its like has."""

    text: Text | None = None
    texts: Annotated[list[Text], msgspec.Meta(min_length=1, max_length=TEXTS)] | None = None
    banks: Annotated[list[Name], msgspec.Meta(max_length=100)] = []
    size: Annotated[int, msgspec.Meta(ge=0, le=100)] = 10
    passages: bool = True
    flood: FloodBody | None = None


class RetroBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`entries`: only these; `indices`: in these, else in all that the bank is for."""

    entries: Annotated[list[Name], msgspec.Meta(max_length=TEXTS)] = []
    indices: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=100)] | None = None


@dataclass(frozen=True, slots=True)
class BankAnswers:
    """The answers to several texts, in their order."""

    answers: tuple[BankAnswer, ...]


def checked(asked: Asked) -> Reply:
    """What all banks for the index say, or those that are named."""
    return _checked(asked, tuple(asked.body.banks))


def checked_by_one(asked: Asked) -> Reply:
    """What one bank says."""
    if asked.body.banks:
        said = "the path names the bank; leave banks out"
        raise Refused(422, "invalid_request", said, pointer="/banks")
    banks_of(asked.services).get(asked.path["bank"])
    return _checked(asked, (asked.path["bank"],))


def _checked(asked: Asked, names: tuple[str, ...]) -> Reply:
    body: BankCheckBody = asked.body
    if (body.text is None) == (body.texts is None):
        raise Refused(422, "invalid_request", "give either text or texts", pointer="")
    texts = [body.text] if body.text is not None else list(body.texts or ())
    question = BankQuestion(asked.target, names, body.size, body.passages)
    answers = answers_of(asked, texts, question, body.flood)
    if body.text is not None:
        return Reply(to_json(answers[0]))
    return Reply({"answers": [to_json(each) for each in answers]})


def answers_of(
    asked: Asked, texts: Sequence[str], question: BankQuestion, flood: FloodBody | None
) -> list[BankAnswer]:
    """What banks, and a flood guard, say of texts."""
    for text in texts:
        if len(text) > CHARACTERS:
            said = f"a text has more than {CHARACTERS:,} characters; ask for parts of it"
            raise Refused(413, "too_large", said)
    answers = check_banks(banks_of(asked.services), texts, question)
    if flood is None:
        return answers
    asked.caller.check(Right.WRITE, asked.target)  # it is counted
    guard = guard_of(asked, flood)
    arrivals = [guard.arrived(text) for text in texts]
    for arrival in arrivals:
        if arrival.is_flood:
            count_flood()
    return [
        replace(answer, flood=arrival) for answer, arrival in zip(answers, arrivals, strict=True)
    ]


def retro_begun(asked: Asked) -> Reply:
    """Begin to look back."""
    bank, body = readable(asked, asked.path["bank"]), asked.body or RetroBody()
    banks, caller = banks_of(asked.services), asked.caller
    for entry in body.entries:
        banks.entry(bank.name, entry)
    names = body.indices
    if names is None:
        there = asked.services.session.indices()
        names = [each for each in there if bank.is_for(each) and each != banks.home.name]
        names = [each for each in names if may_use(caller, [each])]
    for name in names:
        caller.check(Right.REVIEW, name)
        if caller.filters_of(name):
            raise NotAllowed(f"key {caller.name!r} sees a part of {name!r} only; name others")
        asked.services.indices.named(name)
    wanted = Retro(bank.name, tuple(body.entries), tuple(names))

    def work(job: Job) -> None:
        def step(*_: object) -> None:
            job.check()

        retro(banks, wanted, step, job.is_recorded_as, _WAIT)

    run = jobs_of(asked.services).start(banks.home.name, wanted.job, work)
    place = f"{ROOT}/banks/{quote(bank.name, safe='')}/retro/{quote(run.id, safe='')}"
    return Reply(RunForm.of(run).to_json(), 202, headers={"location": place})


def retro_listed(asked: Asked) -> Reply:
    """The runs that looked back."""
    bank = readable(asked, asked.path["bank"])
    runs = runs_of(banks_of(asked.services).home, bank.name)
    return Reply({"jobs": [RunForm.of(run).to_json() for run in runs]})


def retro_shown(asked: Asked) -> Reply:
    """One run."""
    return Reply(RunForm.of(_run(asked)).to_json())


def retro_hits(asked: Asked) -> Reply:
    """What a run found, in indices that the caller may use."""
    run, query, caller = _run(asked), asked.query, asked.caller
    home = banks_of(asked.services).home
    names = [
        name
        for name in indices_of(home, run.id)
        if may_use(caller, [name]) and not caller.filters_of(name)
    ]
    after = from_word(query.after) if query.after else None
    page = hits_of(home, run.id, query.size, after, names)
    following = to_word(page.next) if page.next else None
    return Reply(to_json(RetroLines(run.id, page.total, page.hits, following)))


def _run(asked: Asked) -> Run:
    bank = readable(asked, asked.path["bank"])
    run = run_of(banks_of(asked.services).home, asked.path["run"])
    if run.job != f"{JOB}-{bank.name}":
        raise NotFound(f"no run {run.id!r} of bank {bank.name!r}")
    return run


OPERATIONS: Final[Operations] = (
    Operation(
        "POST",
        "/check/banks",
        "check_banks",
        "Which entries of banks do texts match, and what do they say all in all? An allow entry "
        "goes before a deny entry for the same text. To count for a flood takes the right `write`.",
        Right.READ,
        {200: Gives("The answer, or the answers in order.", (BankAnswer, BankAnswers))},
        checked,
        body=BankCheckBody,
        keeps_key=True,
        tag=TAG,
    ),
    Operation(
        "POST",
        "/banks/{bank}/check",
        "check_bank",
        "The same for one bank.",
        Right.READ,
        {200: Gives("The answer, or the answers in order.", (BankAnswer, BankAnswers))},
        checked_by_one,
        body=BankCheckBody,
        keeps_key=True,
        tag=TAG,
    ),
    Operation(
        "POST",
        "/banks/{bank}/retro",
        "begin_retro",
        "Looks for the stored documents that entries would have caught, as a job.",
        Right.REVIEW,
        {202: Gives("The job has begun; `Location` tells how it stands.", RunForm)},
        retro_begun,
        query=Nothing,
        body=RetroBody,
        body_optional=True,
        keeps_key=True,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "GET",
        "/banks/{bank}/retro",
        "list_retro",
        "Lists the runs that looked back, the last one first.",
        Right.REVIEW,
        {200: Gives("The runs.", Runs)},
        retro_listed,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "GET",
        "/banks/{bank}/retro/{run}",
        "show_retro",
        "Says how a run stands, and what it did so far.",
        Right.REVIEW,
        {200: Gives("The run.", RunForm)},
        retro_shown,
        query=Nothing,
        on_index=False,
        tag=TAG,
    ),
    Operation(
        "GET",
        "/banks/{bank}/retro/{run}/hits",
        "list_retro_hits",
        "Lists the documents that a run found so far, the most similar first.",
        Right.REVIEW,
        {200: Gives("A page of documents.", RetroLines)},
        retro_hits,
        query=EntriesQuery,
        on_index=False,
        tag=TAG,
    ),
)
