"""The texts whose fingerprints are frozen. Add to them; never change one."""

from __future__ import annotations

import random
from typing import Final

TEXTS: Final[dict[str, str]] = {
    "news": (
        "记者昨日从市园林局获悉，位于老城墙外的护城河公园完成改造，将于国庆节当天免费开放。改造后的公园"
        "绿地面积扩大了三分之一，新增步道4.6公里、休息座椅两百多张，并保留了原有的一百零八棵古槐。"
        "设计师陈一鸣说：“我们没有推倒重来，而是把每一棵老树都当成主角。”附近居民赵大爷每天都来散步，"
        "他说：“以前一下雨就积水，现在走起来什么顾虑都没有了！”公园夜间照明持续到23:30。"
    ),
    "news edited": (
        "记者昨天从市园林局获悉，位于老城墙外的护城河公园完成改造，将于国庆节当天免费开放。改造后的公园"
        "绿地面积扩大了三分之一，新增步道4.6公里、休息座椅两百余张，并保留了原有的一百零八棵古槐。"
        "设计师陈一明说：“我们没有推倒重来，而是把每一棵老树都当成主角。”附近居民赵大爷每天都来散步，"
        "他说：“以前一下雨就积水，现在走起来什么顾虑都没有了！”公园夜间照明持续到23:30。"
    ),
    "traditional": (
        "氣象部門預計，今年第七號颱風將於週四傍晚登陸東部沿海，屆時陣風可達十三級。漁業部門要求所有"
        "漁船在週三中午以前回港避風，沿海學校停課一天。為什麼要提前這麼久？專家解釋說，這次颱風移動"
        "緩慢，雨帶寬闊，後續的降雨對山區影響更大。市民應準備飲用水、手電筒和乾糧，遠離海邊與河床。"
    ),
    "english": (
        "The harbour ferry resumed its regular timetable on Monday after engineers replaced the "
        "gearbox that had failed three weeks earlier. Passengers who bought season tickets in "
        "March will get twelve per cent of the price back, the operator said. Don't expect the "
        "old evening boat to return before June, however: its crew is still being trained."
    ),
    "mixed": (
        "团队在GitHub上发布了v2.3.1版本：用Rust重写了tokenizer，速度提高约3.5倍；Python API"
        "保持不变，pip install即可升级。README里的C++和Node.js示例也已更新，CPU"
        "占用从 80% 降到 22%。"
    ),
    "japanese": "新しい図書館が来月一日にオープンします。ﾎｰﾙでは記念コンサートも開かれる予定です。",
    "korean": "도서관은 다음 달에 다시 문을 엽니다. 주말에는 어린이 행사도 열립니다.",
    "russian": "Библиотека откроется в следующем месяце, а по выходным здесь будут праздники.",
    "short": "谢谢同学们的支持",
    "one character": "好",
    "number": "3.14",
    "emoji": "😀👍🏽🎉",
    "emoji and words": "太棒了😀😀 终于❤\ufe0f到货👩\u200d👧！",
    "decomposed": "Cafe\u0301 Mu\u0308ller ｶﾞﾗｽ \u1112\u1161\u11ab",
    "rare": "㐀𠀀䶮，龘靐齉！\u200b\ud800",
    "strokes between": "会丨议丨于丨周丨三丨上丨午丨在丨市丨图丨书丨馆丨二丨楼丨举丨行",
    "letters by number": (
        "&#20170;&#22825;&#19979;&#21320;&#24320;&#39302;&#65292;&#20813;&#36153;&#21442;&#35266;"
    ),
    "turned": "请看：\u202e。场入费免日周，间时放开的馆书图市\u202c谢谢。",
    "keycaps between": "1\ufe0f\u20e3".join("周三上午开会"),
    "tones": "我们jin1tian1下午qu4图书馆jie4几本书，ming2tian1还",
    "letters by looks": "Ѕеагсh fог тhе гооm пехt аt поoп оf тhе fіrѕt day аnd wrіtе",
    "masks": "图书x今天xx开放到晚上x点，周x闭馆，x位读者请x前预约。",
    "tags": "<b>图书</b>馆<i>今天</i>下午<br>两点<b>开</b>放<i></i>，欢<b></b>迎参观。",
    "hidden": (
        "图书<i style='display:none'>免费</i>馆今天<b hidden>x</b>下午<style>b{}</style>开放<br>。"
    ),
    "invisible references": "图&zwnj;书&zwnj;馆&#8203;今&zwnj;天&shy;下&zwnj;午&zwnj;开&zwnj;放",
    "rings": "\u20dd".join("图书馆今天下午两点开放参观"),
    "flag letters": "".join(chr(0x1F1E6 + ord(each) - ord("A")) for each in "OPENATNINE") + " 11",
    "columns": "。馆今图\n谢两天书\n谢点下馆\n　开午市",
    "signs for letters": "Th!s gre@t off€r ends on M0nday, d0n't m!ss it, wr!te to us",
}


def long_chinese() -> str:
    """About 9,000 characters: four chunks."""
    subjects = (
        "老师",
        "渔夫",
        "工程师",
        "画家",
        "医生",
        "邻居",
        "店主",
        "记者",
        "司机",
        "学生",
        "村长",
        "护士",
    )
    verbs = (
        "修好了",
        "找到了",
        "带来了",
        "写完了",
        "卖掉了",
        "画出了",
        "借走了",
        "弄丢了",
        "买下了",
        "送还了",
    )
    objects = (
        "一盏旧灯",
        "三箱苹果",
        "半张地图",
        "那只木船",
        "两封长信",
        "一把雨伞",
        "整套工具",
        "许多照片",
    )
    places = (
        "在河边",
        "在车站",
        "在山脚下",
        "在图书馆",
        "在码头",
        "在老街尽头",
        "在学校门口",
        "在雪地里",
    )
    ends = ("大家都很高兴", "谁也没有说话", "天色渐渐暗了", "雨一直下到半夜", "第二天他们又见面了")
    choose = random.Random(1866)
    parts = (subjects, places, verbs, objects)
    return "".join(
        "".join(choose.choice(part) for part in parts) + f"，第{i}次，{choose.choice(ends)}。"
        for i in range(330)
    )


def long_english() -> str:
    """About 3,800 words: two chunks."""
    nouns = (
        "river",
        "market",
        "teacher",
        "engine",
        "garden",
        "letter",
        "winter",
        "bridge",
        "captain",
        "orchard",
        "lamp",
    )
    verbs = (
        "carried",
        "repaired",
        "painted",
        "forgot",
        "followed",
        "measured",
        "opened",
        "borrowed",
        "crossed",
    )
    choose = random.Random(1998)
    lines = []
    for i in range(480):
        one, two = choose.choice(nouns), choose.choice(nouns)
        lines.append(f"The {one} {choose.choice(verbs)} the {two} of day {i}.")
    return " ".join(lines)


def samples() -> dict[str, str]:
    """Every text by name."""
    return {**TEXTS, "long chinese": long_chinese(), "long english": long_english()}
