"""docs/attach.md, followed word by word on a real server."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import OBJECT_FIELD
from tests.command import run, write_lines
from tests.service.elastic_data import chinese

PAGE: Final = (Path(__file__).parents[2] / "docs" / "attach.md").read_text("utf-8")
EXPECTED: Final = {"check": {0, 1}}
"""Exit status by command; 0 for all others."""


def commands() -> list[list[str]]:
    blocks = re.findall(r"^```\n(.*?)^```", PAGE, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("dupdex ")]


def test_every_command_of_the_page(
    settings: ElasticSettings, raw: Elasticsearch, tmp_path: Path
) -> None:
    names = {"news": settings.index, "logs": f"{settings.index}-1"}
    documents = {str(at): _document(at) for at in range(4_700, 4_720)}
    for name in names.values():
        for at, document in documents.items():
            raw.index(index=name, id=at, document=document)
        raw.indices.refresh(index=name)
    write_lines(tmp_path / "new.jsonl", [{"id": "n", **_document(4_711)}])
    where = {"DUPDEX_STORE": settings.url, "DUPDEX_INDEX": settings.index}
    asked = commands()
    assert len(asked) >= 8
    for command in asked:
        told = [names.get(word, word) for word in command]
        if "logs" in command:
            told += ["--text-field", "content.body"]
        if "--sidecar" in command:  # another way to have the index that was attached above
            run("detach", settings.index, folder=tmp_path, **where)
        done = run(*told, folder=tmp_path, **where)
        assert done.status in EXPECTED.get(command[0], {0}), (command, done.err)
    for name in names.values():
        run("detach", name, folder=tmp_path, **where)
        hits = raw.search(index=name, size=100)["hits"]["hits"]
        assert {hit["_id"]: hit["_source"] for hit in hits} == documents
        assert OBJECT_FIELD not in raw.indices.get_mapping(index=name)[name]["mappings"].get(
            "_meta", {}
        )


def _document(number: int) -> dict[str, object]:
    return {"headline": f"标题{number}", "content": {"body": chinese(number)}}
