"""What is to become of an operation on its way through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.enrich.bulk_lines import Operation
from mappings.errors import DupdexError, InputRefused

REWRITE_REFUSED: Final = "dupdex_rewrite_refused"

_KINDS: Final = {401: "security_exception", 403: "security_exception", 503: "cluster_unreachable"}


class RewriteRefused(InputRefused):
    """A write would change texts where no fingerprint can be made of them."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the gateway does not pass an operation on: as the server would put it."""

    status: int
    kind: str
    reason: str

    @classmethod
    def of(cls, error: DupdexError) -> Refusal:
        kind = _KINDS.get(error.status, "dupdex_refused")
        if isinstance(error, RewriteRefused):
            kind = REWRITE_REFUSED
        return cls(error.status, kind, str(error))

    def error(self) -> dict[str, Any]:
        return {"type": self.kind, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says for all its operations. `index`: the name in its path; `refresh`: what
    is written can be searched when it is answered."""

    caller: Caller
    index: str | None = None
    pipeline: str | None = None
    routing: str | None = None
    refresh: bool = False

    def check(self, name: str) -> None:
        """Raises NotAllowed for an index that the caller may not write to, or not to all of it."""
        self.caller.check(Right.WRITE, name)
        if self.caller.filters_of(name):
            raise NotAllowed(
                f"key {self.caller.name!r} sees a part of index {name!r} only, and writes could "
                "reach other documents; use a key without filters"
            )


@dataclass(slots=True)
class Planned:
    """One operation. `name`: the index as the client calls it, "" for none of ours.

    `text`: the document has another text afterwards; `refill`: its fingerprint is made of what is
    stored by then; `conditional`: it was made of what was read, and a conflict is ours to solve;
    `bare`: why the document goes without fingerprint.
    """

    operation: Operation
    name: str = ""
    refusal: Refusal | None = None
    text: bool = False
    refill: bool = False
    conditional: bool = False
    bare: str = ""
    source: bytes | None = None
    """What is sent in place of the second line, without an end of its own."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """What the action line says otherwise than the client wrote it; None for what it leaves out."""

    @property
    def untouched(self) -> bool:
        """Whether the cluster gets what the client sent."""
        return self.refusal is None and self.source is None and not self.values

    def refuse(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.text = self.refill = self.conditional = False

    def becomes(self, source: bytes, **values: Any) -> None:
        """Send another source, and other values in the action line; None leaves one out."""
        self.values = values
        self.source = None if source is self.operation.source else source

    def lines(self) -> Iterator[bytes]:
        """What the cluster gets, in pieces."""
        operation = self.operation
        if self.values:
            gone = tuple(name for name, value in self.values.items() if value is None)
            more = {name: value for name, value in self.values.items() if value is not None}
            yield operation.line_with(gone, **more)
        else:
            yield operation.line
        source = operation.source if self.source is None else self.source
        yield source
        if source and not source.endswith(b"\n"):
            yield b"\n"

    def refused_item(self) -> dict[str, Any]:
        """The item of an answer for an operation that was not passed on."""
        refusal = self.refusal or Refusal(500, "dupdex_refused", "")
        operation = self.operation
        named = {
            "_index": self.name or operation.text_of("_index"),
            "_id": operation.text_of("_id"),
            "status": refusal.status,
            "error": refusal.error(),
        }
        return {operation.action: named}
