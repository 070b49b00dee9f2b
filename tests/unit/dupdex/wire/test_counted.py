from __future__ import annotations

import pytest

from dupdex.wire.counted import counted


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "document", "0 documents"),
        (1, "document", "1 document"),
        (1_234, "document", "1,234 documents"),
        (1, "copy", "1 copy"),
        (2, "copy", "2 copies"),
        (2, "entry", "2 entries"),
    ],
)
def test_a_number_and_its_noun(number: int, noun: str, said: str) -> None:
    assert counted(number, noun) == said
