"""What the guard and the log of the gateway cost a request: processor time in one process, with no
network.

.venv/bin/python -m scripts.guard_time 2>/dev/null
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupdex.gateway.callers import Caller, Right
from dupdex.gateway.guard.api_keys import NewKey, new_key
from dupdex.gateway.guard.guarding import guarded
from dupdex.gateway.guard.key_file import write_keys
from dupdex.gateway.observe.log_lines import RequestLog, to_stderr
from dupdex.gateway.observe.observing import observed
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings

REQUESTS = 4_000
BODY = b'{"query":{"match":{"text":"hello world"}},"size":10}'
_READ = frozenset({Right.READ})
CALLERS = {
    "key of an admin": Caller("admin", frozenset({Right.ADMIN})),
    "key for one index": Caller("one", _READ, ("articles",)),
    "key with a filter": Caller("part", _READ, ("*",), {"articles": [{"term": {"tenant": "x"}}]}),
}


async def answers(_scope: Scope, receive: Receive, send: Send) -> None:
    """The application that does nothing else."""
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def scope_with(key: NewKey | None) -> Scope:
    headers = [(b"host", b"a"), (b"content-type", b"application/json"), (b"accept", b"*/*")]
    if key is not None:
        headers.append((b"authorization", f"ApiKey {key.encoded}".encode()))
    path = "/articles/_search"
    return {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": headers, "client": ("127.0.0.1", 1),
    }  # fmt: skip


async def microseconds(app: ASGIApp, scope: Scope) -> float:
    async def receive() -> Message:
        return {"type": "http.request", "body": BODY, "more_body": False}

    async def send(_message: Message) -> None:
        pass

    began = time.process_time()
    for _ in range(REQUESTS):
        await app(dict(scope), receive, send)
    return (time.process_time() - began) / REQUESTS * 1e6


async def measure(folder: Path) -> None:
    now = datetime.now(UTC)
    keys = {name: new_key(caller, now) for name, caller in CALLERS.items()}
    path = folder / "keys.json"
    write_keys(path, [each.key for each in keys.values()])
    for name, key in (("no keys", None), *keys.items()):
        settings = ServeSettings("http://127.0.0.1:9", keys=str(path) if key else None)
        for logged in (False, True):
            log = RequestLog("json", to_stderr if logged else None)
            app = observed(guarded(answers, Services(settings)), log)
            scope = scope_with(key)
            added = await microseconds(app, scope) - await microseconds(answers, scope)
            print(f"{name:17}  {'logged' if logged else 'silent'}  {added:6.0f} us a request")


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        asyncio.run(measure(Path(place)))
