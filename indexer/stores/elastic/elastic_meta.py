"""Making an index, its template, and what it says of itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from elastic_transport import ObjectApiResponse
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from indexer.meta import MADE_BY, IndexMeta, check_unchanged
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.errors import InputRefused, NotFound, StoreRefused, StoreUnavailable
from mappings.index_body import index_body, index_template, object_mapping, template_name

_EXISTS: Final = "resource_already_exists_exception"
_META: Final = f"*.mappings._meta.{OBJECT_FIELD}"


def read_meta(client: Elasticsearch, settings: ElasticSettings) -> IndexMeta | None:
    """What the index says of itself; None when there is no such index.

    Of an alias over several indices the first one speaks, and all must agree. Raises StoreRefused
    when dupdex did not make it.
    """
    meta = _read(client, settings)
    return None if meta is None else IndexMeta.from_json(meta)


def _read(
    client: Elasticsearch, settings: ElasticSettings, only: str | None = None
) -> Mapping[str, Any] | None:
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
            f"({', '.join(f'{name}: {plan}' for name, plan in plans.items())}); rebuild some with "
            "'dupdex rebuild --index', or name a single one with --index"
        )
    return metas[0]


def check_single(client: Elasticsearch, settings: ElasticSettings) -> None:
    """An alias of one index will do. Raises StoreRefused for a name of several: a change could
    reach a part of what is meant.
    """
    with translated("read the index mapping", settings):
        mappings = client.indices.get_mapping(
            index=settings.index, filter_path=f"{_META}.plan_id"
        ).body
    if len(mappings) > 1:
        names = ", ".join(sorted(mappings))
        raise StoreRefused(
            f"{settings.index!r} stands for {len(mappings)} indices ({names}) and nothing was "
            "changed; name one of them at a time"
        )


class MetaGuard:
    """Notices when an index changes its plan, or goes away, under a writer that has it open."""

    EVERY: Final = 1.0
    """Seconds between two looks: asking ahead of every bulk request took 6 % of a write's time."""

    def __init__(self, client: Elasticsearch, settings: ElasticSettings, known: IndexMeta) -> None:
        self._client, self._settings, self._known = client, settings, known
        self._seen: Mapping[str, Any] | None = None
        self._next = time.monotonic() + self.EVERY

    def look(self) -> None:
        """`check`, unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            self.check()

    def check(self) -> None:
        """Ask the server. Raises PlanMismatch when the plan or a rebuild has changed, NotFound
        when the index is gone: a write would make it anew, without our mapping.
        """
        try:
            now = _read(self._client, self._settings, _META)
        except InputRefused as error:  # the write's own documents are not to blame
            raise StoreUnavailable(str(error)) from error
        if now is None:
            raise NotFound(
                f"index {self._settings.index!r} at {self._settings.place} was removed meanwhile; "
                "run the same command again to make it anew"
            )
        if now != self._seen:
            check_unchanged(self._known, IndexMeta.from_json(now))
            self._seen = now
        self._next = time.monotonic() + self.EVERY


def _ours(name: str, value: Mapping[str, Any], settings: ElasticSettings) -> Mapping[str, Any]:
    meta = value.get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD)
    if not isinstance(meta, Mapping) or meta.get("made_by") != MADE_BY:
        raise StoreRefused(
            f"index {name!r} at {settings.place} was not made by dupdex and is never "
            "overwritten; choose another --index"
        )
    return meta


def create_index(
    client: Elasticsearch,
    settings: ElasticSettings,
    meta: IndexMeta,
    user_mappings: Mapping[str, Any] | None,
    user_settings: Mapping[str, Any] | None,
) -> None:
    """Create the template, then the index: whoever finds the index finds both.

    An index that another writer made in the meantime is left as it is.
    """
    what = (meta.to_json(), meta.text_fields, meta.title_field, user_mappings, user_settings)
    with translated(f"create index {settings.index!r}", settings):
        client.indices.put_index_template(
            name=template_name(settings.index),
            body=index_template(settings.index, *what),
        )
        try:
            client.indices.create(index=settings.index, body=index_body(*what))
        except BadRequestError as error:
            if error.message != _EXISTS:
                raise


def put_meta(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> None:
    """Replace our part of `_meta` in the index and in its template; the user's part stays.

    When a rebuild begins, the object mapping is brought to this version too: it is strict, so an
    index made before a scheme was known would reject every document that carries its keys.
    """
    ours = {OBJECT_FIELD: object_mapping()} if meta.rebuilding is not None else {}
    name = template_name(settings.index)
    with translated("change what the index says of itself", settings):
        mappings = client.indices.get_mapping(index=settings.index)
        for index, value in mappings.body.items():
            theirs = value["mappings"].get("_meta", {})
            said = {**theirs, OBJECT_FIELD: meta.to_json()}
            client.indices.put_mapping(index=index, meta=said, properties=ours)
        try:
            found = client.indices.get_index_template(name=name)
        except NotFoundError:
            return  # somebody removed it, and need not have it back
        template = found["index_templates"][0]["index_template"]
        inner = template["template"]["mappings"]
        inner["_meta"] = {**inner.get("_meta", {}), OBJECT_FIELD: meta.to_json()}
        inner["properties"] = {**inner.get("properties", {}), **ours}
        # Not the whole answer: newer servers add dates to it that they do not take back.
        kept = ("index_patterns", "priority", "template", "composed_of", "_meta")
        body = {key: template[key] for key in kept if key in template}
        client.indices.put_index_template(name=name, body=body)
