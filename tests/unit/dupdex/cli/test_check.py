"""`dupdex check`: a text, a stored document, a stream; its answers and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import NEWS, RAIN, CommandLine


def test_a_text_that_is_a_copy(indexed: CommandLine) -> None:
    found = indexed("check", RAIN)
    assert (found.status, found.err) == (0, "")
    first, reason, *_ = found.out.splitlines()
    assert first.split() == ["exact", "1.00", "rain", "暴雨预警"]
    assert "characters 1.00" in reason
    assert "same text" in reason


def test_a_text_that_is_none(indexed: CommandLine) -> None:
    none = indexed("check", "春天来了，公园里的樱花全都开放了，许多游人前来观赏。")
    assert none.status == 1
    assert none.out.startswith("no duplicate found\n")


def test_a_text_backwards_is_found_on_request(indexed: CommandLine) -> None:
    assert indexed("check", RAIN[::-1]).status == 1
    found = indexed("check", RAIN[::-1], "--backwards")
    assert found.status == 0
    assert found.out.split()[:3] == ["near", "1.00", "rain"]
    assert "disguise: backwards" in found.out


def test_a_disguise_is_named(indexed: CommandLine) -> None:
    letters = list(RAIN)
    for at in range(0, len(letters) - 1, 5):
        letters[at], letters[at + 1] = letters[at + 1], letters[at]
    found = indexed("check", "".join(letters))
    assert found.status == 0
    assert "disguise: letters swapped" in found.out


def test_json_has_all_there_is_to_know(indexed: CommandLine) -> None:
    answer = indexed("check", "--id", "rain", "--json").json()
    assert set(answer) == {
        "format", "id", "left_out", "duplicate", "matches", "completeness",
    }  # fmt: skip
    assert (answer["id"], answer["left_out"], answer["duplicate"]) == ("rain", "rain", True)
    (match,) = answer["matches"]
    assert set(match) == {
        "id", "index", "verdict", "similarity", "share", "stored_share", "direction", "located",
        "facts_differ", "facts_total", "disguise", "template", "decided", "evidence", "document",
    }  # fmt: skip
    assert (match["id"], match["verdict"]) == ("again", "near")
    assert match["document"]["city"] == "天津"
    assert set(match["evidence"]) == {
        "verified", "keys", "hamming", "jaccard", "syllable_jaccard", "shared",
    }  # fmt: skip
    assert set(answer["completeness"]) == {
        "candidates", "examined", "from_stored", "undecided", "truncated", "frequent_keys",
        "rare_only", "boilerplate", "widespread", "templates", "decided", "guarantee",
    }  # fmt: skip


def test_a_file_gives_a_line_for_each_document(indexed: CommandLine) -> None:
    found = indexed("check", "--file", "news.jsonl", "--self")
    assert found.status == 0
    assert [line.split("\t")[0] for line in found.out.splitlines()] == [each["id"] for each in NEWS]
    assert found.out.splitlines()[2] == "film\tnone"
    answers = indexed("check", "--file", "news.jsonl", "--self", "--json").json_lines()
    assert [answer["left_out"] for answer in answers] == [each["id"] for each in NEWS]
    assert [answer["duplicate"] for answer in answers] == [True, True, False, False]


def test_a_stream_with_bad_lines(indexed: CommandLine) -> None:
    stream = '{"id": "x", "text": ""}\n{oops\n{"id": "y", "text": "' + RAIN + '"}\n'
    found = indexed("check", "--file", "-", stdin=stream)
    assert found.status == 2
    assert [line.split("\t")[0] for line in found.out.splitlines()] == ["y"]
    assert "document 'x': the text is empty" in found.err
    assert "stdin:2: not valid JSON" in found.err


def test_size_threshold_all(indexed: CommandLine) -> None:
    def count(*options: str) -> int:
        return len(indexed("check", RAIN, "--json", *options).json()["matches"])

    assert count() == 2
    assert count("--size", "1") == 1
    assert count("--threshold", "0.99") == 1
    assert count("--all") == 2
    assert indexed("check", RAIN[:-5], "--threshold", "0.99").status == 1


def test_a_file_with_fields_of_its_own(indexed: CommandLine) -> None:
    write_lines(Path("other.jsonl"), [{"nr": 7, "body": RAIN}])
    fields = ("--text-field", "body", "--id-field", "nr")
    assert indexed("check", "--file", "other.jsonl", *fields, "--json").json()["id"] == "7"
    assert indexed("check", "--file", "other.jsonl").status == 2


def test_filters(indexed: CommandLine) -> None:
    def found(*filters: str) -> list[str]:
        options = [part for each in filters for part in ("--filter", each)]
        answer = indexed("check", RAIN, "--json", *options).json()
        return [match["id"] for match in answer["matches"]]

    assert found("city=北京") == ["rain"]
    assert found("n=2") == ["again"]
    assert found('{"term": {"city": "天津"}}') == ["again"]
    assert found("city=北京", "n=2") == []


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ([], 2, "give one of: a TEXT, --file FILE, --id ID"),
        (["x", "--id", "rain"], 2, "give one of"),
        ([""], 2, "the text is empty"),
        (["--id", "nobody"], 3, "no document 'nobody' in the index"),
        (["--file", "nothing.jsonl"], 3, "no such file or folder: nothing.jsonl"),
        (["x", "--size", "0"], 2, "--size"),
        (["x", "--threshold", "1.5"], 2, "--threshold"),
        (["x", "--filter", "city"], 2, "write FIELD=VALUE, or a JSON query clause"),
        (["x", "--filter", '{"term":'], 2, "is not valid JSON"),
        (["x", "--filter", '{"range": {"n": {"gt": 1}}}'], 2, "filter clause 'range'"),
        (["\udcff"], 2, "not valid UTF-8"),
        (["x", "--index", "other"], 3, "make one with 'dupdex index'"),
        (["x", "--store", "nowhere"], 3, "make one with 'dupdex index'"),
        (["x", "--bogus"], 2, "see 'dupdex check --help'"),
    ],
)
def test_what_is_refused_in_one_line(
    indexed: CommandLine, arguments: list[str], status: int, said: str
) -> None:
    refused = indexed("check", *arguments)
    assert refused.status == status
    assert said in refused.error()
    assert refused.out == ""
    assert not Path("nowhere").exists()


def test_a_stored_document_of_the_same_id_is_a_match(dupdex: CommandLine) -> None:
    """The id of an incoming text says nothing of what is stored under it."""
    write_lines(Path("one.jsonl"), NEWS[:1])
    dupdex("index", "one.jsonl")
    found = dupdex("check", "--file", "one.jsonl")
    assert (found.status, found.out) == (0, "rain\texact 1.00\train\n")
    answer = dupdex("check", "--file", "one.jsonl", "--json").json()
    assert (answer["id"], answer["left_out"]) == ("rain", None)


def test_a_copy_with_a_made_id_is_found(dupdex: CommandLine) -> None:
    write_lines(Path("one.jsonl"), [{"text": RAIN}])
    dupdex("index", "one.jsonl", "--make-ids")
    found = dupdex("check", "--file", "one.jsonl", "--make-ids")
    assert (found.status, "exact 1.00" in found.out) == (0, True)


def test_copies_in_two_folders_with_equal_file_names(dupdex: CommandLine) -> None:
    for folder in ("orig", "susp"):
        Path(folder).mkdir()
        Path(folder, "001.txt").write_text(RAIN, "utf-8")
    dupdex("index", "orig")
    found = dupdex("check", "--file", "susp")
    assert (found.status, found.out) == (0, "001.txt\texact 1.00\t001.txt\n")


def test_documents_of_the_index_are_left_out_when_asked(dupdex: CommandLine) -> None:
    write_lines(Path("one.jsonl"), NEWS[:1])
    dupdex("index", "one.jsonl")
    left_out = dupdex("check", "--file", "one.jsonl", "--self")
    assert (left_out.status, left_out.out) == (1, "rain\tnone\n")
    assert left_out.err == (
        "dupdex: left out (--self): stored documents of the same id, in 1 of 1 lookup\n"
    )
    twice = dupdex("check", "--file", "news.jsonl", "--self")
    assert twice.err.endswith(f"of the same id, in 1 of {len(NEWS)} lookups\n")
    answers = dupdex("check", "--file", "news.jsonl", "--self", "--json").out.splitlines()
    said = [json.loads(answer)["left_out"] for answer in answers]
    assert said == ["rain"] + [None] * (len(NEWS) - 1)
    assert dupdex("check", "--file", "one.jsonl", "--self", "--json").err == ""  # each answer says
    assert dupdex("check", "--file", "one.jsonl").err == ""
    assert dupdex("check", RAIN).status == 0
    itself = dupdex("check", "--id", "rain")
    assert itself.status == 1
    assert "document rain itself left out" in itself.out
    assert "--self is for documents of a file" in dupdex("check", RAIN, "--self").error()
