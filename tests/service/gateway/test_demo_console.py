"""`scripts/demo --serve`: the console on the sample, for who has just cloned the repository."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from scripts.demo_console import REPORT
from tests.command import environment
from tests.service.gateway.running import free_port

_SECONDS = 180.0  # less than 20 on a machine that has nothing else to do
_ROOT = str(Path(__file__).parents[3])


@dataclass(frozen=True, slots=True)
class Demo:
    process: subprocess.Popen[bytes]
    port: int
    printed: Path

    def get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_SECONDS)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def rest(self, path: str) -> Any:
        status, content = self.get(f"/_dupdex/v1/{path}")
        assert status == 200, content
        return orjson.loads(content)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demonstration, once its console answers; that takes less than a minute."""
    folder, port = tmp_path_factory.mktemp("demo"), free_port()
    printed = folder / "printed"
    command = [sys.executable, "-m", "scripts.demonstration", "--serve", "--port", str(port)]
    with printed.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(folder, PYTHONPATH=_ROOT),
            stdout=out,
            stderr=out,
        )
    running = Demo(process, port, printed)
    try:
        _wait(running)
        yield running
    finally:
        process.kill()
        process.wait()


def _wait(demo: Demo) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and demo.process.poll() is None:
        try:
            if demo.get("/_dupdex/console/ask")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(demo.printed.read_text("utf-8"))


def test_the_addresses_it_prints_answer(demo: Demo) -> None:
    found = re.findall(r"http://127\.0\.0\.1:(\d+)(/\S+)", demo.printed.read_text("utf-8"))
    paths = [path for port, path in found if int(port) == demo.port]
    assert len(paths) >= 5
    for path in paths:
        status, content = demo.get(path)
        assert status == 200 and b"<html" in content, path


def test_there_are_groups_pairs_to_review_banks_and_a_report(demo: Demo) -> None:
    assert len(demo.rest("groups")["groups"]) >= 10
    assert len(demo.rest("matches?decision=undecided&verdict=near")["matches"]) >= 10
    assert len(demo.rest("matches?decision=duplicate")["matches"]) >= 2
    banks = demo.rest("banks")["banks"]
    assert {each["kind"] for each in banks} == {"allow", "deny"}
    report = demo.rest(REPORT.replace("report?", "reports?"))
    assert len(report["over_time"]) >= 5
    assert len(report["by_source"]) >= 5


def test_it_ends_when_it_is_told_to(demo: Demo) -> None:
    demo.process.send_signal(signal.SIGINT)
    demo.process.wait(_SECONDS)
    assert "Traceback" not in demo.printed.read_text("utf-8")
