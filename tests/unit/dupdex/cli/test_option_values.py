"""Values of options that are beyond all measure: usage errors, never a fault of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dupdex.cli.parameters import MOST
from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine

BEYOND: Final = (2**63 - 1, 2**63, 10**20)


@pytest.mark.parametrize("number", BEYOND)
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", RAIN, "--size"],
        ["check", "--file", "news.jsonl", "--size"],
        ["search", "暴雨", "--size"],
        ["search", "暴雨", "--offset"],
        ["learn", "--sample"],
    ],
    ids=["check", "check --file", "search", "offset", "learn"],
)
def test_numbers_beyond_64_bits(indexed: CommandLine, arguments: list[str], number: int) -> None:
    refused = indexed(*arguments, str(number))
    assert refused.status == 2
    assert "is not in the range" in refused.error()


def test_the_largest_numbers(indexed: CommandLine) -> None:
    assert indexed("check", RAIN, "--size", str(MOST)).status == 0
    assert indexed("check", RAIN, "--size", str(MOST), "--all").status == 0
    assert indexed("search", "暴雨", "--size", str(MOST)).status == 0
    assert indexed("search", "暴雨", "--offset", str(MOST)).status == 0
    assert indexed("learn", "--sample", str(MOST)).status == 0


@pytest.mark.parametrize("value", ["nan", "NaN", "-nan", "inf", "-1", "1.01", "x"])
@pytest.mark.parametrize(
    "arguments", [["check", RAIN, "--threshold"], ["tune", ".", "--least-precision"]], ids=" ".join
)
def test_shares_that_are_none(indexed: CommandLine, arguments: list[str], value: str) -> None:
    """With nan as its threshold a true copy would be answered with "no duplicate"."""
    refused = indexed(*arguments, value)
    assert refused.status == 2
    assert "--help" in refused.error()


@pytest.mark.parametrize("value", ["nan", "x"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["attach", "news", "--follow"],
        ["attach", "news", "--throttle"],
        ["serve", "--drain-seconds"],
        ["serve", "--max-seconds"],
    ],
    ids=" ".join,
)
def test_seconds_and_rates_that_are_none(
    dupdex: CommandLine, arguments: list[str], value: str
) -> None:
    refused = dupdex(*arguments, value)
    assert refused.status == 2
    assert repr(value) in refused.error()
    assert "float" not in refused.error()


@pytest.mark.parametrize("depth", [60, 500, 2_000, 200_000 // 4])
def test_filters_nested_deeply(indexed: CommandLine, depth: int) -> None:
    value = "[" * depth + "]" * depth
    assert indexed("check", RAIN, "--filter", f"y={value}").status == 1  # a string that is nowhere
    for clause in (f'{{"term": {{"y": {value}}}}}', '{"bool":' * depth + "1" + "}" * depth):
        refused = indexed("check", RAIN, "--filter", clause)
        assert refused.status == 2
        assert "deep" in refused.error()


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 30, "9" * 9_000])
def test_filters_by_numbers_that_json_cannot_hold(indexed: CommandLine, value: str) -> None:
    assert indexed("check", RAIN, "--filter", f"n={value}").status == 1
    assert indexed("check", RAIN, "--filter", f'{{"term": {{"n": {value}}}}}').status in (1, 2)
    assert indexed("check", RAIN, "--filter", "n=1").status == 0


def test_a_wrong_filter_is_said_once(indexed: CommandLine, tmp_path: Path) -> None:
    write_lines(tmp_path / "many.jsonl", [{"id": str(n), "text": RAIN} for n in range(120)])
    refused = indexed("check", "--file", "many.jsonl", "--filter", '{"bogus": {"n": 1}}')
    assert refused.status == 2
    assert "filter clause" in refused.error()
    assert refused.out == ""


def test_a_text_that_cannot_be_looked_up_costs_no_other(
    indexed: CommandLine, tmp_path: Path
) -> None:
    write_lines(
        tmp_path / "mixed.jsonl",
        [{"id": "a", "text": RAIN}, {"id": "b", "text": "\u200b"}, {"id": "c", "text": RAIN}],
    )
    done = indexed("check", "--file", "mixed.jsonl", "--filter", "n=1")
    assert done.status == 2
    assert "is empty" in done.error()
    assert [line.split("\t")[0] for line in done.out.splitlines()] == ["a", "c"]


@pytest.mark.parametrize("file", [".", "/", "no/such"])
def test_nothing_to_replay(indexed: CommandLine, file: str) -> None:
    refused = indexed("replay", file)
    assert refused.status in (2, 3)
    assert ("name a rejects file" if file == "." else file) in refused.error()


def test_a_home_that_nobody_has(indexed: CommandLine) -> None:
    assert indexed("info", "--store", "~nosuchuser/x").status == 2


@pytest.mark.parametrize("option", ["--text-field", "--title-field", "--id-field"])
@pytest.mark.parametrize("name", ["", " "])
def test_a_field_without_a_name(option: str, name: str, dupdex: CommandLine) -> None:
    refused = dupdex("index", "news.jsonl", option, name)
    assert refused.status == 2
    assert f"{option} names no field" in refused.error()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("works", "add", "news.jsonl", "--work", "w", "--for", ""), "--for names no index"),
        (("works", "add", "news.jsonl", "--own-site", "not a host/"), "'not a host/' is no site"),
        (("crawl", "example.org", "--agent", ""), "--agent '' cannot be sent"),
        (("crawl", "example.org", "--agent", " "), "--agent ' ' cannot be sent"),
        (("index", "news.jsonl", "--format", "novel", "--split", "0"), "'--split'"),
        (("search", ""), "TEXT is empty"),
        (("search", " ", "--collapse"), "TEXT is empty"),
        (("kibana", "import", "foo"), "'foo' is no URL of Kibana; write it like http://"),
        (("kibana", "copies", "--source-field", "nope"), "name another one with --source-field"),
        (
            ("kibana", "copies", "--date-field", "nope"),
            "field 'nope'; name another one with --date",
        ),
    ],
)
def test_a_value_that_names_nothing(
    indexed: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    refused = indexed(*arguments)
    assert refused.status == 2
    assert said in refused.error()


@pytest.mark.parametrize("option", ["--plan", "--mapping"])
def test_a_file_that_is_not_utf8(dupdex: CommandLine, tmp_path: Path, option: str) -> None:
    (tmp_path / "broken.json").write_bytes('{"words":\n\n"none", "名": "'.encode() + b'\xc3"}')
    refused = dupdex("index", "news.jsonl", option, "broken.json")
    assert refused.status == 2
    assert refused.error() == "broken.json: not valid UTF-8 at line 3"
