"""`dupdex kibana` as its users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import Result, run, write_lines
from tests.service.kibana.conftest import Sampled
from tests.service.kibana.kibana_server import kibana_server
from tests.unit.dupdex.kibana.object_checks import problems

FIELDS = ("--date-field", "date", "--source-field", "source")


def kibana(sampled: Sampled, folder: Path, *arguments: str, **more: str) -> Result:
    place = {"DUPDEX_STORE": sampled.location.store, "DUPDEX_INDEX": sampled.index}
    return run("kibana", *arguments, folder=folder, **(place | more))


def test_a_file(sampled: Sampled, tmp_path: Path) -> None:
    done = kibana(sampled, tmp_path, "export", "board.ndjson", *FIELDS)
    assert (done.status, done.out, done.err) == (0, "wrote 9 objects to board.ndjson\n", "")
    with (tmp_path / "board.ndjson").open("rb") as file:
        lines = list(file)
    assert problems(lines) == []
    assert [json.loads(line) for line in lines] == list(sampled.objects().values())
    printed = kibana(sampled, tmp_path, "export", *FIELDS)
    assert printed.json_lines() == [json.loads(line) for line in lines]


def test_the_list_of_copies(sampled: Sampled, tmp_path: Path) -> None:
    done = kibana(sampled, tmp_path, "copies", *FIELDS)
    originals = len({each["original"] for each in sampled.copies})
    across = sum(each["across"] == "yes" for each in sampled.copies)
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        f"{len(sampled.copies)} copies of {originals} originals listed, {across} of them from "
        "another source\n"
    )
    again = kibana(sampled, tmp_path, "copies", "--json", *FIELDS).json()
    counts = {"copies": len(sampled.copies), "originals": originals, "across": across}
    assert again == counts | {"gone": 0}


def test_an_import(sampled: Sampled, tmp_path: Path) -> None:
    with kibana_server() as server:
        server.authorization = "ApiKey a2V5"
        space = ("--space", "desk", "--console", "https://dup.example.com")
        done = kibana(
            sampled, tmp_path, "import", server.url, *space, *FIELDS, DUPDEX_API_KEY="a2V5"
        )
        assert (done.status, done.err) == (0, "")
        first, duplicates, copying = done.out.splitlines()
        assert first == f"imported 9 objects into {server.url}/s/desk"
        address = f"{server.url}/s/desk/app/dashboards#/view/dupdex-{sampled.index}"
        assert duplicates == f"Duplicates ({sampled.index}): {address}-duplicates"
        assert copying == f"Copying between sources ({sampled.index}): {address}-copying"
        assert "https://dup.example.com/_dupdex/console" in json.dumps(server.stored["desk"])
        again = kibana(
            sampled, tmp_path, "import", server.url, *space, "--no-overwrite", DUPDEX_API_KEY="a2V5"
        )
        assert again.status == 4
        assert "(conflict)" in again.err.splitlines()[-1]
        refused = kibana(sampled, tmp_path, "import", server.url, "--json", *FIELDS)
        assert refused.status == 5
        assert "refused the credentials (status 401)" in refused.error()


def test_in_chinese(sampled: Sampled, tmp_path: Path) -> None:
    told = kibana(sampled, tmp_path, "export", "--language", "zh", *FIELDS).json_lines()
    titles = [each["attributes"]["title"] for each in told if each["type"] == "dashboard"]
    assert titles == [f"重复情况 ({sampled.index})", f"来源之间的转载 ({sampled.index})"]
    assert f"compare?index={sampled.index}&pair=" in json.dumps(told)


def test_what_cannot_be_shown_is_said(sampled: Sampled, tmp_path: Path) -> None:
    bare = kibana(sampled, tmp_path, "export", "b.ndjson")
    assert bare.status == 0
    assert bare.err == (
        "dupdex: no dashboard about sources is made; name their field with --source-field\n"
    )
    write_lines(tmp_path / "n.jsonl", [{"id": "1", "text": "一二三四五六七八九十", "kind": "x"}])
    place = {"DUPDEX_STORE": sampled.location.store, "DUPDEX_INDEX": f"{sampled.index}-1"}
    try:
        assert run("index", "n.jsonl", folder=tmp_path, **place).status == 0
        fresh = run("kibana", "export", "c.ndjson", *FIELDS, folder=tmp_path, **place)
        assert fresh.status == 2
        assert "field 'date' is not mapped as a date" in fresh.error()
        fresh = run("kibana", "export", "c.ndjson", folder=tmp_path, **place)
        assert fresh.status == 0
        assert fresh.err.splitlines()[0] == (
            "dupdex: the index keeps no matches, groups, runs yet; 'dupdex sweep' makes them"
        )
        source = ("--source-field", "kind")
        fresh = run("kibana", "export", "c.ndjson", *source, folder=tmp_path, **place)
        assert fresh.err.splitlines()[1] == (
            "dupdex: the index keeps no copies yet; 'dupdex kibana copies' makes them"
        )
        listing = run("kibana", "copies", *source, folder=tmp_path, **place)
        assert (listing.status, listing.error()[:29]) == (3, "the index keeps no groups yet")
    finally:
        sampled.client.indices.delete(index=f"{sampled.index}-1")
        sampled.client.indices.delete_index_template(name=f"dupdex-{sampled.index}-1")


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("export", "b.json"), 2, "Kibana takes no file but .ndjson; write 'b.json.ndjson'"),
        (("export", "--source-field", "none"), 2, "no document has a value in the field 'none'"),
        (("export", "--source-field", "text"), 2, "'text', which is mapped as text; name a field"),
        (("export", "--date-field", "source"), 2, "field 'source' is not mapped as a date"),
        (("export", "--console", "console"), 2, "the console 'console' is no URL"),
        (("export", "--index", "absent-index"), 3, "absent-index"),
        (("export", "--store", "./folder"), 2, "is a folder; name a server with --store"),
        (("export", "no/where.ndjson"), 2, "cannot be written"),
        (("import", "localhost:5601"), 2, "write it like http://localhost:5601"),
        (("import", "http://localhost:5601", "--space", "A B"), 2, "is no identifier of a space"),
    ],
)
def test_what_cannot_be_done_is_said(
    sampled: Sampled, tmp_path: Path, arguments: tuple[str, ...], status: int, told: str
) -> None:
    done = kibana(sampled, tmp_path, *arguments)
    assert (done.status, done.out) == (status, "")
    assert told in done.err.splitlines()[-1]
