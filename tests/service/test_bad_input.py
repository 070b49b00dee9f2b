"""What bad input gets: a clear line with the next step, and nothing written before is lost."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.plan import CHARACTERS
from tests.command import (
    SCRIPT,
    Result,
    run,
    run_on_a_full_disk,
    write_lines,
)
from tests.service.elastic_data import chinese
from tests.service.proxy import Reply, Seen, proxied

CommandLine = Callable[..., Result]
GOOD: Final[dict[str, object]] = {"id": "good", "text": chinese("good"), "n": 1}
LAST: Final[dict[str, object]] = {"id": "last", "text": chinese("last"), "n": 2}


@pytest.fixture(params=["embedded", "elasticsearch"])
def dupdex(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CommandLine]:
    """`dupdex ARGUMENTS` on an index that is not there yet, on each kind of store."""
    name = f"bad-{uuid.uuid4().hex[:12]}"
    embedded = request.param == "embedded"
    place = "store" if embedded else request.getfixturevalue("es_url")

    def call(*arguments: str, **more: object) -> Result:
        store = {"DUPDEX_STORE": place, "DUPDEX_INDEX": name}
        return run(*arguments, folder=tmp_path, **store, **more)  # type: ignore[arg-type]

    yield call
    if not embedded:
        remove(place, name)


def remove(url: str, name: str) -> None:
    with closing(connect(ElasticSettings(url, name))) as client:
        client.indices.delete(index=name, ignore_unavailable=True)


def lines(*documents: dict[str, object] | bytes) -> bytes:
    """JSON lines, and lines that are none."""
    return b"".join(
        (each if isinstance(each, bytes) else json.dumps(each, ensure_ascii=False).encode()) + b"\n"
        for each in documents
    )


def stored(dupdex: CommandLine, *names: str) -> bool:
    return dupdex("get", *names).status == 0


BAD: Final[list[tuple[dict[str, object] | bytes, str]]] = [
    ({"id": "x", "text": ""}, "id 'x' not stored: the text is empty; give it"),
    ({"id": "x", "text": " \u200b\n"}, "id 'x' not stored: the text is empty"),
    ({"id": "x", "text": "长" * 300}, "id 'x' not stored: the text has 300"),
    ({"text": "没有名字的文章"}, "no id: field 'id' is missing or empty; name"),
    ({"id": "", "text": "文章"}, "no id: field 'id' is missing or empty"),
    ({"id": "x" * 513, "text": "文章"}, "field 'id' has 513 bytes, at most 512"),
    ({"id": ["x"], "text": "文章"}, "field 'id' holds a list; an id is a string"),
    ({"id": 1.5, "text": "文章"}, "field 'id' holds a fraction"),
    ({"id": "x"}, "no text: none of the fields text is present"),
    ({"id": "x", "text": {"zh": "文章"}}, "field 'text' holds an object, not"),
    ({"id": "x", "text": ["文章", 7]}, "field 'text' holds a number, not a string"),
    ({"id": "x", "text": 7}, "field 'text' holds a number, not a string"),
    ({"id": "x", "text": True}, "field 'text' holds a boolean, not a string"),
    ({"id": "x", "text": "文章", "dupdex": 1}, "field 'dupdex' is where dupdex keeps its own"),
    (b'{"id": "x", "text": "\x81\xff"}', "not valid UTF-8 at byte"),
    (b'{"id": "x", "text": "a\x00b"}', "binary content (a NUL byte)"),
    (b'{"id": "x", "text": "\\ud800"}', "field 'text' holds a lone surrogate"),
    (b'{"id": "x", "text": ', "not valid JSON at character"),
    (b'["x"]', "the line holds a list, not an object; write one object per line"),
    (
        b'{"id": "x", "text": "t", "a": ' + b"[" * 200 + b"]" * 200 + b"}",
        "field 'a' is nested deeper",
    ),
]


@pytest.fixture(scope="module")
def bad_documents(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A run over all of them, one a line, between two that are good."""
    folder = tmp_path_factory.mktemp("bad")
    (folder / "plan.json").write_text('{"words": "none", "max_characters": 250}')
    (folder / "in.jsonl").write_bytes(lines(GOOD, *(bad for bad, _ in BAD), LAST))
    return folder, run("index", "in.jsonl", "--plan", "plan.json", folder=folder)


