"""Sends searches, one or many, and takes answers from the whole index only.

Lookups send more than one request each, so they go straight to the client's transport layer:
`Elasticsearch.search` takes a body apart and puts it together again first.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, refusal, translated
from mappings.errors import StoreUnavailable
from query.stores.elastic.answered import Found, answers_in

Body = dict[str, Any]

TOGETHER: Final = 50
"""The most searches that are sent in one request."""

_PAUSES: Final = (0.05, 0.2, 0.8)  # seconds
_ONE: Final = {"accept": "application/json", "content-type": "application/json"}
_MANY: Final = {"accept": "application/json", "content-type": "application/x-ndjson"}
_WHOLE: Final = {"allow_partial_search_results": "false"}
_HEADER: Final = {"allow_partial_search_results": False, "request_cache": False}


def checked(
    answer: Any, action: str, settings: ElasticSettings, timed: bool = True
) -> Mapping[str, Any]:
    """The answer, once it is known to come from the whole index.

    Anything less would read as "no duplicate".
    """
    if isinstance(answer, Mapping) and "error" in answer:
        raise refusal(int(answer.get("status", 500)), answer["error"], action, settings)
    shards = answer.get("_shards", {}) if isinstance(answer, Mapping) else {}
    if shards.get("failed") != 0 or (timed and answer.get("timed_out") is not False):
        raise _partial(action, settings)
    return dict(answer)


def _checked(answer: Found, action: str, settings: ElasticSettings) -> Found:
    if answer.error is not None:
        raise refusal(answer.status, answer.error, action, settings)
    if answer.shards.failed != 0 or answer.timed_out is not False:
        raise _partial(action, settings)
    return answer


def _partial(action: str, settings: ElasticSettings) -> StoreUnavailable:
    return StoreUnavailable(
        f"Elasticsearch at {settings.place} answered from part of the index only "
        f"(cannot {action}); look at the cluster's health, then repeat"
    )


class Searches:
    """Searches of one index. `steady`: whether all go to the same copies of it at the moment; one
    copy may show a change later than another.
    """

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        steady: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client, self._settings, self._steady = client, settings, steady
        self._preference = f"dupdex-{secrets.token_hex(8)}"
        self._path = "/" + quote(settings.index, safe=",*")

    def one(self, body: Body, action: str) -> Mapping[str, Any]:
        """A single search, checked."""
        with translated(action, self._settings):
            answer = self._client.perform_request(
                "POST",
                f"{self._path}/_search",
                params={**_WHOLE, **self._where()},
                headers=_ONE,
                body=body,
                endpoint_id="search",
            )
        return checked(answer.body, action, self._settings)

    def _where(self) -> dict[str, str]:
        return {"preference": self._preference} if self._steady() else {}

    def many(self, bodies: Sequence[Body], action: str = "look up candidates") -> list[Found]:
        """The checked answers to many searches, in order."""
        out: list[Found] = []
        for start in range(0, len(bodies), TOGETHER):
            out += self._together(bodies[start : start + TOGETHER], action)
        return out

    def _together(self, bodies: Sequence[Body], action: str) -> list[Found]:
        """The answers to searches that are sent in one request. Those that a node was too busy for
        are sent again, as the client does with whole requests."""
        answers = self._asked(bodies, action)
        for pause in _PAUSES:
            busy = [at for at, answer in enumerate(answers) if answer.is_busy]
            if not busy:
                break
            time.sleep(pause)
            again = self._asked([bodies[at] for at in busy], action)
            for at, answer in zip(busy, again, strict=True):
                answers[at] = answer
        return [_checked(answer, action, self._settings) for answer in answers]

    def _asked(self, bodies: Sequence[Body], action: str) -> list[Found]:
        with translated(action, self._settings):
            answer = self._client.perform_request(
                "POST",
                f"{self._path}/_msearch",
                headers=_MANY,
                body=[line for body in bodies for line in ({**_HEADER, **self._where()}, body)],
                endpoint_id="msearch",
            )
        answers = answers_in(answer.body)
        place, proxy = self._settings.place, "is a proxy in between?"
        if answers is None:
            raise StoreUnavailable(f"{place} does not answer as Elasticsearch does; {proxy}")
        if len(answers) != len(bodies):
            told = f"{place} answered {len(answers)} of {len(bodies)} searches"
            raise StoreUnavailable(f"{told}; {proxy}")
        return answers
