"""`dupdex pairs` and `dupdex compare`: no store is needed, and none is left behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import FILM, NEWS, RAIN, CommandLine


def test_pairs(dupdex: CommandLine) -> None:
    found = dupdex("pairs", "news.jsonl")
    assert found.status == 0
    assert [line.split("\t")[:2] for line in found.out.splitlines()] == [["rain", "again"]]
    assert found.err == "dupdex: 4 documents, 1 pair\n"
    assert sorted(path.name for path in Path().iterdir()) == ["news.jsonl"]


def test_pairs_as_json_names_both(dupdex: CommandLine) -> None:
    pair, last = dupdex("pairs", "news.jsonl", "--json").json_lines()
    assert last["report"]["documents"] == 4
    assert (last["report"]["pairs"], last["report"]["incomplete"]) == (1, 0)
    assert (pair["first_origin"], pair["second_origin"]) == ("news.jsonl:1", "news.jsonl:2")
    assert (pair["first"], pair["second"], pair["verdict"]) == ("rain", "again", "near")
    assert {"similarity", "share", "stored_share", "direction", "evidence"} < set(pair)


def test_every_pair_comes_once(dupdex: CommandLine) -> None:
    write_lines(Path("same.jsonl"), ({"id": str(n), "text": RAIN} for n in range(20)))
    *pairs, _ = dupdex("pairs", "same.jsonl", "--json").json_lines()
    assert len({frozenset((each["first"], each["second"])) for each in pairs}) == 190 == len(pairs)


def test_a_repeated_id_is_two_documents_of_a_file(dupdex: CommandLine) -> None:
    write_lines(Path("same.jsonl"), [{"text": RAIN}, {"text": RAIN}, {"text": FILM}])
    found = dupdex("pairs", "same.jsonl", "--make-ids")
    assert found.status == 0
    first, second, verdict = found.out.rstrip().split("\t")
    assert (first.split()[0], verdict) == (second.split()[0], "exact 1.00")
    assert [first.split()[1], second.split()[1]] == ["(same.jsonl:1)", "(same.jsonl:2)"]
    assert found.err == "dupdex: 3 documents, 1 pair\n"


def test_no_pairs(dupdex: CommandLine) -> None:
    none = dupdex("pairs", "-", stdin=json.dumps(NEWS[0]))
    assert (none.status, none.out) == (1, "")


def test_pairs_with_bad_lines(dupdex: CommandLine) -> None:
    Path("news.jsonl").write_bytes(Path("news.jsonl").read_bytes() + b"{oops\n")
    found = dupdex("pairs", "news.jsonl")
    assert found.status == 2
    assert "news.jsonl:5: not valid JSON" in found.err
    assert found.out.startswith("rain\tagain\t")


def test_compare_texts(dupdex: CommandLine) -> None:
    compared = dupdex("compare", RAIN, str(NEWS[1]["text"]))
    assert compared.status == 0
    assert compared.out.splitlines()[0].split() == ["verdict", "near"]
    assert dupdex("compare", RAIN, FILM).status == 1


def test_a_disguise_is_undone_and_named(dupdex: CommandLine) -> None:
    for pair in ((RAIN, "丶".join(RAIN)), ("丶".join(RAIN), RAIN)):
        values = dupdex("compare", *pair, "--json").json()
        assert (values["verdict"], values["disguise"]) == ("near", ["marks between"])
        shown = dupdex("explain", *pair)
        assert shown.status == 0
        assert shown.out.startswith("near 1.00\n")
        assert shown.out.count(", as it may be meant: ") == 1


def test_compare_as_json(dupdex: CommandLine) -> None:
    values = dupdex("compare", RAIN, RAIN, "--json").json()
    assert set(values) >= {
        "verdict", "similarity", "jaccard", "syllable_jaccard", "share", "direction", "shared",
        "hamming", "shared_keys",
    }  # fmt: skip
    assert (values["verdict"], values["hamming"]) == ("exact", 0)
    assert dupdex("compare", RAIN, FILM, "--json").json()["verdict"] is None


def test_compare_lists_facts_that_differ(dupdex: CommandLine) -> None:
    one, other = f"{RAIN}共有15人到场。", f"{RAIN}共有20人到场。"
    values = dupdex("compare", one, other, "--json").json()
    assert values["facts_differ"] == [{"kind": "number", "asked": "15", "stored": "20"}]
    assert values["facts_total"] == 1
    assert "facts_differ      number 15 / 20\n" in dupdex("compare", one, other).out
    assert "facts_differ      none\n" in dupdex("compare", one, one).out


def test_compare_files_of_two_encodings(dupdex: CommandLine) -> None:
    Path("one.txt").write_text(RAIN, "utf-8")
    Path("two.txt").write_bytes(RAIN.encode("gb18030"))
    assert dupdex("compare", "one.txt", "two.txt", "--json").json()["verdict"] == "exact"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["compare", "x"], 2, "see 'dupdex compare --help'"),
        (["compare", "", "x"], 2, "the text is empty"),
        (["compare", "missing.txt", "x"], 3, "no file 'missing.txt'; check the path"),
        (["compare", "binary.txt", "x"], 2, "binary.txt:1: binary content"),
        (["pairs", "missing.jsonl"], 3, "no such file or folder: missing.jsonl"),
        (["pairs", "news.jsonl", "--plan", "missing.json"], 3, "a plan is a file, or one of"),
    ],
)
def test_what_is_refused_in_one_line(
    dupdex: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    Path("binary.txt").write_bytes(b"a\0b")
    refused = dupdex(*arguments)
    assert refused.status == status
    assert said in refused.error()
