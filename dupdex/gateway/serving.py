"""Runs the gateway in one or several processes, until it is told to stop."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import tempfile
from contextlib import ExitStack
from typing import Any, Final

import uvicorn

from dupdex.gateway.connection import Connection
from dupdex.gateway.observe.log_lines import log_to_stderr
from dupdex.gateway.settings import ServeSettings
from mappings.errors import InputRefused

DRAIN_SECONDS: Final = 30
"""How long requests under way have to end once the gateway is to stop."""

KEEP_ALIVE_SECONDS: Final = 300
"""How long a connection may be idle. The cluster never closes one, and not every client notices
that the other side did; balancers before us close theirs earlier."""

_APPLICATION: Final = "dupdex.gateway.app:application"
_METRICS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"


def serve(settings: ServeSettings) -> None:
    """Answer requests until SIGINT or SIGTERM; requests under way are answered first."""
    os.environ.update(settings.to_environment())
    log_to_stderr(settings.log)
    # uvicorn hears the signal, ends what is under way, and then raises it once more.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with ExitStack() as until_the_end:
        if settings.workers > 1 and not os.environ.get(_METRICS_FOLDER):
            folder = tempfile.TemporaryDirectory(prefix="dupdex-metrics-")
            os.environ[_METRICS_FOLDER] = until_the_end.enter_context(folder)
        uvicorn.run(_APPLICATION, factory=True, **_options(settings))


def free_port(host: str, port: int) -> int:
    """The port that can be listened on: the one that is asked for, or for 0 any.

    Raises InputRefused, which the server itself would only log, once it has said that it serves.
    """
    try:
        (family, *_, address), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        with socket.socket(family, socket.SOCK_STREAM) as tried:  # nobody may connect to it
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
            return int(tried.getsockname()[1])
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputRefused(
                f"port {port} of {host} is in use; choose another with --port, or end what uses it"
            ) from error
        reason = error.strerror or str(error)
        raise InputRefused(
            f"cannot listen on port {port} of {host!r}: {reason}; choose others with --host and "
            "--port"
        ) from error


def _options(settings: ServeSettings) -> dict[str, Any]:
    return {
        "host": settings.host,
        "port": settings.port,
        "workers": settings.workers,
        "http": Connection,
        "ws": "none",
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "ssl_certfile": settings.tls_cert,
        "ssl_keyfile": settings.tls_key,
        "timeout_graceful_shutdown": DRAIN_SECONDS,
        "server_header": False,
        "date_header": False,
        "access_log": False,
        "proxy_headers": False,
        "log_config": None,
        "lifespan": "on",
    }
