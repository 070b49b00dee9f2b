"""Serves the console's one page and its files; its pages are drawn by the browser."""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

ROOT: Final = "/_dupdex/console"

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Nothing but what is served here can run, and no page is shown inside of another site's."""

_SHARED: Final = frozenset({"comparison.css", "passages.js", "scrolling.js", "chart.js"})
"""Files of the pages that dupdex writes by itself: the console shows the same comparison, and draws
with the same library."""

_KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def routes() -> list[Route]:
    """Every address of the console: files below `assets`, the one page for all else."""
    return [
        Route("/_dupdex", _to_console),
        Route("/_dupdex/", _to_console),
        Route(f"{ROOT}/assets/{{name:path}}", _asset),
        Route(ROOT, _page),
        Route(f"{ROOT}/{{view:path}}", _page),
    ]


async def _to_console(_: Request) -> Response:
    return RedirectResponse(f"{ROOT}/", headers=HEADERS)


async def _page(request: Request) -> Response:
    return _answer(request, "shell.html")


async def _asset(request: Request) -> Response:
    return _answer(request, request.path_params["name"])


def _answer(request: Request, name: str) -> Response:
    found = _read(name)
    if found is None:
        return PlainTextResponse(f"no file {name!r}", 404, headers=HEADERS)
    content, tag = found
    # Asked for again each time, and sent only when it is another: an update shows at once.
    headers = {**HEADERS, "ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=_kind(name), headers=headers)


@lru_cache(256)
def _read(name: str) -> tuple[bytes, str] | None:
    """A file that is shipped, with its tag. Names that lead elsewhere are no files."""
    parts = name.split("/")
    if len(parts) > 2 or not all(part and part.strip(".") for part in parts):
        return None
    if name in _SHARED:
        file = files("dupdex.wire").joinpath("templates", name)
    else:
        file = files("dupdex.console").joinpath("assets", *parts)
    if not file.is_file():
        return None
    content = file.read_bytes()
    return content, f'"{sha256(content).hexdigest()[:20]}"'


def _kind(name: str) -> str:
    suffix = name[name.rfind(".") :]
    return _KINDS.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
