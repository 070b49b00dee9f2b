"""Small collections that dupdex keeps (jobs, groups, pages), each described once for both stores.

A collection belongs to an index: in Elasticsearch it is a separate hidden index, in the embedded
store a table in the index's file. Its items have an id and the attributes described here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

import orjson

from mappings.contract import OBJECT_FIELD
from mappings.errors import InputRefused

ID: Final = "id"
"""The attribute that holds an item's id; descriptions do not list it."""

LONGEST_ID: Final = 512
LONGEST_KEYWORD: Final = 1_000

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Kind(StrEnum):
    """The type of an attribute; queries can filter and sort by the first four only."""

    KEYWORD = "keyword"
    LONG = "long"
    DOUBLE = "double"
    DATE = "date"
    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Attribute:
    """`indexed`: queries may filter by it; `required`: every item has it, so
    queries may also sort by it when it is indexed."""

    name: str
    kind: Kind
    indexed: bool = False
    required: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name == ID:
            raise InputRefused(f"{self.name!r} cannot name an attribute; use a-z, 0-9 and _")
        if self.indexed and self.kind in (Kind.TEXT, Kind.JSON):
            raise InputRefused(f"attribute {self.name!r}: {self.kind} cannot be indexed")


def keyword(name: str, *, indexed: bool = True, required: bool = False) -> Attribute:
    """An attribute that holds one word or name, most often to be asked for."""
    return Attribute(name, Kind.KEYWORD, indexed, required)


@dataclass(frozen=True, slots=True)
class Collection:
    """A description. A later `version` may only add attributes that are not required, so items
    already stored stay valid. `passing`: items matter only to what is written after them, so a
    write need not wait until it is on disk, as long as nothing later gets there before it."""

    name: str
    version: int
    attributes: tuple[Attribute, ...]
    passing: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputRefused(f"{self.name!r} cannot name a collection; use a-z, 0-9 and _")

    @property
    def indexed(self) -> tuple[Attribute, ...]:
        """The attributes that queries may name."""
        return tuple(attribute for attribute in self.attributes if attribute.indexed)

    def item(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values as they are stored: checked, and without any that are None.

        Raises InputRefused naming the attribute.
        """
        unknown = sorted(set(values) - {attribute.name for attribute in self.attributes})
        if unknown:
            raise InputRefused(f"{self.name}: no attribute {unknown[0]!r} is described")
        out: dict[str, Any] = {}
        for attribute in self.attributes:
            value = values.get(attribute.name)
            if value is not None:
                out[attribute.name] = self.value(attribute, value)
            elif attribute.required:
                raise InputRefused(f"{self.name}: attribute {attribute.name!r} is required")
        return out

    def value(self, attribute: Attribute, value: Any) -> Any:
        """One value in the form that is stored and compared. Raises InputRefused."""
        if not _CHECKS[attribute.kind](value):
            raise InputRefused(
                f"{self.name}: attribute {attribute.name!r} holds a {type(value).__name__} that is "
                f"no {_EXPECTED[attribute.kind]}"
            )
        return float(value) if attribute.kind is Kind.DOUBLE else value

    def queried(self, name: str, *, sorting: bool = False) -> Attribute:
        """The attribute that a query names. Raises InputRefused when queries may not use it."""
        for attribute in self.indexed:
            if attribute.name == name and (attribute.required or not sorting):
                return attribute
        usage = "sorted by, as it is not indexed and required" if sorting else "filtered by"
        raise InputRefused(f"{self.name}: {name!r} cannot be {usage}")


def check_item_id(name: object) -> str:
    """The id. Raises InputRefused for a value that cannot be one."""
    if not isinstance(name, str) or not name or not _is_text(name, LONGEST_ID):
        raise InputRefused(f"an item's id is a text of 1 to {LONGEST_ID} bytes")
    return name


def moment(time: datetime) -> str:
    """A time as DATE attributes hold it: UTC, in milliseconds, so that text order is time order."""
    utc = time.astimezone(UTC).isoformat(timespec="milliseconds")
    return utc.replace("+00:00", "Z")


def collection_index(index: str, collection: Collection) -> str:
    """The name of the Elasticsearch index that holds a collection of `index`."""
    return f"{index}-{OBJECT_FIELD}-{collection.name}"


def collection_body(collection: Collection) -> dict[str, Any]:
    """The body that creates that index. Hidden, so that a search of `news*` skips it."""
    return {
        "settings": {"index.hidden": True, "index.auto_expand_replicas": "0-1"},
        "mappings": {
            "dynamic": "strict",
            "_meta": {OBJECT_FIELD: collection_meta(collection)},
            "properties": collection_properties(collection),
        },
    }


def collection_meta(collection: Collection) -> dict[str, Any]:
    """What the index of a collection records about itself."""
    return {"made_by": OBJECT_FIELD, "collection": collection.name, "version": collection.version}


def collection_properties(collection: Collection) -> dict[str, Any]:
    """The mapping of an item; attributes that queries cannot name are only stored."""
    properties: dict[str, Any] = {ID: {"type": "keyword"}}
    for attribute in collection.attributes:
        if attribute.kind is Kind.JSON:
            properties[attribute.name] = {"type": "object", "enabled": False}
        elif attribute.kind is Kind.TEXT:
            properties[attribute.name] = {"type": "text", "index": False}
        elif attribute.indexed:
            properties[attribute.name] = {"type": attribute.kind.value}
        else:
            unsearched = {"index": False, "doc_values": False}
            properties[attribute.name] = {"type": attribute.kind.value, **unsearched}
    return properties


def _is_text(value: object, longest: int | None = None) -> bool:
    if not isinstance(value, str):
        return False
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:  # half a surrogate pair
        return False
    return longest is None or size <= longest


def _is_long(value: object) -> bool:
    return type(value) is int and -(1 << 63) <= value < 1 << 63


def _is_double(value: object) -> bool:
    return type(value) in (int, float) and abs(value) <= 1e300  # type: ignore[arg-type]


def _is_moment(value: object) -> bool:
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_json(value: object) -> bool:
    try:
        same: bool = orjson.loads(orjson.dumps(value)) == value
    except (orjson.JSONEncodeError, orjson.JSONDecodeError):
        return False
    return same


_CHECKS: Final = {
    Kind.KEYWORD: lambda value: _is_text(value, LONGEST_KEYWORD),
    Kind.LONG: _is_long,
    Kind.DOUBLE: _is_double,
    Kind.DATE: _is_moment,
    Kind.TEXT: _is_text,
    Kind.JSON: _is_json,
}
_EXPECTED: Final = {
    Kind.KEYWORD: f"text of at most {LONGEST_KEYWORD} bytes",
    Kind.LONG: "integer of 64 bits",
    Kind.DOUBLE: "finite number",
    Kind.DATE: "time like 2026-01-31T23:59:59.000Z",
    Kind.TEXT: "text",
    Kind.JSON: "JSON value",
}
