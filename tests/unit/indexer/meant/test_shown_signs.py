"""A quick look at a text: what it misses is undone by nothing."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.meant import known_letters
from indexer.meant import meanings as module
from indexer.meant.known_letters import is_letter, is_letter_or_digit
from indexer.meant.meanings import meanings
from indexer.meant.meant import Disguise, Meant
from indexer.meant.places import by_columns
from indexer.meant.shown_signs import Shown, plain_shown_signs, shown_signs
from tests.texts import LIBRARY, METRO, TEA, chinese, english

SALIENT = "天地人×Ða1eX某囗n3é!@(+€|&<[:/w.\n 丨\u202e\u20e3\U0001f1e6яκ\U00020000"
texts = st.text(st.sampled_from(SALIENT), max_size=60)
words = st.lists(
    st.sampled_from(
        [
            "pr!ce",
            "bu4",
            "ni3hao3",
            "www.",
            "://",
            "x",
            "某",
            "天气",
            "&#20170;",
            "<b>",
            "h€re",
            "\n",
        ]
    ),
    max_size=30,
).map("".join)


def undone_without_a_look(text: str) -> list[Meant]:
    """`meanings` as if every sign were shown."""
    with patch.object(module, "shown_signs", lambda _: sum(Shown)):
        return meanings(text)


@given(texts | words)
@example("天\n" * 3)
@example("3×4 5×6 7×8 plus 9")
@example("<www.a <www.b")
@example("a" * 24)
@example("á1é1ó1天")
def test_the_compiled_loop_says_the_same(text: str) -> None:
    assert shown_signs(text) == plain_shown_signs(text)


@given(texts | words)
def test_what_is_not_shown_is_not_undone(text: str) -> None:
    shown, given_text = shown_signs(text), Meant.given(text)
    for sign, undo in module._UNDOING.items():
        assert shown & sign or undo(given_text) is None
    assert shown & Shown.GRID or not list(by_columns(text))
    assert shown or not undone_without_a_look(text)


def test_letters_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a later Python calls a letter is none before the table does."""
    assert all(map(is_letter_or_digit, "a7好я")) and all(map(is_letter, "a好я"))
    nothing = SimpleNamespace(assigned=np.zeros(0x110000, np.bool_))
    monkeypatch.setattr(known_letters, "load", lambda *_: nothing)
    assert all(map(is_letter_or_digit, "a7好")) and all(map(is_letter, "a好"))
    assert not is_letter_or_digit("я") and not is_letter("я")
    assert not any(map(is_letter_or_digit, "，!丶"[:2]))


def test_what_is_undone_lays_open_more() -> None:
    plain = "我们jin1tian1下午qu4图书馆jie4几本书，ming2tian1还"
    assert not shown_signs("丨".join(plain)) & Shown.TONES
    (found,) = meanings("丨".join(plain))
    assert found.text == "我们jintian下午qu图书馆jie几本书，mingtian还"
    assert found.disguises == (Disguise.BETWEEN, Disguise.PINYIN)


@pytest.mark.parametrize("text", [METRO, TEA, LIBRARY, chinese(2_000, 1), english(400, 1), ""])
def test_plain_texts_show_none(text: str) -> None:
    assert shown_signs(text) == 0


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        (f"\u202e{METRO}", Shown.TURNED),
        ("1\u20e3和2\u20e3", Shown.EMOJI),
        ("丨".join(TEA), Shown.STROKES),
        ("今天wo3men2去gong1yuan2", Shown.TONES),
        ("Привет", Shown.LOOKS),
        ("pr!ce and s@le", Shown.SIGNS),
        ("我某某有某个想法", Shown.MASKED),
        ("<b>a</b>[/i]", Shown.MARKUP),
        ("天地\n玄黄\n宇宙", Shown.GRID),
    ],
)
def test_each_sign_is_shown(text: str, sign: Shown) -> None:
    assert shown_signs(text) & sign
