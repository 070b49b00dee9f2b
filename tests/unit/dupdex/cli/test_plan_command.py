"""`dupdex plan`: what it says before anything is indexed, and the plan file it writes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from mappings.plan import STANDARD
from tests.command import write_lines
from tests.texts import chinese
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine

SAMPLE = str(files("dupdex.data") / "sample.jsonl")


def test_the_table(dupdex: CommandLine) -> None:
    shown = dupdex("plan", "--documents", "100000000")
    assert (shown.status, shown.err) == (0, "")
    assert f"plan {STANDARD.id}, 100,000,000 documents" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 100
    (advised,) = [line for line in shown.out.splitlines() if line.startswith("> ")]
    assert "5 choose 2" in advised
    (reason,) = [line for line in shown.out.splitlines() if line.startswith("  simhash  ")]
    assert "with 4 x 16 4 of its 4 keys are frequent" in reason
    for name in ("simhash_keys", "minhash_keys", "syllable_keys", "passage_keys", "sentences"):
        assert f"\n  {name} " in shown.out
    assert "\n  all " in shown.out


def test_the_recommended_plan_is_written_and_used(dupdex: CommandLine) -> None:
    facts = dupdex("plan", "--documents", "100000000", "--write", "plan.json", "--json")
    assert facts.json()["recommended_layout"] == "5 choose 2"
    assert {"keys_per_document", "index_bytes_per_document", "layouts", "bands"} < set(facts.json())
    assert "New index: 'dupdex index --plan plan.json'" in facts.err
    assert "existing one: 'dupdex rebuild --plan plan.json'" in facts.err
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
        (["--documents", "9" * 400], 2, "--documents"),
        (["--sample", "nowhere.jsonl"], 3, "no such file or folder: nowhere.jsonl"),
        (["--sample", "one.jsonl"], 2, "name more documents with --sample"),
        (["--sample", "one.jsonl", "--encoding", "klingon"], 2, "encoding 'klingon' is not known"),
        (["--plan", "broken.json"], 2, "broken.json: not valid JSON"),
        (["--plan", "wrong.json"], 2, "plan.minhash.bands must be int"),
        (["--plan", "."], 2, "Is a directory"),
    ],
)
def test_what_is_refused_in_one_line(
    dupdex: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    Path("broken.json").write_text("{")
    write_lines(Path("one.jsonl"), [{"id": "1", "text": RAIN}])
    Path("wrong.json").write_text('{"minhash": {"bands": "16"}}')
    refused = dupdex("plan", *arguments)
    assert refused.status == status
    assert said in refused.error()


def test_a_file_that_cannot_be_written(dupdex: CommandLine) -> None:
    refused = dupdex("plan", "--write", "no/such/folder.json")
    assert refused.status == 2
    assert "name another file with --write" in refused.error()


@pytest.mark.parametrize("path", ["plan\0.json", "."])
def test_a_name_that_is_none_is_refused_in_one_line(dupdex: CommandLine, path: str) -> None:
    refused = dupdex("plan", "--write", path)
    assert refused.status == 2
    assert "name another file with --write" in refused.error()


# --- with a sample


def test_the_shipped_sample(dupdex: CommandLine) -> None:
    """Too few texts for a hundred million: it says so and recommends by arithmetic."""
    shown = dupdex("plan", "--documents", "100000000", "--sample", SAMPLE)
    assert (shown.status, shown.err) == (0, "")
    assert max(map(len, shown.out.splitlines())) <= 100
    assert "too few texts" in shown.out
    assert "left out as copies" in " ".join(shown.out.split())
    assert "> 5 choose 2" in shown.out


def test_texts_of_ones_own(dupdex: CommandLine) -> None:
    write_lines(Path("texts.jsonl"), [{"id": str(n), "text": chinese(400, n)} for n in range(300)])
    facts = dupdex("plan", "--documents", "1000", "--sample", "texts.jsonl", "--json").json()
    assert facts["sample"]["texts"] == 300
    rows = facts["candidates_per_lookup"]
    assert rows["all"]["sampled"]["clear"]
    assert rows["all"]["sampled"]["candidates"] < 20
    assert rows["minhash_keys"]["sampled"]["candidates"] < 1
    assert facts["recommended_plan"] == STANDARD.id


def test_a_sample_is_read_as_index_reads(dupdex: CommandLine) -> None:
    """A folder, another field, no ids; what cannot be read is said and passed over."""
    folder = Path("folder")
    folder.mkdir()
    rows: list[dict[str, object]] = [{"body": chinese(300, n)} for n in range(5)]
    write_lines(folder / "a.jsonl", [*rows, {"other": 1}])
    arguments = ("plan", "--sample", "folder", "--text-field", "body", "--make-ids", "--json")
    told = dupdex(*arguments)
    assert told.status == 0
    assert told.json()["sample"]["texts"] == 5
    assert "a.jsonl:6" in told.err
    assert "1 unreadable" in told.err
    piped = "".join(f'{{"id": "{n}", "text": "{chinese(300, n)}"}}\n' for n in range(3))
    assert dupdex("plan", "--sample", "-", "--json", stdin=piped).json()["sample"]["texts"] == 3


def test_the_recommendation_of_a_sample_is_written(dupdex: CommandLine) -> None:
    """Texts about one subject with the same words: the recommended plan makes an index."""
    template = "{}号线今天{}点起因设备检修停运{}分钟，请乘客绕行{}路，给您带来不便敬请谅解。"
    rows: list[dict[str, object]] = []
    for n in range(120):
        text = template.format(n, n % 24, 7 * n, n * n) + chinese(300, n)
        rows.append({"id": str(n), "text": text})
    write_lines(Path("lines.jsonl"), rows)
    made = dupdex("plan", "--sample", "lines.jsonl", "--write", "own.json", "--json")
    assert made.status == 0
    assert dupdex("index", "lines.jsonl", "--plan", "own.json").status == 0
    assert dupdex("info", "--json").json()["plan"] == made.json()["recommended_plan"]
