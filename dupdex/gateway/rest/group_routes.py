"""groups: which documents belong together, and what people correct."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from dupdex.gateway.callers import Right
from dupdex.gateway.rest.index_writing import writing
from dupdex.gateway.rest.operations import Asked, Gives, Operation, Operations, Reply, Target
from dupdex.gateway.rest.rest_limits import TEXTS, Id, Name, Size, Word
from dupdex.gateway.rest.whose import by_of
from dupdex.groups.corrections import Corrections
from dupdex.groups.group_forms import GroupDetail, GroupLines, Sort
from dupdex.wire.forms import to_json

_TAG: Final = "groups"
_DETAIL: Final = {200: Gives("The group as it is now.", GroupDetail)}


class GroupsQuery(Target):
    """`field`: count the values that members have of it; `after`: the `next` of the page before."""

    sort: Sort = Sort.SIZE
    field: Word = ""
    size: Size = 20
    after: Word | None = None


class Said(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Who says so, and why; kept with what is corrected. Without `by` it is the caller."""

    by: Word = ""
    why: Word = ""


class MergeBody(Said):
    """Two groups, by id or by a document of each."""

    first: Name
    second: Name


class SplitBody(Said):
    """The documents that leave the group."""

    ids: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=TEXTS)]


class CanonicalBody(Said):
    """The document that stands for its group."""

    id: Id


@dataclass(frozen=True, slots=True)
class Released:
    """How many documents were pinned."""

    released: int


def listed(asked: Asked) -> Reply:
    """A page of groups."""
    query: GroupsQuery = asked.query
    lines = asked.index.groups.views().lines(query.sort, query.field, query.size, query.after)
    return Reply(to_json(lines))


def shown(asked: Asked) -> Reply:
    """One group."""
    return Reply(to_json(asked.index.groups.views().detail(asked.path["id"])))


def merge(asked: Asked) -> Reply:
    """Put two groups together."""
    body: MergeBody = asked.body
    return _corrected(asked, lambda made: made.merge(body.first, body.second))


def split(asked: Asked) -> Reply:
    """Take documents out of a group."""
    body: SplitBody = asked.body
    return _corrected(asked, lambda made: made.split(asked.path["id"], body.ids))


def canonical(asked: Asked) -> Reply:
    """Let a document stand for its group."""
    body: CanonicalBody = asked.body
    return _corrected(asked, lambda made: made.canonical(body.id))


def release(asked: Asked) -> Reply:
    """Take corrections back."""
    with writing(asked.services, asked.target) as index:
        count = index.groups.corrections(by_of(asked)).release(asked.path["id"])
    return Reply({"released": count})


def undo(asked: Asked) -> Reply:
    """Undo the latest correction of a group, and show the group."""
    with writing(asked.services, asked.target) as index:
        corrections = index.groups.corrections(by_of(asked))
        group = corrections.undo(asked.path["id"])
        return Reply(to_json(corrections.views.detail(group)))


def _corrected(asked: Asked, correct: Callable[[Corrections], str]) -> Reply:
    """Correct something, and show the group that it made."""
    body: Said = asked.body
    with writing(asked.services, asked.target) as index:
        corrections = index.groups.corrections(by_of(asked, body.by), body.why)
        group = correct(corrections)
        corrections.grouper.refresh()
        return Reply(to_json(corrections.views.detail(group)))


OPERATIONS: Final[Operations] = (
    Operation(
        "GET",
        "/groups",
        "list_groups",
        "Lists groups of near duplicates.",
        Right.READ,
        {200: Gives("A page of groups.", GroupLines)},
        listed,
        query=GroupsQuery,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/groups/merge",
        "merge_groups",
        "Puts the documents of two groups together, for good.",
        Right.REVIEW,
        _DETAIL,
        merge,
        body=MergeBody,
        keeps_key=True,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/groups/canonical",
        "choose_canonical",
        "Lets a document stand for its group, whatever the policy says.",
        Right.REVIEW,
        _DETAIL,
        canonical,
        body=CanonicalBody,
        keeps_key=True,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/groups/{id}",
        "show_group",
        "Shows a group: members, the pairs that join them, and why one stands for it. The id "
        "is that of a group, of a group that merged into it, or of one of its documents.",
        Right.READ,
        {200: Gives("The group.", GroupDetail)},
        shown,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/groups/{id}/split",
        "split_group",
        "Takes documents out of a group, into one of their own, for good.",
        Right.REVIEW,
        {200: Gives("The new group.", GroupDetail)},
        split,
        body=SplitBody,
        keeps_key=True,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/groups/{id}/release",
        "release_group",
        "Takes back merges and splits of a group: documents go where their texts belong. It can "
        "be undone.",
        Right.REVIEW,
        {200: Gives("How many documents were pinned.", Released)},
        release,
        keeps_key=True,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "POST",
        "/groups/{id}/undo",
        "undo_correction",
        "Undoes the latest merge, split, release or choice of a canonical document that a group "
        "shows as `undoable`: pins, groups and canonical documents are what they were.",
        Right.REVIEW,
        _DETAIL,
        undo,
        keeps_key=True,
        whole=True,
        tag=_TAG,
    ),
)
