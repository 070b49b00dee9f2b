"""What a request to Elasticsearch is: the right it takes, the indices its path names, its body.

Routes that are not here are for keys with the right `admin` and without restrictions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import unquote

from dupdex.gateway.callers import Right


class Form(StrEnum):
    """What a body may name indices in."""

    NONE = "none"  # a document, or nothing that names an index
    SEARCH = "search"  # a search: a query that filters can be put around
    QUERY = "query"  # a query or more that no filter can be put around
    LINES = "lines"  # _msearch
    DOCUMENTS = "documents"  # _mget and the like
    BULK = "bulk"
    REINDEX = "reindex"
    CREATE = "create"  # settings and mappings of a new index
    POINT_IN_TIME = "point_in_time"  # opens one
    HANDLE = "handle"  # the id of a scroll or a point in time
    OPAQUE = "opaque"  # names indices in a way that is not read here


@dataclass(frozen=True, slots=True)
class Route:
    """`filtered`: may be asked for where documents are filtered, as it tells nothing of those that
    are left out, or its body takes the filters. `of_no_index`: tells nothing of any index."""

    right: Right
    form: Form = Form.NONE
    filtered: bool = False
    of_no_index: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A route as a request asks for it; `names`: the index names in the path, None without."""

    route: Route
    names: tuple[str, ...] | None


_R, _W, _A = Right.READ, Right.WRITE, Right.ADMIN
_GET: Final = ("GET", "HEAD")
_ASK: Final = ("GET", "POST")
_PUT: Final = ("PUT", "POST")
_HARMLESS: Final = Route(_R, filtered=True, of_no_index=True)

_TABLE: Final[tuple[tuple[tuple[str, ...], str, Route], ...]] = (
    (_GET, "", _HARMLESS),
    # searches
    (_ASK, "_search", Route(_R, Form.SEARCH, filtered=True)),
    (_ASK, "{i}/_search", Route(_R, Form.SEARCH, filtered=True)),
    (_ASK, "_count", Route(_R, Form.SEARCH, filtered=True)),
    (_ASK, "{i}/_count", Route(_R, Form.SEARCH, filtered=True)),
    (_ASK, "_msearch", Route(_R, Form.LINES, filtered=True)),
    (_ASK, "{i}/_msearch", Route(_R, Form.LINES, filtered=True)),
    (("POST",), "_async_search", Route(_R, Form.OPAQUE)),
    (("POST",), "{i}/_async_search", Route(_R, Form.OPAQUE)),
    (("GET", "DELETE"), "_async_search/{x}", Route(_R, Form.OPAQUE)),
    (_GET, "_async_search/status/{x}", Route(_R, Form.OPAQUE)),
    (("GET", "POST", "DELETE"), "_search/scroll", Route(_R, Form.HANDLE, filtered=True)),
    (("GET", "POST", "DELETE"), "_search/scroll/{x}", Route(_R, Form.OPAQUE)),
    (("POST",), "{i}/_pit", Route(_R, Form.POINT_IN_TIME, filtered=True)),
    (("DELETE",), "_pit", Route(_R, Form.HANDLE, filtered=True)),
    (_ASK, "{i}/_validate/query", Route(_R, Form.QUERY)),
    (_ASK, "{i}/_explain/{x}", Route(_R, Form.QUERY)),
    (_ASK, "{i}/_field_caps", Route(_R, Form.QUERY, filtered=True)),
    (_ASK, "_field_caps", Route(_R, Form.QUERY, filtered=True)),
    (_ASK, "{i}/_search_shards", Route(_R, Form.QUERY)),
    (_ASK, "{i}/_terms_enum", Route(_R, Form.QUERY)),
    (_ASK, "{i}/_eql/search", Route(_R, Form.QUERY)),
    (_ASK, "{i}/_knn_search", Route(_R, Form.QUERY)),
    (_ASK, "_search/template", Route(_R, Form.OPAQUE)),
    (_ASK, "{i}/_search/template", Route(_R, Form.OPAQUE)),
    (_ASK, "_msearch/template", Route(_R, Form.OPAQUE)),
    (_ASK, "{i}/_msearch/template", Route(_R, Form.OPAQUE)),
    (_ASK, "_render/template", Route(_R, Form.OPAQUE)),
    (_ASK, "_sql", Route(_R, Form.OPAQUE)),
    (("POST",), "_sql/translate", Route(_R, Form.OPAQUE)),
    (("POST",), "_query", Route(_R, Form.OPAQUE)),
    # documents
    (_GET, "{i}/_doc/{x}", Route(_R)),
    (_GET, "{i}/_source/{x}", Route(_R)),
    (_ASK, "_mget", Route(_R, Form.DOCUMENTS)),
    (_ASK, "{i}/_mget", Route(_R, Form.DOCUMENTS)),
    (_ASK, "{i}/_termvectors", Route(_R, Form.QUERY)),
    (_ASK, "{i}/_termvectors/{x}", Route(_R, Form.QUERY)),
    (_ASK, "_mtermvectors", Route(_R, Form.DOCUMENTS)),
    (_ASK, "{i}/_mtermvectors", Route(_R, Form.DOCUMENTS)),
    # writes
    (_PUT, "_bulk", Route(_W, Form.BULK)),
    (_PUT, "{i}/_bulk", Route(_W, Form.BULK)),
    (("POST",), "{i}/_doc", Route(_W)),
    (_PUT, "{i}/_doc/{x}", Route(_W)),
    (("DELETE",), "{i}/_doc/{x}", Route(_W)),
    (_PUT, "{i}/_create/{x}", Route(_W)),
    (("POST",), "{i}/_update/{x}", Route(_W)),
    (("POST",), "{i}/_update_by_query", Route(_W, Form.QUERY)),
    (("POST",), "{i}/_delete_by_query", Route(_W, Form.QUERY)),
    (("POST",), "_reindex", Route(_W, Form.REINDEX)),
    (_ASK, "_refresh", Route(_W)),
    (_ASK, "{i}/_refresh", Route(_W)),
    (_ASK, "{i}/_flush", Route(_W)),
    # what there is to know about indices
    (_GET, "{i}", Route(_R, filtered=True)),
    (_GET, "{i}/_mapping", Route(_R, filtered=True)),
    (_GET, "{i}/_mappings", Route(_R, filtered=True)),
    (_GET, "{i}/_mapping/field/{x}", Route(_R, filtered=True)),
    (_GET, "{i}/_settings", Route(_R, filtered=True)),
    (_GET, "{i}/_settings/{x}", Route(_R, filtered=True)),
    (_GET, "{i}/_alias", Route(_R, filtered=True)),
    (_GET, "{i}/_alias/{x}", Route(_R, filtered=True)),
    (_GET, "_resolve/index/{i}", Route(_R, filtered=True)),
    (_GET, "_data_stream/{i}", Route(_R, filtered=True)),
    (_GET, "{i}/_stats", Route(_R)),
    (_GET, "_cat/indices/{i}", Route(_R)),
    (_GET, "_cat/count/{i}", Route(_R)),
    (_GET, "_cluster/health/{i}", Route(_R, filtered=True)),
    (_ASK, "{i}/_analyze", Route(_R, filtered=True)),
    (_ASK, "_analyze", _HARMLESS),
    # what there is to know about the cluster
    (_GET, "_cluster/health", _HARMLESS),
    (_GET, "_license", _HARMLESS),
    (_GET, "_xpack", _HARMLESS),
    (_GET, "_cat/indices", Route(_R)),
    (_GET, "_cat/count", Route(_R)),
    (_GET, "_cat/aliases", Route(_R)),
    (_GET, "_cat/health", Route(_R)),
    (_GET, "_alias", Route(_R)),
    (_GET, "_aliases", Route(_R)),
    (_GET, "_mapping", Route(_R)),
    (_GET, "_stats", Route(_R)),
    # indices themselves
    (("PUT",), "{i}", Route(_A, Form.CREATE)),
    (("DELETE",), "{i}", Route(_A)),
    (_PUT, "{i}/_mapping", Route(_A)),
    (("PUT",), "{i}/_settings", Route(_A)),
    (("POST",), "{i}/_open", Route(_A)),
    (("POST",), "{i}/_close", Route(_A)),
    (("POST",), "{i}/_forcemerge", Route(_A)),
)

