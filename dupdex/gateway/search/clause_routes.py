"""`/_dupdex/clause`: the plain query of a clause, for those who send it themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dupdex.gateway.callers import caller_of
from dupdex.gateway.json_size import FEW_VALUES, check_values
from dupdex.gateway.search.candidate_query import candidate_query
from dupdex.gateway.search.cluster import Cluster
from dupdex.gateway.search.hits_why import clause_form, match_form
from dupdex.gateway.search.id_query import id_query
from dupdex.gateway.search.near_clause import clause_of
from dupdex.gateway.search.raw_json import NotJson, value_of
from dupdex.gateway.search.resolving import Resolver
from dupdex.gateway.search.search_refused import BAD_ARGUMENT, SearchRefused
from dupdex.gateway.search.search_targets import Target, TargetFinder
from dupdex.gateway.services import Services
from mappings.errors import DupdexError, NotFound
from query.questions import Question

PATH: Final = "/_dupdex/clause"

_LARGEST: Final = 4 << 20
_LISTS: Final = ("verdicts", "schemes")
_NUMBERS: Final = ("min_similarity", "max", "boost")


def clause_routes(services: Services) -> list[Route]:
    """The routes of this interface."""
    return [Route(PATH, _with_problems(ClauseMaker(services).answer), methods=["GET", "POST"])]


class ClauseMaker:
    """Answers with the query of the verified documents, and that of all candidates."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def answer(self, request: Request) -> Response:
        """`index` and the keys of a clause, in the URL or in the body; `id` in the URL stands for a
        document of the index."""
        upstream = self._services.upstream
        if upstream is None:
            reason = "the store is a folder, which takes no query of Elasticsearch"
            raise SearchRefused(reason, BAD_ARGUMENT, 404)
        content = await _content_of(request)
        names = content.pop("index", self._services.location.index)
        if not isinstance(names, str) or not names:
            raise SearchRefused("[index] must be the name of an index", BAD_ARGUMENT)
        if "id" in content:
            content["like"] = {"_index": names, "_id": content.pop("id")}
        clause = clause_of(content)
        caller = caller_of(request.scope)
        finder = TargetFinder(self._services, caller, Cluster(upstream, request.scope["headers"]))
        targets = await finder.of(names)
        if not targets.ours:
            raise NotFound(f"no index {names!r} that dupdex answers from; see 'dupdex attach'")
        resolver = Resolver(self._services, caller)
        (found,) = await resolver.resolve([clause], targets)
        (question,) = await self._services.blocking(resolver.questions, [clause])
        candidates = {
            target.name: await self._services.blocking(self._candidates, target, question)
            for target in targets.ours
        }
        told = {
            "query": id_query(found, 0, named=True),
            "candidates": candidates,
            "matches": [
                {"_index": each.index, "_id": each.id, **match_form(0, each)}
                for each in found.matches
            ],
            **clause_form(found),
        }
        return Response(orjson.dumps(told), media_type="application/json")

    def _candidates(self, target: Target, question: Question) -> dict[str, Any]:
        return candidate_query(self._services.indices.named(target.name), question, target.filters)


async def _content_of(request: Request) -> dict[str, Any]:
    if request.method == "POST":
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LARGEST:
                raise SearchRefused(f"a body has {_LARGEST >> 20} MB at most", BAD_ARGUMENT, 413)
        check_values(body, FEW_VALUES)
        try:
            content = value_of(body)
        except NotJson as error:
            raise SearchRefused(f"the body is no JSON: {error}") from error
        if not isinstance(content, dict):
            raise SearchRefused("the body must be an object with [index] and [text] or [like]")
        return content
    return {name: _parameter(name, value) for name, value in request.query_params.items()}


def _parameter(name: str, value: str) -> Any:
    """Lists by commas, and numbers, as a clause has them."""
    if name in _LISTS:
        return [each for each in value.split(",") if each]
    if name in _NUMBERS:
        try:
            return value_of(value.encode())
        except NotJson:
            return value  # the check of the clause says that it is no number
    return value


def _with_problems(
    answer: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Errors as `application/problem+json`."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except SearchRefused as refused:
            return _problem(refused)
        except DupdexError as error:
            return _problem(SearchRefused.of(error))

    return answered


def _problem(refused: SearchRefused) -> Response:
    told: Mapping[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(refused.status).phrase,
        "status": refused.status,
        "detail": refused.reason,
        "code": refused.kind,
    }
    return Response(orjson.dumps(told), refused.status, media_type="application/problem+json")
