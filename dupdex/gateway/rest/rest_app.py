"""Everything at the gateway's own paths, as one Starlette application."""

from __future__ import annotations

import logging
from collections import defaultdict
from functools import cache
from itertools import chain
from typing import Final

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from dupdex.gateway.rest import (
    bank_checks,
    bank_routes,
    document_routes,
    group_routes,
    index_routes,
    job_routes,
    lookup_routes,
    match_routes,
    report_routes,
    review_routes,
    session_routes,
)
from dupdex.gateway.rest.openapi import document_of
from dupdex.gateway.rest.openapi_page import page
from dupdex.gateway.rest.operations import JSON, ROOT, Operation, Operations
from dupdex.gateway.rest.problems import Refused, internal, problem_of, response_of
from dupdex.gateway.rest.request_reading import GONE
from dupdex.gateway.rest.resource import Resource
from dupdex.gateway.services import Services
from dupdex.gateway.upstream import BrokenOff
from mappings.errors import DupdexError

_ROOMS: Final = (
    lookup_routes,
    document_routes,
    group_routes,
    match_routes,
    review_routes,
    report_routes,
    index_routes,
    job_routes,
    bank_routes,
    bank_checks,
    session_routes,
)
_log: Final = logging.getLogger(__name__)


@cache
def operations() -> Operations:
    """Every operation below ROOT."""
    return tuple(chain.from_iterable(room.OPERATIONS for room in _ROOMS))


def application(services: Services, *others: BaseRoute) -> ASGIApp:
    """What answers every own path; `others`: routes of other rooms."""
    resources: dict[str, list[Operation]] = defaultdict(list)
    for each in operations():
        resources[ROOT + each.path].append(each)
    routes: list[BaseRoute] = [
        Route(path, Resource(services, several)) for path, several in resources.items()
    ]
    routes += [
        Route(f"{ROOT}/openapi.json", _document, methods=["GET"]),
        Route(f"{ROOT}/docs", _page, methods=["GET"]),
        *others,
    ]
    handlers = {DupdexError: _refused, HTTPException: _missed}
    return _Told(Starlette(routes=routes, exception_handlers=handlers))


class _Told:
    """Lets paths keep their escapes, as an id may hold a slash, and tells what nobody foresaw."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noticed(message: object) -> None:
            nonlocal begun
            begun = True
            await send(message)  # type: ignore[arg-type]

        raw = scope["raw_path"].partition(b"?")[0]
        try:
            await self._inner({**scope, "path": raw.decode("latin-1")}, receive, noticed)
        except (BrokenOff, GONE):
            raise
        except Exception as error:
            # The place alone: a message may quote what was sent.
            trace, place = error.__traceback__, ""
            while trace is not None:
                place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
                trace = trace.tb_next
            _log.error("internal error: %s at %s", type(error).__name__, place)
            if begun:
                raise BrokenOff from error
            await response_of(internal(scope["path"]))(scope, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, DupdexError):
        raise error
    headers = error.headers if isinstance(error, Refused) else None
    return response_of(problem_of(error, request.url.path), headers)


async def _missed(request: Request, error: Exception) -> Response:
    """A path or method that no route takes."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    if status == 405:
        refused = Refused(405, "method_not_allowed", f"{request.method} is not taken here")
    else:
        refused = Refused(404, "no_such_path", f"nothing is here; {ROOT}/docs lists what there is")
    return response_of(problem_of(refused, request.url.path), getattr(error, "headers", None))


async def _document(_request: Request) -> Response:
    return Response(_encoded(), media_type=JSON)


@cache
def _encoded() -> bytes:
    return orjson.dumps(document_of(operations()))


async def _page(_request: Request) -> Response:
    return page(operations())
