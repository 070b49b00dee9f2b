"""Templates: fillings of one form are marked, copies of one text never are."""

from __future__ import annotations

from random import Random

import pytest

from indexer.model import Keys
from mappings.contract import Field
from mappings.plan import STANDARD
from query.answers import Term
from query.facts.differ import Compared, Said, Slot, compare
from query.facts.fact_reading import Reading
from query.pair import PairJudge
from query.verify.templates import Filled, suspects, which_are_templates

UNRELATED = 8
KEYS: Keys = {Field.PASSAGE_KEYS: ("p1", "p2", "p3"), Field.MINHASH_KEYS: ("m1",)}


def slot(name: str, said: str, at: int = 0) -> Slot:
    return Slot(Said(at, name), Said(at, said))


def filled(**slots: str) -> Filled:
    """A match that says other things in some slots; three facts agree."""
    facts = tuple(slot(name, said) for name, said in slots.items())
    return Filled.of(Compared((), len(facts), facts, 3), KEYS)


def counted(df: int) -> dict[Term, int]:
    return {(Field.PASSAGE_KEYS, term): df for term in KEYS[Field.PASSAGE_KEYS]}


def marks(matches: list[Filled | None], df: int) -> list[bool]:
    asked: list[Keys] = []

    def frequencies(keys: Keys) -> dict[Term, int]:
        asked.append(keys)
        return counted(df)

    (out,) = which_are_templates([matches], frequencies, UNRELATED)
    assert len(asked) <= 1
    return out


def test_every_filling_says_something_else() -> None:
    assert marks([filled(title=f"t{n}") for n in range(5)], 100) == [True] * 5


def test_a_form_is_in_many_documents() -> None:
    matches: list[Filled | None] = [filled(title=f"t{n}") for n in range(5)]
    assert not any(marks(matches, UNRELATED - 1))
    assert all(marks(matches, UNRELATED))


def test_copies_count_against_a_form() -> None:
    matches: list[Filled | None] = [filled(title="t1"), filled(title="t2"), *[None] * 6]
    assert marks(matches, UNRELATED + 5) == [False] * 8
    assert marks(matches, UNRELATED + 6) == [True, True, *[False] * 6]


def test_an_update_that_was_copied_is_no_template() -> None:
    """All copies of the older version say the same other thing."""
    assert not any(marks([filled(number="5", day="3")] * 9, 100))


def test_a_copy_with_one_broken_fact_is_no_template() -> None:
    others: list[Filled | None] = [
        filled(title=f"t{n}", day=f"d{n}", name=f"n{n}", place=f"p{n}") for n in range(6)
    ]
    assert marks([filled(day="d9"), *others], 100) == [False] + [True] * 6


def test_copies_that_are_broken_each_in_its_own_place_are_no_templates() -> None:
    assert not any(marks([filled(**{f"slot{n}": "x"}) for n in range(9)], 100))


def test_what_mostly_agrees_is_a_copy() -> None:
    """Page furniture differs around each copy, what is inside does not."""
    copies: list[Filled | None] = [
        Filled.of(Compared((), 1, (slot("12", f"{n}"),), 30), KEYS) for n in range(9)
    ]
    assert not any(marks(copies, 100))


def test_one_word_in_several_places_is_several_slots() -> None:
    """Another version of a text: each number is another one, the same in all copies of either."""
    facts = tuple(slot("3", f"{n}", at=n) for n in range(9))
    copies = [Filled.of(Compared((), len(facts), facts, 3), KEYS) for _ in range(9)]
    assert suspects(copies) == [False] * len(copies)


def test_copies_of_another_version_of_which_one_is_broken_are_no_fillings() -> None:
    """What is broken has another value in one copy, which makes one slot vary of many."""
    said = [{f"slot{n}": "x" for n in range(9)} for _ in range(9)]
    said[4]["slot2"] = "y"
    assert suspects([filled(**each) for each in said]) == [False] * 9


