"""`attach --sidecar`: an index answers that dupdex writes nothing to, not even its mapping.

The objects of its documents, and the meta, lie in an index of our own beside it. Whoever opens the
index finds that by its name. Run again, it brings the sidecar up to date.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from dupdex.attach import attaching, detaching
from dupdex.attach.attach_reports import AttachReport, DetachReport
from dupdex.attach.attaching import Attaching, Remark, check_fields
from dupdex.attach.pace import Pace
from dupdex.attach.passes import PassReport, Walk
from dupdex.attach.sidecar_filling import ONLY_VERSIONS, ROWS, SidecarFilling
from dupdex.session import Session
from indexer.attachment import Attachment
from indexer.meta import IndexMeta, check_servable
from indexer.sidecar import SidecarOf
from indexer.stores.elastic.behind import Kind, behind
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.collections_beside import drop_collections
from indexer.stores.elastic.elastic_meta import put_meta, watch_of
from indexer.stores.elastic.foreign_index import ForeignIndex
from indexer.stores.elastic.sidecar_index import (
    drop_sidecar,
    is_narrowed,
    make_sidecar,
    sidecar_of,
    stored_sidecar,
)
from mappings.collections import moment
from mappings.errors import AccessRefused, DupdexError, NotFound, StoreRefused
from mappings.records import RUNS
from mappings.sidecar_body import SEQ_NO, VERSION
from query.stores.elastic.versioned import EVERY, lacking

if TYPE_CHECKING:
    from indexer.stores.elastic.client import Client

PASSES: Final = 10
_MARK: Final = "attach-sidecar"
"""The run that says up to which change the sidecar has everything."""


def index_with_sidecar(session: Session) -> str:
    """The index that the session's name stands for, when it has a sidecar; "" for none."""
    if not session.location.is_server:
        return ""
    client, settings = session.connection()
    try:
        names = behind(client, settings).indices
    except NotFound:  # it was deleted, and its sidecar was not
        names = (settings.index,)
    if len(names) != 1:
        return ""
    meta, _ = stored_sidecar(client, settings, names[0])
    return names[0] if meta is not None else ""


def attach_beside(
    session: Session,
    asked: Attaching,
    progress: Callable[..., None] = lambda *_: None,
    remark: Remark = lambda _: None,
) -> AttachReport:
    """Let the index of the session answer through a sidecar, and bring that up to date.

    `progress` and what is raised are as of `attaching.attach`; also StoreRefused for a data stream,
    an alias over several indices or for a part of one, and for an index that is attached already.
    """
    client, settings = session.connection()
    settings = replace(settings, index=_single(client, settings))
    index = ForeignIndex(client, settings)
    _check(index, settings)
    stored, is_current = stored_sidecar(client, settings, index.name)
    if stored is not None and not is_current:
        remark(f"index {index.name!r} was made anew, so is its sidecar")
        drop_sidecar(client, settings)
        stored = None
    meta = replace(asked.meta(stored), sidecar_of=SidecarOf(index.name, index.uuid))
    check_servable(meta.writing)
    check_fields(client, settings, meta, [index])
    work = _Following(session, client, settings, _given(client, settings, stored, meta), asked)
    report = AttachReport([index.name])
    work.run(index.shards, report, progress)
    work.end()
    return report


def detach_beside(session: Session, index: str) -> DetachReport:
    """Remove the sidecar of an index, and the collections. The index itself was never touched."""
    client, settings = session.connection()
    settings = replace(settings, index=index)
    stored, _ = stored_sidecar(client, settings, index)
    own = sidecar_of(settings, index)
    if stored is not None and stored.attached is not Attachment.LEAVING:
        leaving = replace(stored, attached=Attachment.LEAVING, revision=stored.revision + 1)
        put_meta(client, own, leaving)
        time.sleep(detaching.GRACE_SECONDS)  # others could make the index again by writing to it
    drop_sidecar(client, settings)
    removed = [own.index]
    for name in dict.fromkeys((session.location.index, index)):
        removed += drop_collections(client, replace(settings, index=name))
    return DetachReport([index], collections=removed, untouched=True)


def _single(client: Client, settings: ElasticSettings) -> str:
    name = behind(client, settings)
    if name.kind is Kind.DATA_STREAM:
        raise StoreRefused(
            f"{settings.index!r} is a data stream, whose indices come and go, and a sidecar is for "
            "one index; run 'dupdex attach' without --sidecar"
        )
    if len(name.indices) > 1:
        raise StoreRefused(
            f"{settings.index!r} stands for {len(name.indices)} indices "
            f"({', '.join(name.indices)}), and a sidecar is for one; name one of them"
        )
    (index,) = name.indices
    if is_narrowed(client, settings, index):
        raise StoreRefused(
            f"{settings.index!r} shows a part of index {index!r}, and a sidecar is for all of it; "
            f"name {index!r}"
        )
    return index


def _check(index: ForeignIndex, settings: ElasticSettings) -> None:
    if index.meta is not None and index.meta.sidecar_of is not None:
        raise StoreRefused(
            f"index {index.name!r} is itself the sidecar of {index.meta.sidecar_of.index!r}; name "
            "that one"
        )
    if index.meta is not None:
        way = "was made by dupdex" if index.meta.attached is None else "is attached"
        raise StoreRefused(
            f"index {index.name!r} at {settings.place} {way}: its documents carry their "
            "fingerprints already; leave --sidecar out"
            + ("" if index.meta.attached is None else ", or run 'dupdex detach' first")
        )
    index.check_readable()


