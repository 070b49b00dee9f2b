"""What the application takes from this room."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from dupdex.gateway.api_paths import Api
from dupdex.gateway.passing import EndedWhenLeft
from dupdex.gateway.search.many_searches import ManySearches
from dupdex.gateway.search.searching import Searching
from dupdex.gateway.services import Services


def handlers(services: Services) -> Mapping[Api, ASGIApp]:
    """The handlers of all searches; none where the store is a folder."""
    if services.upstream is None:
        return {}
    one = _ended(Searching(services, services.upstream))
    return {
        Api.SEARCH: one,
        Api.COUNT: one,
        Api.ASYNC_SEARCH: one,
        Api.MSEARCH: _ended(ManySearches(services, services.upstream)),
    }


def _ended(app: ASGIApp) -> ASGIApp:
    """The same, ended when the client leaves: a search changes nothing."""

    async def searching(scope: Scope, receive: Receive, send: Send) -> None:
        with EndedWhenLeft(scope):
            await app(scope, receive, send)

    return searching
