"""sweep, attach, detach as jobs; jobs: what ran on an index, and how it went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Final
from urllib.parse import quote, urlencode

import msgspec

from dupdex.gateway.callers import Right
from dupdex.gateway.rest.background_jobs import Job, jobs_of
from dupdex.gateway.rest.operations import (
    ROOT,
    Asked,
    Gives,
    Operation,
    Operations,
    Reply,
    Target,
)
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import Name, Size, Word
from dupdex.index import Index
from dupdex.jobs.run_store import Run
from dupdex.jobs.sweep_job import JOB, Sweep, since_last, sweep
from dupdex.session import Session
from dupdex.wire.job_forms import RunForm
from mappings.errors import StoreRefused
from mappings.plan import PLANS, Plan

_TAG: Final = "jobs"
LAST: Final = "last"
_WAIT: Final = 1.0
_BEGUN: Final = {202: Gives("The job has begun; `Location` tells how it stands.", RunForm)}


class SweepBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`since`: only pairs of documents that were written since a time, or since the last sweep
    began ("last"); the rest as in `dupdex sweep`."""

    since: Word | None = None
    groups: bool = True
    regroup: bool = False


class PaceBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`throttle`: documents a second, at most; `slices`: parts of the index at the same time."""

    throttle: Annotated[float, msgspec.Meta(gt=0, le=1e9)] | None = None
    slices: Annotated[int, msgspec.Meta(ge=1, le=64)] = 2


class AttachBody(PaceBody):
    """What the texts are; None leaves an attached index as it is. `plan`: the name of a plan;
    `sidecar`: write nothing to the index, as an index with a sidecar is never written to."""

    text_fields: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=20)] | None = None
    title_field: Name | None = None
    plan: Word | None = None
    sidecar: bool = False


class JobsQuery(Target):
    """`job`: runs of this job only."""

    job: Word = ""
    size: Size = 20


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs, the ones that were begun last first."""

    jobs: tuple[RunForm, ...]


def start_sweep(asked: Asked) -> Reply:
    """Begin a sweep."""
    body: SweepBody = asked.body or SweepBody()
    if body.regroup and not body.groups:
        raise Refused(422, "invalid_request", "to regroup takes groups", pointer="/regroup")
    asked.index  # noqa: B018 - raises what is wrong with the index at once
    return _started(asked, JOB, _sweeping(asked, body))


def start_attach(asked: Asked) -> Reply:
    """Begin to attach an index."""
    body: AttachBody = asked.body or AttachBody()
    asked.services.session.connection(asked.target)  # a folder has none
    return _started(asked, "attach", _attaching(asked, body))


def start_detach(asked: Asked) -> Reply:
    """Begin to detach an index."""
    body: PaceBody = asked.body or PaceBody()
    asked.services.session.connection(asked.target)
    return _started(asked, "detach", _detaching(asked, body))


def listed(asked: Asked) -> Reply:
    """The runs of an index."""
    query: JobsQuery = asked.query
    runs = jobs_of(asked.services).latest(_home(asked), query.job, query.size)
    return Reply({"jobs": [_told(run) for run in runs]})


def shown(asked: Asked) -> Reply:
    """One run."""
    return Reply(_told(jobs_of(asked.services).get(_home(asked), asked.path["id"])))


def cancel(asked: Asked) -> Reply:
    """Tell a run to stop."""
    return Reply(_told(jobs_of(asked.services).cancel(_home(asked), asked.path["id"])), 202)


def again(asked: Asked) -> Reply:
    """Begin the job of a run again, now."""
    run = jobs_of(asked.services).get(_home(asked), asked.path["id"])
    if run.job == JOB:
        return _started(asked, JOB, _sweeping(asked, SweepBody()))
    if run.job == "attach":
        return _started(asked, "attach", _attaching(asked, AttachBody()))
    raise StoreRefused(f"a run of {run.job!r} cannot be begun here; run its command")


def _sweeping(asked: Asked, body: SweepBody) -> Callable[[Job], None]:
    session, target = asked.services.session, _home(asked)
    since = since_last(session, target) if body.since == LAST else _milliseconds(body.since)
    wanted = Sweep(since, body.groups, body.regroup)

    def work(job: Job) -> None:
        def step(*_: object) -> None:
            job.check()

        sweep(session, wanted, target, step, wait=_WAIT, begun=job.is_recorded_as)

    return work