def _given(
    client: Client, settings: ElasticSettings, stored: IndexMeta | None, meta: IndexMeta
) -> IndexMeta:
    """The meta in the sidecar, which is made, or changed where it was another."""
    if stored is None:
        made = replace(meta, revision=1)
        make_sidecar(client, settings, made)
        return made
    if stored.attached is Attachment.DONE:
        meta = replace(meta, attached=Attachment.DONE)
    if meta != stored:
        meta = replace(meta, revision=meta.revision + 1)
        put_meta(client, sidecar_of(settings, settings.index), meta)
    if meta.goal is not None:
        time.sleep(attaching.MOVING_SECONDS)  # from now on every lookup asks under both plans
    return meta


class _Following:
    """The passes over one index and its sidecar."""

    def __init__(
        self,
        session: Session,
        client: Client,
        settings: ElasticSettings,
        meta: IndexMeta,
        asked: Attaching,
    ) -> None:
        self._session, self._client, self._settings = session, client, settings
        self._own = sidecar_of(settings, settings.index)
        self._meta, self._asked = meta, asked
        self._watch = watch_of(client, settings, meta)
        self._filling = SidecarFilling(client, settings, self._own, meta)

    def run(self, shards: int, report: AttachReport, progress: Callable[..., None]) -> None:
        """First what may be behind, until nothing is; then rows of documents that are gone. What
        has no text is told each time."""
        pace, parts = Pace(self._asked.throttle), self._asked.slices
        there = Walk(
            self._client, self._settings, parts, pace, progress, self._watch.look, self._own
        )
        beside = replace(there, settings=self._own)
        mark = self._mark()
        self._refresh(self._own)
        if mark is not None:
            again = beside.once(lacking(self._meta.writing.id), ROWS, self._filling.again)
            self._note(again, report)
        for _ in range(PASSES):
            query = EVERY if mark is None else {"range": {"_seq_no": {"gt": mark}}}
            settled = self._settled(shards)
            progress(0, self._count(self._settings, query))
            done = there.once(query, ONLY_VERSIONS, self._filling.follow)
            self._note(done, report)
            if not done.edited and not done.failed:
                mark = settled
                self._keep(mark, report)
            if done.is_clean:
                break
        else:
            report.edited += done.edited
        self._refresh(self._own)
        if self._may_have_gone(mark):
            beside.once(EVERY, ROWS, self._filling.gone)
            self._refresh(self._own)

    def end(self) -> None:
        """Say that the index is attached, under the plan that it moved to."""
        self._watch.check()
        now = self._watch.meta
        done = replace(now.finished(now.goal) if now.goal else now, attached=Attachment.DONE)
        if done != now:
            put_meta(self._client, self._own, replace(done, revision=now.revision + 1))

    def _may_have_gone(self, mark: int | None) -> bool:
        """Whether rows may be left of documents that are gone. Of the documents that were not
        changed since `mark` each has a row that says the same, so there are no more of these rows
        unless others were changed or deleted since."""
        if mark is None:
            return self._count(self._settings, EVERY) != self._count(self._own, EVERY)
        rows = self._count(self._own, {"range": {f"{VERSION}.{SEQ_NO}": {"lte": mark}}})
        return rows != self._count(self._settings, {"range": {"_seq_no": {"lte": mark}}})

    def _note(self, done: PassReport, report: AttachReport) -> None:
        index = self._settings.index
        report.written += done.written
        report.refused |= {(index, name): reason for name, reason in done.refused.items()}

    def _settled(self, shards: int) -> int | None:
        """The number up to which every change of the index is visible to searches now; None where
        a server does not tell."""
        try:
            with translated("read the index statistics", self._settings):
                answer = self._client.indices.stats(
                    index=self._settings.index, metric="docs", level="shards"
                ).body
            found = _checkpoints(answer["indices"][self._settings.index]["shards"])
            with translated("refresh", self._settings):
                self._client.indices.refresh(index=self._settings.index)
        except AccessRefused:  # an index refreshes by itself, and then all of it is looked through
            return None
        return min(found) if len(found) == shards else None

    def _mark(self) -> int | None:
        """The number that an earlier run has kept, of the same index and plan."""
        store = self._session.stored_collection(RUNS, self._settings.index)
        item = store.get(_MARK) if store is not None else None
        mark = (item.values.get("mark") or {}) if item is not None else {}
        known = (mark.get("uuid"), mark.get("plan"))
        return mark.get("seq_no") if known == (self._uuid, self._meta.writing.id) else None

    def _keep(self, mark: int | None, report: AttachReport) -> None:
        if mark is None:
            return
        now = moment(datetime.now(UTC))
        kept = {"uuid": self._uuid, "plan": self._meta.writing.id, "seq_no": mark}
        counts = {"written": report.written, "refused": len(report.refused)}
        times = {"started": now, "ended": now}
        with suppress(DupdexError):  # then the next run looks through everything
            self._session.collection(RUNS, self._settings.index).put(
                _MARK, {"job": "attach", "state": "done", "mark": kept, "counts": counts, **times}
            )

    @property
    def _uuid(self) -> str:
        return self._meta.sidecar_of.uuid if self._meta.sidecar_of else ""

    def _count(self, settings: ElasticSettings, query: Mapping[str, Any]) -> int:
        with translated("count", settings):
            return int(self._client.count(index=settings.index, query=query)["count"])

    def _refresh(self, settings: ElasticSettings) -> None:
        with suppress(AccessRefused), translated("refresh", settings):
            self._client.indices.refresh(index=settings.index)


def _checkpoints(shards: Mapping[str, Any]) -> list[int]:
    """Of every shard, the number up to which all its copies have all changes."""
    return [
        int(copy["seq_no"]["global_checkpoint"])
        for copies in shards.values()
        for copy in copies
        if copy["routing"]["primary"]
    ]
