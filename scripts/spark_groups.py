"""Groups a corpus with and without Spark, says how long each takes, and whether they agree.

    python -m scripts.spark_groups CORPUS.jsonl [--documents 50000] [--master local[2]]

Texts are a few sentences of the corpus put together anew, and every fifth is a light copy of one of
the others. Needs dupdex[spark] and Java 17 or 21.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson

from scripts.benchmark.texts_of_corpus import Recombined, edited, from_file

EVERY = 5


def documents(corpus: Path, count: int) -> Iterator[dict[str, str]]:
    """So many documents, the same ones every time."""
    texts, chance = Recombined(from_file(corpus)), Random(11)
    for number in range(count):
        text = texts.text(number)
        if number % EVERY == 0 and number:
            text = edited(texts.text(chance.randrange(number)), number, 0.04)
        yield {"id": f"{number:08}", "text": text}


def timed(*command: str) -> tuple[float, Any]:
    """Seconds, and the report that a command of dupdex prints."""
    started = time.monotonic()
    done = subprocess.run(
        [str(Path(sys.executable).with_name("dupdex")), *command, "--json"],
        stdout=subprocess.PIPE,
        check=True,
    )
    return time.monotonic() - started, json.loads(done.stdout.splitlines()[-1])


def groups_in(files: Iterable[Path]) -> dict[str, Any]:
    """Groups by id: the canonical member, and the others with what is said of them."""
    lines = (line for path in files for line in path.read_bytes().splitlines())
    found = (orjson.loads(line) for line in lines)
    return {each["group"]: (each["canonical"], each["members"]) for each in found}


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="2g")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = folder / "texts.jsonl"
        with texts.open("wb") as file:
            for document in documents(asked.corpus, asked.documents):
                file.write(orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE))
        alone = timed("group", str(texts), "--write", str(folder / "alone.jsonl"))
        spark = timed(
            "spark-group", str(texts), "--write", str(folder / "spark"),
            "--master", asked.master, "--memory", asked.memory,
        )  # fmt: skip
        one = groups_in([folder / "alone.jsonl"])
        other = groups_in(sorted((folder / "spark").glob("part-*")))
    differ = [each for each in one.keys() | other.keys() if one.get(each) != other.get(each)]
    print(
        json.dumps(
            {
                "documents": asked.documents,
                "seconds": round(alone[0], 1),
                "seconds_on_spark": round(spark[0], 1),
                "report": alone[1],
                "report_of_spark": spark[1],
                "groups_that_differ": len(differ),
                "examples": sorted(differ)[:5],
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
