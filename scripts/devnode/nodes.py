"""Starts, kills, restarts and stops a cluster of assembled Elasticsearch nodes.

    with Cluster(version="8.19.21", nodes=1, heap="512m") as cluster:
        print(cluster.urls)

Only processes started here are ever signalled, and each of them ends by itself when this process
does, however it does: a node watches its standard input, whose other end we hold.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Self

from scripts.devnode.assemble import DEFAULT_VERSION, assemble
from scripts.devnode.failures import DevNodeError, PortTakenError
from scripts.devnode.java import Jdk, find_jdk, minimum_for
from scripts.devnode.node import Node
from scripts.devnode.ports import free_ports
from scripts.devnode.probe import get_json

_ATTEMPTS = 3
_POLL_SECONDS = 0.1


class Cluster:
    """N nodes on loopback; a context manager that leaves neither process nor temporary data."""

    def __init__(
        self,
        version: str = DEFAULT_VERSION,
        nodes: int = 1,
        heap: str = "512m",
        data: Path | None = None,
        start_seconds: float = 180,
        short_lived: bool = False,
    ) -> None:
        """`short_lived` nodes start with half of the work, and are slower once they run."""
        if nodes < 1:
            raise DevNodeError(f"a cluster of {nodes} nodes cannot start; ask for 1 or more")
        if not re.fullmatch(r"\d+[kmg]", heap.lower()):
            raise DevNodeError(f"heap {heap!r} is not a size; write it like 512m or 1g")
        self.version = version
        self._count = nodes
        self._heap = heap
        self._data = data
        self._start_seconds = start_seconds
        self._short_lived = short_lived
        self._folder: Path | None = None
        self._nodes: list[Node] = []

    @property
    def urls(self) -> list[str]:
        """One URL per node, in the order of the indexes that kill and restart take."""
        return [node.url for node in self._nodes]

    @property
    def pids(self) -> list[int | None]:
        """The process id of each node; None for one that was killed."""
        return [node.pid for node in self._nodes]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Assemble if needed, start every node and wait until the cluster serves requests."""
        if self._nodes:
            raise DevNodeError("the cluster runs already; stop it first")
        assembled = assemble(self.version)
        jdk = find_jdk(minimum_for(self.version))
        try:
            self._folder = self._make_folder()
            self._start_all(assembled, jdk, self._folder)
        except BaseException:  # Ctrl-C as well must leave nothing behind
            self.stop()
            raise

    def stop(self) -> None:
        """Stop what runs, by request and then by force, and remove temporary data."""
        self._stop_nodes()
        if self._folder is not None and self._data is None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None

    def kill(self, index: int) -> None:
        """kill -9 of one node: no flush, no farewell to the others."""
        self._nodes[index].kill()

    def restart(self, index: int) -> None:
        """Start a stopped or killed node again on its ports and data; stops it first if it runs."""
        node = self._nodes[index]
        node.request_stop()
        node.wait_stopped()
        node.start()
        self._wait_ready()

    def raise_if_ended(self) -> None:
        """Fail when a node ended that nobody here stopped."""
        for node in self._nodes:
            node.raise_if_ended()

    def _make_folder(self) -> Path:
        if self._data is None:
            return Path(tempfile.mkdtemp(prefix="dupdex-nodes-"))
        folder = self._data.expanduser().absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise DevNodeError(
                f"cannot keep data in {folder} ({problem.strerror}); name a writable folder"
            ) from problem
        kept = len(list(folder.glob("node-*")))
        if kept not in (0, self._count):
            raise DevNodeError(
                f"{folder} holds the data of {kept} node(s), not {self._count}; "
                f"use --nodes {kept} or another folder"
            )
        return folder

    def _start_all(self, assembled: Path, jdk: Jdk, folder: Path) -> None:
        for attempt in range(_ATTEMPTS):
            self._nodes = self._planned(assembled, jdk, folder)
            try:
                for node in self._nodes:
                    node.start()
                self._wait_ready()
                return
            except PortTakenError:
                # Nothing can hold a port for a process to come, so losing one is no error yet.
                if attempt == _ATTEMPTS - 1:
                    raise
                self._stop_nodes()

    def _planned(self, assembled: Path, jdk: Jdk, folder: Path) -> list[Node]:
        ports = free_ports(2 * self._count)
        web, transport = ports[: self._count], ports[self._count :]
        names = [f"node-{index}" for index in range(self._count)]
        if self._count == 1:
            discovery = {"discovery.type": "single-node"}
        else:
            discovery = {
                "discovery.seed_hosts": ",".join(f"127.0.0.1:{port}" for port in transport),
                "cluster.initial_master_nodes": ",".join(names),
            }
        return [
            Node(
                name=name,
                assembled=assembled,
                java=jdk.home / "bin" / "java",
                heap=self._heap,
                short_lived=self._short_lived,
                folder=folder / name,
                http_port=web[index],
                transport_port=transport[index],
                discovery=discovery,
            )
            for index, name in enumerate(names)
        ]

    def _wait_ready(self) -> None:
        """Every running node must answer for itself and see all the others."""
        deadline = time.monotonic() + self._start_seconds
        running = [node for node in self._nodes if node.pid is not None]
        for node in running:
            while not _is_ready(node, len(running)):
                self.raise_if_ended()
                if time.monotonic() > deadline:
                    raise DevNodeError(
                        f"{node.name} was not ready within {self._start_seconds:.0f} s "
                        f"({node.last_words()}); free some memory or ask for fewer nodes"
                    )
                time.sleep(_POLL_SECONDS)

    def _stop_nodes(self) -> None:
        for node in self._nodes:
            node.request_stop()
        for node in self._nodes:
            node.wait_stopped()
        self._nodes = []


def _is_ready(node: Node, nodes: int) -> bool:
    health = get_json(
        node.http_port, f"/_cluster/health?wait_for_status=yellow&wait_for_nodes={nodes}&timeout=1s"
    )
    return (
        health is not None
        and health.get("status") in ("yellow", "green")
        and health.get("number_of_nodes") == nodes
    )
