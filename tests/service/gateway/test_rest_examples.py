"""Every command of the section on REST in docs/gateway.md does what it says."""

from __future__ import annotations

import re
import subprocess
import uuid
from pathlib import Path

import pytest

from dupdex.location import Location
from tests.contract.stores import Elastic
from tests.service.gateway.running import gateway_before

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "gateway.md"


def commands() -> list[str]:
    section = DOCUMENT.read_text("utf-8").partition("\n## REST\n")[2].partition("\n## ")[0]
    found = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [str(each) for each in found]


def run(command: str, url: str, folder: Path) -> str:
    place = url.removeprefix("http://")
    prelude = 'set -e; curl() { command curl --fail-with-body -sS -m 60 "$@"; echo; }\n'
    done = subprocess.run(
        ["bash", "-c", prelude + command.replace("localhost:9280", place)],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), (command, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize("kind", ["folder", "server"])
def test_every_command_works(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    store, index = str(tmp_path / "store"), f"rest-{uuid.uuid4().hex[:12]}"
    if kind == "server":
        store = request.getfixturevalue("es_url")
    try:
        with gateway_before(store, DUPDEX_INDEX=index) as running:
            told = {each: run(each, running.url, tmp_path) for each in commands()}
    finally:
        if kind == "server":
            Elastic(Location(store, index).elastic).remove()
    assert len(told) >= 12
    said = dict(zip(("index", "documents", "check"), told.values(), strict=False))
    assert said["documents"].count('"created"') == 3
    assert '"verdict":"exact"' in said["check"]
    assert b"<!DOCTYPE html>" in (tmp_path / "pair.html").read_bytes()
    assert (tmp_path / "pairs.csv").read_bytes().count(b"\n") == 2
