"""info, search, and making an index: what an index is, and holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec

from dupdex.gateway.callers import NotAllowed, Right
from dupdex.gateway.rest.filter_clauses import checked
from dupdex.gateway.rest.operations import Asked, Gives, Nothing, Operation, Operations, Reply
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.rest_limits import PAGE, Name, Word
from dupdex.index import Index
from dupdex.wire.search_forms import group_hits, hits
from indexer.grouping import Grouping, Policy
from indexer.meta import IndexMeta
from mappings.plan import PLANS, Plan

_TAG: Final = "index"
_DEEPEST: Final = 10_000
_STANDARD: Final = "standard"


class GroupingBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """How the index keeps groups: as in `dupdex index --group`."""

    policy: Policy = Policy.FIRST
    field: Word = ""
    values: Annotated[list[str], msgspec.Meta(max_length=1_000)] = []
    live: bool = True


class IndexBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a new index is made with; `plan`: the name of a plan."""

    text_fields: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=20)] = msgspec.field(
        default_factory=lambda: ["text"]
    )
    title_field: Name = "title"
    plan: Word = _STANDARD
    grouping: GroupingBody | None = None


class SearchBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`collapse`: one hit for each group of near duplicates, paged by `after`; without it pages
    begin at `offset`."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]
    size: Annotated[int, msgspec.Meta(ge=1, le=PAGE)] = 10
    offset: Annotated[int, msgspec.Meta(ge=0, le=_DEEPEST)] = 0
    collapse: bool = False
    after: str | None = None
    filters: list[dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A hit; in a collapsed search with its group, and how many of its documents are hits."""

    id: str
    score: float
    document: dict[str, Any]
    group: str | msgspec.UnsetType = msgspec.UNSET
    copies: int | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Hits with how many there are in all: `total` documents, or `documents` and `groups` of a
    collapsed search, whose next page is after `next`."""

    hits: tuple[SearchHit, ...]
    total: int | msgspec.UnsetType = msgspec.UNSET
    documents: int | msgspec.UnsetType = msgspec.UNSET
    groups: int | msgspec.UnsetType = msgspec.UNSET
    next: str | msgspec.UnsetType | None = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class Info:
    """What `dupdex info` says of an index; the store adds facts of its own."""

    location: str
    documents: int
    plan: str
    other_plans: int
    text_fields: tuple[str, ...]
    title_field: str
    boilerplate: int
    boilerplate_learned_from: int


@dataclass(frozen=True, slots=True)
class IndexNames:
    """Names of indices in their order; `standard`: the one that is meant where none is named."""

    indices: tuple[str, ...]
    standard: str


def names(asked: Asked) -> Reply:
    """The indices that dupdex answers from, as far as the caller may read them."""
    found = [name for name in asked.services.session.indices() if _may_read(asked, name)]
    standard = asked.services.location.index
    if standard not in found and found:
        standard = found[0]
    return Reply({"indices": found, "standard": standard})


def _may_read(asked: Asked, name: str) -> bool:
    try:
        asked.caller.check(Right.READ, name)
    except NotAllowed:
        return False
    return True


def info(asked: Asked) -> Reply:
    """Where the index is, how large, and under which plan."""
    return Reply(_facts(asked))


def create(asked: Asked) -> Reply:
    """Make an index; one that is there stays as it is."""
    body: IndexBody = asked.body or IndexBody()
    there = asked.services.indices.get(asked.target) is not None
    if not there:
        meta = IndexMeta(_plan(body.plan), tuple(body.text_fields), body.title_field)
        made = Index.create(
            asked.services.session, meta, index=asked.target, grouping=_grouping(body.grouping)
        )
        made.close()
        asked.services.indices.made(asked.target)
    return Reply(_facts(asked), 200 if there else 201)


def search(asked: Asked) -> Reply:
    """Full-text search over title and text."""
    body: SearchBody = asked.body
    filters = (*asked.filters, *checked(body.filters))
    if body.collapse and body.offset:
        said = "a collapsed search goes on with after, not with offset"
        raise Refused(422, "invalid_request", said, pointer="/offset")
    if body.after is not None and not body.collapse:
        said = "after goes with collapse; other searches go on with offset"
        raise Refused(422, "invalid_request", said, pointer="/after")
    if body.collapse:
        return Reply(
            group_hits(asked.index.search_groups(body.text, body.size, body.after, filters))
        )
    return Reply(hits(asked.index.search(body.text, body.size, body.offset, filters)))


def _facts(asked: Asked) -> dict[str, object]:
    facts = asked.index.describe()
    # Where the store itself is, is for who runs the service.
    shown = {name: value for name, value in facts.items() if name not in ("path", "url")}
    return {"location": asked.target, **shown}


def _plan(name: str) -> Plan:
    if name not in PLANS:
        said = f"there is no plan {name[:40]!r}; use {', '.join(PLANS)}"
        raise Refused(422, "invalid_request", said, pointer="/plan")
    return PLANS[name]


def _grouping(body: GroupingBody | None) -> Grouping | None:
    if body is None:
        return None
    return Grouping(body.policy, body.field, tuple(body.values), body.live)


OPERATIONS: Final[Operations] = (
    Operation(
        "GET",
        "/indices",
        "list_indices",
        "Lists the indices that dupdex answers from, and that the caller may read.",
        Right.READ,
        {200: Gives("Their names.", IndexNames)},
        names,
        query=Nothing,
        on_index=False,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/info",
        "info",
        "Says where an index is, how large, and under which plan.",
        Right.READ,
        {200: Gives("The facts.", Info)},
        info,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "PUT",
        "/index",
        "create_index",
        "Makes an index. One that is there already stays as it is.",
        Right.ADMIN,
        {
            200: Gives("It was there.", Info),
            201: Gives("It was made.", Info),
        },
        create,
        body=IndexBody,
        body_optional=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/search",
        "search",
        "Searches title and text for documents that hold every word.",
        Right.READ,
        {200: Gives("A page of hits.", SearchPage)},
        search,
        body=SearchBody,
        tag=_TAG,
    ),
)
