"""Operations get the objects of their texts: what is read, what is made of it, what is sent.

Operation -> Planned: passed on, enriched, or refused
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import orjson

from dupdex.gateway.enrich.bulk_lines import Operation
from dupdex.gateway.enrich.own_ids import OWN_IDS
from dupdex.gateway.enrich.planned import REWRITE_REFUSED, Asked, Planned, Refusal
from dupdex.gateway.enrich.splicing import NoObject, is_taken_by_servers, read_object, with_object
from dupdex.gateway.enrich.targets import Targets
from dupdex.gateway.enrich.update_bodies import UpdateBody, merged, object_over
from dupdex.index import Index
from indexer.meta import IndexMeta
from indexer.model import Body, Document, Record, Standing
from indexer.pipeline import to_records
from indexer.rewriting import OnRewrite
from indexer.stores.stored_object import now_in_milliseconds, object_of, standing_in
from mappings.errors import DupdexError, InputRefused
from query.stores.elastic.versioned import Versioned, current

_NEW = "create"
_NO_JSON = (
    "the document is no JSON as clients read it (a comment, NaN, half a surrogate pair, another "
    "encoding than UTF-8), so no fingerprint can be made of its text; correct it"
)


@dataclass(slots=True)
class _Work:
    """An operation whose text is to be fingerprinted. `reads`: what is stored matters."""

    planned: Planned
    meta: IndexMeta
    id: str
    body: Body | None = None
    update: UpdateBody | None = None
    reads: bool = False
    stored: Versioned | None = None
    records: list[Record | None] = field(default_factory=list)

    def bodies(self) -> list[Body | None]:
        """The document; for an update the document afterwards, and the one that it makes where
        there is none. None for what is not there."""
        if self.update is None:
            return [self.body]
        doc, upsert = self.update.doc, self.update.upsert
        after: Body | None = None
        if self.stored is not None and doc is not None and self.reads:
            after = merged(self.stored.body, doc)
        elif self.update.doc_as_upsert and self.reads and self.stored is None:
            after = doc
        return [after, upsert]


class Enriching:
    """Threads may share one; what it does takes processor time, and asks the cluster."""

    def __init__(self, targets: Targets) -> None:
        self._targets = targets

    def plan(self, operations: Iterable[Operation], asked: Asked) -> list[Planned]:
        """What becomes of some operations, in order. Errors of one are its refusal."""
        found: dict[str, Index | Refusal | None] = {}
        out: list[Planned] = []
        work: list[_Work] = []
        for operation in operations:
            planned = Planned(operation)
            out.append(planned)
            name = operation.text_of("_index") or asked.index
            if name is None:
                continue  # the server says that it is missing
            if name not in found:
                found[name] = self._found(name, asked)
            index = found[name]
            planned.name = "" if index is None else self._targets.plain(name)
            if isinstance(index, Refusal):
                planned.refuse(index)
            elif index is not None:
                work += self._work(planned, index.meta, asked)
        self._read(work, asked)
        _fingerprint(work)
        for each in work:
            _finish(each)
            each.body = each.update = None  # read documents take more memory than written ones
        return out

    def segments(self, operations: Iterable[Operation], asked: Asked) -> list[list[Operation]]:
        """The operations in parts to be sent one after the other: what an update is merged with is
        read before it is sent, so nothing before it in its part may change the document."""
        out: list[list[Operation]] = [[]]
        seen: dict[tuple[str, str], bool] = {}
        for operation in operations:
            name, document = operation.text_of("_index") or asked.index, operation.text_of("_id")
            if name is not None and document is not None:
                at, updates = (name, document), operation.action == "update"
                if (updates or seen.get(at)) and at in seen and self._may_be_ours(name):
                    out.append([])
                    seen.clear()
                seen[at] = updates or seen.get(at, False)
            out[-1].append(operation)
        return out

    def _may_be_ours(self, name: str) -> bool:
        try:
            return self._targets.ours(name) is not None
        except DupdexError:
            return False

    def _found(self, name: str, asked: Asked) -> Index | Refusal | None:
        try:
            asked.check(name)
            return self._targets.ours(name)
        except DupdexError as error:
            return Refusal.of(error)

    def _work(self, planned: Planned, meta: IndexMeta, asked: Asked) -> list[_Work]:
        """What is to be made for an operation on an index of ours; nothing for what goes on as it
        is."""
        operation = planned.operation
        if operation.action == "delete":
            return []
        try:
            if operation.action == "update":
                return self._update(planned, meta, asked)
            return self._document(planned, meta, asked)
        except NoObject:
            if is_taken_by_servers(operation.source):
                planned.refuse(Refusal(400, "document_parsing_exception", _NO_JSON))
            return []  # the server says why it is none
        except DupdexError as error:
            planned.refuse(Refusal.of(error))
            return []

    def _document(self, planned: Planned, meta: IndexMeta, asked: Asked) -> list[_Work]:
        operation = planned.operation
        body, name = read_object(operation.source), operation.text_of("_id")
        if name == "":
            return []  # the server says that it must not be
        planned.text = True
        rewriting = self._targets.what_rewrites(
            planned.name, operation.text_of("pipeline") or asked.pipeline
        )
        if rewriting:
            values = {} if name is not None else {"_id": OWN_IDS.new()}
            planned.becomes(with_object(operation.source, body, None), **values)
            _by_policy(planned, meta, rewriting)
            return []
        return [_Work(planned, meta, name or OWN_IDS.new(), body, reads=name is not None)]

    def _update(self, planned: Planned, meta: IndexMeta, asked: Asked) -> list[_Work]:
        operation = planned.operation
        update = UpdateBody.read(operation.source)
        touches = update.touches(meta.text_fields)
        planned.text = touches or update.is_scripted or update.upsert is not None
        rewriting = "a script" if update.is_scripted else ""
        if not rewriting and (update.upsert is not None or update.doc_as_upsert):
            rewriting = self._targets.what_rewrites(
                planned.name, operation.text_of("pipeline") or asked.pipeline
            )
        if rewriting:
            planned.becomes(update.with_objects(None, None))
            _by_policy(planned, meta, rewriting)
            return []
        if not (touches or update.upsert is not None or update.has_ours):
            return []
        name = operation.text_of("_id")
        if name is None:
            return []  # the server says that it is missing
        return [_Work(planned, meta, name, update=update, reads=touches)]

    def _read(self, work: Sequence[_Work], asked: Asked) -> None:
        """What is stored of the documents that are changed, or that may be in a group."""
        wanted = [
            each
            for each in work
            if each.reads
            and (each.update is not None or (each.meta.grouping and each.meta.standing))
            and each.planned.operation.action != _NEW
        ]
        by_name: dict[str, list[_Work]] = {}
        for each in wanted:
            by_name.setdefault(each.planned.name, []).append(each)
        for name, some in by_name.items():
            try:
                index = self._targets.write_index(name)
                refs = [
                    (index, each.id, each.planned.operation.text_of("routing") or asked.routing)
                    for each in some
                ]
                fields = some[0].meta.text_fields if any(each.update for each in some) else ("_",)
                client, settings = self._targets.connection(name)
                for each, stored in zip(some, current(client, settings, refs, fields), strict=True):
                    each.stored = stored
            except DupdexError as error:
                for each in some:
                    each.planned.refuse(Refusal.of(error))


def _by_policy(planned: Planned, meta: IndexMeta, what: str) -> None:
    if meta.on_rewrite is OnRewrite.MARK:
        planned.refill = True
        return
    planned.refuse(
        Refusal(
            400,
            REWRITE_REFUSED,
            f"{what} may change the text where no fingerprint can be made of it, and index "
            f"{planned.name!r} refuses that; send the text itself, or let the index take it with "
            f"'dupdex attach {planned.name} --on-rewrite mark'",
        )
    )


def _fingerprint(work: Sequence[_Work]) -> None:
    """All texts of one plan together: a batch costs less than its texts one by one."""
    jobs: dict[str, list[tuple[_Work, Document | None]]] = {}
    for each in work:
        if each.planned.refusal is None:
            for body in each.bodies():
                document = None if body is None else Document(each.id, body=body)
                jobs.setdefault(each.planned.name, []).append((each, document))
    for some in jobs.values():
        meta = some[0][0].meta
        documents = [document for _, document in some if document is not None]
        made = to_records(documents, meta.writing, meta=meta)
        for each, document in some:
            result = None if document is None else next(made)
            record = result if isinstance(result, Record) else None
            each.records.append(record)
            if result is not None and record is None:
                each.planned.bare = getattr(result, "reason", "") or "no text"


def _finish(work: _Work) -> None:
    if work.planned.refusal is not None:
        return
    try:
        if work.update is None:
            _finish_document(work)
        else:
            _finish_update(work, work.update)
    except InputRefused as error:
        work.planned.refuse(Refusal.of(error))


def _finish_document(work: _Work) -> None:
    planned, body = work.planned, work.body or {}
    (record,) = work.records
    group = standing_in(work.stored.ours, work.id).group if work.stored else work.id
    value = _object(record, work.meta, group)
    values = {} if work.reads or value is None else {"_id": work.id}
    planned.becomes(with_object(planned.operation.source, body, value), **values)


def _finish_update(work: _Work, update: UpdateBody) -> None:
    planned, stored = work.planned, work.stored
    after, upserted = work.records
    upsert = _object(upserted, work.meta, work.id) if update.upsert is not None else None
    if stored is None or not work.reads:
        doc = _object(after, work.meta, work.id) if update.doc_as_upsert and work.reads else None
        planned.becomes(update.with_objects(doc, upsert))
        # Another program may make the document in between: then what is merged is looked at.
        planned.refill = work.reads
        return
    group = standing_in(stored.ours, work.id).group
    standing = Standing(group, now_in_milliseconds()) if work.meta.standing else None
    doc = object_over(stored, after, standing=standing)
    if planned.operation.text_of("if_seq_no") is not None:
        planned.becomes(update.with_objects(doc, upsert))
        return
    planned.conditional = True
    planned.becomes(
        update.of_stored().with_objects(doc, None),
        retry_on_conflict=None,
        if_seq_no=stored.version.seq_no,
        if_primary_term=stored.version.primary_term,
    )


def _object(record: Record | None, meta: IndexMeta, group: str) -> bytes | None:
    if record is None:
        return None
    standing = Standing(group, now_in_milliseconds()) if meta.standing else None
    return orjson.dumps(object_of(record, standing))
