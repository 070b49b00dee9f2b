"""`dupdex statistics`: from a corpus to a table that a plan can name."""

from __future__ import annotations

import hashlib
from pathlib import Path

import orjson
import pytest

from tests.command import write_lines
from tests.texts import LIBRARY
from tests.unit.dupdex.cli.conftest import FOX, RAIN, CommandLine

INSTALLED = Path("home/.local/share/dupdex")


def test_a_table_is_made_installed_and_used(dupdex: CommandLine) -> None:
    """English words are in no shipped table: I-Match has terms for them with one's own."""
    rows: list[dict[str, object]] = [
        {"id": str(n), "text": LIBRARY if n < 20 else FOX} for n in range(1_000)
    ]
    write_lines(Path("texts.jsonl"), rows)
    told = dupdex("statistics", "texts.jsonl", "--write", "table.json", "--json")
    assert told.status == 0
    facts = told.json()
    assert facts["documents"] == 1_000
    content = Path("table.json").read_bytes()
    assert facts["statistics"] == f"sha256-{hashlib.sha256(content).hexdigest()[:16]}"
    assert (INSTALLED / f"statistics-{facts['statistics']}.json").read_bytes() == content
    schemes = ["exact", "simhash", "imatch"]
    for version, keys in (("1", False), (facts["statistics"], True)):
        plan = {"schemes": schemes, "statistics": version}
        Path("plan.json").write_bytes(orjson.dumps(plan))
        write_lines(Path("one.jsonl"), [{"id": "a", "text": LIBRARY}])
        store = f"store-{version}"
        assert dupdex("index", "one.jsonl", "--plan", "plan.json", "--store", store).status == 0
        found = dupdex("check", LIBRARY, "--store", store, "--json").json()["matches"][0]
        assert ("imatch_keys" in found["evidence"]["keys"]) is keys


def test_what_it_says(dupdex: CommandLine) -> None:
    told = dupdex("statistics", "news.jsonl")
    assert told.status == 0
    assert "words of 4 documents, in " in told.out
    assert 'put "statistics": "sha256-' in told.err


def test_a_corpus_is_read_as_index_reads(dupdex: CommandLine) -> None:
    rows: list[dict[str, object]] = [{"body": RAIN}, {"other": 1}]
    write_lines(Path("own.jsonl"), rows)
    told = dupdex("statistics", "own.jsonl", "--text-field", "body", "--make-ids", "--json")
    assert told.json()["documents"] == 1
    assert "own.jsonl:2" in told.err
    assert "1 unreadable" in told.err
    piped = dupdex("statistics", "-", "--json", stdin=f'{{"id": "1", "text": "{RAIN}"}}\n')
    assert piped.json()["statistics"] == told.json()["statistics"]


def test_another_plan_counts_other_words(dupdex: CommandLine) -> None:
    standard = dupdex("statistics", "news.jsonl", "--json").json()
    characters = dupdex("statistics", "news.jsonl", "--json", "--plan", "characters").json()
    assert standard["statistics"] != characters["statistics"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["nowhere.jsonl"], 3, "no such file or folder: nowhere.jsonl"),
        (["empty.jsonl"], 2, "no text to count"),
        (["news.jsonl", "--write", "no/such/file"], 2, "name another file with --write"),
        (["news.jsonl", "--write", "a\0b"], 2, "name another file with --write"),
    ],
)
def test_what_is_refused_in_one_line(
    dupdex: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    Path("empty.jsonl").write_text("")
    refused = dupdex("statistics", *arguments)
    assert refused.status == status
    assert said in refused.error()


def test_a_plan_whose_table_is_missing(dupdex: CommandLine) -> None:
    plan = {"schemes": ["exact", "simhash", "dna"], "statistics": "sha256-" + "0" * 16}
    Path("plan.json").write_bytes(orjson.dumps(plan))
    refused = dupdex("index", "news.jsonl", "--plan", "plan.json")
    assert refused.status == 4
    assert "run 'dupdex statistics' over your corpus again" in refused.error()
