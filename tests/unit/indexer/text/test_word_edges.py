"""Texts cut together: the same words as each by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.text import segment
from indexer.text.preparation import prepare_all
from indexer.text.ragged import Ragged
from indexer.text.segment import Accelerated, Segmenter, segmenter
from indexer.text.word_edges import word_edges
from mappings.plan import Plan
from tests.texts import LAW, METRO, MIXED
from tests.texts import PLAIN as STANDARD

PIECES = (
    *("会", "会会", "天天", "一条", "多么", "的", "龦", "㐀", "豈", "𠀀", "地铁", "开通"),
    *("node.js", "c++", "3.5%", "a_b-c", "x", "7", ".", "%", "--", "#标签#", "at&t", "10.0.0.1"),
    *("。", ",", " ", "\n", "é", "вода", METRO[:30], MIXED[:20]),
)
TEXTS = st.lists(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=1, max_size=6
)
WITH_WORDS = replace(STANDARD, user_words=("会会", "3d打印", "a_b-c", "x-ray", "打印+"))


@pytest.mark.parametrize("plan", [STANDARD, WITH_WORDS], ids=["plan", "words of a user"])
@LAW
@given(texts=TEXTS)
@example(texts=["会", "会会会", "会"])
@example(texts=["总委会", "会会会", "会样无", "会"])
@example(texts=["a", ".b", "+"])
@example(texts=[""])
def test_words_of_texts_together_are_those_of_each(texts: list[str], plan: Plan) -> None:
    prepared = prepare_all(texts, plan)
    text = prepared.codes.tobytes().decode("utf-32-le")
    for cut in (segmenter(plan), _by_jieba(plan)):
        edges, bounds = word_edges(prepared.rows, text, cut)
        sizes = Ragged(np.diff(edges), bounds)
        for row in range(len(texts)):
            assert sizes[row].tolist() == list(map(len, cut(prepared.text(row))))


def _by_jieba(plan: Plan) -> Segmenter:
    return segment._segmenter(plan.dictionary, (), "jieba")


def test_a_long_token_is_not_remembered_with_its_parts() -> None:
    cut = segmenter(STANDARD)
    assert isinstance(cut, Accelerated)
    held = cut.remembered.cache_info().currsize
    tokens = [f"{mark}.0" * 40 for mark in "qxzj"]
    assert all(len(cut(token)) > 1 for token in tokens)
    assert cut.remembered.cache_info().currsize == held
    cut("qxzj-q.0")
    assert cut.remembered.cache_info().currsize > held


def test_tokens_are_held_of_some_texts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [METRO, MIXED, "", "会", *(PIECES * 3)]
    prepared, cut = prepare_all(texts, STANDARD), segmenter(STANDARD)
    text = prepared.codes.tobytes().decode("utf-32-le")
    edges, bounds = word_edges(prepared.rows, text, cut)
    for held in (0, 3, 40):
        monkeypatch.setattr("indexer.text.word_edges._HELD", held)
        again, others = word_edges(prepared.rows, text, cut)
        assert (again.tolist(), others.tolist()) == (edges.tolist(), bounds.tolist())