@pytest.mark.parametrize("number", range(len(BAD)), ids=[said[:40] for _, said in BAD])
def test_a_bad_document_is_named_with_its_line(
    bad_documents: tuple[Path, Result], number: int
) -> None:
    _, done = bad_documents
    said = [line for line in done.err.splitlines() if f"in.jsonl:{number + 2}: " in line]
    assert any(BAD[number][1] in line for line in said)


def test_bad_documents_cost_themselves_alone(bad_documents: tuple[Path, Result]) -> None:
    folder, done = bad_documents
    assert done.status == 1
    assert done.out.startswith("2 documents stored")
    assert all(line.startswith("dupdex: ") for line in done.err.splitlines())
    assert run("get", "good", "last", folder=folder).status == 0


def test_the_same_on_each_store(dupdex: CommandLine, tmp_path: Path) -> None:
    bad: list[dict[str, object] | bytes] = [
        {"id": "empty", "text": ""},
        {"text": "没有名字"},
        {"id": "nested", "text": {"zh": "文章"}},
        b"{oops",
        b'{"id": "binary", "text": "a\x00b"}',
    ]
    (tmp_path / "in.jsonl").write_bytes(lines(GOOD, *bad, LAST))
    done = dupdex("index", "in.jsonl", "--plan", "characters", "--json")
    assert done.status == 1
    assert done.json() == {
        "created": 2,
        "updated": 0,
        "rejected": 1,
        "bad_lines": 4,
        "ids_twice": 0,
    }
    assert stored(dupdex, "good", "last")
    (rejects,) = tmp_path.glob("bad-*-rejects.ndjson")
    text = rejects.read_text("utf-8")
    kept = sorted(map(json.loads, text.splitlines()), key=lambda entry: str(entry["origin"]))
    assert [entry["origin"] for entry in kept] == [f"in.jsonl:{n}" for n in range(2, 7)]
    assert kept[0]["body"] == bad[0]
    assert [entry["line"] for entry in kept[1:]] == lines(*bad[1:]).decode().splitlines()
    assert all(entry["reason"] for entry in kept)


def test_an_id_twice(dupdex: CommandLine, tmp_path: Path) -> None:
    """The last one wins, whether it comes at once or many documents later."""
    between: list[dict[str, object]] = [
        {"id": f"b{n}", "text": chinese(n, 40)} for n in range(1200)
    ]
    twice = [{**GOOD, "n": 8}, *between, {**GOOD, "n": 9}]
    write_lines(tmp_path / "in.jsonl", [GOOD, *twice])
    done = dupdex("index", "in.jsonl", "--plan", "characters", "--json")
    assert done.status == 0
    assert done.json()["ids_twice"] == 2
    assert "in.jsonl:2: id 'good' again; the last one stays" in done.err
    assert "in.jsonl:1203: id 'good' again" in done.err
    assert dupdex("get", "good", "--json").json()["document"]["n"] == 9
    assert dupdex("info", "--json").json()["documents"] == 1201


def test_a_field_of_two_types(dupdex: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(GOOD, {**LAST, "n": {"deep": 1}}))
    done = dupdex("index", "in.jsonl", "--plan", "characters")
    assert stored(dupdex, "good")
    if done.status:  # a server maps `n` as a number at its first document
        assert "in.jsonl:2: id 'last' not stored" in done.err
        assert "[n]" in done.err
        next(tmp_path.glob("bad-*-rejects.ndjson")).unlink()
    else:
        assert stored(dupdex, "last")


BAD_FILES: Final = [
    ("binary.txt", b"\x7fELF\x00\x01", "binary.txt:1: binary content (a NUL byte)"),
    ("broken.txt", b"\x81\xff\xfe", "broken.txt:1: not valid UTF-8 at byte 1; name the"),
    ("empty.txt", b"", "not stored: the text is empty"),
    ("cut.jsonl.gz", b"\x1f\x8b\x08\x00", "the file cannot be read further"),
    ("no-id.csv", "text\n文章\n".encode(), "no-id.csv:1: the header has no column 'id'"),
    ("short.csv", b"id,text\n1\n", "short.csv:2: the row has 1 columns, the header 2"),
    ("lines.csv", b'id,text\n1,"open\n', "lines.csv:2: not a CSV row"),
]


