"""`detach`: everything of dupdex goes out of an attached index, as far as a server lets it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dupdex.attach.attach_reports import DetachReport
from dupdex.attach.pace import Pace
from dupdex.attach.passes import Change, Walk
from dupdex.location import Location
from dupdex.session import Session
from indexer.attachment import Attachment
from indexer.stores.elastic.behind import behind
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from indexer.stores.elastic.collections_beside import drop_collections
from indexer.stores.elastic.foreign_index import ForeignIndex
from indexer.stores.elastic.one_version import without_object
from indexer.stores.elastic.rollover_templates import shrink
from mappings.contract import OBJECT_FIELD
from mappings.errors import StoreRefused
from query.stores.elastic.versioned import OURS, Versioned

if TYPE_CHECKING:
    from indexer.stores.elastic.client import Client

PASSES: Final = 10
GRACE_SECONDS: Final = 2.5
"""How long other writers of dupdex may need to see that it is being detached."""


def detach(
    where: Location | Session,
    throttle: float | None = None,
    slices: int = 2,
    progress: Callable[..., None] = lambda *_: None,
    remark: Callable[[str], None] = lambda _: None,
    cleaned: Callable[[], None] = lambda: None,
) -> DetachReport:
    """Take the object out of every document of an attached index, alias or data stream, then the
    collections, the templates and the meta. Lookups are refused from the first moment; interrupted,
    run it again. `cleaned` is called between the documents and the collections.

    Raises StoreRefused, before anything is changed, for an index that is not attached or cannot be
    written to, and when other programs keep bringing the object back.
    """
    if isinstance(where, Location):
        with Session(where) as session:
            return detach(session, throttle, slices, progress, remark, cleaned)
    client, settings = where.connection()
    names = behind(client, settings).indices
    attached = _attached(client, settings, names)
    for index in attached:
        _begin(index)
    for sentence in shrink(client, settings):
        remark(sentence)
    report, begun, pace = DetachReport(), time.monotonic(), Pace(throttle)
    # The numbers of the documents pass unchanged: other parsers make floats of long integers.
    with closing(connect(settings, exact_numbers=True)) as exact:
        for index in attached:
            own = replace(settings, index=index.name)
            _clean(Walk(exact, own, slices, pace, progress, lambda: None), begun, report)
    cleaned()
    for name in dict.fromkeys((settings.index, *names)):
        report.collections += drop_collections(client, replace(settings, index=name))
    for index in attached:
        ForeignIndex(client, replace(settings, index=index.name)).take_meta()
        report.indices.append(index.name)
        report.stays.append(
            f"the mapping of {index.name!r} keeps the empty field {OBJECT_FIELD!r}, as no server "
            "removes a field from a mapping; an index that you reindex into has none"
        )
    return report


def _attached(
    client: Client, settings: ElasticSettings, names: Sequence[str]
) -> list[ForeignIndex]:
    indices = [ForeignIndex(client, replace(settings, index=name)) for name in names]
    attached = [index for index in indices if index.meta and index.meta.attached]
    if not attached:
        if any(index.meta for index in indices):
            raise StoreRefused(
                f"index {settings.index!r} was made by dupdex, not attached; to be rid of it, "
                "delete the index itself"
            )
        raise StoreRefused(f"dupdex is not attached to {settings.index!r}; there is nothing to do")
    for index in attached:
        index.check_writable()
        index.check_final_pipeline()
    return attached


def _begin(index: ForeignIndex) -> None:
    meta = index.meta
    if meta is not None and meta.attached is not Attachment.LEAVING:
        index.give(replace(meta, attached=Attachment.LEAVING, revision=meta.revision + 1))


def _clean(walk: Walk, begun: float, report: DetachReport) -> None:
    client, settings = walk.client, walk.settings
    for _ in range(PASSES):
        with translated("refresh", settings):
            client.indices.refresh(index=settings.index)
        with translated("count", settings):
            left = int(client.count(index=settings.index, query=OURS)["count"])
        settled = time.monotonic() - begun > GRACE_SECONDS
        if not left and settled:
            return
        if not left:
            time.sleep(GRACE_SECONDS / 5)
            continue
        walk.step(0, left)
        done = walk.once(OURS, (), _without)
        report.cleaned += done.written
        report.refused |= {(settings.index, each): why for each, why in done.refused.items()}
        if done.is_clean:
            return
    raise StoreRefused(
        f"other programs keep bringing the object {OBJECT_FIELD!r} back into {settings.index!r}; "
        "stop them and run 'dupdex detach' again, it goes on where it stopped"
    )


def _without(page: Sequence[Versioned]) -> list[Change]:
    return [
        Change(each.version.id, without_object(each.version, json.dumps(each.body).encode()))
        for each in page
    ]
