"""Elasticsearch index body and template: pure functions that return plain JSON values.

The user's mappings and settings take precedence, except in the object field, which is dupdex's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused
from mappings.schemes import STORED

_FIXED: Final[Mapping[str, Mapping[str, Any]]] = {
    Field.PLAN: {"type": "keyword"},
    Field.SIMHASH: {"type": "long", "index": False},
    Field.GROUP: {"type": "keyword"},
    Field.INDEXED: {"type": "date", "format": "epoch_millis"},
    Field.LENGTH: {"type": "integer", "index": False},
}

KEYWORD_LIMIT: Final = 1_024
"""Characters of a user's string that equality filters can see; longer ones are only stored."""

_STRINGS: Final = {
    "dupdex_strings": {
        "match_mapping_type": "string",
        "mapping": {"type": "keyword", "ignore_above": KEYWORD_LIMIT},
    }
}
_CLAIMS: Final = "changes"
"""The object in the object field with one field for each change of the meta."""

# Above any template a user may have for `news*`: a server applies only one of those that match.
# It refuses overlapping patterns of equal priority, so this is an unlikely number.
_TEMPLATE_PRIORITY: Final = 10_007


def index_body(
    meta_json: Mapping[str, Any],
    text_fields: Sequence[str],
    title_field: str,
    user_mappings: Mapping[str, Any] | None = None,
    user_settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The body that creates an index: `settings` and `mappings`.

    Raises InputRefused for mappings under which documents could not be read back.
    """
    searched = list(dict.fromkeys(name for name in (title_field, *text_fields) if name))
    return {
        "settings": _settings(searched, user_settings or {}),
        "mappings": _mappings(meta_json, searched, user_mappings or {}),
    }


def index_template(
    index: str,
    meta_json: Mapping[str, Any],
    text_fields: Sequence[str],
    title_field: str,
    user_mappings: Mapping[str, Any] | None = None,
    user_settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The composable template of the index: if the index is deleted while a program writes to it,
    it is recreated with the same body.

    The pattern is exactly this name, never `<index>-*`: composable templates are not merged, so a
    wider pattern would replace the user's template for an index like `news-archive`.
    """
    return {
        "index_patterns": [index],
        "priority": _TEMPLATE_PRIORITY,
        "template": index_body(meta_json, text_fields, title_field, user_mappings, user_settings),
    }


def template_name(index: str) -> str:
    """The name under which `index_template` is stored."""
    return f"{OBJECT_FIELD}-{index}"


def object_mapping() -> dict[str, Any]:
    """The mapping of the object field: strict, so that no stray key can widen it."""
    schemes = ((row.field, row.mapping) for row in STORED.values())
    properties = {str(name): dict(mapping) for name, mapping in (*_FIXED.items(), *schemes)}
    return {"dynamic": "strict", "properties": properties}


def claim_after(seen: Mapping[str, Any], token: str) -> tuple[str, dict[str, Any]]:
    """What makes a change of an index's mapping a compare-and-set: the full name of a new field,
    and the properties of the object with it. `seen` is the mapping that the change was made from,
    `token` is the writer's own.

    A mapping update is atomic but unconditional, and `_meta` is simply replaced. But a field that
    another writer has just added under the same name, with another `null_value`, is a conflict, for
    which the server refuses the whole update. Nothing is ever indexed in the field.
    """
    properties = seen.get("properties", {}).get(OBJECT_FIELD, {}).get("properties", {})
    number = len(properties.get(_CLAIMS, {}).get("properties", {})) + 1
    field = {"type": "keyword", "index": False, "doc_values": False, "null_value": token}
    name = f"{OBJECT_FIELD}.{_CLAIMS}.{number}"
    return name, {_CLAIMS: {"properties": {str(number): field}}}


def is_ours(name: str) -> bool:
    """Whether a field name in a user's document belongs to the object, sub-fields included."""
    return name == OBJECT_FIELD or name.startswith(f"{OBJECT_FIELD}.")


def _mappings(
    meta_json: Mapping[str, Any], searched: Sequence[str], user: Mapping[str, Any]
) -> dict[str, Any]:
    if user.get("_source"):
        raise InputRefused(
            "mappings._source must be left alone: dupdex reads whole documents back from it"
        )
    user_properties = {k: v for k, v in user.get("properties", {}).items() if not is_ours(k)}
    properties = deepcopy(user_properties)
    for path in searched:
        _map_as_text(properties, path)
    return {
        # If a first value looked like a date, any later string that does not would be refused.
        "date_detection": False,
        **user,
        "_meta": {**user.get("_meta", {}), OBJECT_FIELD: dict(meta_json)},
        "dynamic_templates": [*user.get("dynamic_templates", ()), _STRINGS],
        "properties": {
            **properties,
            OBJECT_FIELD: object_mapping(),
        },
    }


def _map_as_text(properties: dict[str, Any], path: str, full_path: str = "") -> None:
    """Map a dotted path as text, unless the user's mapping already defines it.

    Raises InputRefused for a path below a `nested` field, which full-text search does not reach.
    """
    full_path = full_path or path
    parts = path.split(".")
    for length in range(1, len(parts) + 1):
        name, below = ".".join(parts[:length]), ".".join(parts[length:])
        if name not in properties:
            continue
        mapping = properties[name]
        if not below or not isinstance(mapping, dict):
            return
        kind = mapping.get("type", "object")
        if kind == "nested":
            raise InputRefused(
                f"field {full_path!r} lies below a field of type nested, which full text does not "
                f"see; map {full_path.removesuffix(f'.{below}')!r} as an object, or name another "
                "field with --text-field"
            )
        if kind == "object":  # other types hold values, and the server validates their sub-fields
            _map_as_text(mapping.setdefault("properties", {}), below, full_path)
        return
    properties[path] = {"type": "text"}


def _settings(searched: Sequence[str], user: Mapping[str, Any]) -> dict[str, Any]:
    user_settings = _flat(user)
    defaults: dict[str, Any] = {"index.query.default_field": list(searched)}
    if "index.number_of_replicas" not in user_settings:
        defaults["index.auto_expand_replicas"] = "0-1"  # green on one node, a replica on more
    return {**defaults, **user_settings}


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings by full dotted name; the server accepts nested, dotted and unprefixed names."""
    out: dict[str, Any] = {}
    for name, value in settings.items():
        path = f"{prefix}{name}"
        if isinstance(value, Mapping):
            out.update(_flat(value, f"{path}."))
        else:
            out[path if path.startswith("index.") else f"index.{path}"] = value
    return out