def test_bad_files_of_a_folder_cost_themselves_alone(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data, _ in BAD_FILES:
        (folder / name).write_bytes(data)
    write_lines(folder / "a.jsonl", [GOOD])
    write_lines(folder / "z.jsonl", [LAST])
    done = run("index", "in", folder=tmp_path)
    assert done.status == 1
    for name, _, said in BAD_FILES:
        assert any(name in line and said in line for line in done.err.splitlines()), name
    assert run("get", "good", "last", folder=tmp_path).status == 0


def test_another_plan(dupdex: CommandLine, tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", [GOOD])
    assert dupdex("index", "in.jsonl", "--plan", "characters").status == 0
    refused = dupdex("index", "in.jsonl", "--plan", "standard")
    assert refused.status == 4
    assert f"written under plan {CHARACTERS.id}" in refused.error()
    assert "dupdex rebuild" in refused.error()
    assert stored(dupdex, "good")


def test_no_index(dupdex: CommandLine) -> None:
    for command in (["check", "x"], ["get", "x"], ["info"], ["rebuild"], ["delete", "x"]):
        refused = dupdex(*command)
        assert refused.status == 3
        assert "'dupdex index'" in refused.error()


def test_an_index_that_is_not_ours(tmp_path: Path, es_url: str) -> None:
    name = f"bad-{uuid.uuid4().hex[:12]}"
    write_lines(tmp_path / "in.jsonl", [GOOD])
    settings = ElasticSettings(es_url, name)
    try:
        with closing(connect(settings)) as client:
            client.index(index=name, id="theirs", document={"text": "别人的"}, refresh=True)
            before = client.indices.get(index=name).body
            for command in (["index", "in.jsonl"], ["delete", "theirs"], ["rebuild"], ["info"]):
                refused = run(*command, "--store", es_url, "--index", name, folder=tmp_path)
                assert refused.status == 4
                assert "was not made by dupdex" in refused.error()
                assert "choose another index name (--index)" in refused.error()
            assert client.indices.get(index=name).body == before
            assert client.count(index=name)["count"] == 1
    finally:
        remove(es_url, name)


def test_a_file_that_is_not_ours(tmp_path: Path) -> None:
    folder = tmp_path / "dupdex-store"
    folder.mkdir()
    path = folder / "dupdex.sqlite"
    path.write_text("my diary")
    write_lines(tmp_path / "in.jsonl", [GOOD])
    for command in (["index", "in.jsonl"], ["info"], ["rebuild"]):
        refused = run(*command, folder=tmp_path)
        assert refused.status == 4
        assert "is not an SQLite database; it is left as it is" in refused.error()
    assert path.read_text() == "my diary"


def test_a_server_that_is_down_at_the_start(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", [GOOD])
    for command in (["index", "in.jsonl"], ["check", "x"], ["info"], ["rebuild"], ["delete", "x"]):
        refused = run(*command, "--store", "http://127.0.0.1:1", folder=tmp_path)
        assert refused.status == 6
        assert "http://127.0.0.1:1 cannot be reached" in refused.error()
        assert "start it or check the URL" in refused.error()


def test_something_that_is_no_elasticsearch(tmp_path: Path, es_url: str) -> None:
    with proxied(es_url) as proxy:
        proxy.product = "Something"
        refused = run("info", "--store", proxy.url, folder=tmp_path)
    assert refused.status == 2
    assert "is not Elasticsearch" in refused.error()


IMPATIENT: Final = {"DUPDEX_RETRY_SECONDS": "1"}
"""A second instead of a minute and a half for a lost server to return."""


@pytest.mark.parametrize(
    ("status", "kind", "expected", "said"),
    [
        (503, "unavailable_shards_exception", 6, "the same command may be run again"),
        (401, "security_exception", 5, "check user name and password or API key"),
        (429, "es_rejected_execution_exception", 6, "the same command may be run again"),
    ],
)
def test_a_server_that_refuses_midway(
    tmp_path: Path, es_url: str, status: int, kind: str, expected: int, said: str
) -> None:
    name = f"bad-{uuid.uuid4().hex[:12]}"
    write_lines(
        tmp_path / "in.jsonl", ({"id": f"d{n}", "text": chinese(n, 40)} for n in range(3000))
    )
    command = ("index", "in.jsonl", "--index", name, "--plan", "characters")

    def refuse_later(seen: Seen) -> Reply | None:
        if "/_bulk" in seen.path and len(proxy.bulks()) > 2:
            return status, {"error": {"type": kind, "reason": "not now"}, "status": status}
        return None

    try:
        with proxied(es_url) as proxy:
            proxy.rule = refuse_later
            arguments = (*command, "--store", proxy.url)
            failed = run(*arguments, folder=tmp_path, **IMPATIENT)
            assert failed.status == expected
            assert said in failed.error()
            assert "(1,000 documents were stored before)" in failed.error()
            proxy.rule = lambda _: None
            there = run("get", "d0", "d999", "--store", proxy.url, "--index", name, folder=tmp_path)
            assert there.status == 0
            done = run(*arguments, "--json", folder=tmp_path)
            assert "going on after line 1,000" in done.err
            assert done.json()["created"] + done.json()["updated"] == 2000
            facts = run("info", "--json", "--store", proxy.url, "--index", name, folder=tmp_path)
            assert facts.json()["documents"] == 3000
    finally:
        remove(es_url, name)


def test_a_full_disk(tmp_path: Path) -> None:
    write_lines(tmp_path / "first.jsonl", [GOOD])
    write_lines(tmp_path / "more.jsonl", ({"id": f"d{n}", "text": chinese(n)} for n in range(5000)))
    assert run("index", "first.jsonl", "--plan", "characters", folder=tmp_path).status == 0
    full = run_on_a_full_disk("index", "more.jsonl", folder=tmp_path, largest_file=3_000_000)
    assert full.status == 7
    assert "no space left to write" in full.error()
    assert "free some and run the same command again" in full.error()
    assert run("get", "good", folder=tmp_path).status == 0
    done = run("index", "more.jsonl", "--json", folder=tmp_path)
    assert done.status == 0
    assert run("info", "--json", folder=tmp_path).json()["documents"] == 5001


def test_a_full_disk_for_what_is_rejected(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", [{"id": "x", "text": ""}, GOOD])
    refused = run("index", "in.jsonl", "--rejects", "/dev/full", folder=tmp_path)
    assert refused.status == 2
    assert "what was rejected cannot be written to /dev/full" in refused.err
    assert "name another file" in refused.err


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", [GOOD])
    (tmp_path / "locked").mkdir(mode=0o555)
    # root may write anywhere, unless its capabilities are taken away
    drop = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--")
    program = (*(drop if os.geteuid() == 0 else ()), SCRIPT)
    arguments = ("index", "in.jsonl", "--store", "locked/store")
    refused = run(*arguments, folder=tmp_path, program=program)
    assert "locked" in refused.error()
    assert list((tmp_path / "locked").iterdir()) == []


def test_a_filter_for_a_field_that_no_document_has(dupdex: CommandLine, tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", [GOOD])
    assert dupdex("index", "in.jsonl").status == 0
    wrong = dupdex("check", chinese("good"), "--filter", "m=1")
    assert wrong.status == 1
    assert "no document has a value in the field 'm', which the filter asks for" in wrong.error()
    assert dupdex("check", chinese("good"), "--filter", "n=2").err == ""


def test_fields_of_the_store_are_in_no_document(es_url: str, tmp_path: Path) -> None:
    name = f"bad-{uuid.uuid4().hex[:12]}"
    place = ("--store", es_url, "--index", name)
    write_lines(tmp_path / "in.jsonl", [GOOD])
    try:
        assert run("index", "in.jsonl", *place, folder=tmp_path).status == 0
        for clause in ("_id=x", "dupdex.group=x", "id.keyword=x"):
            none = run("check", chinese("good"), "--filter", clause, *place, folder=tmp_path)
            assert (none.status, none.err) == (1, "")
    finally:
        remove(es_url, name)
