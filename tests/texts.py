"""Texts of our own for the unit tests: fixed samples, a generator, and hypothesis strategies."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from hypothesis import settings
from hypothesis import strategies as st

from mappings.plan import STANDARD, TABLE_STEPS, Plan
from query.grams import Features, features_all
from tests.laws import EXAMPLES

LAW: Final = settings(deadline=None, max_examples=EXAMPLES)
"""For laws: no time limit on one example, the machine may be busy."""

PLAIN: Final = replace(STANDARD, steps=TABLE_STEPS)
"""Texts as they are prepared, without the skeleton."""

METRO: Final[str] = (
    "市轨道交通集团昨天宣布，地铁八号线二期将于下月十五日正式开通试运营。新线全长二十三点六公里，"
    "共设车站十七座，从城北的银杏路一直通到南湖新区。集团总工程师李明华介绍说，列车采用六节编组，"
    "最高时速八十公里，高峰时段每三分钟发出一班。开通以后，南湖居民到市中心的时间将由原来的"
    "七十分钟缩短到三十五分钟左右。为了方便换乘，沿线同时调整了四十二条公交线路，并且新建了"
    "九处自行车停放点。不少市民表示，盼望了五年的地铁终于要来了，以后上班再也不用担心堵车。"
    "集团提醒乘客，试运营期间首班车早上六点发出，末班车晚上十点半发出，请大家合理安排出行。"
)
METRO_HOMOPHONES: Final[str] = (
    "市轨道交通集团作天宣布，地铁八号线二期将于下月十五日正式开通是运营。新现全长二十三点六公理，"
    "共设车占十七座，从城北的银杏路一只通到南胡新区。集团总工程师李明华介少说，列车采用六节编祖，"
    "最高时速八十公理，高风时段每三分中发出一班。开通以后，南胡居民到是中心的时间将由园来的"
    "七十分中缩短到三十五分中左右。为了方变换乘，沿现同时调整了四十二条公交现路，并切新建了"
    "九处自行车停放店。不少是民表是，盼望了五年的地铁中于要来了，以后上班再也不用单心堵车。"
    "集团提醒乘客，是运营期间首班车早上六点发出，末班车晚上十点半发出，请大家和理安排出行。"
)
METRO_TRADITIONAL: Final[str] = (
    "市軌道交通集團昨天宣布，地鐵八號線二期將於下月十五日正式開通試運營。新線全長二十三點六公里，"
    "共設車站十七座，從城北的銀杏路一直通到南湖新區。集團總工程師李明華介紹說，列車採用六節編組，"
    "最高時速八十公里，高峰時段每三分鐘發出一班。開通以後，南湖居民到市中心的時間將由原來的"
    "七十分鐘縮短到三十五分鐘左右。為了方便換乘，沿線同時調整了四十二條公交線路，並且新建了"
    "九處自行車停放點。不少市民表示，盼望了五年的地鐵終於要來了，以後上班再也不用擔心堵車。"
    "集團提醒乘客，試運營期間首班車早上六點發出，末班車晚上十點半發出，請大家合理安排出行。"
)
TEA: Final[str] = (
    "清明前后，山里的茶农天不亮就上山了。王秀英今年六十三岁，采了四十多年茶，手指翻飞之间，"
    "一芽一叶便落进竹篓。她说，好茶要看天气，雨水多了味道淡，太阳大了叶子老，只有雾气笼罩的早晨"
    "采下来的最香。今年春天来得晚，头一批新茶比往年迟了整整一个星期，价钱却涨了两成。"
    "镇上的合作社把各家的鲜叶收上来，统一炒制，再通过网店卖到全国。去年光是网上的订单就有"
    "三万多笔，村里的年轻人也陆续回来帮忙。什么时候把茶山变成景区，是大家下一步要商量的事情。"
)
LIBRARY: Final[str] = (
    "The town library will close its doors for eleven weeks this summer while builders replace the "
    "leaking roof and rewire the reading rooms. Margaret Olsen, who has run the branch since 1998, "
    "said borrowers may keep whatever they have taken out until the reopening in September, and no "
    "fines will be charged. A smaller collection of about four thousand novels and picture books "
    "moves to the old fire station on Mill Street, where volunteers will serve visitors every "
    "afternoon except Sunday. The council expects the work to cost 1.5 million crowns, half of "
    "which comes from a bequest made by a retired schoolteacher who had learned to read there as "
    "a child."
)
ORCHARD: Final[str] = (
    "Apple growers along the river lost nearly a third of their blossom to a late frost on Tuesday "
    "night, the coldest May morning in twenty years. Some families lit small fires between the "
    "rows and others flew helicopters low over the trees to push warm air down, yet by sunrise "
    "most of the petals had turned brown. The cooperative now hopes that the later varieties, "
    "which flower in the second half of the month, will make up for part of the damage before the "
    "autumn market."
)
MIXED: Final[str] = (
    "Python 3.12 发布之后，团队把 Node.js 服务迁移到了 FastAPI，平均延迟从 48.5ms 降到 31ms。"
    "CI 使用 GitHub Actions，C++ 模块仍由 CMake 构建，覆盖率保持在 92.3% 以上。"
)

CHARACTERS: Final[str] = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产"
    "种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从"
    "业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又"
    "利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入"
    "常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决"
    "西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联"
)


def chinese(length: int, seed: int) -> str:
    """Sentences of random common characters: no two seeds share a passage."""
    choose = random.Random(seed)
    out: list[str] = []
    while len(out) < length:
        out += choose.choices(CHARACTERS, k=choose.randint(7, 24))
        out.append(choose.choice("，，。。！？；"))
    return "".join(out[:length])


def english(words: int, seed: int) -> str:
    """Sentences of made-up words."""
    choose = random.Random(seed)
    syllables = ["ba", "ren", "tol", "mi", "sha", "quo", "ver", "lin", "dor", "ke", "stu", "ap"]
    out = ["".join(choose.choices(syllables, k=choose.randint(1, 4))) for _ in range(words)]
    for place in range(9, words, 10):
        out[place] += "."
    return " ".join(out)


PIECES: Final = (
    *"中国國電电脑腦龍龙什么麼麽",
    *"aZéß①㌔ﬁＡ７ｶﾞがカ゛가한ĲΣςИй",
    *("e\u0301", "o\u0323\u0302", "\u1112\u1161\u11ab", "\uff76\uff9e", "\u1100\u1161"),
    *("\u0301", "\u3099", "\u200b", "\u200d", "\ufeff", "\ufe0f", "\u00ad", "\x00", "\x7f"),
    *(" ", "  ", "\t", "\n", "\r\n", "\u3000", "\u00a0", "\u2028"),
    *("“", "”", "、", "。", "！", "—", "…", "·", ".", ",", "-", "《", "》", "'"),
    *("1.5", "-4", "3,000", "50%", "Node.js", "a_b-c", "hello world", "你好，世界。"),
    *("😀", "👩\u200d👩\u200d👧", "❤\ufe0f", "🇨🇳", "\U00020000", "\U0001e030\u0301"),
)

anything: Final = st.text(
    st.one_of(st.sampled_from(CHARACTERS), st.characters(exclude_categories=())), max_size=40
)
"""Any string at all, lone surrogates included."""

mixtures: Final = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
"""What the preparation steps care about, in any order."""

texts: Final = st.one_of(mixtures, anything)
visible: Final = texts.map(lambda text: text + "字")
"""Texts that nothing refuses."""

RUNS_PAGE: Final[str] = "".join(
    chinese(27, at) + chinese(30, at + 50) for at in range(3)
) + chinese(200, 8)
RUNS_SOURCE: Final[str] = "".join(chinese(27, at) + chinese(150, at + 90) for at in range(3))
"""Two texts that share three runs, and no more: only the rule of long runs tells."""

FEW_GRAMS = "".join(random.Random(7).choices("是否", k=400))
"""Many long grams of few short ones."""

pieced = st.lists(
    st.sampled_from(
        (
            TEA[:40],
            METRO[:8],
            METRO_HOMOPHONES[:8],
            METRO,
            LIBRARY[:200],
            ORCHARD,
            "甲乙",
            "5",
            RUNS_PAGE,
            RUNS_SOURCE,
            FEW_GRAMS,
            "!",
        )
    ),
    min_size=1,
    max_size=4,
).map("".join)
"""Texts of a few pieces each; two of them are in turn all that two texts can be to each other."""


def features_of(text: str, plan: Plan) -> Features:
    """What verification compares of one text."""
    return features_all([text], plan)[0]
