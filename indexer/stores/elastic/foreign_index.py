"""An index that dupdex did not make: whether it can take the object, and giving and taking it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch import BadRequestError, Elasticsearch

from indexer.meta import MADE_BY, IndexMeta
from indexer.meta_watch import MetaChanged
from indexer.stores.elastic.behind import attributes_of
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.errors import DupdexError, InputRefused, StoreRefused
from mappings.index_body import claim_after, object_mapping

_TOO_MANY_FIELDS: Final = "Limit of total fields"
_LIMIT: Final = "index.mapping.total_fields.limit"
_BLOCKS: Final = {
    "read_only_allow_delete": "free disk space on its nodes, the block then goes",
    "read_only": "",
    "write": "",
    "metadata": "",
}


class ForeignIndex:
    """One concrete index, as the server describes it at the moment."""

    def __init__(self, client: Elasticsearch, settings: ElasticSettings) -> None:
        """Reads its mapping and its settings."""
        self._client, self._settings, self.name = client, settings, settings.index
        with translated("read the index", settings):
            answer = client.indices.get(
                index=self.name, include_defaults=True, flat_settings=True
            ).body
        ((_, value),) = answer.items()
        self.mapping: Mapping[str, Any] = value.get("mappings", {})
        self._values = {**value.get("defaults", {}), **value.get("settings", {})}

    @property
    def uuid(self) -> str:
        """What an index of the same name that is made later will have another one of."""
        return str(self._values.get("index.uuid", ""))

    @property
    def meta(self) -> IndexMeta | None:
        """Dupdex's part of `_meta`; None when there is none."""
        value = self.mapping.get("_meta", {}).get(OBJECT_FIELD)
        if not isinstance(value, Mapping) or value.get("made_by") != MADE_BY:
            return None
        return IndexMeta.from_json(value)

    def check_writable(self) -> None:
        """Raise StoreRefused, with the next step, for an index whose documents cannot be changed
        or would not stay as they are."""
        for problem in self._problems():
            raise StoreRefused(f"index {self.name!r} at {self._settings.place} {problem}")

    def check_readable(self) -> None:
        """Raise StoreRefused, with the next step, for an index whose texts cannot be read, or
        whose documents have another object of that name."""
        attributes = attributes_of(self._client, self._settings)
        for problem in (*self._about_state(attributes), *self._without_source()):
            raise StoreRefused(f"index {self.name!r} at {self._settings.place} {problem}")
        self._check_field()

    @property
    def shards(self) -> int:
        """How many there are."""
        return int(self._values.get("index.number_of_shards", 1))

    def _about_state(self, attributes: frozenset[str]) -> Iterator[str]:
        if "closed" in attributes:
            yield f"is closed; open it (POST /{self.name}/_open), then run the same command again"

    def _problems(self) -> Iterator[str]:
        attributes = attributes_of(self._client, self._settings)
        yield from self._about_state(attributes)
        if self._values.get("index.store.type") == "snapshot":
            yield "is a mounted snapshot, which nobody can write to; restore it"
        if "frozen" in attributes or self._values.get("index.frozen") == "true":
            yield f"is frozen; unfreeze it (POST /{self.name}/_unfreeze)"
        for block, way in _BLOCKS.items():
            if self._values.get(f"index.blocks.{block}") == "true":
                lift = (
                    way or f"lift it (PUT /{self.name}/_settings with index.blocks.{block}: null)"
                )
                yield f"has the block index.blocks.{block}; {lift}"
        yield from self._about_source()

    def _without_source(self) -> Iterator[str]:
        if self.mapping.get("_source", {}).get("enabled") is False:
            yield (
                "keeps no _source, so there is no text to compare; reindex your documents into an "
                "index with _source"
            )

    def _about_source(self) -> Iterator[str]:
        source = self.mapping.get("_source", {})
        yield from self._without_source()
        if source.get("includes") or source.get("excludes"):
            yield (
                "leaves fields out of _source, and a change of a document would drop them; "
                "reindex it without _source.includes and excludes"
            )
        mode = source.get("mode") or self._values.get("index.mapping.source.mode", "")
        if str(mode).lower() == "synthetic" or self._values.get("index.mode") == "time_series":
            yield (
                "makes _source up from its fields, and a change of a document would rewrite all of "
                "it; reindex it with a stored _source"
            )

    def check_final_pipeline(self) -> None:
        """Raise StoreRefused where every write of a document, also a mere removal of a field, runs
        through a pipeline that may change it."""
        pipeline = self._values.get("index.final_pipeline", "_none")
        if pipeline != "_none":
            raise StoreRefused(
                f"index {self.name!r} sends every write through its final pipeline {pipeline!r}, "
                "which would run once more over each document; set index.final_pipeline to _none "
                "while this command runs"
            )

    def give(self, meta: IndexMeta) -> None:
        """Add the object's mapping and the meta, in place of the meta that was read here.

        Raises StoreRefused where the index has another field of that name, InputRefused where its
        mapping has no room, MetaChanged when another program has changed the mapping since.
        """
        self._check_field()
        wanted = {**self.mapping.get("_meta", {}), OBJECT_FIELD: meta.to_json()}
        self._put(wanted, object_mapping(), "attach to the index")

    def take_meta(self) -> None:
        """Remove dupdex's part of `_meta`. Errors as of `give`."""
        rest = {k: v for k, v in self.mapping.get("_meta", {}).items() if k != OBJECT_FIELD}
        self._put(rest, {}, "detach from the index")

    def _check_field(self) -> None:
        held = self.mapping.get("properties", {}).get(OBJECT_FIELD)
        if held is None:
            return
        ours = {*object_mapping()["properties"], "changes"}
        if held.get("dynamic") != "strict" or not set(held.get("properties", {})) <= ours:
            raise StoreRefused(
                f"index {self.name!r} has a field {OBJECT_FIELD!r} of its own, where dupdex keeps "
                "its values; rename that field"
            )

    def _put(self, meta: Mapping[str, Any], mapping: Mapping[str, Any], action: str) -> None:
        claim, claimed = claim_after(self.mapping, uuid.uuid4().hex)
        properties = {**mapping.get("properties", {}), **claimed}
        # Not repeated by the client: a second try would meet the claim of the first.
        once = self._client.options(max_retries=0).indices
        with translated(action, self._settings):
            try:
                once.put_mapping(
                    index=self.name,
                    meta=meta,
                    properties={OBJECT_FIELD: {**mapping, "properties": properties}},
                )
            except BadRequestError as error:
                problem = self._refusal(str(error), claim, len(properties))
                if problem is None:
                    raise
                raise problem from error

    def _refusal(self, said: str, claim: str, fields: int) -> DupdexError | None:
        if f"[{claim}]" in said:
            return MetaChanged(
                f"the mapping of index {self.name!r} was changed by another program at the same "
                "moment; run the same command again"
            )
        if _TOO_MANY_FIELDS in said:
            return InputRefused(
                f"index {self.name!r} has no room for {fields + 1} more fields; raise {_LIMIT} by "
                f"{fields + 10}"
            )
        return None
