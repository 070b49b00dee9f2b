"""Schemes and other packages side by side, on a corpus small enough to know the answers."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dupdex.evaluation import beside, evaluate, peers, plots
from dupdex.evaluation.corpus import Corpus
from dupdex.evaluation.methods import Judge, Method, kind_lines, method_lines
from dupdex.evaluation.natural import containment, grams_of
from dupdex.evaluation.scheme_scores import Postings, scheme_methods
from indexer.fingerprints.registry import REGISTRY
from indexer.model import Document
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS

BASE = (
    "山坡上的梯田一层一层向远处铺开，清晨的雾气还没有散去。村里的老人说，这些石墙是祖辈用了三代人的时间"
    "垒起来的，每一块石头都从河谷背上来。如今年轻人大多去了城里，只有插秧和收割的时节才赶回家帮忙。"
)
OTHER = (
    "轮船公司昨日宣布调整冬季航班，往返两岸的末班船提前到晚上九点。售票窗口外贴着新的时刻表，不少旅客"
    "拍照留存。工作人员解释，能见度在这个季节经常低于安全标准，改动会一直维持到来年三月。"
)
TEXTS = {
    "a": BASE,
    "a-exact": BASE,
    "a-cut": BASE[: len(BASE) * 3 // 4],
    "o": OTHER,
    "o-exact": OTHER,
    "e": "！？",
}
ROWS = ("a\ta-exact\t1\texact\t0", "o\to-exact\t1\texact\t0", "a\ta-cut\t1\tcut\t0.75")


def write_corpus(folder: Path) -> Path:
    rows = (json.dumps({"id": name, "text": text}) for name, text in TEXTS.items())
    (folder / "corpus.jsonl").write_text("\n".join(rows), "utf-8")
    head = "id_a\tid_b\tlabel\tkind\tstrength"
    (folder / "truth.tsv").write_text("\n".join((head, *ROWS)), "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_corpus(tmp_path)


@pytest.fixture
def methods(folder: Path) -> dict[str, Method]:
    corpus = Corpus.read(folder)
    documents = list(corpus.documents())
    judge = Judge(corpus.truth, documents, CHARACTERS)
    return {each.name: each for each in scheme_methods(documents, CHARACTERS, judge)}


def test_every_scheme_is_measured_in_the_order_of_the_registry(methods: dict[str, Method]) -> None:
    assert list(methods) == list(REGISTRY)
    for each in methods.values():
        assert each.kinds[0].kind == "cut"
        assert each.kinds[1].recall == 1.0 or each.name in ("imatch", "dna")  # too short for these
        assert each.overall.wrong == 0


def test_what_a_scheme_misses_and_what_it_catches(methods: dict[str, Method]) -> None:
    cut = {name: each.kinds[0].recall for name, each in methods.items()}
    assert cut["exact"] == 0.0
    assert cut["minhash"] == cut["shingles"] == cut["passages"] == 1.0
    assert methods["exact"].overall.recall == pytest.approx(2 / 3)
    assert methods["exact"].overall.found == 2
    assert methods["shingles"].overall.found == 4  # with the pair of the two copies of a


def test_a_frequent_term_brings_nothing_and_is_counted() -> None:
    postings = Postings([["x", "y"], ["x"], ["x", "y"], ["z"]], max_df=2)
    assert postings.skipped == 1
    assert [postings.earlier(number) for number in range(4)] == [[], [], [0], []]


def test_the_frequency_limit_is_said(folder: Path) -> None:
    plan = replace(CHARACTERS, thresholds=replace(CHARACTERS.thresholds, hot=1))
    corpus = Corpus.read(folder)
    documents = list(corpus.documents())
    made = next(iter(scheme_methods(documents, plan, Judge(corpus.truth, documents, plan))))
    assert made.overall.found == 0
    assert made.note == "2 terms in more than 1 documents skipped"


def test_a_pair_that_nobody_listed_is_natural_as_in_the_report(folder: Path) -> None:
    corpus = Corpus.read(folder)
    texts = {"n": OTHER[: len(OTHER) // 2] + BASE[:20], "m": BASE[:9] + OTHER[:11]}
    more = [Document(name, text) for name, text in texts.items()]
    judge = Judge(corpus.truth, [*corpus.documents(), *more], CHARACTERS)
    grams = {name: grams_of(text, CHARACTERS) for name, text in (TEXTS | texts).items()}
    pairs = {("n", "o"), ("m", "o"), ("a", "m"), ("a", "o"), ("a", "e"), ("o", "o-exact")}
    natural = [pair for pair in pairs if containment(*(grams[name] for name in pair)) >= 0.5]
    assert set(natural) >= {("n", "o")} and ("a", "m") not in natural
    made = judge.method("x", "", pairs).overall
    assert (made.found, made.natural) == (6, len(set(natural) - {("o", "o-exact")}))


def test_precision_of_a_kind_counts_the_pairs_of_its_documents(folder: Path) -> None:
    corpus = Corpus.read(folder)
    judge = Judge(corpus.truth, corpus.documents(), CHARACTERS)
    made = judge.method("x", "", {("a", "a-cut"), ("a-cut", "o"), ("o", "o-exact")})
    cut, exact = made.to_json()["kinds"]
    assert (cut["recall"], cut["precision"]) == (1.0, 0.5)
    assert cut["f1"] == pytest.approx(2 / 3)
    assert (exact["recall"], exact["precision"]) == (0.5, 1.0)


def test_evaluate_gives_the_combination_first_and_keeps_its_keys(folder: Path) -> None:
    report = evaluate(folder, plan=CHARACTERS, schemes=True)
    value = report.to_json()
    assert list(value)[:3] == ["overall", "kinds", "false_examples"]
    combined, *alone = value["methods"]
    assert combined["overall"] == value["overall"]
    assert combined["intervals"] == value["intervals"]["overall"]
    assert [each["name"] for each in alone] == list(REGISTRY)
    table = report.table()
    assert "\n".join(method_lines(report.methods)) in table
    assert "\n".join(kind_lines(report.methods)) in table
    assert "methods" not in evaluate(folder, plan=CHARACTERS).to_json()


def test_progress_reaches_its_total(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    evaluate(
        folder,
        plan=CHARACTERS,
        schemes=True,
        peers=True,
        progress=lambda done, total: steps.append((done, total)),
    )
    (total,) = {total for _, total in steps}
    assert sum(done for done, _ in steps) == total == 12 + beside.steps(True, True)


def test_a_package_that_is_missing_is_named_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("gaoya", "gaoya.minhash", "gaoya.simhash"):
        monkeypatch.setitem(sys.modules, module, None)
    corpus = Corpus.read(folder)
    documents = list(corpus.documents())
    judge = Judge(corpus.truth, documents, CHARACTERS)
    made = list(peers.peer_methods(documents, judge, None, lambda: None))
    said = [each for each in made if isinstance(each, str)]
    assert [line for line in said if "gaoya" in line] == [
        f"gaoya is not installed; {peers.INSTALL}"
    ]
    assert any("more_like_this" in line and "--store" in line for line in said)


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.name)
def test_each_package_finds_equal_texts_and_no_unrelated_ones(
    folder: Path, peer: peers.Peer
) -> None:
    documents = [each for each in Corpus.read(folder).documents() if each.id != "e"]
    found = {tuple(sorted(pair)) for pair in peer.find(documents)}
    assert {("a", "a-exact"), ("o", "o-exact")} <= found
    assert ("a", "o") not in found


def test_a_curve_passes_through_the_point_of_the_threshold(folder: Path) -> None:
    corpus = Corpus.read(folder)
    documents = list(corpus.documents())
    judge = Judge(corpus.truth, documents, CHARACTERS)
    made = {each.name: each for each in scheme_methods(documents, CHARACTERS, judge, curves=True)}
    for name, method in made.items():
        recalls = [recall for _, recall, _ in method.curve]
        assert recalls == sorted(recalls, reverse=True)
        at = {threshold: rest for threshold, *rest in method.curve}
        threshold = REGISTRY[name].threshold(CHARACTERS)
        if threshold in at:
            assert at[threshold] == [method.overall.recall, method.overall.precision]
    assert [point[0] for point in made["exact"].curve] == [n / 100 for n in range(1, 101)]
    assert 0.5 in {point[0] for point in made["minhash"].curve}


def test_without_matplotlib_the_option_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda _: None)
    with pytest.raises(InputRefused, match="pip install 'dupdex"):
        plots.check()