def _attaching(asked: Asked, body: AttachBody) -> Callable[[Job], None]:
    services, target = asked.services, asked.target
    plan = _plan(body.plan)

    def work(job: Job) -> None:
        def progress(count: int, total: int | None = None) -> None:
            job.record()  # by the first time the index has its meta, and so a place for records
            job.check()
            job.add(count, total)

        with Session(replace(services.location, index=target)) as session:
            report = Index.attach(
                session,
                body.text_fields,
                body.title_field,
                plan,
                throttle=body.throttle,
                slices=body.slices,
                sidecar=body.sidecar,
                progress=progress,
            )
        job.record()
        job.note(written=report.written, edited=report.edited, refused=len(report.refused))
        services.indices.made(target)

    return work


def _detaching(asked: Asked, body: PaceBody) -> Callable[[Job], None]:
    services, target = asked.services, asked.target

    def work(job: Job) -> None:
        def progress(count: int, total: int | None = None) -> None:
            job.record()
            job.check()
            job.add(count, total)

        with Session(replace(services.location, index=target)) as session:
            report = Index.detach(
                session,
                throttle=body.throttle,
                slices=body.slices,
                progress=progress,
                cleaned=job.leave,
            )
        job.note(cleaned=report.cleaned, refused=len(report.refused))

    return work


def _started(asked: Asked, name: str, work: Callable[[Job], None]) -> Reply:
    run = jobs_of(asked.services).start(_home(asked), name, work)
    place = f"{ROOT}/jobs/{quote(run.id, safe='')}?{urlencode({'target': asked.target})}"
    return Reply(_told(run), 202, headers={"location": place})


def _home(asked: Asked) -> str:
    """The name that the records of the target lie beside, which may be an alias."""
    return asked.services.indices.home(asked.target)


def _told(run: Run) -> dict[str, object]:
    return RunForm.of(run).to_json()


def _milliseconds(since: str | None) -> int | None:
    if since is None:
        return None
    try:
        time = datetime.fromisoformat(since)
        return round((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1_000)
    except (ValueError, OverflowError) as error:
        said = "since is a time as 2026-01-31T00:00:00Z, or last"
        raise Refused(422, "invalid_request", said, pointer="/since") from error


def _plan(name: str | None) -> Plan | None:
    if name is None:
        return None
    if name not in PLANS:
        said = f"there is no plan {name[:40]!r}; use {', '.join(PLANS)}"
        raise Refused(422, "invalid_request", said, pointer="/plan")
    return PLANS[name]


OPERATIONS: Final[Operations] = (
    Operation(
        "POST",
        "/sweep",
        "sweep",
        "Finds and keeps all pairs of an index, and groups its documents, as a job. One that "
        "was cancelled or interrupted goes on where it stopped.",
        Right.ADMIN,
        _BEGUN,
        start_sweep,
        body=SweepBody,
        body_optional=True,
        keeps_key=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/attach",
        "attach",
        "Lets an index answer that dupdex did not make, as a job; also what was written to it "
        "since. Only for a server.",
        Right.ADMIN,
        _BEGUN,
        start_attach,
        body=AttachBody,
        body_optional=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/detach",
        "detach",
        "Takes everything of dupdex out of an attached index again, as a job. The records of jobs "
        "go in the end, so how it ended only the process knows that does it.",
        Right.ADMIN,
        _BEGUN,
        start_detach,
        body=PaceBody,
        body_optional=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/jobs",
        "list_jobs",
        "Lists what ran on an index, the last run first.",
        Right.READ,
        {200: Gives("The runs.", Runs)},
        listed,
        query=JobsQuery,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/jobs/{id}",
        "show_job",
        "Says how a run stands: running, done, failed or interrupted, and what it did so far.",
        Right.READ,
        {200: Gives("The run.", RunForm)},
        shown,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/jobs/{id}/cancel",
        "cancel_job",
        "Tells a run to stop; it does so within seconds.",
        Right.ADMIN,
        {202: Gives("The run, which is going to stop.", RunForm)},
        cancel,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/jobs/{id}/run",
        "run_job",
        "Begins the job of a run again, now.",
        Right.ADMIN,
        _BEGUN,
        again,
        keeps_key=True,
        tag=_TAG,
    ),
)
