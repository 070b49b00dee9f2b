"""`dupdex schemes` and `dupdex compare --scheme`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.fingerprints.registry import REGISTRY
from mappings.plan import STANDARD
from tests.unit.dupdex.cli.conftest import FILM, NEWS, RAIN, CommandLine

AGAIN = str(NEWS[1]["text"])


def test_every_scheme_is_listed_within_100_columns(dupdex: CommandLine) -> None:
    listed = dupdex("schemes")
    assert listed.status == 0
    lines = listed.out.splitlines()
    assert max(map(len, lines)) <= 100
    heads = [line.split() for line in lines if line and line[0] != " "][1:]
    assert [head[0] for head in heads] == list(REGISTRY)
    for entry in REGISTRY.values():
        assert all(
            " ".join(text.split()) in " ".join(listed.out.split())
            for text in (entry.catches, entry.misses, entry.source)
        )


def test_the_list_as_json_follows_the_plan(dupdex: CommandLine) -> None:
    plain = {each["name"]: each for each in dupdex("schemes", "--json").json()}
    assert list(plain) == list(REGISTRY)
    assert {name for name, each in plain.items() if each["stored"]} == {*STANDARD.schemes}
    assert plain["lcs"]["field"] is None
    assert plain["simhash"]["field"] == "dupdex.simhash_keys"
    assert plain["simhash"]["threshold"] == 0.9531
    Path("mine.json").write_text(json.dumps({"schemes": ["exact", "simhash", "projection"]}))
    mine = dupdex("schemes", "--plan", "mine.json", "--json").json()
    assert {each["name"] for each in mine if each["stored"]} == {"exact", "simhash", "projection"}
    assert "projection        stored, " in dupdex("schemes", "--plan", "mine.json").out


def test_compare_by_one_scheme(dupdex: CommandLine) -> None:
    compared = dupdex("compare", RAIN, AGAIN, "--scheme", "lcs")
    assert compared.status == 0
    head, row = compared.out.splitlines()
    assert head.split() == ["scheme", "similarity", "threshold", "duplicate", "shared", "terms"]
    assert row.split() == ["lcs", "0.9844", "0.8000", "yes", "-"]
    assert dupdex("compare", RAIN, FILM, "--scheme", "lcs").status == 1
    assert dupdex("compare", RAIN, AGAIN, "--scheme", "exact").status == 1


def test_compare_by_several_as_json(dupdex: CommandLine) -> None:
    found = dupdex("compare", RAIN, AGAIN, "--scheme", "exact", "--scheme", "minhash", "--json")
    exact, minhash = found.json()
    assert exact == {
        "scheme": "exact", "similarity": 0.0, "threshold": 1.0, "verdict": False, "shared": [],
    }  # fmt: skip
    assert minhash["verdict"]
    assert minhash["shared"]
    assert found.status == 0  # one of them says so


def test_compare_by_all(dupdex: CommandLine) -> None:
    rows = dupdex("compare", RAIN, RAIN, "--scheme", "all").out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == list(REGISTRY)
    assert max(map(len, rows)) <= 100


def test_a_store_may_hold_optional_schemes(dupdex: CommandLine) -> None:
    """Stored, looked up by, shown, and fresh to a rebuild: also with another digest."""
    plan = {"schemes": ["exact", "simhash", "projection"], "exact": {"digest": "sha256"}}
    Path("mine.json").write_text(json.dumps({"name": "mine", **plan}))
    assert dupdex("index", "news.jsonl", "--plan", "mine.json").status == 0
    found = dupdex("check", RAIN, "--json").json()
    keys = {match["id"]: match["evidence"]["keys"] for match in found["matches"]}
    assert len(keys["rain"]["text_hash"][0]) == 43
    assert len(keys["rain"]["projection_keys"]) == 4
    assert "projection blocks 4" in dupdex("check", RAIN).out
    assert "0 documents" in dupdex("rebuild", "--plan", "mine.json").out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["compare", "x", "y", "--scheme", "bm25"], 2, "no scheme 'bm25'; known: exact, simhash"),
        (["compare", "", "y", "--scheme", "lcs"], 2, "the text is empty"),
        (["schemes", "--plan", "missing.json"], 3, "a plan is a file, or one of"),
    ],
)
def test_what_is_refused_in_one_line(
    dupdex: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    refused = dupdex(*arguments)
    assert refused.status == status
    assert said in refused.error()
