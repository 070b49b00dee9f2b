"""get, search, info, delete, replay, rebuild on the embedded store."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mappings.plan import CHARACTERS, STANDARD
from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import FILM, FOX, NEWS, RAIN, CommandLine
from tests.unit.indexer.test_meta import UNSERVABLE


def test_get(indexed: CommandLine) -> None:
    shown = indexed("get", "fox", "rain")
    assert shown.status == 0
    assert '"title": "A fox"' in shown.out
    some = indexed("get", "fox", "nobody", "--json")
    assert some.status == 1
    assert some.json() == {"id": "fox", "document": NEWS[3]}
    assert some.err == "dupdex: no document 'nobody'\n"


def test_search(indexed: CommandLine) -> None:
    found = indexed("search", "暴雨")
    assert found.status == 0
    assert "暴雨预警" in found.out
    assert found.out.endswith("(2 in all)\n")
    hits = indexed("search", "暴雨", "--json", "--filter", "city=天津").json()
    assert hits["total"] == 1
    assert set(hits["hits"][0]) == {"id", "score", "document"}
    assert indexed("search", "不存在的词").status == 1
    assert len(indexed("search", "暴雨", "--size", "1", "--json").json()["hits"]) == 1
    assert indexed("search", "暴雨", "--offset", "-1").status == 2


def test_a_title_cannot_steer_the_terminal(dupdex: CommandLine) -> None:
    write_lines(Path("bad.jsonl"), [{"id": "1", "title": "红\x1b[31m色\n", "text": RAIN}])
    assert dupdex("index", "bad.jsonl").status == 0
    assert "\x1b" not in dupdex("search", "暴雨").out


def test_info(indexed: CommandLine) -> None:
    facts = indexed("info", "--json").json()
    assert facts["documents"] == 4
    assert facts["plan"] == STANDARD.id
    assert {"location", "store", "bytes", "text_fields", "title_field"} < set(facts)
    assert f"plan                      {STANDARD.id}" in indexed("info").out


def test_delete_says_what_it_removes(indexed: CommandLine) -> None:
    gone = indexed("delete", "fox", "fox", "nobody")
    assert gone.status == 1
    assert gone.out.splitlines() == [
        "fox  A fox",
        "nobody  not in the index",
        "1 deleted, 1 not found",
    ]
    assert indexed("get", "fox").status == 1
    done = indexed("delete", "film", "--yes", "--json")
    assert (done.status, done.json()) == (0, {"deleted": ["film"], "missing": []})
    assert done.err == "film  电影节\n"
    assert indexed("delete", "").status == 1


def test_rejected_documents_are_corrected_and_sent_again(indexed: CommandLine) -> None:
    write_lines(Path("more.jsonl"), [{"id": "1", "text": ""}, {"id": "2", "text": RAIN}])
    first = indexed("index", "more.jsonl")
    assert first.status == 1
    assert "more.jsonl:1: id '1' not stored: the text is empty" in first.err
    assert "correct them, then 'dupdex replay dupdex-rejects.ndjson'" in first.err

    again = indexed("replay", "dupdex-rejects.ndjson")  # as we were told, but uncorrected
    assert again.status == 1
    assert "'dupdex replay dupdex-rejects.ndjson'" in again.err

    kept = Path("dupdex-rejects.ndjson")
    letter = json.loads(kept.read_text("utf-8"))
    assert letter["origin"] == "more.jsonl:1"
    letter["body"]["text"] = RAIN
    kept.write_text(json.dumps(letter), "utf-8")
    done = indexed("replay", kept.name, "--json")
    assert (done.status, done.json()["created"]) == (0, 1)
    assert indexed("get", "1").status == 0
    assert not kept.exists()


def test_replay_leaves_the_documents_of_other_indices_alone(indexed: CommandLine) -> None:
    """Rejects of one index, replayed into another, wrote over that one's documents."""
    write_lines(Path("more.jsonl"), [{"id": "rain", "text": ""}, {"id": "2", "text": RAIN}])
    assert indexed("index", "more.jsonl", "--index", "other").status == 1
    kept = Path("other-rejects.ndjson")
    letter = json.loads(kept.read_text("utf-8"))
    letter["body"]["text"] = FILM
    kept.write_text(json.dumps(letter), "utf-8")

    refused = indexed("replay", kept.name)
    assert refused.status == 1
    assert f"{kept}:1: id 'rain' was meant for index other in " in refused.err
    assert "dupdex-store, it is not sent" in refused.err
    assert "1 documents of other-rejects.ndjson were not sent; name their index" in refused.err
    assert indexed("get", "rain", "--json").json()["document"]["text"] == RAIN
    assert indexed("replay", kept.name, "--store", "another").status == 3
    assert kept.exists()

    assert indexed("replay", kept.name, "--index", "other").status == 0
    assert indexed("get", "rain", "--index", "other", "--json").json()["document"]["text"] == FILM
    assert not kept.exists()