@pytest.mark.parametrize("count", [3, 20, 40, 200])
def test_a_form_with_few_values_for_each_slot_is_known(count: int) -> None:
    """Forecasts: six temperatures, four winds."""
    choose = Random(count)
    slots = {"heat": 6, "cold": 6, "wind": 4, "rain": 4, "air": 5}
    asked = dict.fromkeys(slots, 0)
    fillings = [
        {name: choose.randrange(values) for name, values in slots.items()} for _ in range(count)
    ]
    matches = [
        filled(**{name: f"{value}" for name, value in each.items() if value != asked[name]})
        for each in fillings
    ]
    other = sum(each != asked for each in fillings)
    assert sum(suspects(matches)) >= 0.95 * other


def test_one_match_alone_fills_no_form() -> None:
    """A date may be told in two pieces by the one that has another."""
    twice = (Slot(Said(0, "day"), Said(0, "year")), Slot(Said(0, "day"), Said(9, "month")))
    (one, *others) = (Filled.of(Compared((), 2, twice, 3), KEYS) for _ in range(3))
    assert suspects([one, None]) == [False, False]
    assert suspects([one, *others]) == [True] * 3


def test_no_term_is_asked_for_without_a_suspect() -> None:
    def never(keys: Keys) -> dict[Term, int]:
        raise AssertionError(keys)

    assert which_are_templates([[None, None], []], never, UNRELATED) == [[False, False], []]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_matches_does_not_matter(seed: int) -> None:
    matches: list[Filled | None] = [
        None,
        filled(day="d9"),
        *(filled(title=f"t{n}", day=f"d{n}", name=f"n{n}", place=f"p{n}") for n in range(6)),
    ]
    order = Random(seed).sample(range(len(matches)), len(matches))
    found = suspects(matches)
    assert suspects([matches[place] for place in order]) == [found[place] for place in order]


STORY = (
    "清晨的雾还没有散，渡口的铁链就响了起来，摆渡的人把竹篙往水里一点，船便离了岸。赶集的妇人"
    "挑着两筐青菜，筐边挂着一只小铜铃，一路走一路响。桥头的铁匠铺刚刚生火，风箱呼呼地喘气，火星"
    "溅在门前的石板上，很快就灭了。学堂里的孩子背着书包跑过，争论昨夜的月亮到底有没有缺口。卖豆腐"
    "的老汉停下担子，听他们争完，才慢慢吆喝一声，把雾气喊得更白了一些。等太阳从山脊上露出头来，"
    "河面像铺了一层碎银，船已经到了对岸，人们各自散去，只剩下那条缆绳在水里轻轻摇晃。傍晚的时候，"
    "同一条船又把他们接回来，筐里的菜换成了布料、盐和灯油，铜铃还是那样响。铁匠铺的炉火暗了下去，"
    "老汉的担子也空了，孩子们的争论却没有结果，只好约定今晚一起爬上山坡，亲眼看个明白。夜里果然有"
    "月亮，圆得像一面新磨的镜子，谁也没有再提缺口的事，大家坐在草地上，听水声一阵一阵地从山下传来。"
)
PAPERS = [
    "新华网", "人民网", "光明网", "中新网", "南方日报", "北京日报", "文汇报",
    "解放日报", "羊城晚报", "钱江晚报", "新民晚报", "扬子晚报", "齐鲁晚报", "华商报",
]  # fmt: skip
PEOPLE = [
    "王建国", "李晓明", "张志强", "刘海燕", "陈思远", "杨雪梅", "赵文博",
    "黄丽华", "周子豪", "吴雅静", "徐长青", "孙美玲", "胡一帆", "朱国栋",
]  # fmt: skip
FRAMES = {
    "source and editor": "来源：{paper}　编辑：{name}\n{body}\n（来自{paper}，记者{name}摄）",
    "date line": "2023年{month}月{day}日 10:{minute}　来源：{paper}\n{body}\n责编：{name}",
    "date alone": "2023-{month}-{day} 10:{minute}\n{body}",
    "name alone": "{name}\n{body}",
    "in one line": "{paper}记者{name} {body}（编辑：{name}）",
    "in brackets": "{body}（{name}）",
    "photographer": "{body}\n{name} 摄",
    "traditional": "責任編輯：{name}\n{body}",
    "several": "{body}\n（本报记者 {name} {other}　通讯员 {name}）",
    "slash": "文/{name}　图/{other}\n{body}",
}


