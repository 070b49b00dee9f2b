"""What is said, in Elasticsearch's form, to a search that cannot be answered."""

from __future__ import annotations

from typing import Any, Final

from dupdex.gateway.replies import elastic_error
from mappings.errors import AccessRefused, DupdexError, NotFound, PlanMismatch, StoreUnavailable

BAD_QUERY: Final = "parsing_exception"
BAD_ARGUMENT: Final = "illegal_argument_exception"

_KINDS: Final = (
    (NotFound, "resource_not_found_exception"),
    (AccessRefused, "security_exception"),
    (PlanMismatch, "plan_mismatch_exception"),
    (StoreUnavailable, "cluster_unreachable"),
)


class SearchRefused(Exception):
    """A search is refused with a status; `kind` is the `type` of Elasticsearch's errors."""

    def __init__(self, reason: str, kind: str = BAD_QUERY, status: int = 400) -> None:
        super().__init__(reason)
        self.reason, self.kind, self.status = reason, kind, status

    @classmethod
    def of(cls, error: DupdexError) -> SearchRefused:
        kind = next((name for each, name in _KINDS if isinstance(error, each)), BAD_ARGUMENT)
        return cls(str(error), kind, error.status)

    def body(self) -> dict[str, Any]:
        return elastic_error(self.status, self.kind, self.reason)
