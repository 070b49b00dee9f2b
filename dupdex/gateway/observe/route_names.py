"""The route of a request for metrics and logs: few, whatever paths clients send."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_WORDS: Final = frozenset(
    """
    _alias _aliases _analyze _async_search _bulk _cat _cluster _count _create _data_stream
    _delete_by_query _doc _explain _field_caps _flush _forcemerge _ilm _index_template _ingest
    _license _mapping _mget _msearch _mtermvectors _nodes _pit _query _refresh _reindex _resolve
    _rollover _scripts _search _search_shards _settings _snapshot _source _sql _stats _tasks
    _termvectors _terms_enum _update _update_by_query _validate _xpack
    """.split()  # noqa: SIM905
)
"""First words of Elasticsearch's routes that are told apart."""

_OF_ONE_WORD: Final = frozenset({"healthz", "readyz", "metrics", "version"})
_REST: Final = frozenset(
    """
    attach banks check clause compare decisions docs documents entries explain figures fingerprint
    flood groups health indices info jobs matches next openapi.json release reports review search
    session skip sweep
    """.split()  # noqa: SIM905
)


@lru_cache(maxsize=4_096)
def route_of(path: str) -> str:
    """A path with names and ids left out: `/{index}/_search`, `/_dupdex/v1/documents`."""
    parts = [part for part in path.split("/") if part]
    if not parts:
        return "/"
    if parts[0] in _OF_ONE_WORD:
        return f"/{parts[0]}"
    if parts[0] == "_dupdex":
        known = [part for part in parts[1:4] if part in _REST or part == "v1"]
        return "/".join(["/_dupdex", *known])
    if parts[0].startswith("_"):
        return f"/{parts[0]}" if parts[0] in _WORDS else "other"
    if len(parts) == 1:
        return "/{index}"
    return f"/{{index}}/{parts[1]}" if parts[1] in _WORDS else "other"
