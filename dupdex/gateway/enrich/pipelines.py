"""Which ingest pipelines may change the text of a document after it was fingerprinted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from mappings.contract import OBJECT_FIELD

_TARGETS: Final[Mapping[str, str]] = {
    "append": "",
    "bytes": "",
    "community_id": "network.community_id",
    "convert": "",
    "csv": "",
    "date": "@timestamp",
    "enrich": "",
    "fingerprint": "fingerprint",
    "geoip": "geoip",
    "gsub": "",
    "html_strip": "",
    "ip_location": "ip_location",
    "join": "",
    "json": "",
    "lowercase": "",
    "network_direction": "network.direction",
    "registered_domain": "",
    "remove": "",
    "rename": "",
    "set": "",
    "set_security_user": "",
    "sort": "",
    "split": "",
    "trim": "",
    "uppercase": "",
    "uri_parts": "url",
    "urldecode": "",
    "user_agent": "user_agent",
}
"""Processors of which the fields that they write are known: `target_field`, with this default; ""
where that is `field`. Only `rename` changes both."""

_HARMLESS: Final = frozenset({"drop", "fail", "terminate"})
_NAMES: Final = ("target_field", "target_fields")
_MOST: Final = 100
"""Pipelines that one may lead to."""


def what_rewrites(
    name: str, fields: Sequence[str], definition: Callable[[str], Mapping[str, Any] | None]
) -> str:
    """Which processor of a pipeline, or of those that it calls, may write to one of these fields,
    in words; "" for none. A pipeline that is not there changes nothing: the server refuses it.
    """
    waiting, seen = [name], set[str]()
    guarded = (*fields, OBJECT_FIELD)
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if len(seen) > _MOST:
            return f"more than {_MOST} pipelines"
        for kind, options in _processors(definition(current) or {}):
            called = options.get("name")
            if kind == "pipeline" and isinstance(called, str) and "{{" not in called:
                waiting.append(called)
            elif _may_write(kind, options, guarded):
                return f"the processor {kind!r} of pipeline {current!r}"
    return ""


def _processors(pipeline: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All processors, with those that run when others fail."""
    waiting: list[Any] = [pipeline.get("processors"), pipeline.get("on_failure")]
    while waiting:
        for each in waiting.pop() or ():
            for kind, options in each.items():
                yield kind, options
                waiting.append(options.get("on_failure"))


def _may_write(kind: str, options: Mapping[str, Any], guarded: Sequence[str]) -> bool:
    if kind in _HARMLESS:
        return False
    if kind not in _TARGETS or options.get("add_to_root") or options.get("keep"):
        return True
    targets = [value for name in _NAMES if (value := options.get(name))]
    if not targets and _TARGETS[kind]:
        targets = [_TARGETS[kind]]
    if kind == "rename" or not targets:
        targets.append(options.get("field") or "")
    written = [path for each in targets for path in (each if isinstance(each, list) else [each])]
    return any(
        "{{" in str(path) or _overlap(str(path), each) for path in written for each in guarded
    )


def _overlap(one: str, other: str) -> bool:
    """Whether a change of the one field may be a change of the other."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
