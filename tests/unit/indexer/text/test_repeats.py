"""Which stretches are read again: those in which characters come again and again."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from jieba import finalseg

from indexer.text.repeats import jiebas_states, repeated_places, repetitive_blocks
from tests.texts import LAW, METRO


def test_only_repeated_characters_are_looked_at_again() -> None:
    assert repeated_places("总委会会会会会样无") == [2]
    assert repeated_places("多么多么好。一条一条") == [0, 6]
    for text in ("", "爱", "妈妈说天天", "爱好者和健身爱好者", "------", "aaaa", METRO):
        assert repeated_places(text) == []
    assert repetitive_blocks("这是。总委会会会会会样无,好") == [(3, 12)]
    assert repetitive_blocks(METRO) == []


@given(st.text(st.sampled_from("首某好的一是不了人哈呵嘻天地吃喝龘甲"), min_size=1, max_size=40))
@LAW
def test_states_are_those_of_jieba(stretch: str) -> None:
    tables = (finalseg.start_P, finalseg.trans_P, finalseg.emit_P)
    assert jiebas_states(stretch) == list(finalseg.viterbi(stretch, "BMES", *tables)[1])


def test_their_time_grows_with_the_length() -> None:
    began = time.process_time()
    assert len(jiebas_states("首" * 40_000)) == 40_000
    assert time.process_time() - began < 3  # with jieba's own code 6 to 12
