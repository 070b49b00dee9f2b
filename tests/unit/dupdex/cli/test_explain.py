"""`dupdex explain`: for people, as JSON, as a page; what its arguments may be."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import click
import pytest

from dupdex.cli.explain import wants_colours
from dupdex.cli.explain_view import explanation_lines
from dupdex.index import Index
from dupdex.location import Location
from dupdex.wire.page import explanation_page
from mappings.plan import STANDARD
from query.explain.explanation import Subject, explain
from tests.command import write_lines
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, TEA, chinese
from tests.unit.dupdex.cli.conftest import FILM, FOX, RAIN, CommandLine

AGAIN = RAIN.replace("今天上午", "上午")


def lines(left: str, right: str, width: int = 80, colours: bool = False, full: bool = False) -> str:
    explanation = explain(Subject(left), Subject(right), STANDARD)
    return "\n".join(explanation_lines(explanation, width, colours, full))


def test_two_documents(indexed: CommandLine) -> None:
    found = indexed("explain", "rain", "again")
    assert (found.status, found.err) == (0, "")
    shown = found.out.splitlines()
    assert shown[0].startswith("near 0.")
    assert shown[1].startswith("similarity = max(characters 0.")
    assert "first, document rain: " in found.out
    assert "keys that both have, and in how many of 4 documents" in found.out
    assert re.search(r"\w{6} in 2[,\n]", found.out)
    assert "\x1b" not in found.out
    whole = re.sub(r"\s", "", found.out)
    assert "[1" in whole
    assert "1]" in whole
    assert indexed("explain", "rain", "film").status == 1


def test_json(indexed: CommandLine) -> None:
    found = indexed("explain", "rain", "again", "--json")
    values = found.json()
    assert found.status == 0
    assert values["verdict"] == "near"
    assert (values["first"]["id"], values["second"]["id"]) == ("rain", "again")
    assert values["documents"] == 4
    for passage in values["passages"]:
        first, second = (passage[side] for side in ("first", "second"))
        assert RAIN[slice(*first)] == AGAIN[slice(*second)]
        assert passage["same"] == "same_characters"
    lengths = [passage["units"] for passage in values["passages"]]
    assert lengths == sorted(lengths, reverse=True)
    assert [passage["number"] for passage in values["passages"]] == [1, 2]
    assert {each["documents"] for field in values["keys"] for each in field["hits"]} == {2}
    schemes = {each["name"]: each for each in values["schemes"]}
    assert schemes["exact"]["duplicate"] is False
    assert schemes["syllables"]["similarity"] >= schemes["syllables"]["threshold"]
    assert values["first"]["coverage"] > 0.9
    assert values["formula"].endswith(": near")
    assert (values["facts_differ"], values["facts_total"]) == ([], 0)


REPORT = "公司三月五日宣布，第一季度净利润为1500万元，同比增长12%，员工们在发布会上表示满意。"
UPDATE = REPORT.replace("五日", "六日").replace("12%", "15%")
FACTS = [
    {"kind": "date", "asked": "三月五日", "stored": "三月六日"},
    {"kind": "number", "asked": "12%", "stored": "15%"},
]


def test_facts_that_differ_are_listed_by_kind(dupdex: CommandLine) -> None:
    found = dupdex("explain", REPORT, UPDATE)
    shown = found.out.splitlines()
    at = shown.index("facts differ: 2, first / second")
    assert shown[at + 1 : at + 3] == ["  date 三月五日 / 三月六日", "  number 12% / 15%"]
    values = dupdex("explain", REPORT, UPDATE, "--json", "--html", "page.html").json()
    assert (values["facts_differ"], values["facts_total"]) == (FACTS, 2)
    page = Path("page.html").read_text("utf-8")
    assert "Facts that differ (2)" in page
    assert "事实有出入（2）" in page
    assert "<del>三月五日</del> <ins>三月六日</ins>" in page
    for alike in (dupdex("explain", REPORT, REPORT), dupdex("explain", REPORT, LIBRARY)):
        assert "facts differ" not in alike.out


def test_facts_beyond_those_listed_are_counted() -> None:
    made = explain(Subject(REPORT), Subject(UPDATE), STANDARD)
    many = replace(made, facts_total=37)
    assert "  and 35 more" in list(explanation_lines(many, 80, False))
    assert "The first 2 are listed." in explanation_page(many)


def test_every_rule_is_told_when_there_is_no_duplicate(dupdex: CommandLine) -> None:
    rules = dupdex("explain", chinese(500, 1), chinese(500, 2)).out.splitlines()[1:4]
    assert [rule.split(" = ")[0] for rule in rules] == [
        "similarity",
        "share",
        "share in long runs",
    ]
    assert all("<" in rule for rule in rules)
    assert rules[-1].endswith(": no duplicate")


def test_a_document_a_file_and_a_text(indexed: CommandLine) -> None:
    Path("copy.txt").write_text(RAIN, "utf-8")
    for name in ("copy.txt", "@copy.txt"):
        values = indexed("explain", "rain", name, "--json").json()
        assert (values["verdict"], values["second"]["id"]) == ("exact", None)
    assert indexed("explain", "rain", RAIN, "--json").json()["verdict"] == "exact"


def test_an_id_goes_before_a_file_and_a_text(indexed: CommandLine) -> None:
    Path("rain").write_text(FILM, "utf-8")
    assert indexed("explain", "rain", RAIN, "--json").json()["first"]["id"] == "rain"
    assert indexed("explain", "@rain", FILM, "--json").json()["verdict"] == "exact"


def test_a_mistyped_id_is_pointed_out(indexed: CommandLine) -> None:
    found = indexed("explain", "rain", "agian")
    assert found.status == 1
    assert found.err == "dupdex: 'agian' is no id in the index, so it is read as a text\n"
    assert indexed("explain", "rain", FOX).err == ""


def test_without_an_index(dupdex: CommandLine) -> None:
    values = dupdex("explain", RAIN, AGAIN, "--json").json()
    assert (values["verdict"], values["documents"]) == ("near", None)
    assert {each["documents"] for field in values["keys"] for each in field["hits"]} == {None}
    assert "plan" in values
    found = dupdex("explain", RAIN, AGAIN, "--plan", "characters", "--json").json()
    assert found["plan"].startswith("characters-")
    assert not Path("dupdex-store").exists()


def test_a_page(indexed: CommandLine) -> None:
    found = indexed("explain", "rain", "again", "--html", "page.html")
    assert (found.status, found.out, found.err) == (0, "", "dupdex: wrote page.html\n")
    page = Path("page.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "document again" in page
    both = indexed("explain", "rain", "film", "--html", "page.html", "--json")
    assert (both.status, both.json()["verdict"]) == (1, None)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["rain"], 2, "see 'dupdex explain --help'"),
        (["rain", ""], 2, "the second text: the text is empty"),
        (["rain", "@none.txt"], 3, "no file 'none.txt'; check the path after @"),
        (["rain", "none.txt"], 3, "no file 'none.txt'; check the path"),
        (["rain", "again", "--store", "elsewhere"], 3, "there is no index at"),
        (["a", "b", "--plan", "standard", "--index", "x"], 2, "an index has its own plan"),
        (["rain", "again", "--html", "no/such/page.html"], 2, "name another file with --html"),
    ],
)
def test_errors(indexed: CommandLine, arguments: list[str], status: int, said: str) -> None:
    found = indexed("explain", *arguments)
    assert found.status == status
    assert said in found.error()


def test_every_passage_is_marked_on_both_sides() -> None:
    shown = lines(METRO + TEA, TEA + METRO_HOMOPHONES, full=True)
    for number in (1, 2):
        assert shown.count(f"[{number} ") == shown.count(f" {number}]") == 2
    assert "same sounds, 28 characters differ" in shown


def test_colours_add_nothing_but_themselves() -> None:
    plain, coloured = (lines(METRO + TEA, TEA + METRO, colours=each) for each in (False, True))
    assert "\x1b" not in plain
    assert click.unstyle(coloured) == plain
    assert len(set(re.findall(r"\x1b\[30m\x1b\[(\d+)m", coloured))) == 2
    for line in coloured.splitlines():  # no colour runs into the next line
        assert len(re.findall(r"\x1b\[30m", line)) <= line.count("\x1b[0m")


@pytest.mark.parametrize("width", [20, 57, 80])
def test_wide_characters_take_two_cells(width: int) -> None:
    shown = lines(METRO, f"{TEA} and a few words", width).splitlines()
    start = next(at for at, line in enumerate(shown) if line.startswith("first text"))
    for line in shown[start:]:
        if line.startswith("  "):
            assert sum(1 + (c > "\u2e7f") for c in line) <= width


def test_long_texts_are_cut_short_unless_asked() -> None:
    long = chinese(5_000, 1)
    shown = lines(long, TEA + long[:2_000])
    assert len(shown) < 4_000
    assert "characters …" in shown
    whole = re.sub(r"\s", "", lines(long, TEA + long[:2_000], full=True))
    assert long[2_100:] in whole


def test_many_passages_are_cut_short_unless_asked() -> None:
    parts = [chinese(20, number) for number in range(30)]
    left, right = "甲".join(parts), "乙".join(reversed(parts))
    assert "and 10 shorter ones" in lines(left, right)
    assert "[30]" in lines(left, right, full=True)


def test_no_character_moves_the_cursor() -> None:
    shown = lines(f"{LIBRARY}\x1b[2J\r\x07\u202e\u200b\ttail", LIBRARY)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e\u200b]", shown)
    assert "·[2J" in re.sub(r"\n *", "", shown)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them() -> None:
    assert wants_colours(Terminal(), {"TERM": "xterm"})
    assert wants_colours(Terminal(), {"NO_COLOR": ""})
    assert not wants_colours(Terminal(), {"NO_COLOR": "1"})
    assert not wants_colours(Terminal(), {"TERM": "dumb"})
    assert not wants_colours(io.StringIO(), {"TERM": "xterm"})


def test_it_agrees_with_check_once_boilerplate_is_learned(
    dupdex: CommandLine, tmp_path: Path
) -> None:
    notice = "本网站转载此文只为传播信息，并不代表赞同其中的观点，也不对其真实性负责。"
    documents: list[dict[str, object]] = [
        {"id": f"d{n}", "text": f"{chinese(300, n)}。{notice * 4}"} for n in range(9)
    ]
    write_lines(tmp_path / "notices.jsonl", documents)
    dupdex("index", "notices.jsonl")
    assert dupdex("check", "--id", "d1").status == dupdex("explain", "d1", "d2").status == 0
    dupdex("learn")
    assert dupdex("check", "--id", "d1").status == 1
    letters = 4 * len([c for c in notice if c not in "，。"])
    shown = dupdex("explain", "d1", "d2")
    assert shown.status == 1
    line = f"boilerplate: {letters} letters of the first, {letters} of the second not counted"
    assert line in shown.out.splitlines()
    values = dupdex("explain", "d1", "d2", "--json", "--html", "page.html").json()
    assert values["verdict"] is None
    assert values["first"]["boilerplate"] == values["second"]["boilerplate"] == letters
    assert values["first"]["length"] > letters
    assert not {"sentences", "passage_keys"} & {each["field"] for each in values["keys"]}
    assert line in Path("page.html").read_text("utf-8")
    everything = dupdex("explain", "d1", "d2", "--boilerplate", "--json")
    assert (everything.status, dupdex("check", "--id", "d1", "--boilerplate").status) == (0, 0)
    assert everything.json()["first"]["boilerplate"] == 0
    with Index.open(Location("dupdex-store")) as index:
        pair = [Subject(each.text, each.id) for each in index.get(["d1", "d2"]).values()]
        for boilerplate, verdict in ((False, None), (True, everything.json()["verdict"])):
            told = index.explain(*pair, boilerplate=boilerplate).verdict
            assert told == verdict
