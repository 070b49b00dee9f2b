"""What stands behind a name: one index, an alias over several, or a data stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from elasticsearch import Elasticsearch, NotFoundError

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.errors import NotFound


class Kind(StrEnum):
    INDEX = "index"
    ALIAS = "alias"
    DATA_STREAM = "data stream"


@dataclass(frozen=True, slots=True)
class Behind:
    """`indices`: the concrete ones, oldest first by name; `writes_to`: the one that a new document
    goes to, "" for an alias without a write index.
    """

    kind: Kind
    indices: tuple[str, ...]
    writes_to: str


def behind(client: Elasticsearch, settings: ElasticSettings) -> Behind:
    """What the name of `settings` stands for. Raises NotFound for nothing."""
    name = settings.index
    with translated("read what is behind the name", settings):
        try:
            answer = client.indices.resolve_index(name=name, expand_wildcards="all").body
        except NotFoundError as error:
            raise NotFound(
                f"no index {name!r} at {settings.place}; check the name with GET /_cat/indices"
            ) from error
        for stream in answer["data_streams"]:
            indices = tuple(stream["backing_indices"])  # in the order of their generations
            return Behind(Kind.DATA_STREAM, indices, indices[-1])
        for alias in answer["aliases"]:
            indices = tuple(sorted(_listed(alias["indices"])))
            return Behind(Kind.ALIAS, indices, _write_index(client, name, indices))
    return Behind(Kind.INDEX, (name,), name)


def attributes_of(client: Elasticsearch, settings: ElasticSettings) -> frozenset[str]:
    """What the server says of an index: open or closed, hidden, frozen, system."""
    with translated("read the state of the index", settings):
        answer = client.indices.resolve_index(name=settings.index, expand_wildcards="all").body
    return frozenset(each for index in answer["indices"] for each in index["attributes"])


def _listed(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def _write_index(client: Elasticsearch, name: str, indices: tuple[str, ...]) -> str:
    if len(indices) == 1:
        return indices[0]
    answer = client.indices.get_alias(name=name).body
    return next(
        (index for index, value in answer.items() if value["aliases"][name].get("is_write_index")),
        "",
    )
