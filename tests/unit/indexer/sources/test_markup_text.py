"""The text of chapters in HTML."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.markup_text import read_markup
from tests.texts import LAW


def test_blocks_are_lines() -> None:
    read = read_markup("<h1>第一章  <b>甲</b></h1><p>一&amp;二<br/>三</p><div>四<p>五</div>")
    assert read.text.split("\n") == ["第一章 甲", "一&二", "三", "四", "五", ""]
    assert read.heading == "第一章 甲"


def test_what_is_not_read_is_left_out() -> None:
    markup = "<head><title>x</title></head><style>p{}</style><script>a<b</script>甲"
    assert read_markup(markup + "<ruby>乙<rt>yi</rt></ruby><!-- <p>丙 -->丁").text == "甲乙丁"


def test_anchors_say_where_they_stand() -> None:
    read = read_markup('<p>甲</p><p id="a">乙</p><a name="b"/>丙')
    assert read.text[read.anchors["a"] :].startswith("乙")
    assert read.text[read.anchors["b"] :].startswith("丙")


def test_a_list_of_links_is_told() -> None:
    assert read_markup(
        "<p><a href='a'>第一章</a></p><p><a href='b'>第二章</a></p>"
    ).is_list_of_links
    assert not read_markup("<p>长长的一段话 <a href='a'>注</a></p>").is_list_of_links


@pytest.mark.parametrize(
    "piece", ["<a ", "<a", "a", "<!--", "<!", "<p id=", "</", "<script>", "&", " ", "<h1>", "&#1"]
)
def test_time_grows_with_length_alone(piece: str) -> None:
    """Hostile pieces, repeated: eight times as many take far less than 64 times as long."""
    taken = []
    for count in (20_000, 160_000):
        begun = time.process_time()
        read_markup("<" + piece * count)
        taken.append(time.process_time() - begun)
    assert taken[1] < 30 * taken[0] + 0.1


@LAW
@given(st.text(st.sampled_from("<>/=!-\"' apih1甲&;#x0")))
def test_any_markup_is_read(markup: str) -> None:
    read = read_markup(markup)
    assert all(0 <= place <= len(read.text) for place in read.anchors.values())
    assert read.linked <= sum(map(str.isalnum, read.text))
