"""The command line against a real Elasticsearch, from the first document to the rebuild."""

from __future__ import annotations

import base64
import os
import signal
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.plan import CHARACTERS
from tests.command import (
    SCRIPT,
    Result,
    goes_on,
    halted,
    halting,
    interrupted,
    killed,
    run,
    start,
    write_lines,
)
from tests.service.elastic_data import chinese
from tests.service.proxy import Seen, proxied

CommandLine = Callable[..., Result]
SECRET: Final = "hunter2"
MANY: Final = 3_000
SOME: Final = 1_200
"""Documents after which a run that is to be cut short halts."""


@pytest.fixture(params=["embedded", "elasticsearch"])
def store(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The environment that names a store, with an index that is not there yet."""
    if request.param == "embedded":
        yield {"DUPDEX_STORE": "store", "DUPDEX_INDEX": "tests"}
        return
    yield from server_store(request.getfixturevalue("es_url"))


@pytest.fixture
def server(es_url: str) -> Iterator[dict[str, str]]:
    """The same, on the server only."""
    yield from server_store(es_url)


def server_store(url: str) -> Iterator[dict[str, str]]:
    name = f"cli-{uuid.uuid4().hex[:12]}"
    yield {"DUPDEX_STORE": url, "DUPDEX_INDEX": name}
    with closing(connect(ElasticSettings(url, name))) as client:
        client.indices.delete(index=name, ignore_unavailable=True)
        client.options(ignore_status=404).indices.delete_index_template(name=f"dupdex-{name}")


def texts(count: int, length: int = 60) -> list[dict[str, object]]:
    return [{"id": f"d{n}", "text": chinese(n, length), "n": n} for n in range(count)]


def content(folder: Path, store: dict[str, str]) -> dict[str, Any]:
    """How many documents there are, and lookups that go through all parts of the index."""
    answers = run("check", "--file", "some.jsonl", "--json", folder=folder, **store).json_lines()
    return {
        "documents": run("info", "--json", folder=folder, **store).json()["documents"],
        "matches": [
            [(match["id"], match["verdict"], match["evidence"]) for match in answer["matches"]]
            for answer in answers
        ],
    }


def test_the_whole_way(tmp_path: Path, store: dict[str, str]) -> None:
    def dupdex(*arguments: str) -> Result:
        return run(*arguments, folder=tmp_path, **store)

    documents = texts(30)
    copy = {"id": "copy", "text": f"{documents[3]['text']}多了一句话。", "n": 99}
    write_lines(tmp_path / "news.jsonl", [*documents, copy])
    assert dupdex("index", "news.jsonl", "--json").json()["created"] == 31
    assert dupdex("index", "news.jsonl", "--json").json()["updated"] == 31
    found = dupdex("check", "--id", "d3", "--json")
    assert found.status == 0
    assert [match["id"] for match in found.json()["matches"]] == ["copy"]
    assert dupdex("check", "--id", "d3", "--filter", "n=98").status == 1
    assert dupdex("get", "d3", "--json").json()["document"] == documents[3]
    word = str(documents[5]["text"])[:4]
    assert "d5" in [hit["id"] for hit in dupdex("search", word, "--json").json()["hits"]]
    assert dupdex("delete", "d5", "nobody", "--json").json()["missing"] == ["nobody"]
    assert dupdex("rebuild", "--plan", "characters", "--json").json()["updated"] == 30
    facts = dupdex("info", "--json").json()
    assert (facts["documents"], facts["plan"]) == (30, CHARACTERS.id)
    assert dupdex("check", "--file", "news.jsonl", "--all").status == 0


def test_any_clause_filters_on_a_server(tmp_path: Path, server: dict[str, str]) -> None:
    documents = texts(3)
    twins = [{**each, "id": f"twin{n}", "n": 50 + n} for n, each in enumerate(documents)]
    write_lines(tmp_path / "news.jsonl", [*documents, *twins])
    run("index", "news.jsonl", folder=tmp_path, **server)

    def found(clause: str) -> Result:
        return run("check", "--id", "d1", "--filter", clause, folder=tmp_path, **server)

    assert found('{"range": {"n": {"gt": 50}}}').status == 0
    assert found('{"range": {"n": {"gt": 51}}}').status == 1
    refused = found('{"bogus": {"n": 1}}')
    assert refused.status == 2
    assert "unknown field [bogus]" in refused.error() or "bogus" in refused.error()


def test_your_own_mapping(tmp_path: Path, server: dict[str, str]) -> None:
    (tmp_path / "mapping.json").write_text('{"properties": {"n": {"type": "integer"}}}')
    good, bad = texts(2)
    write_lines(tmp_path / "news.jsonl", [good, {**bad, "n": "many"}])
    arguments = ("index", "news.jsonl", "--mapping", "mapping.json")
    done = run(*arguments, folder=tmp_path, **server)
    assert done.status == 1
    assert "news.jsonl:2: id 'd1' not stored" in done.err
    assert "field [n]" in done.err
    assert run("get", "d0", folder=tmp_path, **server).status == 0
    assert (tmp_path / f"{server['DUPDEX_INDEX']}-rejects.ndjson").exists()


def test_several_processes_store_the_same(tmp_path: Path, store: dict[str, str]) -> None:
    write_lines(tmp_path / "all.jsonl", texts(1500))
    write_lines(tmp_path / "some.jsonl", [{**each, "id": f"x{each['id']}"} for each in texts(40)])
    one = {**store, "DUPDEX_INDEX": f"{store['DUPDEX_INDEX']}-1"}
    try:
        assert run("index", "all.jsonl", folder=tmp_path, **one).status == 0
        done = run("index", "all.jsonl", "--workers", "2", folder=tmp_path, **store)
        assert (done.status, done.err) == (0, "")
        assert content(tmp_path, one) == content(tmp_path, store)
    finally:
        if one["DUPDEX_STORE"].startswith("http"):
            settings = ElasticSettings(one["DUPDEX_STORE"], one["DUPDEX_INDEX"])
            with closing(connect(settings)) as client:
                client.indices.delete(index=settings.index, ignore_unavailable=True)


def checkpoint(folder: Path) -> bool:
    return any((folder / "home" / ".local" / "state" / "dupdex").glob("*.json"))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_interruptions_lose_nothing(tmp_path: Path, store: dict[str, str], workers: str) -> None:
    documents = texts(MANY)
    write_lines(tmp_path / "all.jsonl", documents)
    write_lines(tmp_path / "some.jsonl", documents[:: MANY // 50])
    command = ("index", "all.jsonl", "--plan", "characters", "--workers", workers)

    process = halted(start(*command, folder=tmp_path, program=halting(SOME), **store))
    killed(process)
    assert process.returncode == -signal.SIGKILL

    process = halted(start(*command, folder=tmp_path, program=halting(SOME), **store))
    left = interrupted(process)
    assert left.status == 130
    resumed, stopped = left.err.splitlines()
    assert f"going on after line {SOME:,} of all.jsonl" in resumed
    assert f"interrupted after {SOME + 1:,} documents" in stopped

    last = run(*command, folder=tmp_path, **store)
    assert last.status == 0
    assert "going on after line 2,4" in last.err
    assert not checkpoint(tmp_path)
    ids = [str(each["id"]) for each in documents]
    for begin in range(0, MANY, 4000):
        assert (
            run("get", *ids[begin : begin + 4000], "--json", folder=tmp_path, **store).status == 0
        )
    assert content(tmp_path, store)["documents"] == MANY


def test_restart_begins_anew(tmp_path: Path) -> None:
    write_lines(tmp_path / "all.jsonl", texts(MANY))
    command = ("index", "all.jsonl", "--plan", "characters")
    process = halted(start(*command, folder=tmp_path, program=halting(SOME)))
    left = interrupted(process)
    assert left.status == 130
    assert "run the same command again to go on there" in left.error()
    done = run(*command, "--restart", "--json", folder=tmp_path)
    assert done.err == ""
    assert done.json()["created"] + done.json()["updated"] == MANY
    assert done.json()["updated"] > 0


@pytest.mark.parametrize("lost", ["removed", "made again"])
def test_a_checkpoint_is_worth_nothing_without_its_index(tmp_path: Path, lost: str) -> None:
    write_lines(tmp_path / "all.jsonl", texts(MANY))
    write_lines(tmp_path / "other.jsonl", [{"id": "other", "text": chinese("other")}])
    command = ("index", "all.jsonl", "--plan", "characters")
    killed(halted(start(*command, folder=tmp_path, program=halting(SOME))))
    assert checkpoint(tmp_path)
    for path in (tmp_path / "dupdex-store").iterdir():
        path.unlink()
    if lost == "made again":
        run("index", "other.jsonl", "--plan", "characters", folder=tmp_path)
    done = run(*command, "--json", folder=tmp_path)
    assert done.json()["created"] == MANY
    assert "does not hold line 1,200 of all.jsonl any more, beginning anew" in done.err


def test_another_folder_is_another_store(tmp_path: Path) -> None:
    """The default store is a relative path: its checkpoint must not serve a second one."""
    source = write_lines(tmp_path / "all.jsonl", texts(MANY))
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    command = ("index", str(source), "--plan", "characters")
    killed(halted(start(*command, folder=first, program=halting(SOME), **state)))
    assert any((tmp_path / "state" / "dupdex").glob("*.json"))
    done = run(*command, "--json", folder=second, **state)
    assert (done.json()["created"], done.err) == (MANY, "")


def test_a_killed_rebuild_is_taken_up(tmp_path: Path, store: dict[str, str]) -> None:
    documents = texts(MANY)
    write_lines(tmp_path / "all.jsonl", documents)
    write_lines(tmp_path / "some.jsonl", documents[:: MANY // 50])
    run("index", "all.jsonl", "--plan", "characters", folder=tmp_path, **store)
    run("plan", "--documents", "100000000", "--write", "plan.json", folder=tmp_path)

    command = ("rebuild", "--plan", "plan.json")
    process = halted(start(*command, folder=tmp_path, program=halting(SOME), **store))
    assert run("info", folder=tmp_path, **store).status == 4
    killed(process)
    assert process.returncode == -signal.SIGKILL
    for arguments in (["check", "x"], ["search", "x"], ["index", "some.jsonl"], ["get", "d0"]):
        refused = run(*arguments, folder=tmp_path, **store)
        assert refused.status == 4
        assert "run 'dupdex rebuild' again, it goes on where it stopped" in refused.error()

    assert run("rebuild", folder=tmp_path, **store).status == 0
    assert run("info", "--json", folder=tmp_path, **store).json()["plan"].startswith("custom-")
    assert content(tmp_path, store)["documents"] == len(documents)
    assert run("rebuild", "--json", folder=tmp_path, **store).json()["updated"] == 0


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    with (tmp_path / "lines.jsonl").open("w") as file:
        for number in range(30_000):
            file.write(f'{{"id": {number}, "text": "line {number * 7919 % 100_003} of many"}}\n')
    program = (sys.executable, str(Path(__file__).parents[1] / "peak.py"), SCRIPT)
    arguments = ("index", "lines.jsonl", "--plan", "characters", "--json")
    done = run(*arguments, folder=tmp_path, program=program)
    assert done.json()["created"] == 30_000
    # MB; a process that has just begun holds 93, and each document may leave 3 kB behind at most
    assert int(done.err) < 200


def test_no_secret_is_ever_printed(tmp_path: Path, es_url: str) -> None:
    write_lines(tmp_path / "news.jsonl", texts(1))
    host = es_url.removeprefix("http://")
    index = f"cli-{uuid.uuid4().hex[:12]}"
    stores: list[dict[str, str]] = [
        {"DUPDEX_STORE": f"http://me:{SECRET}@{host}"},
        {"DUPDEX_STORE": f"http://me:{SECRET}@127.0.0.1:1"},
        {"DUPDEX_STORE": f"http://me:{SECRET}@127.0.0.1:99999"},
        {"DUPDEX_STORE": f"https://me:{SECRET}@{host}"},
        {"DUPDEX_STORE": f"http://me:1/{SECRET}@{host}"},
        {"DUPDEX_STORE": es_url, "DUPDEX_USERNAME": "me", "DUPDEX_PASSWORD": SECRET},
        {"DUPDEX_STORE": es_url, "DUPDEX_API_KEY": SECRET},
        {"DUPDEX_STORE": es_url, "DUPDEX_API_KEY": f"{SECRET}\n{SECRET}"},
    ]
    try:
        for store in stores:
            for command in (["info"], ["index", "news.jsonl"]):
                said = run(*command, folder=tmp_path, **store, DUPDEX_INDEX=index)
                assert SECRET not in said.out + said.err
                assert said.status != 70
    finally:
        with closing(connect(ElasticSettings(es_url, index))) as client:
            client.indices.delete(index=index, ignore_unavailable=True)
    assert SECRET not in "".join(
        path.read_text() for path in (tmp_path / "home").rglob("*") if path.is_file()
    )


def test_refused_credentials(tmp_path: Path, es_url: str) -> None:
    def refuse(_: Seen) -> tuple[int, object]:
        reason = f"unable to authenticate user [me] with password {SECRET}"
        return 401, {"error": {"type": "security_exception", "reason": reason}, "status": 401}

    write_lines(tmp_path / "news.jsonl", texts(1))
    with proxied(es_url) as proxy:
        proxy.rule = refuse
        store = {"DUPDEX_STORE": proxy.url, "DUPDEX_USERNAME": "me", "DUPDEX_PASSWORD": SECRET}
        for command in (["info"], ["check", "x"], ["index", "news.jsonl"], ["rebuild"]):
            refused = run(*command, folder=tmp_path, **store)
            assert refused.status == 5
            assert "check user name and password or API key" in refused.error()
            assert SECRET not in refused.err


@pytest.mark.parametrize("inside", [True, False], ids=["in the URL", "in settings"])
def test_a_password_beyond_ascii(tmp_path: Path, es_url: str, inside: bool) -> None:
    """It arrives as the UTF-8 that a server takes it for."""
    with proxied(es_url) as proxy:
        store = {"DUPDEX_STORE": proxy.url, "DUPDEX_USERNAME": "编辑", "DUPDEX_PASSWORD": "密码é"}
        if inside:
            store = {"DUPDEX_STORE": proxy.url.replace("//", "//编辑:密码%C3%A9@")}
        run("info", folder=tmp_path, **store, DUPDEX_INDEX="nothing")
    expected = "Basic " + base64.b64encode("编辑:密码é".encode()).decode()
    assert {each.authorization for each in proxy.seen} == {expected}


def test_a_mapping_for_an_index_that_is_there(tmp_path: Path, server: dict[str, str]) -> None:
    (tmp_path / "mapping.json").write_text('{"properties": {"n": {"type": "integer"}}}')
    write_lines(tmp_path / "news.jsonl", texts(2))
    command = ("index", "news.jsonl", "--mapping", "mapping.json")
    assert run(*command, folder=tmp_path, **server).err == ""
    again = run(*command, folder=tmp_path, **server)
    assert again.status == 0
    assert len(again.err.splitlines()) == 1
    assert "--mapping changes nothing" in again.err
    assert "is there already; make another --index for it" in again.err


def test_a_process_that_is_stopped_by_the_system(tmp_path: Path) -> None:
    """SIGTERM, as a service manager sends it: what was acknowledged stays."""
    write_lines(tmp_path / "all.jsonl", texts(MANY))
    command = ("index", "all.jsonl", "--plan", "characters")
    process = halted(start(*command, folder=tmp_path, program=halting(SOME)))
    os.kill(process.pid, signal.SIGTERM)
    goes_on(process)
    _, err = process.communicate()
    assert "Traceback" not in err
    assert process.returncode != 0
    assert run("index", "all.jsonl", folder=tmp_path).status == 0
    assert run("info", "--json", folder=tmp_path).json()["documents"] == MANY


def test_only_one_writer(tmp_path: Path) -> None:
    write_lines(tmp_path / "all.jsonl", texts(MANY))
    write_lines(tmp_path / "one.jsonl", texts(1))
    command = ("index", "all.jsonl", "--plan", "characters")
    process = halted(start(*command, folder=tmp_path, program=halting(SOME)))
    try:
        refused = run("index", "one.jsonl", folder=tmp_path)
        assert refused.status == 4
        assert "another program is writing" in refused.error()
        assert run("check", "x", folder=tmp_path).status == 1  # readers are free to read
    finally:
        assert interrupted(process).status == 130


def test_a_wrong_filter_ends_the_run_at_once(tmp_path: Path, store: dict[str, str]) -> None:
    """It is wrong for every line; the first answer of the store says so, once."""
    write_lines(tmp_path / "news.jsonl", texts(120))
    run("index", "news.jsonl", folder=tmp_path, **store)
    clause = '{"bogus": {"n": 1}}'
    command = ("check", "--file", "news.jsonl", "--filter", clause)
    for workers in ("1", "3"):
        refused = run(*command, "--workers", workers, folder=tmp_path, **store)
        assert (refused.status, refused.out) == (2, "")
        assert "bogus" in refused.error()


def test_filters_beyond_all_measure(tmp_path: Path, store: dict[str, str]) -> None:
    write_lines(tmp_path / "news.jsonl", texts(2))
    run("index", "news.jsonl", folder=tmp_path, **store)
    for clause in (
        f'{{"term": {{"n": {"9" * 30}}}}}',
        '{"bool": {"must": ' * 24 + '{"term": {"n": 1}}' + "}}" * 24,
        '{"bool": {"must": ' * 2_000 + '{"term": {"n": 1}}' + "}}" * 2_000,
        '{"term": {"n": "\\ud800"}}',
    ):
        done = run("check", "--id", "d1", "--filter", clause, folder=tmp_path, **store)
        assert done.status in (1, 2), done.err
        assert done.err.count("\n") <= 1
    for arguments in (["check", "--id", "d1"], ["search", "x"]):
        done = run(*arguments, "--size", "1000000000", folder=tmp_path, **store)
        assert done.status in (1, 2), done.err


def test_a_file_is_checked_on_several_processes(tmp_path: Path, store: dict[str, str]) -> None:
    write_lines(tmp_path / "news.jsonl", texts(180))
    assert run("index", "news.jsonl", folder=tmp_path, **store).status == 0
    lines = (tmp_path / "news.jsonl").read_text().splitlines()
    lines[70:70] = ["{oops", '{"id": "blank", "text": "\u200b"}']
    (tmp_path / "asked.jsonl").write_text("\n".join(lines))
    command = ("check", "--file", "asked.jsonl", "--self")
    for how in ((), ("--json",)):
        alone = run(*command, *how, folder=tmp_path, **store)
        assert alone.status == 2
        assert len(alone.out.splitlines()) == 180
        assert "asked.jsonl:71: not valid JSON" in alone.err
        assert "document 'blank': the text is empty" in alone.err
        together = run(*command, *how, "--workers", "3", folder=tmp_path, **store)
        assert (together.status, together.out, together.err) == (2, alone.out, alone.err)
