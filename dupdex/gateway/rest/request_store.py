"""Requests that happen once: what an Idempotency-Key was answered is kept beside the index."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

from dupdex.gateway.rest.operations import Answer, Asked, Reply
from dupdex.gateway.rest.problems import Refused
from indexer.stores.collection_store import Between, CollectionStore, Item, Query
from mappings.collections import moment
from mappings.errors import DupdexError
from mappings.records import REQUESTS

KEPT: Final = timedelta(hours=24)
"""How long an answer is remembered."""

UNDER_WAY: Final = timedelta(minutes=5)
"""How long a request without an answer holds its key, should its gateway be gone."""

_LONGEST: Final = 1 << 20
_SWEPT: Final = 500


class Once:
    """One request with a key. The key counts for one caller, index and operation."""

    def __init__(self, asked: Asked, operation: str, key: str, query: str) -> None:
        # Another key of the same name may see other documents.
        sees = repr((sorted(asked.caller.indices), asked.filters))
        said = (asked.caller.name, sees, asked.target, operation, key)
        self.asked = asked
        self.id = _digest(*(part.encode("utf-8", "surrogatepass") for part in said))
        path = "/".join(f"{name}={part}" for name, part in sorted(asked.path.items()))
        self.digest = _digest(path.encode(), query.encode("utf-8", "replace"), asked.raw)

    def answer(self, answer: Answer) -> Reply:
        """What the operation answers, or answered before. Raises Refused for a key of another
        request, and of one that is under way."""
        store = self.asked.services.session.collection(REQUESTS, self.asked.target)
        known = self._begun(store)
        if known is not None:
            return self._again(known)
        try:
            reply = answer(self.asked)
        except BaseException:
            store.delete(self.id)  # it may be tried again
            raise
        content, kept = orjson.dumps(reply.value), {"value": reply.value, "headers": reply.headers}
        values = {
            "digest": self.digest,
            "until": moment(datetime.now(UTC) + KEPT),
            "status": reply.status,
            "answer": kept if len(content) <= _LONGEST else None,
        }
        with suppress(DupdexError):  # what was done counts for more than that it is remembered
            store.put(self.id, values)
        return reply

    def _begun(self, store: CollectionStore) -> Item | None:
        """None when the request is ours to answer, else what is kept of it."""
        now = datetime.now(UTC)
        values = {"digest": self.digest, "until": moment(now + UNDER_WAY)}
        while store.create(self.id, values) is None:
            item = store.get(self.id)
            if item is None:
                continue
            if item.values["until"] > moment(now):
                return item
            if store.update(self.id, values, item.version) is not None:
                break
        _forget_old_ones(store, moment(now))
        return None

    def _again(self, item: Item) -> Reply:
        values: dict[str, Any] = dict(item.values)
        if values["digest"] != self.digest:
            said = "this Idempotency-Key was sent with another request; make a new one"
            raise Refused(422, "key_reused", said)
        if "status" not in values:
            said = "the request of this Idempotency-Key is under way; ask again later"
            raise Refused(409, "key_in_progress", said, headers={"retry-after": "1"})
        if "answer" not in values:
            said = "the request was done, and its answer was too long to be remembered"
            raise Refused(409, "key_in_progress", said)
        answer = values["answer"]
        headers = {**answer["headers"], "idempotency-replayed": "true"}
        return Reply(answer["value"], values["status"], headers=headers)


def _forget_old_ones(store: CollectionStore, now: str) -> None:
    """Remove what need not be remembered any more."""
    page = store.query(Query((Between("until", None, now),), "until", limit=_SWEPT))
    if page.items:
        store.delete_all([item.id for item in page.items])


def _digest(*parts: bytes) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()
