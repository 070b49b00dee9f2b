"""Creating an index and its template; reading and changing its meta."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from elastic_transport import ObjectApiResponse
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from indexer.attachment import furthest_back
from indexer.meta import MADE_BY, IndexMeta
from indexer.meta_watch import MetaChanged, MetaWatch, check_revision
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.sidecar_index import meta_beside
from mappings.contract import OBJECT_FIELD
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    StoreRefused,
    StoreUnavailable,
)
from mappings.index_body import (
    claim_after,
    index_body,
    index_template,
    object_mapping,
    template_name,
)

_EXISTS: Final = "resource_already_exists_exception"
_META: Final = f"*.mappings._meta.{OBJECT_FIELD}"
_TOO_MANY_FIELDS: Final = "Limit of total fields"
_ATTEMPTS: Final = 3
"""How often a change of the meta is sent while the server does not answer."""


def read_meta(
    client: Elasticsearch, settings: ElasticSettings, only: str | None = None
) -> IndexMeta | None:
    """The meta of the index; None when there is no such index.

    For an alias over several indices it is that of the first one, and all must have the same plan.
    Where the index has a sidecar, it is what lies there.
    Raises StoreRefused for an index that dupdex did not make. `only` filters the server's answer.
    """
    with translated("read the index mapping", settings):
        try:
            answer: ObjectApiResponse[Any] = client.indices.get_mapping(
                index=settings.index, filter_path=only
            )
        except NotFoundError as error:
            if error.meta.headers.get("x-elastic-product") != "Elasticsearch":
                # the client checks this header only when a request succeeds
                raise InputRefused(
                    f"{settings.place} is not Elasticsearch (no product header); check the URL"
                ) from error
            return None
    if len(answer.body) == 1:
        ((name, value),) = answer.body.items()
        if not _is_ours(value) and (beside := meta_beside(client, settings, name)) is not None:
            return beside
    metas = [_meta_of(name, value, settings) for name, value in sorted(answer.body.items())]
    if not metas:
        return None
    plans = {name: meta["plan_id"] for name, meta in zip(sorted(answer.body), metas, strict=True)}
    first, *others = map(IndexMeta.from_json, metas)
    moving = _moving_among([first, *others])
    if len(set(plans.values())) > 1 and moving is None:
        raise StoreRefused(
            f"the indices behind {settings.index!r} were written under different plans "
            f"({', '.join(f'{name}: {plan}' for name, plan in plans.items())}); rebuild some, each "
            "under its own name, or name a single one",
            "--index",
        )
    if not others:
        return first
    states = [meta.attached for meta in (first, *others)]
    return replace(moving or first, attached=furthest_back(states))


def _moving_among(metas: list[IndexMeta]) -> IndexMeta | None:
    """The meta of an index that moves to another plan while lookups go on, where all others do so,
    too, or have that plan already."""
    moving = next((meta for meta in metas if meta.goal is not None), None)
    if moving is None:
        return None
    before, after = moving.plan.id, moving.writing.id
    for meta in metas:
        there = meta.rebuilding is None and meta.plan.id == after
        if not there and (meta.plan.id, meta.writing.id) != (before, after):
            return None
    return moving


def watch_of(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> MetaWatch:
    """A watch of an index that had the given meta when it was opened."""

    of = meta.sidecar_of

    def read() -> IndexMeta | None:
        try:
            if of is not None:  # the index itself says nothing of it
                return meta_beside(client, replace(settings, index=of.index), of.index)
            return read_meta(client, settings, _META)
        except InputRefused as error:  # not the fault of the documents being written
            raise StoreUnavailable(str(error)) from error

    return MetaWatch(meta, read, _name(settings))


def _name(settings: ElasticSettings) -> str:
    return f"index {settings.index!r} at {settings.place}"


def _is_ours(value: Mapping[str, Any]) -> bool:
    meta = value.get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD)
    return isinstance(meta, Mapping) and meta.get("made_by") == MADE_BY


def _meta_of(name: str, value: Mapping[str, Any], settings: ElasticSettings) -> Mapping[str, Any]:
    meta: Mapping[str, Any] = value.get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD, {})
    if not _is_ours(value):
        raise StoreRefused(
            f"index {name!r} at {settings.place} was not made by dupdex and is never "
            "overwritten; let it answer with 'dupdex attach', or choose another index name",
            "--index",
        )
    return meta


def create_index(
    client: Elasticsearch,
    settings: ElasticSettings,
    meta: IndexMeta,
    user_mappings: Mapping[str, Any] | None,
    user_settings: Mapping[str, Any] | None,
) -> str:
    """Create the template, then the index, so that an existing index implies the template.

    Returns "", or a sentence when the template, which is optional, was refused. An index that
    another writer created in the meantime is left as it is.
    """
    description = (meta.to_json(), meta.text_fields, meta.title_field, user_mappings, user_settings)
    problem = ""
    try:
        with translated("make the index template", settings):
            client.indices.put_index_template(
                name=template_name(settings.index),
                body=index_template(settings.index, *description),
            )
    except AccessRefused as error:
        problem = _without_template(settings, error)
    with translated(f"create index {settings.index!r}", settings):
        try:
            client.indices.create(index=settings.index, body=index_body(*description))
        except BadRequestError as error:
            if error.message != _EXISTS:
                raise
    return problem


def check_single(client: Elasticsearch, settings: ElasticSettings) -> Mapping[str, Any]:
    """The name and the mapping of a single index, which may be named by an alias.

    Raises StoreRefused for an alias or data stream of several indices: a change could reach only
    some of them.
    """
    with translated("read the index mapping", settings):
        mappings = client.indices.get_mapping(index=settings.index).body
    if len(mappings) > 1:
        names = ", ".join(sorted(mappings))
        raise StoreRefused(
            f"{settings.index!r} stands for {len(mappings)} indices ({names}) and nothing was "
            "changed; name one of them at a time"
        )
    return dict(mappings)


def put_meta(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> str:
    """Replace dupdex's part of `_meta` in the index, then in its template; the user's part stays.
    Returns "", or a sentence when the template could not be changed.

    The stored meta must have the previous revision: of several programs that change it at the same
    moment one succeeds. Raises MetaChanged for the others, and StoreRefused for the name of several
    indices.
    """
    for attempts_left in reversed(range(_ATTEMPTS)):
        ((name, value),) = check_single(client, settings).items()
        stored = IndexMeta.from_json(_meta_of(name, value, settings))
        if attempts_left < _ATTEMPTS - 1 and stored.to_json() == meta.to_json():
            break  # only the answer to the attempt before was lost
        check_revision(stored, meta.revision - 1, _name(settings))
        try:
            _compare_and_set(client, settings, meta, name, value["mappings"])
            break
        except StoreUnavailable:
            if not attempts_left:
                raise
    # A template never records a rebuild: an index made from it has none under way.
    return "" if meta.rebuilding is not None else _put_in_template(client, settings, meta)


def _compare_and_set(
    client: Elasticsearch,
    settings: ElasticSettings,
    meta: IndexMeta,
    name: str,
    seen: Mapping[str, Any],
) -> None:
    """Change the mapping that was `seen`. Raises MetaChanged when it was changed since then.

    An index whose mapping can take no further field gets the change without a claim. That change,
    or one of a program that makes no claims, is noticed only if it comes before the last read.
    """
    claim, claimed = claim_after(seen, uuid.uuid4().hex)
    index_meta = {**seen["_meta"], OBJECT_FIELD: meta.to_json()}
    # When a rebuild begins, the same request updates the object mapping: it is strict, so an index
    # made before a scheme existed would reject every document with keys of it.
    # The same for an index that had no place for groups.
    before = IndexMeta.from_json(seen["_meta"][OBJECT_FIELD])
    widened = meta.rebuilding is not None or meta.standing > before.standing
    schemes = object_mapping()["properties"] if widened else {}
    # Not repeated by the client: a second try could follow the change of another program.
    once = client.options(max_retries=0).indices
    with translated("change the meta of the index", settings):
        try:
            properties = {OBJECT_FIELD: {"properties": {**schemes, **claimed}}}
            once.put_mapping(index=name, meta=index_meta, properties=properties)
        except BadRequestError as error:
            if f"[{claim}]" in str(error):
                raise _changed_meanwhile(settings) from error
            if _TOO_MANY_FIELDS not in str(error):
                raise
            properties = {OBJECT_FIELD: {"properties": schemes}} if schemes else {}
            once.put_mapping(index=name, meta=index_meta, properties=properties)
    current = read_meta(client, settings, _META)
    if current is None or current.revision > meta.revision:
        return
    if current.to_json() != meta.to_json():
        raise _changed_meanwhile(settings)


def _changed_meanwhile(settings: ElasticSettings) -> MetaChanged:
    return MetaChanged(
        f"the meta of {_name(settings)} was changed meanwhile, and that change stands; run the "
        "same command again"
    )


def _put_in_template(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> str:
    name = template_name(settings.index)
    try:
        with translated("change the index template", settings):
            answer = client.indices.get_index_template(name=name)
            template = answer["index_templates"][0]["index_template"]
            inner = template["template"]["mappings"]
            inner["_meta"] = {**inner.get("_meta", {}), OBJECT_FIELD: meta.to_json()}
            inner["properties"] = {**inner.get("properties", {}), OBJECT_FIELD: object_mapping()}
            # Not the whole answer: newer servers add dates to it that they do not accept back.
            writable = ("index_patterns", "priority", "template", "composed_of", "_meta")
            body = {key: template[key] for key in writable if key in template}
            client.indices.put_index_template(name=name, body=body)
    except DupdexError as error:
        if isinstance(error.__cause__, NotFoundError):
            return ""  # it was removed on purpose, so do not restore it
        return _without_template(settings, error)
    return ""


def _without_template(settings: ElasticSettings, error: DupdexError) -> str:
    return (
        f"the index template of {settings.index!r} could not be written ({error}); the index "
        "itself is complete, but a program that deletes and makes it again will miss the mapping"
    )
