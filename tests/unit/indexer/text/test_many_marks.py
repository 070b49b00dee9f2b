"""Letters with any number of marks: the normal form, in a time that grows with the number."""

from __future__ import annotations

import time
import unicodedata
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from indexer.text import preparation, prepare
from mappings.plan import STANDARD
from tests.texts import LAW

MARKS = [*map(chr, range(0x300, 0x370)), "\u0344", "\u0f73", "\u3099", "\u064b", "a", "e", "ﬁ"]


@given(st.lists(st.sampled_from(MARKS), min_size=20, max_size=90).map("".join))
@LAW
def test_many_marks_have_the_normal_form(marks: str) -> None:
    run = f"a{marks}"
    in_order = preparation._with_marks_in_order(run)
    assert unicodedata.normalize("NFKC", in_order) == unicodedata.normalize("NFKC", run)


def test_marks_take_a_time_that_grows_with_their_number() -> None:
    text = "a" + "".join(Random(1).choices("\u0301\u0316\u0327\u0345", k=60_000))
    began = time.process_time()
    prepare(text, STANDARD)
    assert time.process_time() - began < 1  # unsorted 3
