"""A request with headers of one's own, and its answer."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    """`headers` by name in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)

    def reason(self) -> str:
        """Of an error in the form of Elasticsearch."""
        value = self.json()
        assert value["status"] == self.status
        assert self.headers["x-elastic-product"] == "Elasticsearch"
        return str(value["error"]["reason"])


def ask(
    url: str, method: str, path: str, body: object = None, key: str | None = None, **headers: str
) -> Answer:
    """`key`: sent as ApiKey. Names of headers are written with `_` for `-`."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None and "content-type" not in sent:
        sent["content-type"] = "application/json"
    if key is not None:
        sent["authorization"] = f"ApiKey {key}"
    raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    try:
        connection.request(method, path, raw, sent)
        answer = connection.getresponse()
        named = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, named, answer.read())
    finally:
        connection.close()
