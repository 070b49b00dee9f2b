"""`attach`: an index that dupdex did not make answers lookups, without a copy of its data.

The mapping of the object and the meta come first, then every document gets its fingerprint, as a
partial update over the version that was read. Which documents are left to do is seen in the index
itself, so a run that was killed is simply started again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dupdex.attach.attach_reports import AttachReport
from dupdex.attach.filling import filling
from dupdex.attach.pace import Pace
from dupdex.attach.passes import Walk
from dupdex.location import Location
from dupdex.session import Session
from indexer.attachment import Attachment
from indexer.field_path import strings_at
from indexer.meta import IndexMeta, check_plan, check_servable
from indexer.rewriting import OnRewrite
from indexer.stores.elastic.behind import Behind, Kind, behind
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.elastic_meta import put_meta, watch_of
from indexer.stores.elastic.foreign_index import ForeignIndex
from indexer.stores.elastic.rollover_templates import extend
from mappings.contract import OBJECT_FIELD
from mappings.errors import AccessRefused, InputRefused, StoreRefused
from mappings.plan import Plan
from query.stores.elastic.versioned import EVERY, lacking

if TYPE_CHECKING:
    from indexer.stores.elastic.client import Client

PASSES: Final = 10
_SAMPLE: Final = 50
_SHOWN: Final = 8

Remark = Callable[[str], None]


SEEN_SECONDS: Final = 1.2
"""How long other programs may take an index for one that dupdex does not answer from, which they
remember for a second, and then still be writing to it. What they write in that time the last pass
has to find."""

MOVING_SECONDS: Final = 3.0
"""How long other programs may need to see that an index moves to another plan."""


@dataclass(frozen=True, slots=True)
class Attaching:
    """What is asked for. None leaves text fields, title field and plan as they are in an index
    that is attached already, or at their defaults. `throttle`: documents a second, at most;
    `slices`: parts of an index that are worked on at the same time; `on_rewrite`: see IndexMeta.
    """

    text_fields: tuple[str, ...] | None = None
    title_field: str | None = None
    plan: Plan | None = None
    throttle: float | None = None
    slices: int = 2
    on_rewrite: OnRewrite | None = None

    def meta(self, stored: IndexMeta | None) -> IndexMeta:
        """The meta of an attached index. Raises InputRefused where the stored one has other
        fields, PlanMismatch where it has another plan."""
        base = stored or IndexMeta(plan=self.plan or IndexMeta().plan)
        if stored is not None:
            base = self._moving(replace(stored, attached=None))
        for name, asked, held in (
            ("--text-field", self.text_fields, base.text_fields),
            ("--title-field", self.title_field, base.title_field),
        ):
            if stored is not None and asked is not None and asked != held:
                shown = held if isinstance(held, str) else ", ".join(held)
                raise InputRefused(
                    f"the index was attached with {name} {shown}; leave {name} out, or run "
                    "'dupdex detach' first"
                )
        return replace(
            base,
            text_fields=self.text_fields or base.text_fields,
            title_field=base.title_field if self.title_field is None else self.title_field,
            attached=Attachment.FILLING,
            on_rewrite=self.on_rewrite or base.on_rewrite,
        )

    def _moving(self, stored: IndexMeta) -> IndexMeta:
        """The meta while the index moves to another plan, if one is asked for. Raises PlanMismatch
        where lookups could not go on meanwhile."""
        check_plan(stored, None)
        if self.plan is None or self.plan == stored.writing:
            return stored
        moving = stored.started(self.plan, online=True)
        check_plan(moving, None)
        return moving


def attach(
    where: Location | Session,
    wanted: Attaching | None = None,
    progress: Callable[..., None] = lambda *_: None,
    remark: Remark = lambda _: None,
) -> AttachReport:
    """Let the index, alias or data stream of `where` answer lookups; also what was written to it
    since it was attached, or what an interrupted run has left.

    `progress` is told the documents looked at, and before each pass how many there are; `remark`
    what failed and was no condition. Raises NotFound for no index, InputRefused for an embedded
    store or text fields that no document has, StoreRefused, before anything is changed, for an
    index that dupdex made or that cannot be written to.
    """
    asked = wanted or Attaching()
    if isinstance(where, Location):
        with Session(where) as session:
            return attach(session, asked, progress, remark)
    client, settings = where.connection()
    report = AttachReport()
    if asked == Attaching(on_rewrite=asked.on_rewrite) and _is_told(client, settings, asked):
        report.indices.append(settings.index)
        return report
    filled: list[_Filling] = []
    while True:  # a rollover may make another index meanwhile
        name = behind(client, settings)
        todo = [each for each in name.indices if each not in report.indices]
        if not todo:
            break
        metas = _prepare(client, settings, name, asked, remark)
        seen = time.monotonic() + SEEN_SECONDS
        for index in todo:
            if index in metas:
                own = replace(settings, index=index)
                work = _Filling(client, own, metas[index], asked, seen)
                work.run(report, progress)
                filled.append(work)
            report.indices.append(index)
    ended = [work.end() for work in filled]  # together: lookups need one plan, or two, in all
    if any(work.meta.goal is not None for work in filled):
        following = replace(ended[-1], attached=Attachment.FILLING)
        for sentence in extend(client, settings, name, following):
            remark(sentence)
    return report


def _is_told(client: Client, settings: ElasticSettings, asked: Attaching) -> bool:
    """Whether the index is one that dupdex made, which is told what to do with rewritten texts."""
    if asked.on_rewrite is None or behind(client, settings).kind is not Kind.INDEX:
        return False
    meta = ForeignIndex(client, settings).meta
    if meta is None or meta.attached is not None:
        return False
    if meta.on_rewrite is not asked.on_rewrite:
        told = replace(meta, on_rewrite=asked.on_rewrite, revision=meta.revision + 1)
        put_meta(client, settings, told)
    return True


def _prepare(
    client: Client, settings: ElasticSettings, name: Behind, asked: Attaching, remark: Remark
) -> dict[str, IndexMeta]:
    """Give every index behind the name the mapping and a meta; returns those of the indices that
    dupdex did not make. Everything that speaks against it is found before a first change."""
    indices = [ForeignIndex(client, replace(settings, index=each)) for each in name.indices]
    stored = next((index.meta for index in indices if index.meta is not None), None)
    if name.kind is Kind.INDEX and stored is not None and stored.attached is None:
        raise StoreRefused(
            f"index {settings.index!r} was made by dupdex and answers already; there is nothing "
            "to attach"
        )
    fresh = asked.meta(stored)
    check_servable(fresh.writing)
    foreign = [index for index in indices if not (index.meta and index.meta.attached is None)]
    if fresh.goal is not None and len(foreign) < len(indices):
        raise StoreRefused(
            f"an index behind {settings.index!r} was made by dupdex; 'dupdex rebuild' moves that "
            "one to another plan, and 'dupdex attach' the others, each under its own name"
        )
    for index in foreign:
        index.check_writable()
    check_fields(client, settings, fresh, indices)
    for sentence in extend(client, settings, name, fresh):
        remark(sentence)
    return _given(foreign, fresh, asked)


def _given(
    indices: Sequence[ForeignIndex], fresh: IndexMeta, asked: Attaching
) -> dict[str, IndexMeta]:
    """The metas of the indices, stored where they were others."""
    metas: dict[str, IndexMeta] = {}
    for index in indices:
        meta = asked.meta(index.meta) if index.meta else replace(fresh, revision=0)
        if index.meta and index.meta.attached is Attachment.DONE:
            meta = replace(meta, attached=Attachment.DONE)
        if meta != index.meta:
            meta = replace(meta, revision=meta.revision + 1)
            index.give(meta)
        metas[index.name] = meta
    if any(meta.goal is not None for meta in metas.values()):
        time.sleep(MOVING_SECONDS)  # from now on every lookup asks under both plans
    return metas


def check_fields(
    client: Client, settings: ElasticSettings, meta: IndexMeta, indices: Sequence[ForeignIndex]
) -> None:
    """Raise InputRefused when none of some documents has a text in the text fields, or a title in a
    title field that was named and that no index knows."""
    with translated("look at some documents", settings):
        hits = client.search(index=settings.index, size=_SAMPLE)["hits"]["hits"]
    bodies = [hit.get("_source") or {} for hit in hits]
    there = sorted({path for index in indices for path in _strings(index.mapping)})
    shown = ", ".join(there[:_SHOWN]) or "none"
    titles = {meta.title_field} - {IndexMeta().title_field, *there}
    for what, option, paths in (
        ("text", "--text-field", meta.text_fields),
        ("title", "--title-field", tuple(titles)),
    ):
        fields = [any(strings_at(body, path)) for body in bodies for path in paths]
        if fields and not any(fields):
            raise InputRefused(
                f"none of {len(bodies)} documents of {settings.index!r} has a {what} in "
                f"{', '.join(paths)}; name the field with {option} (fields that hold strings: "
                f"{shown})"
            )


def _strings(mapping: Mapping[str, Any], prefix: str = "") -> list[str]:
    """The paths of fields that may hold a text."""
    out = []
    for name, value in mapping.get("properties", {}).items():
        path = f"{prefix}{name}"
        if value.get("type") in ("text", "match_only_text", "keyword", "wildcard"):
            out.append(path)
        if "properties" in value and path != OBJECT_FIELD:
            out += _strings(value, f"{path}.")
    return out


class _Filling:
    """The passes over one index, of which others know from the moment `seen`."""

    def __init__(
        self,
        client: Client,
        settings: ElasticSettings,
        meta: IndexMeta,
        asked: Attaching,
        seen: float,
    ) -> None:
        self._client, self._settings, self.meta = client, settings, meta
        self._seen = seen
        self._asked, self._watch = asked, watch_of(client, settings, meta)

    def run(self, report: AttachReport, progress: Callable[..., None]) -> None:
        """First what has no fingerprint, then everything: other programs may have changed a text
        and kept the old fingerprint with it."""
        pace = Pace(self._asked.throttle)
        walk = Walk(
            self._client, self._settings, self._asked.slices, pace, progress, self._watch.look
        )
        fields, changes = self.meta.text_fields, filling(self.meta)
        for number in range(PASSES):
            if number and self.meta.attached is Attachment.FILLING:
                time.sleep(max(0.0, self._seen - time.monotonic()))
            query = EVERY if number else lacking(self.meta.writing.id)
            self._refresh()
            progress(0, self._count(query))
            done = walk.once(query, fields, changes)
            report.written += done.written
            index = self._settings.index
            refused = {(index, each): reason for each, reason in done.refused.items()}
            report.refused |= refused
            if number and done.is_clean:
                break
        else:
            report.edited += done.written + done.edited
        self._refresh()

    def end(self) -> IndexMeta:
        """Say that the index is attached, under the plan that it moved to; returns its meta. Not
        said twice: each change takes room in the mapping."""
        self._watch.check()
        now = self._watch.meta
        done = replace(now.finished(now.goal) if now.goal else now, attached=Attachment.DONE)
        if done != now:
            done = replace(done, revision=now.revision + 1)
            put_meta(self._client, self._settings, done)
        return done

    def _count(self, query: Mapping[str, Any]) -> int:
        with translated("count", self._settings):
            return int(self._client.count(index=self._settings.index, query=query)["count"])

    def _refresh(self) -> None:
        """An extra: an index refreshes by itself, and a later pass finds what one misses."""
        with suppress(AccessRefused), translated("refresh", self._settings):
            self._client.indices.refresh(index=self._settings.index)
