"""Runs over CSV files and folders that are killed on the way and taken up by the next."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.command import halted, halting, interrupted, killed, run, start, write_lines
from tests.service.elastic_data import chinese
from tests.service.test_cli import MANY, SOME, checkpoint, texts


def write_csv(path: Path, documents: list[dict[str, object]]) -> None:
    """Every text in quotes and on three lines, the second of which looks like a row."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, ["id", "text", "n"])
        rows.writeheader()
        rows.writerows({**each, "text": f"{each['text']}\nx,y,z\n末行"} for each in documents)


def write_folder(folder: Path, documents: list[dict[str, object]]) -> None:
    """Files of each kind; the run halts in the last but one."""
    (folder / "b").mkdir(parents=True)
    write_lines(folder / "a.jsonl", documents[: SOME // 2])
    for each in documents[SOME // 2 : SOME // 2 + 20]:
        (folder / "b" / f"{each['id']}.txt").write_text(str(each["text"]), "utf-8")
    write_csv(folder / "c.csv", documents[SOME // 2 + 20 : SOME * 2])
    write_lines(folder / "d.jsonl", documents[SOME * 2 :])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        # a header, and three lines for each of the documents before
        ("all.csv", f"going on after line {1 + 3 * SOME - 2:,} of all.csv"),
        ("all", f"going on after line {1 + 3 * (SOME // 2 - 20) - 2:,} of all/c.csv"),
    ],
)
def test_every_source_is_taken_up(tmp_path: Path, name: str, said: str) -> None:
    """Killed in the middle of a CSV file, whose records are of several lines."""
    (write_csv if name == "all.csv" else write_folder)(tmp_path / name, texts(MANY))
    command = ("index", name, "--plan", "characters")
    killed(halted(start(*command, folder=tmp_path, program=halting(SOME))))
    done = run(*command, "--json", folder=tmp_path)
    assert said in done.err
    assert done.json()["created"] + done.json()["updated"] == MANY - SOME
    assert not checkpoint(tmp_path)
    assert run("info", "--json", folder=tmp_path).json()["documents"] == MANY
    last = run("get", f"d{MANY - 1}", "--json", folder=tmp_path).json()["document"]["text"]
    assert str(texts(MANY)[-1]["text"]) in last


def test_a_folder_that_changed_begins_anew(tmp_path: Path) -> None:
    write_folder(tmp_path / "all", texts(MANY))
    command = ("index", "all", "--plan", "characters")
    killed(halted(start(*command, folder=tmp_path, program=halting(SOME))))
    write_lines(tmp_path / "all" / "0.jsonl", [{"id": "new", "text": chinese("new")}])
    done = run(*command, "--json", folder=tmp_path)
    assert "not those of the interrupted run, beginning anew" in done.err
    assert done.json()["created"] + done.json()["updated"] == MANY + 1


def test_what_was_not_stored_before_the_interruption_is_not_forgotten(tmp_path: Path) -> None:
    """A run that goes on ended with 0 and a summary without the lines that the first could not
    read, and kept some of them twice."""
    documents = texts(MANY)
    with (tmp_path / "all.jsonl").open("w", encoding="utf-8") as file:
        for number, each in enumerate(documents):
            if number % 100 == 50:
                file.write(f"{{oops {number}\n")
            elif number % 100 == 70:
                each = {**each, "text": ""}
            file.write(json.dumps(each) + "\n")
    bad, rejected = MANY // 100, MANY // 100
    command = ("index", "all.jsonl", "--plan", "characters")
    killed(halted(start(*command, folder=tmp_path, program=halting(SOME))))
    again = interrupted(halted(start(*command, folder=tmp_path, program=halting(SOME))))
    assert again.status == 130
    done = run(*command, folder=tmp_path)
    assert done.status == 1
    assert f", {rejected:,} rejected, {bad:,} unreadable, " in done.out
    assert " of them before the interruption (kept in dupdex-rejects.ndjson)" in done.out
    kept = (tmp_path / "dupdex-rejects.ndjson").read_text("utf-8").splitlines()
    origins = [json.loads(line)["origin"] for line in kept]
    assert len(origins) == len(set(origins)) == bad + rejected
    told = run(*command, "--json", folder=tmp_path).json()  # anew: nothing is left of the other
    assert (told["rejected"], told["bad_lines"]) == (rejected, bad)


def test_a_killed_replay_sends_nothing_twice(tmp_path: Path) -> None:
    """What it had sent would go over what was indexed since."""
    write_lines(tmp_path / "in.jsonl", ({**each, "text": ""} for each in texts(MANY)))
    write_lines(tmp_path / "one.jsonl", texts(1))
    run("index", "one.jsonl", "--plan", "characters", folder=tmp_path)
    assert run("index", "in.jsonl", folder=tmp_path).status == 1
    rejects = tmp_path / "dupdex-rejects.ndjson"
    mended = (
        {**json.loads(line), "body": document}
        for line, document in zip(rejects.read_text("utf-8").splitlines(), texts(MANY), strict=True)
    )
    write_lines(tmp_path / "mended.ndjson", mended)
    killed(halted(start("replay", "mended.ndjson", folder=tmp_path, program=halting(SOME))))
    done = run("replay", "mended.ndjson", "--json", folder=tmp_path)
    assert done.status == 0
    assert done.json()["created"] + done.json()["updated"] < MANY - SOME
    assert run("info", "--json", folder=tmp_path).json()["documents"] == MANY
    assert not (tmp_path / "mended.ndjson").exists()
