"""Whether a caller may send a request to Elasticsearch, and what becomes of its body.

A caller with the right and without restrictions may send whatever the right is for. For others
everything is refused that is not understood: a route, a parameter, a body.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote_plus

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.guard.es_routes import Form, Route, target_of
from dupdex.gateway.guard.handles import opened
from dupdex.gateway.guard.index_names import check_body, check_names, names_of
from dupdex.gateway.guard.json_bodies import decoded, encoded, walk
from dupdex.gateway.guard.restricting import restricted
from mappings.errors import InputRefused
from query.answers import Filter

_HARMLESS: Final = (
    "keep_alive scroll "
    "_source _source_excludes _source_exclude _source_includes _source_include "
    "allow_no_indices allow_partial_search_results batched_reduce_size bytes "
    "ccs_minimize_roundtrips completion_fields conflicts docvalue_fields error_trace "
    "expand_wildcards explain fielddata_fields fields filter_path filters flat_settings "
    "force from format groups h help human ignore_throttled ignore_unavailable "
    "if_primary_term if_seq_no include_defaults include_named_queries_score "
    "include_type_name include_unmapped lang list_executed_pipelines local master_timeout "
    "max_concurrent_searches max_concurrent_shard_requests max_docs max_num_segments "
    "min_score only_expunge_deletes op_type pipeline pre_filter_shard_size preference "
    "pretty realtime refresh request_cache requests_per_second require_alias "
    "require_data_stream rest_total_hits_as_int retry_on_conflict routing s scroll_size "
    "search_type seq_no_primary_term size slices sort stored_fields terminate_after time "
    "timeout track_scores track_total_hits typed_keys types v version version_type "
    "wait_for_active_shards wait_for_status write_index_only "
)
_PARAMETERS: Final = frozenset(_HARMLESS.split())
"""Parameters that name no index, and change nothing about which documents are found."""


_MOST_LINES: Final = 20_000
"""Of `_msearch`, two a search."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A request that a caller may send as far as its path tells. `names` as in the path;
    `scrolls`: a search that is to be gone on with. `reads_body`: it is to be shown to `body_for`,
    `reads_lines`: to BulkLines."""

    caller: Caller
    route: Route
    names: tuple[str, ...] | None
    scrolls: bool = False

    def check(self, names: Iterable[str] | None = None) -> list[Filter]:
        """The clauses for these names, by default those in the path; without a name, all indices
        are meant. Raises NotAllowed, also where the route cannot be asked for with filters."""
        meant = tuple(self.names or ("*",) if names is None else names)
        clauses = check_names(self.caller, self.route.right, meant)
        if clauses and not self.route.filtered:
            raise _past_filters(self.caller)
        return clauses

    @property
    def reads_body(self) -> bool:
        return self.caller.is_restricted and self.route.form not in (Form.NONE, Form.BULK)

    @property
    def reads_lines(self) -> bool:
        return self.caller.is_restricted and self.route.form is Form.BULK


def demand_of(caller: Caller, method: str, raw_path: bytes, query: bytes) -> Demand:
    """What a request asks for. Raises NotAllowed."""
    target = target_of(method, raw_path)
    route = target.route
    caller.check(route.right)
    if not caller.is_restricted:
        return Demand(caller, route, target.names)
    if route.form is Form.OPAQUE:
        raise NotAllowed(
            f"key {caller.name!r} is for certain indices, and what {_interface(raw_path)} reads "
            "cannot be checked; ask by _search, _msearch or _count, or with a key for all indices"
        )
    if target.names is None and route.form is Form.NONE and not route.of_no_index:
        raise NotAllowed(
            f"key {caller.name!r} is for certain indices, and this request does not show which it "
            "is about"
        )
    parameters = _parameters(query)
    for name in parameters:
        if name not in _PARAMETERS:
            raise NotAllowed(
                f"key {caller.name!r} is for certain indices, and may not use the parameter "
                f"{name!r}; write it into the body"
            )
    demand = Demand(caller, route, target.names, "scroll" in parameters)
    demand.check(target.names or ())
    return demand


def _interface(raw_path: bytes) -> str:
    """What a route of Elasticsearch is called, without names and ids: "_search/template"."""
    parts = raw_path.decode("latin-1").strip("/").split("/")
    words = [part for part in parts if part.startswith("_") or part in _OPAQUE_WORDS]
    return "/".join(words[:2]) or "this request"


def _parameters(query: bytes) -> list[str]:
    """The names of parameters; Elasticsearch takes `;` for `&`, too."""
    pairs = query.decode("latin-1").replace(";", "&").split("&")
    return [unquote_plus(pair.partition("=")[0]) for pair in pairs if pair]


_OPAQUE_WORDS: Final = frozenset({"template", "translate", "status"})
"""Words of routes without an underscore, whose bodies show no index."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A body to send on. `seals`: the names under which the id at the beginning of the answer is
    sealed, None where there is none."""

    body: bytes
    seals: tuple[str, ...] | None = None


def body_for(demand: Demand, body: bytes) -> Allowed:
    """The body to send on instead of this one, which is whole and not compressed.

    Raises NotAllowed, and InputRefused for a body that cannot be read.
    """
    match demand.route.form:
        case Form.LINES:
            return Allowed(_lines(demand, body))
        case Form.SEARCH:
            return _one_search(demand, _object(body))
        case Form.HANDLE:
            return _handles(demand.caller, _object(body))
        case Form.DOCUMENTS:
            _check_documents(demand, _object(body))
        case Form.REINDEX:
            _check_reindex(demand.caller, _object(body))
        case Form.CREATE:
            if "aliases" in _object(body):
                raise NotAllowed("a key for certain indices may not make aliases")
        case Form.POINT_IN_TIME:
            _check_query(demand, _object(body))
            return Allowed(body, demand.names)
        case _:
            demand.check()
            _check_query(demand, _object(body))
    return Allowed(body)


def _one_search(demand: Demand, body: dict[str, Any]) -> Allowed:
    """A search, which names its indices or a point in time of them."""
    pit = body.get("pit")
    if pit is None:
        search = _search(demand, demand.check(), body)
        seals = (demand.names or ("*",)) if demand.scrolls else None
        return Allowed(encoded(search) if search else b"", seals)
    names, handle = opened(demand.caller, pit.get("id") if isinstance(pit, dict) else None)
    if demand.names is not None:
        raise InputRefused("a search of a point in time names no index in its path")
    search = _search(demand, demand.check(names), {**body, "pit": {**pit, "id": handle}})
    return Allowed(encoded(search), names)


def _handles(caller: Caller, body: dict[str, Any]) -> Allowed:
    """Ids of scrolls or points in time, to go on with one or to end some."""
    names: set[str] = set()
    whole: dict[str, Any] = {}
    for field, value in body.items():
        if field not in ("id", "scroll_id"):
            whole[field] = value
            continue
        pairs = [opened(caller, each) for each in (value if isinstance(value, list) else [value])]
        names.update(name for meant, _ in pairs for name in meant)
        handles = [handle for _, handle in pairs]
        whole[field] = handles if isinstance(value, list) else handles[0]
    if not names:
        raise NotAllowed(f"key {caller.name!r} is for certain indices, and names no id here")
    check_names(caller, Right.READ, sorted(names))
    return Allowed(encoded(whole), tuple(sorted(names)))


def _check_query(demand: Demand, body: dict[str, Any]) -> None:
    if check_body(demand.caller, demand.route.right, body) and not demand.route.filtered:
        raise _past_filters(demand.caller)


def _search(demand: Demand, filters: list[Filter], body: dict[str, Any]) -> dict[str, Any]:
    """A search with its filters, and those of indices that its clauses name."""
    caller, right = demand.caller, demand.route.right
    more = check_body(caller, right, body)
    return restricted(body, [*filters, *(each for each in more if each not in filters)])


def _lines(demand: Demand, body: bytes) -> bytes:
    """The headers and bodies of `_msearch`."""
    if body.count(b"\n") > _MOST_LINES:
        raise InputRefused(f"a body has {_MOST_LINES:,} lines at most; send it in parts")
    lines = body.split(b"\n")
    if lines and not lines[-1].strip():
        lines.pop()
    if len(lines) % 2:
        raise InputRefused("a search has a line of its own after each header; a line is missing")
    written: list[bytes] = []
    for at in range(0, len(lines), 2):
        header = _object(lines[at])
        named = header.get("index", header.get("indices"))
        names = None if named is None else names_of(named) or ["*"]
        if {"index", "indices"} <= header.keys() or set(header) & {"_index", "source"}:
            raise NotAllowed("name the indices of a search once, as 'index'")
        asked = _object(lines[at + 1])
        if "pit" in asked:
            raise NotAllowed("a key for certain indices may use a point in time in _search only")
        search = _search(demand, demand.check(names), asked)
        written += [encoded(header), encoded(search)]
    return b"".join(line + b"\n" for line in written)


def _check_documents(demand: Demand, body: dict[str, Any]) -> None:
    """`docs` name an index each, unless the path does."""
    entries = body.get("docs", [])
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise InputRefused("'docs' must be a list of objects")
    if "ids" in body or not entries or any("_index" not in each for each in entries):
        demand.check()
    for name, value in walk(body):
        if name in ("_index", "index") and not isinstance(value, dict):
            demand.check(names_of(value))


def _check_reindex(caller: Caller, body: dict[str, Any]) -> None:
    source, target = body.get("source"), body.get("dest")
    if not isinstance(source, dict) or not isinstance(target, dict):
        raise InputRefused("'source' and 'dest' must be objects")
    if "remote" in source or "script" in body or "pipeline" in target:
        raise NotAllowed(
            f"key {caller.name!r} is for certain indices, and may not use 'remote', 'script' or "
            "'pipeline' here, which can name others"
        )
    check_names(caller, Right.WRITE, names_of(target.get("index")))
    if check_names(caller, Right.READ, names_of(source.get("index"))) or check_body(
        caller, Right.READ, {name: each for name, each in source.items() if name != "index"}
    ):
        raise _past_filters(caller)


def _object(body: bytes) -> dict[str, Any]:
    if not body.strip():
        return {}
    value = decoded(body)
    if not isinstance(value, dict):
        raise InputRefused("the body must be a JSON object")
    return value


def _past_filters(caller: Caller) -> NotAllowed:
    return NotAllowed(
        f"key {caller.name!r} sees a part of the documents, and this request would tell of "
        "others; use _search, _msearch or _count"
    )
