"""What bench measures is what it says: the same bytes, less the object; only asked sections."""

from __future__ import annotations

import argparse

import orjson
import pytest

from indexer.fingerprints import fingerprint_of
from indexer.model import Record
from indexer.stores.elastic.bulk import index_operation
from mappings.contract import OBJECT_FIELD
from mappings.plan import STANDARD
from mappings.schemes import SCHEME_FIELDS
from scripts.benchmark import bench_cli, fingerprints_section
from scripts.benchmark.bulk_section import body_for, plain_operation
from scripts.benchmark.fingerprints_section import Texts
from scripts.benchmark.results import Section
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Made, document
from scripts.devnode.failures import DevNodeError


def test_a_plain_operation_lacks_the_object_and_nothing_else() -> None:
    one = document(Made(), 1)
    record = Record(one, fingerprint_of(one.text, STANDARD), STANDARD.id)
    head, plain = plain_operation(record).splitlines()
    ours_head, ours = index_operation(record).splitlines()
    expected = orjson.loads(ours)
    del expected[OBJECT_FIELD]
    assert head == ours_head
    assert orjson.loads(plain) == expected == one.body


def test_a_plain_index_differs_in_the_object_only() -> None:
    ours, plain = body_for(STANDARD), body_for(STANDARD, with_object=False)
    del ours["mappings"]["properties"][OBJECT_FIELD]
    assert ours == plain


def test_batches_are_those_of_the_pipeline() -> None:
    texts = Texts(["字" * 1_000] * 100)
    assert [len(batch) for batch in texts.batches] == [45, 45, 10]
    assert (texts.count, texts.bytes) == (100, 300_000)


def test_schemes_alone_make_the_keys_of_the_pipeline() -> None:
    text = Made().text(2)
    made = fingerprint_of(text, STANDARD)
    prepared = fingerprints_section._prepared([text])
    schemes = fingerprints_section._schemes()
    for name in STANDARD.schemes:
        assert schemes[name](prepared) == [made.keys[SCHEME_FIELDS[name]]]


def test_sections_come_in_their_own_order() -> None:
    assert bench_cli._sections("size, bulk") == ["bulk", "size"]
    with pytest.raises(argparse.ArgumentTypeError, match="choose among"):
        bench_cli._sections("speed")


def test_a_run_prints_its_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Setting] = []

    def measure(setting: Setting) -> Section:
        asked.append(setting)
        return Section("peers", "Peers")

    monkeypatch.setitem(bench_cli.SECTIONS, "peers", measure)
    assert (
        bench_cli.main(["--sections", "peers", "--quick", "--documents", "7", "--json", "-"]) == 0
    )
    report = orjson.loads(capsys.readouterr().out)
    assert list(report["sections"]) == ["texts", "peers"]
    assert report["command"].endswith("--json -")
    assert {"cores", "processor", "numpy (Python)", "Python"} <= set(report["machine"])
    assert (asked[0].stored(100, 10), asked[0].size(100, 10)) == (7, 10)


def test_a_missing_corpus_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_cli.main(["--corpus", "no-such-file.jsonl"]) == 1
    assert capsys.readouterr().err.startswith("bench: ")


def test_a_section_that_fails_does_not_cost_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Setting) -> Section:
        raise DevNodeError("no JDK; install one")

    monkeypatch.setitem(bench_cli.SECTIONS, "bulk", fail)
    monkeypatch.setitem(bench_cli.SECTIONS, "size", lambda _: Section("size", "Size"))
    assert bench_cli.main(["--sections", "bulk,size", "--quick"]) == 1
    shown = capsys.readouterr()
    assert "== Size" in shown.out and "not measured: no JDK; install one" in shown.out
