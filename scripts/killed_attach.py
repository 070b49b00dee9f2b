"""Kills attach and detach at random moments: python -m scripts.killed_attach URL [--kills 50]

Another program edits the index all the while. At the end no edit may be lost, every document must
have the fingerprint of its text, and after detaching all must be as the other program left it.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.fingerprints.exact import text_hashes
from indexer.stores.elastic.client import ElasticSettings, connect
from indexer.text import prepare
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from scripts.benchmark.made_texts import article

INDEX: Final = "dupdex-killed-attach"
PLAN: Final = ("--text-field", "body", "--plan", "characters")

Sources = dict[str, dict[str, Any]]


class Editor(threading.Thread):
    """Indexes, updates and deletes documents until it is stopped; `expected` is what it left."""

    def __init__(self, client: Elasticsearch, documents: int, seed: int) -> None:
        super().__init__(name="editor")
        self._client, self._documents, self._draw = client, documents, random.Random(seed)
        self.expected: Sources = {str(at): _document(at) for at in range(documents)}
        self._stopped = threading.Event()

    def run(self) -> None:
        at = self._documents
        while not self._stopped.wait(0.005):
            at += 1
            name, kind = str(self._draw.randrange(self._documents)), self._draw.randrange(3)
            if kind == 0:
                self.expected[name] = _document(at)
                self._client.index(index=INDEX, id=name, document=self.expected[name])
            elif kind == 1 and name in self.expected:
                self.expected[name] = _document(at)
                self._client.update(index=INDEX, id=name, doc=self.expected[name])
            elif name in self.expected:
                del self.expected[name]
                self._client.delete(index=INDEX, id=name)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def _document(number: int) -> dict[str, Any]:
    return {"body": article(number)[:400], "number": number}


def _sources(client: Elasticsearch) -> Sources:
    client.indices.refresh(index=INDEX)
    hits = client.search(index=INDEX, size=10_000)["hits"]["hits"]
    return {hit["_id"]: hit["_source"] for hit in hits}


def _command(name: str, url: str) -> list[str]:
    options = PLAN if name == "attach" else ()
    program = [str(Path(sys.executable).with_name("dupdex")), name, INDEX, "--store", url]
    return [*program, "--slices", "3", *options]


def _killed(name: str, url: str, draw: random.Random, longest: float) -> bool:
    """Whether a run was killed before it had ended."""
    process = subprocess.Popen(
        _command(name, url), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(draw.uniform(0.3, longest))
    except subprocess.TimeoutExpired:
        process.kill()
    return process.wait() == -9


def _check(what: str, wrong: list[str]) -> None:
    if wrong:
        raise SystemExit(f"{what}: {len(wrong)} documents, such as {', '.join(wrong[:5])}")


def _compare(client: Elasticsearch, expected: Sources, attached: bool) -> None:
    stored = _sources(client)
    theirs = {
        name: {field: value for field, value in source.items() if field != OBJECT_FIELD}
        for name, source in stored.items()
    }
    names = theirs.keys() | expected.keys()
    _check("lost or changed", [name for name in names if theirs.get(name) != expected.get(name)])
    if not attached:
        _check("not as before", [name for name in stored if OBJECT_FIELD in stored[name]])
        return
    texts = [stored[name]["body"] for name in stored]
    hashes = [text_hashes(prepare(text, CHARACTERS), CHARACTERS.exact.digest)[0] for text in texts]
    held = [stored[name].get(OBJECT_FIELD, {}).get("text_hash") for name in stored]
    pairs = zip(stored, hashes, held, strict=True)
    _check("without their fingerprint", [name for name, made, kept in pairs if made != kept])


def main() -> None:
    """Print what was done; exit with a sentence when anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--kills", type=int, default=50, help="of either command")
    parser.add_argument("--documents", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    draw, begun = random.Random(told.seed), time.monotonic()
    with connect(ElasticSettings(told.url, INDEX)) as client:
        client.indices.delete(index=INDEX, ignore_unavailable=True)
        client.indices.create(index=INDEX)
        editor = Editor(client, told.documents, told.seed)
        lines: list[dict[str, Any]] = []
        for name, document in editor.expected.items():
            lines += [{"index": {"_id": name}}, document]
        client.bulk(index=INDEX, operations=lines, refresh=True)
        editor.start()
        try:
            for command in ("attach", "detach"):
                killed = sum(_killed(command, told.url, draw, 5.0) for _ in range(told.kills))
                print(f"{command}: killed {killed} times on the way, of {told.kills} runs")
                if command == "attach":
                    editor.stop()
                # what was edited last is taken by one more run
                subprocess.run(_command(command, told.url), check=command == "attach")
                _compare(client, editor.expected, command == "attach")
        finally:
            editor.stop()
            client.indices.delete(index=INDEX, ignore_unavailable=True)
    print(f"nothing was lost, in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
