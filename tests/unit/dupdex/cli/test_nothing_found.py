"""A name that nothing in the index has is told from a true none."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex.cli import nothing_found
from dupdex.jobs.run_store import RunStore
from dupdex.location import Location
from dupdex.session import Session
from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import FOX, RAIN, CommandLine


def test_a_filter_for_a_field_that_no_document_has(indexed: CommandLine) -> None:
    none = indexed("check", RAIN, "--filter", "town=北京")
    assert none.status == 1
    assert none.error() == (
        "no document has a value in the field 'town', which the filter asks for; check its name"
    )
    of_file = indexed("check", "--file", "news.jsonl", "--filter", "town=1", "--filter", "n=1")
    assert of_file.status == 1
    assert "'town'" in of_file.error()


@pytest.mark.parametrize("clause", ["city=广州", "city.keyword=广州", '{"term": {"n": 9}}'])
def test_a_true_none_is_told_without_a_remark(indexed: CommandLine, clause: str) -> None:
    assert (none := indexed("check", RAIN, "--filter", clause)).status == 1
    assert none.err == ""
    assert indexed("check", RAIN, "--filter", "city=北京").err == ""


def test_some_documents_are_read_for_it(
    indexed: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(Path("late.jsonl"), [{"id": "late", "text": FOX, "town": "x"}])
    assert indexed("index", "late.jsonl").status == 0
    assert indexed("check", RAIN, "--filter", "town=y").err == ""
    monkeypatch.setattr(nothing_found, "_READ", 2)
    refused = indexed("check", RAIN, "--filter", "town=y")
    assert "of the first 2 documents none has a value in the field 'town'" in refused.err


def test_pairs_of_a_document_and_of_a_run(indexed: CommandLine) -> None:
    nobody = indexed("matches", "--of", "nobody")
    assert nobody.status == 1
    assert "no document 'nobody' in the index" in nobody.err
    fox = indexed("matches", "--of", "fox")
    assert fox.status == 1
    assert "no pair of document 'fox' is kept; 'dupdex sweep'" in fox.err
    assert "no run 'nobody', as none was recorded yet" in indexed("matches", "--run", "nobody").err
    with Session(Location("dupdex-store")) as session:
        runs = RunStore.open(session)
        with runs.recorded(run := runs.begin("sweep")):
            pass
    assert "'dupdex jobs' lists those there are" in indexed("matches", "--run", "nobody").err
    none = indexed("matches", "--run", run.id, "--json")
    assert (none.status, none.out) == (1, "")
    assert f"no pair that run '{run.id}' found is kept any more" in none.err


def test_what_is_compared_by_its_name(dupdex: CommandLine) -> None:
    Path("folder").mkdir()
    names = dupdex("compare", "folder", "zh-21")
    assert names.err.splitlines() == [
        "dupdex: 'folder' is a folder, so its name is read as a text; name a file",
        "dupdex: 'zh-21' is no file, so it is read as a text",
    ]
    assert "'zh-21' is no file" in dupdex("compare", RAIN, "zh-21", "--scheme", "lcs").err
    Path("one").write_text(FOX)
    assert dupdex("compare", "one", FOX).err == ""
    assert dupdex("compare", "暴雨预警", "w" * 65).err == ""
