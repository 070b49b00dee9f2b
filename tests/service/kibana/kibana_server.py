"""A small HTTP server that takes imports by Kibana's rules; Kibana itself is no part of the tests.

It keeps what was imported, by spaces, and answers as Kibana does: with the same statuses, and with
`success: false` and reasons at status 200.
"""

from __future__ import annotations

import json
import ssl
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from tests.unit.dupdex.kibana.object_checks import missing_references, version_of

Json = dict[str, Any]
Reply = tuple[int, Any]

_PATH: Final = "/api/saved_objects/_import"


@dataclass
class Kibana:
    """`base`: its base path; `version`: the form of objects that it knows; `authorization`: the
    header that it asks for; `reply`: answers everything in the place of an import."""

    url: str = ""
    base: str = ""
    version: str = "8.19.0"
    authorization: str = ""
    reply: Reply | None = None
    headers: dict[str, str] = field(default_factory=dict)
    stored: dict[str, dict[str, Json]] = field(default_factory=lambda: defaultdict(dict))

    def answer(self, path: str, headers: Any, body: bytes) -> Reply:
        """Status and JSON for a POST."""
        url = urlsplit(path)
        space, found = self._space(url.path)
        if self.authorization and headers["Authorization"] != self.authorization:
            return _error(401, "Unauthorized")
        if not found:
            return _error(404, "Not Found")
        if headers["kbn-xsrf"] is None:
            return _error(400, "Request must contain a kbn-xsrf header.")
        if self.reply is not None:
            return self.reply
        overwrite = parse_qs(url.query).get("overwrite") == ["true"]
        head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
        part = list(message_from_bytes(head + body).walk())[-1]
        if part.get_param("name", header="content-disposition") != "file":
            return _error(400, "[request body.file]: expected value of type [Stream]")
        if not str(part.get_filename()).endswith(".ndjson"):
            return _error(400, "Invalid file extension")
        content = part.get_payload(decode=True)
        lines = content.splitlines() if isinstance(content, bytes) else []
        return self._import(space, [json.loads(line) for line in lines if line], overwrite)

    def _space(self, path: str) -> tuple[str, bool]:
        inner = path.removeprefix(self.base)
        space = ""
        if inner.startswith("/s/"):
            _, _, space, inner = inner.split("/", 3)
            inner = f"/{inner}"
        return space, inner == _PATH and path.startswith(self.base)

    def _import(self, space: str, objects: list[Json], overwrite: bool) -> Reply:
        newer = [o for o in objects if version_of(o["typeMigrationVersion"]) > self._known]
        if newer:
            return _error(400, f"{newer[0]['id']} belongs to a more recent version of Kibana")
        errors = [
            _refused(saved, {"type": "missing_references", "references": missing})
            for saved, missing in missing_references(objects)
        ]
        if not overwrite:
            there = [saved for saved in objects if saved["id"] in self.stored[space]]
            errors += [_refused(saved, {"type": "conflict"}) for saved in there]
        wrong = {each["id"] for each in errors}
        taken = [saved for saved in objects if saved["id"] not in wrong]
        self.stored[space] |= {saved["id"]: saved for saved in taken}
        results = [{"type": o["type"], "id": o["id"], "managed": False} for o in taken]
        answer = {"success": not errors, "successCount": len(taken), "successResults": results}
        return 200, answer | ({"errors": errors} if errors else {})

    @property
    def _known(self) -> tuple[int, int]:
        return version_of(self.version)


def _error(status: int, message: str) -> Reply:
    return status, {"statusCode": status, "error": "Error", "message": message}


def _refused(saved: Mapping[str, Any], error: Json) -> Json:
    title = saved["attributes"]["title"]
    return {"type": saved["type"], "id": saved["id"], "meta": {"title": title}, "error": error}


@contextmanager
def kibana_server(certificate: tuple[str, str] | None = None) -> Iterator[Kibana]:
    """A server on loopback; by TLS with the files of a certificate and its key."""
    kibana = Kibana()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = kibana.answer(self.path, self.headers, body)
            sent = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in kibana.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    scheme = "http"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    kibana.url = f"{scheme}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield kibana
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
