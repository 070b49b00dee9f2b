"""`dupdex plan`: what it says before anything is indexed, and the plan file it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mappings.plan import STANDARD
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine


def test_the_table(dupdex: CommandLine) -> None:
    shown = dupdex("plan", "--documents", "100000000")
    assert (shown.status, shown.err) == (0, "")
    assert f"plan {STANDARD.id}, 100,000,000 documents" in shown.out
    (advised,) = [line for line in shown.out.splitlines() if "recommended" in line]
    assert "5 choose 2" in advised


def test_the_recommended_plan_is_written_and_used(dupdex: CommandLine) -> None:
    facts = dupdex("plan", "--documents", "100000000", "--write", "plan.json", "--json")
    assert facts.json()["recommended_layout"] == "5 choose 2"
    assert {"keys_per_document", "index_bytes_per_document", "layouts", "minhash_recall"} < set(
        facts.json()
    )
    assert "use it with 'dupdex index --plan plan.json'" in facts.err
    assert dupdex("index", "news.jsonl", "--plan", "plan.json").status == 0
    assert dupdex("info", "--json").json()["plan"].startswith("custom-")
    assert dupdex("check", RAIN).status == 0
    assert dupdex("plan", "--plan", "plan.json").status == 0
    assert "run 'dupdex rebuild --plan'" in dupdex("index", "news.jsonl", "--plan", "standard").err


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--documents", "0"], 2, "--documents"),
        (["--documents", "many"], 2, "'many' is not a valid integer"),
        (["--plan", "broken.json"], 2, "broken.json: not valid JSON"),
        (["--plan", "wrong.json"], 2, "plan.minhash.bands must be int"),
        (["--plan", "."], 2, "Is a directory"),
    ],
)
def test_what_is_refused_in_one_line(
    dupdex: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    Path("broken.json").write_text("{")
    Path("wrong.json").write_text('{"minhash": {"bands": "16"}}')
    refused = dupdex("plan", *arguments)
    assert refused.status == status
    assert said in refused.error()


def test_a_file_that_cannot_be_written(dupdex: CommandLine) -> None:
    refused = dupdex("plan", "--write", "no/such/folder.json")
    assert refused.status == 2
    assert "name another file with --write" in refused.error()
