"""Bulk requests: documents to NDJSON, and sending until every item is settled."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import orjson
from elastic_transport import TlsError
from elasticsearch import Elasticsearch

from indexer.model import Body, Document, Record, Standing
from indexer.stores.elastic.client import ElasticSettings, reason_of, refusal, translated
from indexer.stores.storable import CHANGED, encode
from indexer.stores.stored_object import object_of
from mappings.contract import OBJECT_FIELD
from mappings.errors import DupdexError, InputRefused, StoreUnavailable

_PERMANENT: Final = "illegal_argument_exception"  # `_mget` of an alias over several indices
_CONFLICT: Final = "version_conflict_engine_exception"
_MISSING: Final = frozenset(("document_missing_exception", "routing_missing_exception"))
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_RETRIED: Final = frozenset((408, 429, 502, 503, 504))
_ANSWER: Final = "items.*.status,items.*.result,items.*.error"
_Version = tuple[int, int]  # sequence number and primary term
_HEADERS: Final = {"accept": "application/json", "content-type": "application/x-ndjson"}


def index_operation(
    record: Record, standing: Standing | None = None, action: str = "index"
) -> bytes:
    """The two NDJSON lines that store a record. Raises InputRefused when it cannot be stored.

    Such a document must never reach the server, which would refuse the whole request. `action`:
    "create" for data streams, which take nothing else.
    """
    body = encode(record.document)
    stored_object = orjson.dumps({OBJECT_FIELD: object_of(record, standing)})
    # Joined as bytes, because the body is already encoded and may be long.
    merged = stored_object if body == b"{}" else b"%b,%b" % (body[:-1], stored_object[1:])
    return b"%b\n%b\n" % (orjson.dumps({action: {"_id": record.document.id}}), merged)


def _only_over(operation: bytes, document_id: str, version: _Version) -> bytes:
    """An index operation that succeeds only while the document has this version."""
    number, term = version
    action = {"index": {"_id": document_id, "if_seq_no": number, "if_primary_term": term}}
    return b"%b\n%b" % (orjson.dumps(action), operation.partition(b"\n")[2])


def delete_operation(document_id: str) -> bytes:
    """The NDJSON line that removes a document."""
    return orjson.dumps({"delete": {"_id": document_id}}) + b"\n"


@dataclass(frozen=True, slots=True)
class Item:
    """The server's answer to an operation: a result, or the reason of a refusal."""

    result: str
    reason: str = ""
    missing: bool = False
    """Refused because there is no such document, or none that can be named without its routing."""
    index: str = ""
    """Of a conflict, the index that the name stood for."""


@dataclass(slots=True)
class Settled:
    """The results of a list of operations; None for those left unknown by `failure`."""

    items: list[Item | None]
    failure: DupdexError | None = None