@pytest.mark.parametrize("size", [100, 180, 400])
@pytest.mark.parametrize("frame", FRAMES)
def test_copies_with_other_bylines_are_no_templates(frame: str, size: int) -> None:
    texts = [
        FRAMES[frame].format(
            body=STORY[: size - 1] + "。",
            paper=paper,
            name=name,
            other=PEOPLE[number - 1],
            month=number % 12 + 1,
            day=number + 3,
            minute=number + 20,
        )
        for number, (paper, name) in enumerate(zip(PAPERS, PEOPLE, strict=True))
    ]
    readings = [Reading.of(text.features) for text in PairJudge(STANDARD).read(texts)]
    for asked in readings[::3]:
        matches = [Filled.of(compare(asked, stored), KEYS) for stored in readings]
        assert not any(marks([*matches], len(texts)))


ENGLISH = (
    "The ferry left the landing before the fog had lifted, and the women on their way to market set"
    " their baskets down on the planks. A small bell hung from one of them and rang with every step"
    " of the water. At the head of the bridge the smith was lighting his fire, and sparks fell on"
    " the stones before the door and went out."
)


@pytest.mark.parametrize(
    "frame",
    [
        "By {name}, Staff Writer\nMarch {day}, 2023\n{body}",
        "{body} Photo: {name}",
        "{body}\n(Reporting by {name}; Editing by {other})",
    ],
)
def test_english_copies_with_other_bylines_are_no_templates(frame: str) -> None:
    last = ("Smith", "Baker", "Carver", "Stone", "Miller", "Draper")
    names = [f"{first} {family}" for first in ("Mary", "John") for family in last]
    texts = [
        frame.format(body=ENGLISH, name=name, other=names[number - 1], day=number + 2)
        for number, name in enumerate(names)
    ]
    readings = [Reading.of(text.features) for text in PairJudge(STANDARD).read(texts)]
    for asked in readings:
        assert not any(marks([Filled.of(compare(asked, other), KEYS) for other in readings], 12))


def test_a_name_in_much_equal_text_is_no_other_filling() -> None:
    def equal(units: int) -> list[Filled | None]:
        return [
            Filled.of(Compared((), 1, (slot("name", f"{n}"),), same=units), KEYS) for n in range(9)
        ]

    assert all(marks(equal(150), 100))
    assert not any(marks(equal(400), 100))


def test_copies_with_another_byline_count_as_copies() -> None:
    byline = Filled.of(Compared((), 1, bylines=1), KEYS)
    matches: list[Filled | None] = [filled(title="t1"), filled(title="t2"), *[byline] * 6]
    assert not any(marks(matches, UNRELATED + 5))
    assert marks(matches, UNRELATED + 6) == [True, True, *[False] * 6]


def test_forms_without_a_passage_of_their_own_are_told_by_loose_windows() -> None:
    """Between slots the words of some forms are too few for a passage."""
    loose = (Field.LOOSE_KEYS, "w1"), (Field.LOOSE_KEYS, "w2")
    keys: Keys = {Field.LOOSE_KEYS: ("w1", "w2"), Field.MINHASH_KEYS: ("m1",)}
    compared = Compared((), 1, (slot("a", "b"),), 0)
    assert Filled.of(compared, keys).shared == loose
    assert Filled.of(compared, {**keys, **KEYS}).shared == tuple(counted(0))
    texts = [Filled.of(compared._replace(slots=(slot("a", f"{n}"),)), keys) for n in range(5)]
    for df, expected in ((100, True), (2, False)):
        documents: dict[Term, int] = dict.fromkeys(loose, df)
        (out,) = which_are_templates([texts], lambda _, known=documents: known, UNRELATED)  # type: ignore[misc]
        assert out == [expected] * 5
