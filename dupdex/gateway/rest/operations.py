"""What an operation of the REST interface is: one declaration that checks, answers and documents.

Modules that add operations export them as `OPERATIONS`; `rest_app` lists these modules.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.rest.rest_limits import WORD
from dupdex.gateway.services import Services
from dupdex.index import Index
from query.answers import Filter

ROOT: Final = "/_dupdex/v1"

KEY: Final = "[!-~]{1,250}"
"""What an Idempotency-Key looks like."""

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
LINES: Final = (NDJSON, "application/jsonl")
HTML: Final = "text/html"
CSV: Final = "text/csv"


class Target(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`target`: the index, alias or data stream; without it that of the service."""

    target: Annotated[str, msgspec.Meta(min_length=1, max_length=WORD)] | None = None


class Nothing(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """No parameters."""


@dataclass(frozen=True, slots=True)
class Gives:
    """One answer of an operation: what it is, and the type of its JSON form (several: one of
    them), or other media types."""

    about: str
    form: Any = None
    media: tuple[str, ...] = (JSON,)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an operation answers: a plain JSON value, or content in another media type."""

    value: Any = None
    status: int = 200
    content: bytes | None = None
    media: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A checked request: `path` has the parts of the path by name, `query` and `body` are of the
    types of the operation, `raw` is the body as it came, unpacked."""

    services: Services
    caller: Caller
    target: str
    path: Mapping[str, str]
    query: Any
    body: Any
    raw: bytes = b""
    accept: str = ""

    @property
    def index(self) -> Index:
        """The index that is meant, for reading. Raises NotFound."""
        return self.services.indices.named(self.target)

    @property
    def filters(self) -> tuple[Filter, ...]:
        """What documents must meet for this caller."""
        return tuple(self.caller.filters_of(self.target))

    def prefers(self, media: str) -> bool:
        """Whether the client names this media type, and does not name JSON before it."""
        named = [part.partition(";")[0].strip() for part in self.accept.split(",")]
        return media in named and (JSON not in named or named.index(media) < named.index(JSON))


Answer = Callable[[Asked], Reply]
Awaited = Callable[[Asked], Awaitable[Reply]]
Stream = Callable[[Asked, Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """`path`: below ROOT, with `{names}`; `answer` runs on a thread, and raises DupdexError;
    `awaited` does the same on the loop, where nothing has to be remembered; `stream` is given the
    request itself instead, its body unread. `body`: the type of the JSON body, None for no body.
    `keeps_key`: an Idempotency-Key makes it happen once. `whole`: what it tells is made from all
    documents, so a caller with filters may not ask. `on_index`: it is about an index, which `right`
    is checked for (None: it takes none). `media`: what the body may be sent as.
    """

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    name: str
    about: str
    right: Right | None
    gives: Mapping[int, Gives]
    answer: Answer | None = None
    awaited: Awaited | None = None
    stream: Stream | None = None
    query: type[msgspec.Struct] = Target
    body: Any = None
    body_optional: bool = False
    keeps_key: bool = False
    whole: bool = False
    on_index: bool = True
    media: tuple[str, ...] = (JSON,)
    tag: str = "documents"

    def check(self, caller: Caller, target: str) -> None:
        """Raises NotAllowed for a caller who may not do this with this index."""
        if self.right is not None:
            caller.check(self.right, *((target,) if self.on_index else ()))
        if self.whole and caller.filters_of(target):
            raise NotAllowed(
                f"key {caller.name!r} sees a part of {target!r} only, and this tells of all of it"
            )


Operations = Sequence[Operation]