_ANYTHING_ELSE: Final = Route(Right.ADMIN, Form.OPAQUE)

_ROUTES: Final[dict[tuple[str, ...], tuple[Route, int | None]]] = {}
"""By method and segments, `*` for a name; and where the segment with index names is."""
for _methods, _pattern, _route in _TABLE:
    _parts = _pattern.split("/") if _pattern else []
    _shape = tuple("*" if _part.startswith("{") else _part for _part in _parts)
    for _method in _methods:
        _ROUTES[(_method, *_shape)] = (_route, _parts.index("{i}") if "{i}" in _parts else None)

_MOST_SEGMENTS: Final = 4


def target_of(method: str, raw_path: bytes) -> Target:
    """What a request asks for, its path read as Elasticsearch reads it: words as they are written,
    names decoded.

    An empty segment, a name that begins with `_`, and what no route fits is anything else.
    """
    parts = raw_path.decode("latin-1").removeprefix("/").removesuffix("/").split("/")
    segments = [] if parts == [""] else parts
    for shape in _shapes(segments):
        found = _ROUTES.get((method, *shape))
        if found is None:
            continue
        route, at = found
        if at is None:
            return Target(route, None)
        names = unquote(segments[at])
        if names.startswith("_") and names != "_all":
            continue
        return Target(route, tuple(names.split(",")))
    return Target(_ANYTHING_ELSE, None)


def _shapes(segments: list[str]) -> list[tuple[str, ...]]:
    """The shapes that segments can have: each one as it is, or a name."""
    if len(segments) > _MOST_SEGMENTS or "" in segments:
        return []
    shapes: list[tuple[str, ...]] = [()]
    for segment in segments:
        word = segment.startswith("_") or segment in _WORDS
        choices = (segment, "*") if word else ("*",)
        shapes = [(*shape, choice) for shape in shapes for choice in choices]
    return shapes


_WORDS: Final = frozenset(
    part for key in _ROUTES for part in key[1:] if part != "*" and not part.startswith("_")
)
