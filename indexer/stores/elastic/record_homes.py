"""Under which name groups, pairs and leases of an index are kept, whatever name it is asked by.

They lie beside the name that the index was made or attached by. Beside another one they would be
others: two writers would take no turns, and pairs of one would be unknown to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.errors import AccessRefused

_NARROWS: Final = ("filter", "index_routing", "search_routing")


def home_of(client: Elasticsearch, settings: ElasticSettings) -> str:
    """The name for writing: of an index behind an alias or a data stream, that alias or stream
    where records are kept beside it. The name itself for what is not there, or not to be seen."""
    return _home(client, settings, _others(client, settings, upwards=True))


def index_of(client: Elasticsearch, settings: ElasticSettings) -> str:
    """The name for reading: the one index that an alias stands for, all of it. Every other name as
    it is, as it may stand for less than what is kept with it."""
    return _home(client, settings, _others(client, settings, upwards=False))


def _home(client: Elasticsearch, settings: ElasticSettings, others: Mapping[str, bool]) -> str:
    """`others`: other names for the same, each with whether it is an index behind the name."""
    name = settings.index
    if not others or _has_records(client, settings, name):
        return name
    kept = [each for each in others if _has_records(client, settings, each)]
    if len(kept) == 1:
        return kept[0]
    return next((each for each, is_index in others.items() if is_index), name)


def _others(client: Elasticsearch, settings: ElasticSettings, upwards: bool) -> dict[str, bool]:
    name = settings.index
    try:
        with translated("read what is behind the name", settings):
            found = client.options(ignore_status=404).indices.get(
                index=name, features="aliases", expand_wildcards="all"
            )
    except AccessRefused:
        return {}
    listed: Mapping[str, Any] = found.body if found.meta.status == 200 else {}
    if name in listed:
        return dict.fromkeys(_around(listed[name]), False) if upwards else {}
    if len(listed) != 1:
        return {}
    ((index, about),) = listed.items()
    alias = about.get("aliases", {}).get(name)
    return {} if alias is None or any(each in alias for each in _NARROWS) else {index: True}


def _around(about: Mapping[str, Any]) -> Iterator[str]:
    """The data stream and the aliases that an index is in, as a whole."""
    if stream := about.get("data_stream"):
        yield str(stream)
    for alias, value in about.get("aliases", {}).items():
        if not any(each in value for each in _NARROWS):
            yield alias


def _has_records(client: Elasticsearch, settings: ElasticSettings, name: str) -> bool:
    try:
        with translated("read what is behind the name", settings):
            found = client.options(ignore_status=404).indices.resolve_index(
                name=f"{name}-{OBJECT_FIELD}-*", expand_wildcards="all"
            )
    except AccessRefused:
        return False
    return bool(found.body.get("indices"))