def corrected(kept: Path, text: str) -> None:
    letter = json.loads(kept.read_text("utf-8"))
    kept.write_text(json.dumps(letter | {"body": {"text": text}}), "utf-8")


def test_a_newer_version_is_not_overwritten_by_a_replay(indexed: CommandLine) -> None:
    kept = Path("dupdex-rejects.ndjson")
    for name in ("new", "rain"):  # the one was not stored before, of the other an older version is
        write_lines(Path("bad.jsonl"), [{"id": name, "text": ""}])
        assert indexed("index", "bad.jsonl").status == 1
        corrected(kept, FOX)
        write_lines(Path("good.jsonl"), [{"id": name, "text": FILM}])
        assert indexed("index", "good.jsonl").status == 0

        refused = indexed("replay", kept.name)
        assert refused.status == 1
        assert f"id {name!r} was indexed again after it was rejected" in refused.err
        assert "1 older than what is stored" in refused.out
        assert "1 documents of dupdex-rejects.ndjson were not sent, as the index" in refused.err
        assert indexed("get", name, "--json").json()["document"]["text"] == FILM
        assert indexed("replay", kept.name, "--json").json()["rejected"] == 1

        assert indexed("replay", kept.name, "--force").status == 0
        assert indexed("get", name, "--json").json()["document"]["text"] == FOX
        assert not kept.exists()


def test_an_older_version_is_overwritten_by_a_replay(indexed: CommandLine) -> None:
    """What was stored before is what the rejected version was to replace, also after a rebuild."""
    kept = Path("dupdex-rejects.ndjson")
    write_lines(Path("bad.jsonl"), [{"id": "rain", "text": ""}])
    assert indexed("index", "bad.jsonl").status == 1
    assert indexed("rebuild", "--plan", "characters").status == 0
    corrected(kept, FOX)
    assert indexed("replay", kept.name).status == 0
    assert indexed("get", "rain", "--json").json()["document"]["text"] == FOX


def test_a_document_deleted_after_its_rejection_is_replayed(indexed: CommandLine) -> None:
    kept = Path("dupdex-rejects.ndjson")
    write_lines(Path("bad.jsonl"), [{"id": "rain", "text": ""}])
    assert indexed("index", "bad.jsonl").status == 1
    assert indexed("delete", "rain", "--yes").status == 0
    corrected(kept, FOX)
    assert indexed("replay", kept.name).status == 0
    assert indexed("get", "rain").status == 0


def test_rejects_that_name_no_index_are_sent_when_told_so(indexed: CommandLine) -> None:
    kept = Path("old.ndjson")
    kept.write_text(json.dumps({"id": "1", "body": {"text": FOX}, "origin": "x:1"}) + "\n")
    refused = indexed("replay", kept.name, "--json")
    assert (refused.status, refused.json()["rejected"]) == (1, 1)
    assert "old.ndjson:1: id '1' names no index, it is not sent" in refused.err
    assert "or send them to this one with --force" in refused.err
    assert indexed("replay", kept.name, "--force").status == 0
    assert indexed("get", "1").status == 0


def test_what_was_replayed_never_goes_over_what_came_later(indexed: CommandLine) -> None:
    write_lines(Path("more.jsonl"), [{"id": "1", "text": ""}, {"id": "2", "text": ""}])
    indexed("index", "more.jsonl")
    kept = Path("dupdex-rejects.ndjson")
    mended = kept.read_text("utf-8").replace('"text":""', f'"text":"{FOX}"', 1)
    kept.write_text(mended, "utf-8")
    assert indexed("replay", kept.name).status == 1
    write_lines(Path("later.jsonl"), [{"id": "1", "text": FILM}])
    assert indexed("index", "later.jsonl").status == 0
    assert indexed("replay", kept.name).status == 1
    assert indexed("get", "1", "--json").json()["document"]["text"] == FILM


def test_replay_of_what_is_none(indexed: CommandLine) -> None:
    assert indexed("replay", "nothing.ndjson").status == 3
    assert "no such file" in indexed("replay", "nothing.ndjson").error()
    wrong = indexed("replay", "news.jsonl")
    assert wrong.status == 2
    assert "news.jsonl is no file of rejected documents" in wrong.error()
    assert "news.jsonl:1: not a rejected document" in wrong.error()
    assert len(Path("news.jsonl").read_text("utf-8").splitlines()) == 4
    Path("rejects.ndjson").touch()
    assert indexed("replay", "rejects.ndjson", "--index", "other").status == 3
    assert not Path("dupdex-store/other.sqlite").exists()


