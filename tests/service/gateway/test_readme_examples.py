"""Every request of "In front of your cluster" in both READMEs does what it says."""

from __future__ import annotations

import re
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from dupdex import Index, Location
from indexer.stores.elastic.client import connect
from tests.contract.stores import Elastic
from tests.service.gateway.running import Running
from tests.source_tree import ROOT


@pytest.fixture
def articles(es_url: str) -> Iterator[str]:
    """An index of somebody else that was attached."""
    name = f"readme-{uuid.uuid4().hex[:12]}"
    location = Location(es_url, name)
    with connect(location.elastic) as client:
        client.indices.create(index=name, mappings={"properties": {"text": {"type": "text"}}})
    Index.attach(location, ["text"])
    yield name
    Elastic(location.elastic).remove()


@pytest.mark.parametrize("document", ["README.md", "README.zh.md"])
def test_every_request_of_the_section(
    document: str, articles: str, gateway: Running, tmp_path: Path
) -> None:
    text = (ROOT / document).read_text("utf-8")
    section = text.partition("In front of your cluster")[2].partition("\n## ")[0]
    commands = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    told = [_answer(each, gateway.url, articles, tmp_path) for each in commands]
    written, found, admitted, counted = told
    assert written["result"] == "created"
    (hit,) = found["hits"]["hits"]
    assert (hit["_id"], hit["_dupdex"]["verdict"]) == ("1", "near")
    if document == "README.md":
        assert hit["_dupdex"]["facts_differ"]  # two years, three years
    assert (admitted["is_first"], admitted["outcome"]["status"]) == (True, "created")
    assert counted["hits"]["total"]["value"] == 0  # it is no copy of itself
    assert "topics" in counted["aggregations"]


def _answer(command: str, url: str, index: str, folder: Path) -> Any:
    command = command.replace("localhost:9280", url.removeprefix("http://"))
    prelude = 'curl() { command curl --fail-with-body -sS -m 60 "$@"; }\n'
    done = subprocess.run(
        ["bash", "-c", prelude + command.replace("articles", index)],
        capture_output=True,
        cwd=folder,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b""), (command, done.stdout)
    return orjson.loads(done.stdout)
