"""`dupdex index`: every kind of source, what is reported, and what an index keeps to."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mappings.plan import STANDARD
from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import FILM, NEWS, RAIN, CommandLine
from tests.unit.indexer.test_meta import UNSERVABLE


def lines() -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in NEWS)


def test_json_lines_and_once_more(dupdex: CommandLine) -> None:
    done = dupdex("index", "news.jsonl")
    assert (done.status, done.err) == (0, "")
    assert done.out == "4 documents stored in dupdex-store (index dupdex) (4 new, 0 overwritten)\n"
    assert "(0 new, 4 overwritten)" in dupdex("index", "news.jsonl").out


def make(name: str) -> None:
    """The news under a file name that tells the format."""
    path = Path(name)
    if name.endswith(".csv"):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(NEWS[0]))
            writer.writeheader()
            writer.writerows(NEWS)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(lines().encode()))
    elif name.startswith("gbk"):
        path.write_bytes(lines().encode("gb18030"))
    else:
        path.mkdir()
        write_lines(path / "some.jsonl", NEWS[:2])
        write_lines(path / "more.ndjson", NEWS[2:])


@pytest.mark.parametrize("name", ["news.csv", "news.jsonl.gz", "gbk.jsonl", "folder"])
def test_every_format_gives_the_same_documents(dupdex: CommandLine, name: str) -> None:
    make(name)
    assert dupdex("index", name, "--json").json()["created"] == 4
    assert dupdex("get", "rain", "--json").json()["document"]["text"] == RAIN
    assert dupdex("check", "--id", "rain").status == 0


def test_a_nested_text_field(dupdex: CommandLine) -> None:
    rows = [{"id": each["id"], "content": {"body": each["text"]}} for each in NEWS]
    write_lines(Path("nested.jsonl"), [*rows, {"id": "flat", "content": "text"}])
    done = dupdex("index", "nested.jsonl", "--text-field", "content.body")
    assert "4 new" in done.out
    assert "'content' holds a string, not an object" in done.err
    assert dupdex("check", "--id", "rain").status == 0
    assert "rain" in dupdex("check", "--file", "nested.jsonl").out
    assert "again" in dupdex("search", "大部分地区").out
    assert RAIN[:12] in dupdex("search", "市民注意防范").out  # shown where there is no title


def test_standard_input(dupdex: CommandLine) -> None:
    assert dupdex("index", "-", "--json", stdin=lines()).json() == {
        "created": 4,
        "updated": 0,
        "rejected": 0,
        "bad_lines": 0,
        "ids_twice": 0,
    }


def test_a_folder_of_texts(dupdex: CommandLine) -> None:
    Path("texts/deep").mkdir(parents=True)
    Path("texts/rain.txt").write_text(RAIN, "utf-8")
    Path("texts/deep/film.txt").write_bytes(FILM.encode("gbk"))
    Path("texts/photo.png").write_bytes(b"\x89PNG")
    done = dupdex("index", "texts")
    assert done.status == 0
    assert done.err == "dupdex: texts/photo.png: not read, its name is none that is looked for\n"
    assert dupdex("get", "deep/film.txt", "--json").json()["document"]["text"] == FILM


def test_notes_of_one_kind_end_after_twenty(dupdex: CommandLine) -> None:
    Path("photos").mkdir()
    for number in range(50):
        Path(f"photos/{number}.png").touch()
    done = dupdex("index", "photos")
    assert done.err.count("not read") == 20
    assert "further messages of this kind are counted, not shown" in done.err


def test_several_text_fields_are_joined(dupdex: CommandLine) -> None:
    write_lines(Path("two.jsonl"), [{"id": "1", "head": RAIN, "body": FILM}])
    fields = ("--text-field", "head", "--text-field", "body")
    assert dupdex("index", "two.jsonl", *fields).status == 0
    assert dupdex("info", "--json").json()["text_fields"] == ["head", "body"]
    assert dupdex("check", f"{RAIN}\n{FILM}").status == 0


@pytest.mark.parametrize(
    ("option", "said"),
    [("--text-field", "takes its text from text"), ("--title-field", "takes its title from title")],
)
def test_an_index_keeps_its_fields(indexed: CommandLine, option: str, said: str) -> None:
    refused = indexed("index", "news.jsonl", option, "city")
    assert refused.status == 2
    assert said in refused.error()
    assert option in refused.error()


def test_a_wrong_field_at_first_makes_no_index(dupdex: CommandLine) -> None:
    wrong = dupdex("index", "news.jsonl", "--text-field", "body")
    assert wrong.status == 1
    assert "none of the fields body is present; name the text field with --text-field" in wrong.err
    assert "no index was made" in wrong.err
    assert dupdex("info").status == 3
    assert dupdex("index", "news.jsonl", "--text-field", "text").status == 0


def test_ids_from_texts(dupdex: CommandLine) -> None:
    write_lines(Path("bare.jsonl"), [{"text": RAIN}, {"text": FILM}, {"text": RAIN}])
    assert dupdex("index", "bare.jsonl").status == 1
    assert dupdex("index", "bare.jsonl", "--make-ids", "--json").json()["ids_twice"] == 1
    assert dupdex("info", "--json").json()["documents"] == 2


def test_the_plan_of_a_new_index(indexed: CommandLine) -> None:
    assert indexed("index", "news.jsonl", "--plan", "characters", "--index", "other").status == 0
    assert indexed("info", "--index", "other", "--json").json()["plan"].startswith("characters-")
    refused = indexed("index", "news.jsonl", "--plan", "characters")
    assert refused.status == 4
    assert "run 'dupdex rebuild --plan'" in refused.error()


@pytest.mark.parametrize("changes", UNSERVABLE.values(), ids=UNSERVABLE)
def test_a_plan_that_cannot_be_served_makes_no_index(
    dupdex: CommandLine, changes: dict[str, Any]
) -> None:
    Path("plan.json").write_text(json.dumps(changes))
    refused = dupdex("index", "news.jsonl", "--plan", "plan.json")
    assert refused.status == 4
    assert refused.error().startswith("the plan ")
    assert not Path("dupdex-store/dupdex.sqlite").exists()
    assert dupdex("index", "news.jsonl").status == 0


def test_other_thresholds_for_an_index_that_is_there(indexed: CommandLine) -> None:
    eased = replace(STANDARD, thresholds=replace(STANDARD.thresholds, near=0.1))
    Path("eased.json").write_text(json.dumps(eased.to_meta()))
    again = indexed("index", "news.jsonl", "--plan", "eased.json")
    assert again.status == 0
    (line,) = [line for line in again.err.splitlines() if "thresholds" in line]
    assert "run 'dupdex rebuild --plan FILE' to apply them" in line
    assert "thresholds" not in indexed("index", "news.jsonl", "--plan", "standard").err
    done = indexed("rebuild", "--plan", "eased.json")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("0 documents")
    assert f"its thresholds are those of the plan now, {STANDARD.id}\n" in done.out
    assert "thresholds" not in indexed("index", "news.jsonl", "--plan", "eased.json").err
    assert "thresholds" in indexed("index", "news.jsonl", "--plan", "standard").err
    assert "thresholds" not in indexed("rebuild").out
    assert "thresholds" not in indexed("rebuild", "--plan", "characters").out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["nothing.jsonl"], 3, "no such file or folder: nothing.jsonl; check the path"),
        (["what.dat"], 2, "name it with --format"),
        (["news.jsonl", "--encoding", "klingon"], 2, "'klingon' is not known"),
        (["news.jsonl", "--plan", "nothing.json"], 3, "a plan is a file, or one of: standard"),
        (["news.jsonl", "--plan", "what.dat"], 2, "what.dat: not valid JSON"),
        (["news.jsonl", "--plan", "plan.json"], 2, "plan.json: plan.bands is not an entry"),
        (["news.jsonl", "--mapping", "nothing.json"], 3, "give --mapping a JSON file"),
        (["news.jsonl", "--mapping", "list.json"], 2, "list.json: a mapping is an object"),
        (["news.jsonl", "--mapping", "plan.json"], 2, "a mapping is for Elasticsearch"),
        (["news.jsonl", "--index", "Not Allowed"], 2, "cannot name an index"),
        (["news.jsonl", "--workers", "0"], 2, "see 'dupdex index --help'"),
        (["news.jsonl", "--rejects"], 2, "requires an argument"),
        ([], 2, "see 'dupdex index --help'"),
        (
            ["news.jsonl", "--store", "list.json"],
            4,
            "list.json is a file; name another folder (--store, or DUPDEX_STORE)",
        ),
    ],
)
def test_what_is_refused_in_one_line(
    dupdex: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    Path("what.dat").write_bytes(b"\x00\x01\x02")
    Path("plan.json").write_text('{"bands": 3}')
    Path("list.json").write_text("[]")
    refused = dupdex("index", *arguments)
    assert refused.status == status
    assert said in refused.error()
    assert not Path("dupdex-store").exists() or not list(Path("dupdex-store").glob("*.sqlite"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--text-field", "text", "--text-field", "text"], "--text-field names 'text' twice"),
        (["--text-field", "dupdex"], "--text-field 'dupdex' is where dupdex keeps its own values"),
        (["--title-field", "dupdex.group"], "--title-field 'dupdex.group' is where dupdex"),
        (["--id-field", "dupdex"], "--id-field 'dupdex' is where dupdex keeps its own"),
    ],
)
def test_fields_that_no_document_can_have(
    dupdex: CommandLine, options: list[str], said: str
) -> None:
    """The text was stored twice, or nothing could be."""
    for command in ("index", "pairs"):
        refused = dupdex(command, "news.jsonl", *options)
        assert refused.status == 2
        assert said in refused.error()


def test_an_encoding_that_was_guessed_is_noted(dupdex: CommandLine) -> None:
    Path("in.jsonl").write_bytes(b'{"id": "1", "text": "caf\xe9s"}\n')
    for command in (["index", "in.jsonl"], ["check", "--file", "in.jsonl"], ["pairs", "in.jsonl"]):
        assert "in.jsonl:1 is not UTF-8 and was read as GB18030" in dupdex(*command).err


def test_a_text_from_a_pipe_needs_no_name(dupdex: CommandLine) -> None:
    assert dupdex("index", "-", "--format", "text", stdin=RAIN).status == 0
    assert dupdex("check", RAIN).status == 0
