"""A client of the REST interface that holds every answer against the OpenAPI document."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import orjson
from jsonschema import Draft202012Validator

ROOT = "/_dupdex/v1"


@dataclass(frozen=True, slots=True)
class Told:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def value(self) -> Any:
        return orjson.loads(self.content)


@dataclass(frozen=True, slots=True)
class Rest:
    """`target`: the index of one test."""

    url: str
    target: str

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        /,
        **query: str,
    ) -> Told:
        """Send a request; `path` is below ROOT, with escapes; a body of bytes is sent as it is."""
        content = orjson.dumps(body) if body is not None and not isinstance(body, bytes) else body
        sent = {"Content-Type": "application/json"} if body is not None else {}
        where = f"{ROOT}{path}?{urlencode({'target': self.target, **query})}"
        told = send(self.url, method, where, content, {**sent, **(headers or {})})
        self.check(method, path, told)
        return told

    def check(self, method: str, path: str, told: Told) -> None:
        """The answer is one that the document names, and of its form."""
        document = document_at(self.url)
        item = next(
            (each for name, each in document["paths"].items() if _matches(name, ROOT + path)), None
        )
        if item is None or method.lower() not in item:
            assert told.status in (404, 405)
            return
        responses = item[method.lower()]["responses"]
        assert str(told.status) in responses, (method, path, told.status, told.content[:500])
        kind = told.headers["content-type"].partition(";")[0]
        content = responses[str(told.status)]["content"]
        assert kind in content, (kind, list(content))
        if kind.endswith("json") and kind != "application/x-ndjson":
            errors = _validator(self.url, orjson.dumps(content[kind]["schema"])).iter_errors(
                told.value
            )
            assert not [error.message[:500] for error in errors], (method, path, told.content[:300])

    def put(self, name: str, text: str, **fields: Any) -> None:
        told = self.ask("PUT", f"/documents/{quote(name, safe='')}", {"text": text, **fields})
        assert told.status in (200, 201), told.content

    def refresh(self) -> None:
        told = self.ask("POST", "/documents", b"", NDJSON, refresh="true")
        assert (told.status, told.content) == (200, b"")

    def settle(self) -> None:
        """Wait until no job is under way."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            jobs = self.ask("GET", "/jobs").value["jobs"]
            if all(each["state"] != "running" for each in jobs):
                return
            time.sleep(0.1)
        raise AssertionError("a job did not end")


NDJSON = {"Content-Type": "application/x-ndjson"}


def send(
    url: str, method: str, where: str, content: bytes | None, headers: Mapping[str, str]
) -> Told:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request(method, where, content, dict(headers))
        answer = connection.getresponse()
        named = {name.lower(): value for name, value in answer.getheaders()}
        return Told(answer.status, named, answer.read())
    finally:
        connection.close()


@cache
def document_at(url: str) -> Any:
    told = send(url, "GET", f"{ROOT}/openapi.json", None, {})
    assert told.status == 200
    return told.value


@cache
def _validator(url: str, schema: bytes) -> Draft202012Validator:
    components = document_at(url)["components"]
    return Draft202012Validator({**orjson.loads(schema), "components": components})


def _matches(template: str, path: str) -> bool:
    parts = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
    # literal paths stand before those with names in the document
    return re.fullmatch(parts, path) is not None
