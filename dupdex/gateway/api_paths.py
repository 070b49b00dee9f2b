"""Which requests of Elasticsearch the gateway adds something to, by method and path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import unquote

from starlette.types import Scope


class Api(StrEnum):
    """The interfaces of Elasticsearch that are more than passed on. TYPED: a write of one document
    at a path with a type, as of version 7."""

    BULK = "bulk"
    INDEX = "index"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    UPDATE_BY_QUERY = "update_by_query"
    DELETE_BY_QUERY = "delete_by_query"
    REINDEX = "reindex"
    SEARCH = "search"
    MSEARCH = "msearch"
    COUNT = "count"
    ASYNC_SEARCH = "async_search"
    TYPED = "typed"


@dataclass(frozen=True, slots=True)
class ApiCall:
    """`index`: the name, or names, in the path; `id`: that of a document; both decoded."""

    api: Api
    index: str | None = None
    id: str | None = None


CALL: Final = "dupdex.call"
"""Where the scope of a request holds its ApiCall."""


def call_of(scope: Scope) -> ApiCall:
    """What the request of a handler asks for."""
    call: ApiCall = scope[CALL]
    return call


_READ: Final = frozenset({"GET", "POST"})
_WRITE: Final = frozenset({"PUT", "POST"})
_POST: Final = frozenset({"POST"})
_PUT: Final = frozenset({"PUT"})
_DELETE: Final = frozenset({"DELETE"})

_WITHOUT_INDEX: Final[Mapping[str, tuple[Api, frozenset[str]]]] = {
    "_bulk": (Api.BULK, _WRITE),
    "_search": (Api.SEARCH, _READ),
    "_msearch": (Api.MSEARCH, _READ),
    "_count": (Api.COUNT, _READ),
    "_async_search": (Api.ASYNC_SEARCH, _POST),
    "_reindex": (Api.REINDEX, _POST),
}
_WITH_INDEX: Final[Mapping[str, tuple[Api, frozenset[str]]]] = {
    "_bulk": (Api.BULK, _WRITE),
    "_doc": (Api.INDEX, _POST),
    "_search": (Api.SEARCH, _READ),
    "_msearch": (Api.MSEARCH, _READ),
    "_count": (Api.COUNT, _READ),
    "_async_search": (Api.ASYNC_SEARCH, _POST),
    "_update_by_query": (Api.UPDATE_BY_QUERY, _POST),
    "_delete_by_query": (Api.DELETE_BY_QUERY, _POST),
}
_WITHOUT_NAME: Final = frozenset(_WITH_INDEX) - {"_doc"}
"""What the cluster also takes for an index whose name is empty (`//_bulk`)."""

_TYPED: Final = _WRITE | _DELETE
_NO_TYPE: Final = (
    "_alias _aliases _analyze _async_search _block _bulk _cache _ccr _clone _close _count "
    "_create _data_stream _delete_by_query _doc _downsample _eql _explain _field_caps _flush "
    "_forcemerge _freeze _graph _ilm _knn_search _lifecycle _mapping _mappings _mget _migrate "
    "_msearch _mtermvectors _mvt _open _pit _rank_eval _recovery _refresh "
    "_reload_search_analyzers _rollover _rollup_search _search _search_shards "
    "_searchable_snapshots _segments _settings _shard_stores _shrink _source _split _stats "
    "_terms_enum _termvectors _unfreeze _update _update_by_query _upgrade _validate"
)
_NO_TYPES: Final = frozenset(_NO_TYPE.split())
"""Words behind an index that are no types."""

_NO_ID: Final = "_count _mapping _mappings _mget _msearch _mtermvectors _search _termvectors"
_NO_IDS: Final = frozenset([*_NO_ID.split(), "_validate"])
"""Words behind a type that are no ids."""

_WITH_ID: Final[Mapping[str, tuple[tuple[Api, frozenset[str]], ...]]] = {
    "_doc": ((Api.INDEX, _WRITE), (Api.DELETE, _DELETE)),
    "_create": ((Api.CREATE, _WRITE),),
    "_update": ((Api.UPDATE, _POST),),
}


def api_call(method: str, raw_path: bytes) -> ApiCall | None:
    """What a request asks for; None for all that is passed on untouched.

    As Elasticsearch reads a path: its words as they are written, names decoded, slashes at the end
    left out, and none doubled before.
    """
    parts = raw_path.decode("latin-1").rstrip("/")[1:].split("/")
    if len(parts) == 2 and not parts[0] and parts[1] in _WITHOUT_NAME:
        # An index without a name, which is none or all of them.
        return _if_allowed(_WITH_INDEX[parts[1]], method)
    if not 1 <= len(parts) <= 3 or not all(parts):
        return None
    if len(parts) == 1:
        return _if_allowed(_WITHOUT_INDEX.get(parts[0]), method)
    index = unquote(parts[0])
    if _is_no_index(index):
        return None
    if len(parts) == 2:
        return _if_allowed(_WITH_INDEX.get(parts[1]), method, index)
    for known in _WITH_ID.get(parts[1], ()):
        if call := _if_allowed(known, method, index, unquote(parts[2])):
            return call
    return None


def typed_call(method: str, raw_path: bytes) -> ApiCall | None:
    """The write that a path with a type stands for, where the cluster takes such paths; None for
    anything else. A bulk request is one as without type."""
    parts = raw_path.decode("latin-1").rstrip("/")[1:].split("/")
    if method not in _TYPED or not 2 <= len(parts) <= 4:
        return None
    index, kind, last = unquote(parts[0]), parts[1], parts[-1]
    if _is_no_index(index) or kind in _NO_TYPES:
        return None
    if len(parts) == 3 and last == "_bulk":
        return _if_allowed(_WITH_INDEX[last], method, index or None)
    if len(parts) == 4 and last not in ("_create", "_update"):
        return None
    if len(parts) == 3 and last in _NO_IDS:
        return None
    return ApiCall(Api.TYPED, index)


def _is_no_index(name: str) -> bool:
    first = name.strip(",").partition(",")[0]
    return first.startswith("_") and first != "_all"


def _if_allowed(
    known: tuple[Api, frozenset[str]] | None,
    method: str,
    index: str | None = None,
    document: str | None = None,
) -> ApiCall | None:
    if known is None or method not in known[1]:
        return None
    return ApiCall(known[0], index, document)
