"""Errors as `application/problem+json` (RFC 9457), each kind with a code that stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
import orjson
from starlette.responses import Response

from dupdex.gateway.callers import NotAllowed
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    NotFound,
    PlanMismatch,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
    TextRefused,
    WorkerLost,
)

MEDIA: Final = "application/problem+json"
PAGE: Final = "/_dupdex/v1/docs"

TITLES: Final[Mapping[str, str]] = {
    "input_refused": "Something in the request cannot be used",
    "text_refused": "A text cannot be fingerprinted",
    "malformed_json": "The body is not JSON",
    "invalid_request": "The request is not of the documented form",
    "not_found": "There is no such index, document, group or job",
    "no_such_path": "There is nothing at this path",
    "method_not_allowed": "The path does not take this method",
    "unsupported_media_type": "The body is in a form that is not read here",
    "too_large": "The request is larger than the limit",
    "not_allowed": "The caller may not do this",
    "access_refused": "The store refused the credentials",
    "plan_mismatch": "The index is of another plan, or is being rebuilt",
    "store_refused": "The store does not let this be done",
    "key_in_progress": "The request of this Idempotency-Key is under way",
    "key_reused": "The Idempotency-Key belongs to another request",
    "store_unavailable": "The store does not answer",
    "store_full": "There is no space left in the store",
    "worker_lost": "A process that computed fingerprints ended",
    "internal_error": "An error of dupdex itself",
}
"""Every code, with the title of its problems."""

_CODES: Final[Mapping[type[DupdexError], str]] = {
    InputRefused: "input_refused",
    TextRefused: "text_refused",
    NotFound: "not_found",
    PlanMismatch: "plan_mismatch",
    StoreRefused: "store_refused",
    NotAllowed: "not_allowed",
    AccessRefused: "access_refused",
    StoreUnavailable: "store_unavailable",
    StoreFull: "store_full",
    WorkerLost: "worker_lost",
    DupdexError: "internal_error",
}


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`type`: where the code is explained; `pointer`: the entry of the body, as a JSON pointer;
    `parameter`: the one of the query that is wrong."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str | None = None
    pointer: str | None = None
    parameter: str | None = None


class Refused(InputRefused):
    """A request that is refused before it reaches an index; its status and code are its own."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        pointer: str | None = None,
        parameter: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.answer_status, self.code = status, code
        self.pointer, self.parameter, self.headers = pointer, parameter, headers


def problem_of(error: DupdexError, instance: str | None = None) -> ProblemDetails:
    """The problem that an error is told as."""
    if isinstance(error, Refused):
        status, code = error.answer_status, error.code
        pointer, parameter = error.pointer, error.parameter
    else:
        status, pointer, parameter = error.status, None, None
        code = next(_CODES[kind] for kind in type(error).__mro__ if kind in _CODES)
    return ProblemDetails(
        type=f"{PAGE}#{code}",
        title=TITLES[code],
        status=status,
        detail=str(error),
        code=code,
        instance=instance,
        pointer=pointer,
        parameter=parameter,
    )


def internal(instance: str | None = None) -> ProblemDetails:
    """What is told of an error of our own: nothing of what it was about."""
    detail = "dupdex failed at this request; its log names the place"
    return ProblemDetails(
        type=f"{PAGE}#internal_error",
        title=TITLES["internal_error"],
        status=500,
        detail=detail,
        code="internal_error",
        instance=instance,
    )


def response_of(problem: ProblemDetails, headers: Mapping[str, str] | None = None) -> Response:
    """The answer that tells a problem."""
    told = dict(headers or {})
    if problem.status == 503:
        told.setdefault("retry-after", "1")
    content = orjson.dumps(msgspec.to_builtins(problem))
    return Response(content, problem.status, told, media_type=MEDIA)