class BulkSender:
    """Sends operations in order; retries temporary failures for `retry_seconds` at most."""

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        retry_seconds: float,
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """`before` is called before every request; a DupdexError in it counts as the request's."""
        self._client = client.options(max_retries=0)
        self._settings = settings
        self._before = before
        self._retry_seconds = retry_seconds
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Start no further request; one in progress is completed. May be called by any thread."""
        self._stopped.set()

    def send(self, operations: Sequence[bytes]) -> Settled:
        """Settle every operation or say why not. Never raises a DupdexError.

        An operation that is repeated after a lost answer reports the second result: a created
        document may then count as updated.
        """
        settled = Settled([None] * len(operations))
        waiting = list(range(len(operations)))
        pause = _Pause(self._retry_seconds, self._stopped)
        while waiting and not self._stopped.is_set():
            try:
                self._before()
                answers = self._post([operations[place] for place in waiting])
            except InputRefused as error:
                self._send_halves(operations, waiting, settled, error)
                break
            except DupdexError as error:
                settled.failure = error
                if not isinstance(error, StoreUnavailable) or isinstance(error.__cause__, TlsError):
                    break
            else:
                unsettled = self._settle(answers, waiting, settled)
                if len(unsettled) < len(waiting):
                    pause.restart()
                waiting = unsettled
                if waiting and not isinstance(settled.failure, StoreUnavailable):
                    break
            if waiting and not pause.wait():
                settled.failure = self._given_up(settled.failure)
                break
        if None in settled.items and settled.failure is None:
            settled.failure = StoreUnavailable("writing was stopped")
        if settled.failure is not None:
            self.stop()
        return settled

    def send_unchanged(self, documents: Sequence[Document], operations: Sequence[bytes]) -> Settled:
        """`send`, but only for documents whose stored body is still the given one.

        The others are left alone, with CHANGED as the reason.
        """
        settled = Settled([Item("", CHANGED) for _ in operations])
        try:
            versions = self._versions(documents)
        except DupdexError as error:
            self.stop()
            return Settled([None] * len(operations), error)
        places = [at for at, document in enumerate(documents) if document.id in versions]
        names = [documents[at].id for at in places]
        part = self.send(
            [
                _only_over(operations[at], name, versions[name])
                for at, name in zip(places, names, strict=True)
            ]
        )
        for at, item in zip(places, part.items, strict=True):
            settled.items[at] = item
        settled.failure = part.failure
        return settled

    def _versions(self, documents: Sequence[Document]) -> dict[str, _Version]:
        """By id, the versions of the documents whose stored body is the given one."""
        bodies = {document.id: document.body for document in documents}
        pause = _Pause(self._retry_seconds, self._stopped)
        while bodies:
            try:
                self._before()
                return self._stored_versions(bodies)
            except StoreUnavailable as error:
                if isinstance(error.__cause__, TlsError) or not pause.wait():
                    raise self._given_up(error) from error
        return {}

    def _stored_versions(self, bodies: Mapping[str, Body]) -> dict[str, _Version]:
        with translated("read what is stored", self._settings):
            documents = self._client.mget(index=self._settings.index, ids=list(bodies))["docs"]
        out: dict[str, _Version] = {}
        for document in documents:
            if "error" in document:
                # Such errors have no status; a permanent one must not be retried.
                status = 400 if document["error"].get("type") == _PERMANENT else 503
                raise refusal(status, document["error"], "read what is stored", self._settings)
            body = dict(document.get("_source") or {})
            body.pop(OBJECT_FIELD, None)
            if document["found"] and body == bodies[document["_id"]]:
                out[document["_id"]] = (int(document["_seq_no"]), int(document["_primary_term"]))
        return out

    def _send_halves(
        self,
        operations: Sequence[bytes],
        waiting: list[int],
        settled: Settled,
        error: InputRefused,
    ) -> None:
        """Bisect a request that was refused as a whole, so that only the faulty operations fail."""
        settled.failure = None
        if len(waiting) == 1:
            settled.items[waiting[0]] = Item("", str(error))
            return
        middle = len(waiting) // 2
        for half in (waiting[:middle], waiting[middle:]):
            part = self.send([operations[place] for place in half])
            for place, item in zip(half, part.items, strict=True):
                settled.items[place] = item
            if part.failure is not None:
                settled.failure = part.failure
                return

    def _post(self, operations: Sequence[bytes]) -> list[Mapping[str, Any]]:
        with translated("write", self._settings):
            answer = self._client.perform_request(
                "POST",
                f"/{quote(self._settings.index, safe='')}/_bulk",
                # Shorter than the client's time-out, so that the server can name the missing shard.
                params={"filter_path": _ANSWER, "timeout": "20s"},
                headers=_HEADERS,
                body=b"".join(operations),
            )
        items = answer.body.get("items", []) if isinstance(answer.body, Mapping) else []
        if len(items) != len(operations):
            raise StoreUnavailable(
                f"{self._settings.place} answered {len(items)} of {len(operations)} operations; "
                "is a proxy in between?"
            )
        return [next(iter(item.values())) for item in items]

    def _settle(
        self, answers: Sequence[Mapping[str, Any]], waiting: Sequence[int], settled: Settled
    ) -> list[int]:
        """Record final answers in `settled`, failures included; return the operations to repeat."""
        unsettled: list[int] = []
        settled.failure = None
        for place, answer in zip(waiting, answers, strict=True):
            status, error = int(answer.get("status", 500)), answer.get("error")
            if error is None:
                settled.items[place] = Item(str(answer.get("result", "")))
                continue
            failure = refusal(status, error, "write", self._settings)
            if isinstance(failure, InputRefused) or (
                isinstance(failure, StoreUnavailable) and status not in _RETRIED
            ):
                kind = error.get("type") if isinstance(error, Mapping) else None
                reason = CHANGED if kind == _CONFLICT else reason_of(error)
                index = error.get("index", "") if kind == _CONFLICT else ""
                settled.items[place] = Item("", reason, kind in _MISSING, index)
                continue
            unsettled.append(place)
            if settled.failure is None or isinstance(settled.failure, StoreUnavailable):
                settled.failure = failure
        return unsettled

    def _given_up(self, failure: DupdexError | None) -> StoreUnavailable:
        return StoreUnavailable(
            f"{failure}; gave up after {self._retry_seconds:g} s, what was acknowledged is "
            "stored and the same command may be run again"
        )


class _Pause:
    """Exponential back-off with jitter; `restart` after progress resets the time allowed."""

    def __init__(self, seconds: float, stopped: threading.Event) -> None:
        self._seconds, self._stopped = seconds, stopped
        self.restart()

    def restart(self) -> None:
        self._until = time.monotonic() + self._seconds
        self._next = _FIRST_PAUSE

    def wait(self) -> bool:
        """Sleep; False when the time is up or the sender was stopped."""
        length = self._next * random.uniform(0.5, 1.0)
        self._next = min(2 * self._next, _LONGEST_PAUSE)
        if time.monotonic() + length > self._until:
            return False
        return not self._stopped.wait(length)