def test_rebuild_to_another_plan(indexed: CommandLine) -> None:
    assert "0 documents" in indexed("rebuild").out
    moved = indexed("rebuild", "--plan", "characters", "--workers", "2", "--json")
    assert (moved.status, moved.json()["updated"]) == (0, 4)
    assert indexed("info", "--json").json()["plan"] == CHARACTERS.id
    assert indexed("check", RAIN).status == 0
    assert indexed("index", "news.jsonl", "--plan", "characters").status == 0


@pytest.mark.parametrize("changes", UNSERVABLE.values(), ids=UNSERVABLE)
def test_a_rebuild_to_a_plan_that_cannot_be_served(
    indexed: CommandLine, changes: dict[str, Any]
) -> None:
    Path("plan.json").write_text(json.dumps(changes))
    refused = indexed("rebuild", "--plan", "plan.json")
    assert refused.status == 4
    assert refused.error().endswith("; the index was left as it is")
    assert indexed("check", RAIN).status == 0


def test_what_a_rebuild_cannot_move_is_told_kept_and_counted(indexed: CommandLine) -> None:
    with closing(sqlite3.connect("dupdex-store/dupdex.sqlite")) as db, db:
        db.execute("UPDATE documents SET body=? WHERE id='fox'", (b'{"id":"fox","text":""}',))
    assert indexed("info", "--json").json()["other_plans"] == 0
    moved = indexed("rebuild", "--plan", "characters", "--json")
    assert (moved.status, moved.json()["updated"], moved.json()["rejected"]) == (1, 3, 1)
    assert "id 'fox' not stored: the text is empty" in moved.err
    assert "dupdex replay dupdex-rejects.ndjson" in moved.err
    (kept,) = Path("dupdex-rejects.ndjson").read_text(encoding="utf-8").splitlines()
    assert '"fox"' in kept
    facts = indexed("info", "--json").json()
    assert (facts["documents"], facts["other_plans"]) == (4, 1)
    assert "dupdex rebuild" in facts["next_step"]
    shown = indexed("info").out
    assert "other plans               1\n" in shown
    assert "next step                 lookups may miss" in shown
    assert indexed("get", "fox", "--json").json()["document"] == {"id": "fox", "text": ""}
    assert indexed("rebuild").status == 1
    assert indexed("delete", "fox").status == 0
    assert "next_step" not in indexed("info", "--json").json()


def test_readers_are_refused_while_a_rebuild_is_unfinished(indexed: CommandLine) -> None:
    path = Path("dupdex-store/dupdex.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        (text,) = db.execute("SELECT value FROM meta WHERE key='index'").fetchone()
        begun = {**json.loads(text), "rebuilding": CHARACTERS.to_meta()}
        db.execute("UPDATE meta SET value=? WHERE key='index'", (json.dumps(begun),))
    for arguments in (["check", RAIN], ["info"], ["index", "news.jsonl"], ["delete", "fox"]):
        refused = indexed(*arguments)
        assert refused.status == 4
        assert "run 'dupdex rebuild' again, it goes on where it stopped" in refused.error()
        assert refused.error().endswith("; to go back, run 'dupdex rebuild --plan standard'")
    assert indexed("rebuild").status == 0
    assert indexed("info", "--json").json()["plan"] == CHARACTERS.id


@pytest.mark.parametrize(
    "command", [["info"], ["get", "x"], ["search", "x"], ["delete", "x"], ["rebuild"]]
)
def test_no_index(dupdex: CommandLine, command: list[str]) -> None:
    refused = dupdex(*command)
    assert refused.status == 3
    assert "make one with 'dupdex index'" in refused.error()
    assert not Path("dupdex-store").exists()


def test_groups_of_a_sweep_wait_for_the_next_one(dupdex: CommandLine) -> None:
    """Those that are kept as documents are written follow at once, and others there are none."""
    said = "the groups of this index follow with the next 'dupdex sweep'"
    assert dupdex("index", "news.jsonl").status == 0
    decided = ("decide", "rain", "again", "not-duplicate")
    assert said not in dupdex(*decided).err
    assert dupdex("sweep").status == 0
    assert said in dupdex(*decided).err
    assert dupdex("index", "--group", "news.jsonl").status == 0
    assert said not in dupdex(*decided).err
