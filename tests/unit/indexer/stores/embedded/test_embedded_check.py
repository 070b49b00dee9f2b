"""The sums by which the words of full text are compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.stores.embedded.embedded_check import _TermHashes

WORDS = st.lists(st.sampled_from(["很", "好", "的", "白鹭", "a", "b"]), max_size=9).map(" ".join)


@given(WORDS, WORDS, WORDS, WORDS)
def test_other_words_or_another_order_have_another_sum(
    title: str, text: str, other_title: str, other_text: str
) -> None:
    hashes = _TermHashes()
    first, second = hashes.values_of((title, text)), hashes.values_of((other_title, other_text))
    same = (title, text) == (other_title, other_text)
    assert (int(first.sum()) == int(second.sum())) is same
