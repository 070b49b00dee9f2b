"""Every error of dupdex is told as a problem with a code that stays."""

from __future__ import annotations

from collections.abc import Iterator

from dupdex.gateway.callers import NotAllowed
from dupdex.gateway.rest.problems import TITLES, Refused, internal, problem_of, response_of
from indexer.stores.lease import LeaseLost
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

CODES = {
    InputRefused: (400, "input_refused"),
    TextRefused: (400, "text_refused"),
    AccessRefused: (401, "access_refused"),
    NotAllowed: (403, "not_allowed"),
    NotFound: (404, "not_found"),
    PlanMismatch: (409, "plan_mismatch"),
    StoreRefused: (409, "store_refused"),
    StoreUnavailable: (503, "store_unavailable"),
    LeaseLost: (503, "store_unavailable"),
    StoreFull: (507, "store_full"),
    WorkerLost: (500, "worker_lost"),
}
"""Clients compare these: a code is never changed."""


def kinds(base: type[DupdexError]) -> Iterator[type[DupdexError]]:
    yield base
    for each in base.__subclasses__():
        yield from kinds(each)


def test_codes_stay() -> None:
    for kind, expected in CODES.items():
        problem = problem_of(kind("why"), "/here")
        assert (problem.status, problem.code) == expected
        assert (problem.detail, problem.instance) == ("why", "/here")


def test_every_kind_of_error_has_a_title() -> None:
    for kind in kinds(DupdexError):
        if kind is not Refused and kind.__module__.split(".")[0] != "tests":
            problem = problem_of(kind("why"))
            assert problem.title == TITLES[problem.code]


def test_an_error_of_our_own_tells_nothing() -> None:
    response = response_of(internal("/here"))
    assert response.status_code == 500
    assert response.media_type == "application/problem+json"
    assert b"internal_error" in bytes(response.body)


def test_who_has_to_wait_is_told_how_long() -> None:
    response = response_of(problem_of(StoreUnavailable("away")))
    assert response.headers["retry-after"] == "1"
