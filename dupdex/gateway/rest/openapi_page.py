"""The page of the REST interface: every operation with its parameters, forms and problems."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any, Final

import orjson
from starlette.responses import Response

from dupdex.gateway.rest.openapi import document_of
from dupdex.gateway.rest.operations import HTML, Operations
from dupdex.gateway.rest.problems import TITLES
from dupdex.wire.page import render

_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def page(operations: Operations) -> Response:
    """The page; it needs no other file and no other host."""
    document = document_of(operations)
    shown = [
        {
            "method": method.upper(),
            "path": path,
            **operation,
            "body": _body(operation, document),
        }
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    made = render(
        "api.html",
        tags=[tag["name"] for tag in document["tags"]],
        operations=shown,
        problems=TITLES,
        schemas={
            name: orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
            for name, value in document["components"]["schemas"].items()
        },
    )
    style = _STYLE.search(made)
    digest = hashlib.sha256(style[1].encode() if style else b"").digest()
    allowed = f"style-src 'sha256-{base64.b64encode(digest).decode()}'"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    headers = {"content-security-policy": policy, "x-content-type-options": "nosniff"}
    return Response(made, 200, headers, media_type=HTML)


def _body(operation: dict[str, Any], document: dict[str, Any]) -> str:
    """The name of the form of the body, "" for none."""
    content: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    forms = [each.get("schema", {}) for each in content.values()]
    schema = forms[0] if forms else {}
    name: str = schema.get("$ref", "").rpartition("/")[2]
    return name if name in document["components"]["schemas"] else ""
