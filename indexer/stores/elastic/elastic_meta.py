"""Making an index, its template, and what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from elastic_transport import ObjectApiResponse
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from indexer.meta import MADE_BY, IndexMeta
from indexer.meta_watch import MetaWatch, check_revision
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    StoreRefused,
    StoreUnavailable,
)
from mappings.index_body import index_body, index_template, object_mapping, template_name

_EXISTS: Final = "resource_already_exists_exception"
_META: Final = f"*.mappings._meta.{OBJECT_FIELD}"


def read_meta(
    client: Elasticsearch, settings: ElasticSettings, only: str | None = None
) -> IndexMeta | None:
    """What the index says of itself; None when there is no such index.

    Of an alias over several indices the first one speaks, and all must agree. Raises StoreRefused
    when dupdex did not make it. `only` cuts the answer of the server to what is read of it.
    """
    with translated("read the index mapping", settings):
        try:
            answer: ObjectApiResponse[Any] = client.indices.get_mapping(
                index=settings.index, filter_path=only
            )
        except NotFoundError as error:
            if error.meta.headers.get("x-elastic-product") != "Elasticsearch":
                # the client looks at this header only when a request succeeds
                raise InputRefused(
                    f"{settings.place} is not Elasticsearch (no product header); check the URL"
                ) from error
            return None
    metas = [_ours(name, value, settings) for name, value in sorted(answer.body.items())]
    if not metas:
        return None
    plans = {name: meta["plan_id"] for name, meta in zip(sorted(answer.body), metas, strict=True)}
    if len(set(plans.values())) > 1:
        raise StoreRefused(
            f"the indices behind {settings.index!r} were written under different plans "
            f"({', '.join(f'{name}: {plan}' for name, plan in plans.items())}); rebuild some, each "
            "under its own name, or name a single one",
            "--index",
        )
    return IndexMeta.from_json(metas[0])


def watch_of(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> MetaWatch:
    """Watches an index that said `meta` of itself when it was opened."""

    def read() -> IndexMeta | None:
        try:
            return read_meta(client, settings, _META)
        except InputRefused as error:  # the documents of a write are not to blame
            raise StoreUnavailable(str(error)) from error

    return MetaWatch(meta, read, _name(settings))


def _name(settings: ElasticSettings) -> str:
    return f"index {settings.index!r} at {settings.place}"


def _ours(name: str, value: Mapping[str, Any], settings: ElasticSettings) -> Mapping[str, Any]:
    meta = value.get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD)
    if not isinstance(meta, Mapping) or meta.get("made_by") != MADE_BY:
        raise StoreRefused(
            f"index {name!r} at {settings.place} was not made by dupdex and is never "
            "overwritten; choose another index name",
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
    """Create the template, then the index: whoever finds the index finds both. Returns "", or a
    sentence when the template was refused, which is an extra and no condition.

    An index that another writer made in the meantime is left as it is.
    """
    what = (meta.to_json(), meta.text_fields, meta.title_field, user_mappings, user_settings)
    problem = ""
    try:
        with translated("make the index template", settings):
            client.indices.put_index_template(
                name=template_name(settings.index),
                body=index_template(settings.index, *what),
            )
    except AccessRefused as error:
        problem = _without_template(settings, error)
    with translated(f"create index {settings.index!r}", settings):
        try:
            client.indices.create(index=settings.index, body=index_body(*what))
        except BadRequestError as error:
            if error.message != _EXISTS:
                raise
    return problem


def check_single(client: Elasticsearch, settings: ElasticSettings) -> Mapping[str, Any]:
    """The name and the mapping of the one index that is meant; an alias of one will do.

    Raises StoreRefused for an alias or data stream of several: a change could reach a part.
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
    """Replace our part of `_meta` in the index, then in its template; the user's part stays.
    Returns "", or a sentence when the template could not be changed.

    When a rebuild begins, the object mapping is brought to this version in the same request: it is
    strict, so an index made before a scheme was known would reject every document with its keys.

    The stored meta must be of the revision before. It is compared just before the change, and read
    again after it: of two programs that change it between the same two looks, the later one wins,
    and the earlier is refused here unless it had looked again already. Raises StoreRefused then,
    and for a name of several indices.
    """
    properties = {OBJECT_FIELD: object_mapping()}
    for name, value in check_single(client, settings).items():
        stored = IndexMeta.from_json(_ours(name, value, settings))
        check_revision(stored, meta.revision - 1, _name(settings))
        said = {**value["mappings"]["_meta"], OBJECT_FIELD: meta.to_json()}
        added = properties if meta.rebuilding is not None else {}
        with translated("change what the index says of itself", settings):
            client.indices.put_mapping(index=name, meta=said, properties=added)
    now = read_meta(client, settings, _META)
    if now is not None and now.to_json() != meta.to_json():
        raise StoreRefused(
            f"what {_name(settings)} says of itself was changed by another program at the same "
            "moment, and its change stands; run the same command again"
        )
    # A template never says that a rebuild goes on: an index made from it has none.
    return "" if meta.rebuilding is not None else _put_in_template(client, settings, meta)


def _put_in_template(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> str:
    name = template_name(settings.index)
    try:
        with translated("change the index template", settings):
            found = client.indices.get_index_template(name=name)
            template = found["index_templates"][0]["index_template"]
            inner = template["template"]["mappings"]
            inner["_meta"] = {**inner.get("_meta", {}), OBJECT_FIELD: meta.to_json()}
            inner["properties"] = {**inner.get("properties", {}), OBJECT_FIELD: object_mapping()}
            # Not the whole answer: newer servers add dates to it that they do not take back.
            kept = ("index_patterns", "priority", "template", "composed_of", "_meta")
            body = {key: template[key] for key in kept if key in template}
            client.indices.put_index_template(name=name, body=body)
    except DupdexError as error:
        if isinstance(error.__cause__, NotFoundError):
            return ""  # somebody removed it, and need not have it back
        return _without_template(settings, error)
    return ""


def _without_template(settings: ElasticSettings, error: DupdexError) -> str:
    return (
        f"the index template of {settings.index!r} could not be written ({error}); the index "
        "itself is complete, but a program that deletes and makes it again will miss the mapping"
    )
