"""The development node is itself a product: it starts, serves, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from elasticsearch import Elasticsearch
from elasticsearch.helpers import bulk

from scripts.devnode.assemble import DEFAULT_VERSION, assemble
from scripts.devnode.failures import DevNodeError
from scripts.devnode.java import find_jdk, minimum_for
from scripts.devnode.nodes import Cluster
from scripts.devnode.ports import free_ports
from scripts.devnode.probe import get_json
from tests.servers import NoServerError, test_server

_ROOT = Path(__file__).resolve().parents[2]
_COMMAND = [sys.executable, str(_ROOT / "scripts" / "dev-node")]
_VERSION = os.environ.get("DUPDEX_TEST_ES_VERSION") or DEFAULT_VERSION


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(version=_VERSION, nodes=1, heap="512m", short_lived=True) as running:
        yield running


def _port(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _eventually(holds: Callable[[], bool], seconds: float = 120) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.1)
    return holds()


def test_node_is_healthy_and_of_the_version_asked_for(cluster: Cluster) -> None:
    with Elasticsearch(cluster.urls[0]) as client:
        health = client.cluster.health()
        nodes = client.nodes.info(filter_path="nodes.*.version")["nodes"].values()
        (about,) = client.nodes.info(metric="jvm")["nodes"].values()
    assert health["status"] in ("yellow", "green")
    assert health["number_of_nodes"] == 1
    assert [node["version"] for node in nodes] == [_VERSION]
    assert "-XX:TieredStopAtLevel=1" in about["jvm"]["input_arguments"]  # it is short-lived


def test_bulk_and_search_survive_kill_and_restart(cluster: Cluster) -> None:
    url = cluster.urls[0]
    with Elasticsearch(url) as client:
        documents = ({"_index": "dev-node", "_id": str(n), "n": n} for n in range(100))
        assert bulk(client, documents, refresh=True) == (100, [])
        cluster.kill(0)
        assert not _is_open(_port(url))
        assert cluster.pids == [None]
        cluster.restart(0)
        assert cluster.urls == [url]
        found = client.search(index="dev-node", query={"range": {"n": {"gte": 90}}}, size=50)
    assert sorted(hit["_source"]["n"] for hit in found["hits"]["hits"]) == list(range(90, 100))


def test_three_nodes_form_one_cluster_and_all_end(tmp_path: Path) -> None:
    with Cluster(_VERSION, 3, "256m", tmp_path, short_lived=True) as three:
        ports = [_port(url) for url in three.urls]
        pids = [pid for pid in three.pids if pid is not None]
        seen = [get_json(port, "/_cluster/health") or {} for port in ports]
        assert [health["number_of_nodes"] for health in seen] == [3, 3, 3]
    assert len(pids) == 3
    assert not any(_is_open(port) for port in ports)
    assert not any(_is_alive(pid) for pid in pids)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["node-0", "node-1", "node-2"]
    with pytest.raises(DevNodeError, match="--nodes 3"):
        Cluster(version=_VERSION, nodes=1, data=tmp_path).start()


def test_killed_parent_takes_its_node_along(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from scripts.devnode.nodes import Cluster\n"
        "with Cluster(sys.argv[1], data=Path(sys.argv[2]), short_lived=True) as cluster:\n"
        "    print(cluster.urls[0], cluster.pids[0], flush=True)\n"
        "    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", code, _VERSION, str(tmp_path)]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        url, pid = parent.stdout.readline().split()
        assert _is_open(_port(url))
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    assert _eventually(lambda: not _is_alive(int(pid)))
    assert not _is_open(_port(url))


def test_exec_passes_url_and_exit_status_and_leaves_no_data(tmp_path: Path) -> None:
    code = "import os, sys; print(os.environ['DUPDEX_TEST_ES'], *sys.argv[1:]); sys.exit(37)"
    done = subprocess.run(
        [*_COMMAND, "exec", "--version", _VERSION, "--", sys.executable, "-c", code, "--", "-x"],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 37, done.stderr
    url, *rest = done.stdout.split()
    assert rest == ["--", "-x"]
    assert not _is_open(_port(url))
    assert list(tmp_path.iterdir()) == []


def test_unsuitable_jdk_is_named(tmp_path: Path) -> None:
    home = tmp_path / "jdk-11"
    (home / "bin").mkdir(parents=True)
    for name in ("java", "javac"):
        (home / "bin" / name).touch()
    (home / "release").write_text('JAVA_VERSION="11.0.2"\n', encoding="utf-8")
    environ = {"JAVA_HOME": str(home), "PATH": ""}
    with pytest.raises(DevNodeError) as refused:
        find_jdk(minimum_for("9.5.3"), environ, patterns=())
    assert str(refused.value) == (
        f"no JDK 21 or later found (only 11 in {home}); "
        "install one (a JDK with javac, not a JRE) or set JAVA_HOME to its folder"
    )
    assert find_jdk(11, environ, patterns=()).major == 11
    with pytest.raises(DevNodeError, match="no JDK at all"):
        find_jdk(17, {"PATH": ""}, patterns=())


def test_oldest_suitable_system_jdk_is_taken(tmp_path: Path) -> None:
    for major in (25, 17, 21):
        home = tmp_path / f"jdk-{major}"
        (home / "bin").mkdir(parents=True)
        for name in ("java", "javac"):
            (home / "bin" / name).touch()
        (home / "release").write_text(f'JAVA_VERSION="{major}.0.1"\n', encoding="utf-8")
    assert find_jdk(18, {"PATH": ""}, patterns=(f"{tmp_path}/*",)).major == 21


@pytest.mark.parametrize("version", ["7.17.29", "8.19", "../../x", ""])
def test_version_that_cannot_be_assembled_is_refused(version: str) -> None:
    with pytest.raises(DevNodeError, match="cannot be assembled"):
        assemble(version)


def test_missing_maven_is_one_line(tmp_path: Path) -> None:
    environ = {**os.environ, "PATH": str(tmp_path), "DUPDEX_CACHE": str(tmp_path / "cache")}
    environ["JAVA_HOME"] = str(find_jdk(17).home)
    done = subprocess.run(
        [*_COMMAND, "assemble", "--version", "8.19.21"],
        capture_output=True,
        text=True,
        env=environ,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("dev-node: Maven is missing: install it")
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "cache" / "elasticsearch").glob("*8.19.21*")) == [
        tmp_path / "cache" / "elasticsearch" / "8.19.21.lock"
    ]


def test_ports_are_distinct() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20


def test_named_server_that_is_down_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"http://127.0.0.1:{free_ports(1)[0]}"
    monkeypatch.setenv("DUPDEX_TEST_ES", url)
    with pytest.raises(NoServerError, match="does not answer"), test_server():
        pass


def test_all_reasons_are_given_when_no_server_can_be_had(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DUPDEX_TEST_ES", raising=False)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DUPDEX_CACHE", str(tmp_path / "cache"))
    with pytest.raises(NoServerError) as refused, test_server():
        pass
    reasons = str(refused.value).split(" | ")[1:]
    assert [reason.split(":")[0] for reason in reasons] == ["DUPDEX_TEST_ES", "docker", "dev-node"]
