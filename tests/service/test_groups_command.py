"""The commands around groups, as people run them, in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import Result, run
from tests.texts import METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA

TEXTS = {"a": METRO, "b": METRO_HOMOPHONES, "c": METRO_TRADITIONAL, "d": TEA, "e": TEA}
SOURCES = dict(zip(TEXTS, ("x", "y", "z", "x", "x"), strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [
        json.dumps({"id": name, "text": text, "source": SOURCES[name]}, ensure_ascii=False)
        for name, text in TEXTS.items()
    ]
    (tmp_path / "news.jsonl").write_text("\n".join(lines), "utf-8")
    assert run("index", "news.jsonl", "--group", folder=tmp_path).status == 0
    return tmp_path


def sizes(done: Result) -> dict[str, int]:
    return {group["id"]: group["size"] for group in done.json()["groups"]}


def test_groups_are_listed_and_shown(folder: Path) -> None:
    assert sizes(run("groups", "--json", folder=folder)) == {"a": 3, "d": 2}
    first = run("groups", "--json", "--size", "1", folder=folder).json()
    rest = run("groups", "--json", "--after", first["next"], folder=folder)
    assert sizes(rest) == {"d": 2}
    spread = run("groups", "--sort", "spread", "--field", "source", "--json", folder=folder).json()
    assert [group["spread"] for group in spread["groups"]] == [3, 1]
    shown = run("groups", "show", "c", "--json", folder=folder).json()
    assert (shown["id"], shown["asked"], shown["canonical"]["id"]) == ("a", "c", "a")
    assert {member["id"] for member in shown["members"]} == {"a", "b", "c"}
    assert len(shown["edges"]) == 3
    assert "first seen" in run("groups", "show", "a", folder=folder).out


def test_groups_are_corrected(folder: Path) -> None:
    merged = run("groups", "merge", "a", "d", "--by", "me", "--json", folder=folder).json()
    assert (merged["id"], merged["size"], merged["merged"]) == ("a", 5, ["d"])
    assert run("groups", "show", "d", "--json", folder=folder).json()["id"] == "a"
    split = run("groups", "split", "a", "d", "e", "--json", folder=folder).json()
    assert {member["id"] for member in split["members"]} == {"d", "e"}
    chosen = run("groups", "canonical", "b", "--json", folder=folder).json()
    assert (chosen["canonical"]["id"], chosen["why"]) == ("b", "chosen by hand")
    shown = run("groups", "show", "e", folder=folder).out
    assert "last corrected" in shown and "split" in shown
    undone = run("groups", "undo", "b", "--json", folder=folder).json()
    assert (undone["canonical"]["id"], undone["undoable"]["kind"]) == ("a", "split")
    assert run("groups", "undo", "e", "--json", folder=folder).json()["size"] == 5
    assert run("groups", "undo", "d", "--json", folder=folder).json()["undoable"] is None
    assert sizes(run("groups", "--json", folder=folder)) == {"a": 3, "d": 2}
    refused = run("groups", "undo", "d", folder=folder)
    assert (refused.status, "could be undone" in refused.error()) == (2, True)
    assert run("groups", "split", "a", "c", folder=folder).status == 0
    assert run("groups", "merge", "a", "c", folder=folder).status == 0
    assert run("groups", "release", "a", "--json", folder=folder).json() == {"released": 3}
    undone = run("groups", "undo", "a", "--json", folder=folder).json()
    assert (undone["size"], undone["undoable"]["kind"]) == (3, "merge")
    assert [member["pinned"] for member in undone["members"]] == [True] * 3
    assert run("groups", "show", "nobody", folder=folder).status == 3
    assert "not in group" in run("groups", "split", "a", "x", folder=folder).error()


def test_a_decision_parts_two_documents(folder: Path) -> None:
    assert run("decide", "d", "e", "not-duplicate", folder=folder).status == 0
    assert sizes(run("groups", "--json", folder=folder)) == {"a": 3}


def test_what_goes_is_no_longer_in_a_group(folder: Path) -> None:
    assert run("delete", "d", "--yes", folder=folder).status == 0
    assert run("forget", "a", folder=folder).status == 0
    (group,) = run("groups", "--json", folder=folder).json()["groups"]
    assert group["size"] == 2
    assert group["id"] in ("b", "c")


def test_searches_show_a_hit_a_group(folder: Path) -> None:
    found = run("search", "的", "--collapse", "--size", "1", "--json", folder=folder).json()
    assert (found["documents"], found["groups"], len(found["hits"])) == (5, 2, 1)
    rest = run("search", "的", "--collapse", "--after", found["next"], "--json", folder=folder)
    hits = [*found["hits"], *rest.json()["hits"]]
    assert sorted((hit["group"], hit["copies"]) for hit in hits) == [("a", 3), ("d", 2)]
    assert "--collapse" in run("search", "的", "--after", "x", folder=folder).error()


def test_options_that_need_others(folder: Path) -> None:
    assert "--group" in run("index", "news.jsonl", "--canonical", "longest", folder=folder).error()
    said = run("index", "news.jsonl", "--group", "--canonical", "earliest", folder=folder).error()
    assert "--canonical-field" in said
