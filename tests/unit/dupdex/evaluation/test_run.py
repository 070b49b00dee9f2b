"""A whole evaluation of a tiny corpus on the embedded store."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from dupdex.evaluation import Report, evaluate
from dupdex.location import Location
from mappings.errors import InputRefused, StoreUnavailable
from mappings.plan import CHARACTERS

RAIN = (
    "昨日傍晚，本市普降大雨，多条道路积水严重，地铁二号线部分车站临时关闭。"
    "气象部门提醒市民减少外出，并预计今天上午降雨将逐渐停止。"
    "截至昨夜十一点，全市共转移低洼地区居民三千二百余人，没有人员伤亡报告。"
)
BRIDGE = (
    "经过四年施工，跨江大桥主体工程昨天合龙，预计明年春天通车。"
    "大桥全长两千一百米，双向六车道，建成后两岸之间的车程将由一小时缩短到十分钟。"
    "项目负责人介绍，桥塔采用了新的抗风设计，可以承受百年一遇的台风。"
)
TEA = (
    "春茶上市以来，山区茶农忙着采摘，合作社的烘干机昼夜不停。"
    "今年雨水充足，茶叶品质好于往年，收购价格每斤上涨了二十元。"
)


def corpus(folder: Path) -> Path:
    """A copy, an edit, a joined text, swapped facts, an unlisted copy, and one alone."""
    texts = {
        "rain": RAIN,
        "rain-copy": RAIN.replace("，", ", "),
        "rain-edit": RAIN.replace("昨日", "前天").replace("市民", "居民"),
        "joined": RAIN + BRIDGE,
        "bridge": BRIDGE,
        "rain-facts": RAIN.replace("二号线", "九号线").replace("三千二百", "五千七百"),
        "bridge-unlisted": "记者报道：" + BRIDGE,
        "tea": TEA,
        "empty": "",
    }
    rows = [{"id": name, "text": text} for name, text in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    truth = [
        "id_a id_b label kind strength",
        "rain rain-copy 1 punctuation 1",
        "rain rain-edit 1 edit 2",
        "tea empty 1 lost 1",
        "rain joined 2 joined 0.52",
        "rain rain-facts 0 hardneg_facts 2",
        "rain tea 0 hardneg_topic 1",
    ]
    lines = (line.replace(" ", "\t") for line in truth)
    (folder / "truth.tsv").write_text("\n".join(lines), "utf-8")
    return folder


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return evaluate(corpus(tmp_path_factory.mktemp("corpus")), plan=CHARACTERS)


def test_every_pair_is_found_and_sorted(report: Report) -> None:
    # Right: the three rain texts with each other and with "joined". Natural, for nobody listed
    # them: "bridge" and "bridge-unlisted" with each other and with "joined".
    # Left out: "rain-facts" with the three and with "joined".
    overall = report.overall
    assert (overall.found, overall.natural, overall.wrong) == (9, 3, 0)
    assert overall.recall == pytest.approx(2 / 3)
    assert overall.precision == 1.0
    assert overall.strict_precision == pytest.approx(6 / 9)
    assert report.coverage.flagged == 4


def test_kinds(report: Report) -> None:
    shares = {(kind.kind, kind.strength): kind.recall for kind in report.kinds}
    assert shares == {
        ("edit", "2"): 1.0,
        ("lost", "1"): 0.0,
        ("punctuation", "1"): 1.0,
        ("joined", "0.5"): 1.0,
        ("hardneg_facts", ""): 1.0,
        ("hardneg_topic", ""): 0.0,
    }


def test_swapped_facts_are_told(report: Report) -> None:
    assert [kind.kind for kind in report.kinds if kind.facts_differ] == ["hardneg_facts"]


def test_a_document_that_cannot_be_indexed_is_counted(report: Report) -> None:
    assert (report.coverage.documents, report.coverage.rejected) == (9, 1)


def test_progress_ends_at_its_total_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    steps: list[tuple[int, int]] = []
    evaluate(corpus(tmp_path), plan=CHARACTERS, progress=lambda *step: steps.append(step))
    assert sum(count for count, _ in steps) == 18
    assert {total for _, total in steps} == {18}
    assert not list(scratch.iterdir())


def test_a_folder_location_is_left_alone(tmp_path: Path) -> None:
    store = tmp_path / "store"
    evaluate(corpus(tmp_path), Location(str(store)), CHARACTERS)
    assert not store.exists()


def test_a_bad_corpus_is_refused_before_any_server_is_asked(tmp_path: Path) -> None:
    corpus(tmp_path)
    nowhere = Location("http://127.0.0.1:1")
    with pytest.raises(StoreUnavailable):
        evaluate(tmp_path, nowhere)
    (tmp_path / "truth.tsv").write_text("id_a\n", "utf-8")
    with pytest.raises(InputRefused):
        evaluate(tmp_path, nowhere)
