"""Lines of a site are learned from different articles, and cut; articles stay whole."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from dupdex.pages.site_lines import ARTICLES, NO_LINES, form_of, label_of, learned_lines
from dupdex.pages.sketches import are_alike, sketch_of
from tests.laws import EXAMPLES

CALL = "关注我们的公众号，获取更多新闻。"
NOTICE = "版权所有 © {} 云溪日报"


def article(seed: int, paragraphs: int = 6) -> list[str]:
    """Lines of letters that no other seed has."""
    draw = random.Random(seed)
    return [
        "".join(chr(draw.randrange(0x4E00, 0x9F00)) for _ in range(30)) + "。"
        for _ in range(paragraphs)
    ]


def page(seed: int) -> str:
    names = ["张三", "李四", "王五"]
    lines = [f"记者：{names[seed % 3]}", *article(seed), f"责任编辑：{names[seed % 2]}", CALL]
    return "\n".join([*lines, NOTICE.format(2000 + seed)])


def test_what_recurs_is_cut() -> None:
    texts = [page(seed) for seed in range(30)]
    learned = learned_lines(texts)
    assert learned.lines >= {form_of(CALL), form_of(NOTICE.format(2001))}
    assert learned.labels == {"记者", "责任编辑"}
    assert learned.pages == 30
    for seed, text in enumerate(texts):
        assert learned.cut(text) == "\n".join(article(seed))
    assert learned.cut(page(99)) == "\n".join(article(99))


def test_too_few_articles_teach_nothing() -> None:
    learned = learned_lines([page(seed) for seed in range(ARTICLES - 1)])
    assert not learned.lines
    assert not learned.labels


def test_copies_of_one_article_are_one() -> None:
    """Forty mirrors with edits of their own, among other articles."""
    draw = random.Random(7)
    copies = []
    for _ in range(40):
        lines = article(1, 10)
        at = draw.randrange(10)
        lines[at] = lines[at][:9] + "改" + lines[at][10:]
        copies.append("\n".join(lines[: draw.randrange(7, 11)]))
    learned = learned_lines([*copies, *("\n".join(article(seed)) for seed in range(2, 12))])
    assert not learned.lines
    assert all(learned.cut(text) == text for text in copies)


def test_a_label_inside_of_a_text_stays() -> None:
    learned = learned_lines([page(seed) for seed in range(20)])
    talk = "\n".join([*article(50, 8), "记者：您怎么看这座桥？", *article(51, 8)])
    assert learned.cut(talk) == talk


def test_numbers_tell_lines_apart() -> None:
    """What differs in numbers alone may be what a report is about."""
    reports = ["\n".join([*article(seed), f"昨天新增{seed}例。"]) for seed in range(20)]
    assert not learned_lines(reports).lines


def test_nothing_learned_cuts_nothing() -> None:
    assert NO_LINES.cut(page(1)) == page(1)
    assert learned_lines([]).cut(page(1)) == page(1)


def test_labels() -> None:
    assert label_of("责任编辑： 张三") == "责任编辑"
    assert label_of("【编辑:王】") == "编辑"
    assert label_of("Editor: Ann") == "editor"
    assert not any(map(label_of, ["", "：", "12:30", "他在昨天的发布会上说：好", "x" * 41 + ":"]))


@settings(max_examples=EXAMPLES)
@given(st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=6), max_size=30))
def test_cut_is_stable_and_invents_nothing(pages: Sequence[Sequence[int]]) -> None:
    texts = ["\n".join(line for seed in seeds for line in article(seed, 2)) for seeds in pages]
    learned = learned_lines(texts)
    for text in texts:
        cut = learned.cut(text)
        assert learned.cut(cut) == cut
        rest = iter(text.split("\n"))
        assert all(line in rest for line in cut.split("\n") if line)


def test_sketches() -> None:
    one, other = "\n".join(article(1)), "\n".join(article(2))
    assert are_alike(sketch_of(one), sketch_of(one))
    assert are_alike(sketch_of(one), sketch_of(one[:120]))
    assert not are_alike(sketch_of(one), sketch_of(other))
    assert not are_alike(sketch_of(one), sketch_of(""))
