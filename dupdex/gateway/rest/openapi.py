"""The OpenAPI 3.1 document, made from the operations that answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

import dupdex
from dupdex.gateway.rest.operations import HTML, KEY, ROOT, Gives, Operation, Operations
from dupdex.gateway.rest.problems import MEDIA, ProblemDetails
from dupdex.wire.forms import schema

_REFS: Final = "#/components/schemas/{name}"
_PROBLEM: Final = {MEDIA: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
_LINES: Final = {"type": "string", "description": "One JSON object a line."}
_NAMES: Final = re.compile(r"\{(\w+)\}")

_ALWAYS: Final[Mapping[int, str]] = {
    400: "Something in the request cannot be used.",
    401: "There is no key, or not a valid one.",
    403: "The key may not do this.",
    404: "There is no such index, or nothing of that name in it.",
    409: "The index, or what is under way on it, does not allow it now.",
    429: "Too many requests; Retry-After says when to go on.",
    503: "The store does not answer; nothing was changed that is not told.",
    507: "There is no space left in the store.",
}
_WITH_BODY: Final[Mapping[int, str]] = {
    413: "The body, or a text in it, is larger than the limit.",
    415: "The body is in a form that is not read here.",
    422: "The body is not of the documented form; `pointer` names the entry.",
}

_RULES: Final[Mapping[str, Any]] = {
    "Side": {"oneOf": [{"required": ["text"]}, {"required": ["id"]}]},
}
"""What the types of bodies cannot say."""


def document_of(operations: Operations) -> dict[str, Any]:
    """The OpenAPI document of operations, in the order of their paths."""
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    schemas = _schemas(operations)
    for each in operations:
        paths[ROOT + each.path][each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "dupdex",
            "version": dupdex.__version__,
            "summary": "Near duplicates of texts: look up, explain, group, decide.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"key": []}, {"bearer": []}, {"session": []}],
        "tags": [{"name": tag} for tag in dict.fromkeys(each.tag for each in operations)],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": "`ApiKey KEY`, as Elasticsearch clients send it.",
                },
                "bearer": {"type": "http", "scheme": "bearer"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "dupdex-session",
                    "description": "Set by `POST /session`; `__Host-dupdex` over TLS. What changes "
                    "something takes the session's token as `X-CSRF-Token`, too.",
                },
            },
        },
    }


def _schemas(operations: Operations) -> dict[str, Any]:
    """The JSON Schema of every type by name; those of nouns as `dupdex.wire` says."""
    kinds = [ProblemDetails, *(each.body for each in operations if each.body is not None)]
    kinds += [
        kind for each in operations for gives in each.gives.values() for kind in _forms(gives)
    ]
    _, parts = msgspec.json.schema_components(kinds, ref_template=_REFS)
    for name, rule in _RULES.items():
        parts[name] |= rule
    nouns = schema(_REFS)["$defs"]
    return dict(sorted({**parts, **{k: nouns[k] for k in nouns if k in parts}}.items()))


def _operation(operation: Operation) -> dict[str, Any]:
    out: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.about.partition(". ")[0].rstrip("."),
        "description": operation.about,
        "tags": [operation.tag],
        "x-right": operation.right.value if operation.right else "none",
        "parameters": list(_parameters(operation)),
        "responses": dict(_responses(operation)),
    }
    if operation.body is not None:
        form = _LINES if operation.stream is not None else _schema(operation.body)
        content = {media: {"schema": form} for media in operation.media}
        out["requestBody"] = {"required": not operation.body_optional, "content": content}
    return out


def _parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name in _NAMES.findall(operation.path):
        text = {"type": "string", "minLength": 1, "maxLength": 512}
        yield {"name": name, "in": "path", "required": True, "schema": text}
    _, parts = msgspec.json.schema_components([operation.query], ref_template=_REFS)
    described = parts[operation.query.__name__]
    for name, value in described["properties"].items():
        required = name in described.get("required", ())
        yield {"name": name, "in": "query", "required": required, "schema": _plain(value, parts)}
    if operation.keeps_key:
        about = "Sent again with the same body, the request is answered as it was the first time."
        yield {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "description": about,
            "schema": {"type": "string", "pattern": f"^{KEY}$"},
        }


def _plain(value: Any, parts: Mapping[str, Any]) -> Any:
    """A schema of a parameter: without references, and without null, which no query string has."""
    if isinstance(value, list):
        return [_plain(each, parts) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _plain(parts[value["$ref"].rpartition("/")[2]], parts)
    value = {name: _plain(each, parts) for name, each in value.items() if name != "default"}
    some = [each for each in value.pop("anyOf", ()) if each != {"type": "null"}]
    if len(some) == 1:
        return {**value, **some[0]}
    return {**value, "anyOf": some} if some else value


def _responses(operation: Operation) -> Iterator[tuple[str, Any]]:
    for status, gives in sorted(operation.gives.items()):
        yield str(status), {"description": gives.about, "content": _content(gives)}
    told = {**_ALWAYS, **(_WITH_BODY if operation.body is not None else {})}
    if operation.keeps_key:
        told[422] = "The body is not of the documented form, or the key is of another request."
    for status, about in sorted(told.items()):
        if status not in operation.gives:
            yield str(status), {"description": about, "content": _PROBLEM}


def _content(gives: Gives) -> dict[str, Any]:
    if gives.form is None:
        return {media: {"schema": {"type": "string"}} for media in gives.media}
    forms = [_schema(kind) for kind in _forms(gives)]
    form, page = {"schema": forms[0] if len(forms) == 1 else {"anyOf": forms}}, {"type": "string"}
    return {media: {"schema": page} if media == HTML else form for media in gives.media}


def _forms(gives: Gives) -> tuple[Any, ...]:
    if gives.form is None:
        return ()
    return gives.form if isinstance(gives.form, tuple) else (gives.form,)


def _schema(kind: Any) -> Any:
    (found,), _ = msgspec.json.schema_components([kind], ref_template=_REFS)
    return found
