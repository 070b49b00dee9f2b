"""Finds a real Elasticsearch for the tests; conftest.py tells the order and the reasons."""

from __future__ import annotations

import os
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from elasticsearch import Elasticsearch

from mappings.index_body import template_name
from scripts.devnode.assemble import DEFAULT_VERSION
from scripts.devnode.failures import DevNodeError
from scripts.devnode.nodes import Cluster

_IMAGE = "docker.elastic.co/elasticsearch/elasticsearch"
_ENVIRONMENT = {
    "discovery.type": "single-node",
    "xpack.security.enabled": "false",
    "xpack.ml.enabled": "false",
    "cluster.routing.allocation.disk.threshold_enabled": "false",
    "ES_JAVA_OPTS": "-Xms512m -Xmx512m",
}
_CONTAINER_SECONDS = 180
# No proxy of the environment may stand between a test and its server.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class NoServerError(Exception):
    """No Elasticsearch could be had; the text says why for each way that was tried."""


@contextmanager
def test_server(version: str | None = None) -> Iterator[str]:
    """The URL of a server of this version, or of the one DUPDEX_TEST_ES names."""
    named = os.environ.get("DUPDEX_TEST_ES")
    if named:
        # A server somebody named is never replaced by another one behind their back.
        if not _answers(named):
            raise NoServerError(f"DUPDEX_TEST_ES: {named} does not answer; start it or unset it")
        yield named
        return
    with ExitStack() as running:
        yield _first_available(running, version or DEFAULT_VERSION)


# pytest would take a callable of this name for a test wherever it is imported.
test_server.__test__ = False  # type: ignore[attr-defined]


def _first_available(running: ExitStack, version: str) -> str:
    """Enter the first kind of server that starts; `running` ends it."""
    reasons = ["DUPDEX_TEST_ES: not set"]
    ways: list[tuple[str, Callable[[str], AbstractContextManager[str]]]] = [
        ("docker", _container),
        ("dev-node", _dev_node),
    ]
    for name, way in ways:
        try:
            return running.enter_context(way(version))
        except (NoServerError, DevNodeError) as problem:
            reasons.append(f"{name}: {problem}")
    raise NoServerError("no Elasticsearch for the tests | " + " | ".join(reasons))


@contextmanager
def _dev_node(version: str) -> Iterator[str]:
    with Cluster(version=version, short_lived=True) as cluster:
        yield cluster.urls[0]


@contextmanager
def _container(version: str) -> Iterator[str]:
    with ExitStack() as cleanup:
        # Only the start may be reported as a reason: an error of a test passes through unchanged.
        yield _started_container(cleanup, f"{_IMAGE}:{version}")


def _started_container(cleanup: ExitStack, image: str) -> str:
    try:
        import docker
        from docker.errors import DockerException
    except ImportError:
        raise NoServerError("the Python package docker is not installed") from None
    try:
        _knock_at_engine()
        client = docker.DockerClient.from_env(timeout=_CONTAINER_SECONDS)
        cleanup.callback(client.close)
        client.ping()
        container = client.containers.run(
            image,
            detach=True,
            environment=_ENVIRONMENT,
            ports={"9200/tcp": ("127.0.0.1", None)},
            mem_limit="2g",
        )
        cleanup.callback(container.remove, force=True, v=True)
        return _ready_url(container)
    except (DockerException, OSError) as problem:
        raise NoServerError(f"no engine that runs {image} ({problem})") from problem


def _knock_at_engine() -> None:
    """Fail with OSError where no engine listens; docker itself leaks a socket when it finds out."""
    host = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    if host.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(host.removeprefix("unix://"))


def _ready_url(container: Any) -> str:
    deadline = time.monotonic() + _CONTAINER_SECONDS
    while time.monotonic() < deadline:
        container.reload()
        if container.status == "exited":
            break
        published = container.ports.get("9200/tcp")
        if published:
            url = f"http://127.0.0.1:{published[0]['HostPort']}"
            if _answers(url):
                return url
        time.sleep(0.5)
    tail = container.logs(tail=1).decode("utf-8", "replace").strip()
    raise NoServerError(f"the container did not become ready ({container.status}: {tail[:300]})")


def _answers(url: str) -> bool:
    health = f"{url.rstrip('/')}/_cluster/health?wait_for_status=yellow&timeout=2s"
    try:
        with _OPENER.open(health, timeout=10) as answer:
            return bool(answer.status == 200)
    except (OSError, ValueError):
        return False


def remove_all(url: str, name: str) -> None:
    """Remove every index of a server, hidden ones, too, whose name begins so, and their
    templates."""
    with Elasticsearch(url) as client:
        for each in client.indices.get(index=f"{name}*", expand_wildcards="all"):
            client.indices.delete(index=each)
        lenient = client.options(ignore_status=404)
        lenient.indices.delete_index_template(name=f"{template_name(name)}*")
