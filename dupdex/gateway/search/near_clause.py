"""The `near_duplicate` clause as it is written, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from dupdex.gateway.search.query_places import CLAUSE
from dupdex.gateway.search.raw_json import NotJson, value_of
from dupdex.gateway.search.search_refused import SearchRefused
from mappings.schemes import STORED
from query.answers import Filter, Match, Ref, Verdict
from query.questions import Options

MOST: Final = 10_000
"""Documents of one clause at most; as many as Elasticsearch shows of one search."""

USUAL: Final = 1_000

_KEYS: Final = frozenset(
    {"text", "like", "min_similarity", "verdicts", "schemes", "max", "boost", "_name"}
)
_LIKE: Final = frozenset({"_index", "_id"})


@dataclass(frozen=True, slots=True)
class NearClause:
    """Documents like a `text`, or like a stored one, which is no match of its own.

    `minimum`: the least similarity (or share, of partial copies). `schemes`: only documents that
    share a key of one of these. `most`: documents found at most, and candidates looked at.
    """

    text: str | None = None
    like: Ref | None = None
    minimum: float = 0.0
    verdicts: frozenset[Verdict] = frozenset(Verdict)
    schemes: frozenset[str] | None = None
    most: int = USUAL
    boost: float | None = None
    name: str | None = None

    def options(self, filters: tuple[Filter, ...] = (), facts: bool = True) -> Options:
        """How a lookup is made for it: everything it looks at is verified from its text."""
        return Options(
            size=None,
            candidates=max(self.most, 50),
            verify=None,
            threshold=self.minimum,
            filters=filters,
            facts=facts,
            located=False,
            bodies=False,
        )

    def accepts(self, match: Match) -> bool:
        """Whether verdict and evidence of a match are among those that are wanted."""
        if match.verdict not in self.verdicts:
            return False
        wanted = self.schemes
        return wanted is None or any(STORED[name].field in match.evidence.keys for name in wanted)


def clause_in(raw: bytes) -> NearClause:
    """Read the content of a clause. Raises SearchRefused naming the key that is wrong."""
    try:
        content = value_of(raw)
    except NotJson as error:
        raise SearchRefused(f"[{CLAUSE}] is no JSON: {error}") from error
    return clause_of(content)


def clause_of(content: Any) -> NearClause:
    """The same from plain values."""
    if not isinstance(content, dict):
        raise SearchRefused(f"[{CLAUSE}] takes an object with [text] or [like]")
    for key in content:
        if key not in _KEYS:
            known = ", ".join(sorted(_KEYS))
            raise SearchRefused(f"[{CLAUSE}] query does not support [{key}]; it knows {known}")
    if ("text" in content) == ("like" in content):
        raise SearchRefused(f"[{CLAUSE}] takes one of [text] and [like]")
    return NearClause(
        text=_text(content["text"]) if "text" in content else None,
        like=_like(content["like"]) if "like" in content else None,
        minimum=_number(content, "min_similarity", 0.0, 1.0) or 0.0,
        verdicts=frozenset(map(Verdict, _names(content, "verdicts", list(Verdict)) or Verdict)),
        schemes=_schemes(content),
        most=_most(content),
        boost=_number(content, "boost", 0.0, float("inf")),
        name=_name(content),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong("text", "a string")
    return value


def _like(value: Any) -> Ref:
    if not isinstance(value, dict):
        raise _wrong("like", 'an object, {"_index": ..., "_id": ...}')
    for key in value:
        if key not in _LIKE:
            raise SearchRefused(f"[{CLAUSE}] [like] does not support [{key}]")
    for key in sorted(_LIKE, reverse=True):
        if not isinstance(value.get(key), str) or not value[key]:
            raise _wrong(f"like.{key}", "a string")
    return Ref(value["_index"], value["_id"])


def _number(content: Mapping[str, Any], key: str, least: float, most: float) -> float | None:
    value = content.get(key)
    if key not in content:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        span = f"from {least:g} to {most:g}" if most < float("inf") else "of 0 or more"
        raise _wrong(key, f"a number {span}")
    return float(value)


def _most(content: Mapping[str, Any]) -> int:
    value = content.get("max", USUAL)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise _wrong("max", f"a whole number from 1 to {MOST:,}")
    return value


def _name(content: Mapping[str, Any]) -> str | None:
    value = content.get("_name")
    if value is not None and not isinstance(value, str):
        raise _wrong("_name", "a string")
    return value


def _schemes(content: Mapping[str, Any]) -> frozenset[str] | None:
    names = _names(content, "schemes", list(STORED))
    return None if names is None else frozenset(names)


def _names(content: Mapping[str, Any], key: str, known: list[Any]) -> list[str] | None:
    """A list of names, of which all are known; None where the key is absent."""
    if key not in content:
        return None
    value = content[key]
    shown = ", ".join(known)
    if not isinstance(value, list) or not value:
        raise _wrong(key, f"a list of some of {shown}")
    for each in value:
        if each not in known:
            raise SearchRefused(f"[{CLAUSE}] [{key}] does not know [{each}]; it knows {shown}")
    return [str(each) for each in value]


def _wrong(key: str, wanted: str) -> SearchRefused:
    return SearchRefused(f"[{CLAUSE}] [{key}] must be {wanted}")
