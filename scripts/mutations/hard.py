"""What looks like a copy and is none: the same text with other facts, forms filled in anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

LEAST: Final = 3
"""A text with fewer facts to swap is left alone."""

_NUMERALS: Final = "一二三四五六七八九"
_CITIES: Final = (
    "北京",
    "上海",
    "广州",
    "深圳",
    "天津",
    "重庆",
    "成都",
    "武汉",
    "南京",
    "杭州",
    "西安",
)
_ABROAD: Final = ("London", "Paris", "Berlin", "Madrid", "Vienna", "Boston", "Chicago", "Denver")
_PLACES: Final = (*_CITIES, *_ABROAD)
_FACT: Final = re.compile(
    rf"[0-9]+|[{_NUMERALS}](?=[{_NUMERALS}十百千万年月日岁个人次])|" + "|".join(_PLACES)
)

_SURNAMES: Final = "王李张刘陈杨赵黄周吴徐孙马朱胡"
_GIVEN: Final = ("伟", "敏", "建军", "晓明", "志强", "海燕", "国华", "小龙", "文斌", "雪梅")
_FIRMS: Final = ("华星", "东岳", "金泰", "远航", "恒信", "天瑞", "新安", "中昊", "宏图", "瑞丰")
_TEAMS: Final = ("海豚", "猎豹", "飞马", "雪狼", "火箭手", "骑兵", "巨人", "水手", "金雕", "灰熊")
_SKIES: Final = ("晴", "多云", "阴", "小雨", "阵雨", "中雨", "雷阵雨", "小雪", "雾")
_WINDS: Final = ("东风", "南风", "西风", "北风", "东北风", "东南风", "西北风", "西南风")


def swapped_facts(text: str, rng: Random) -> tuple[str, int] | None:
    """The text with other numbers and places, and how many; None where it has hardly any."""
    count = 0

    def other(found: re.Match[str]) -> str:
        nonlocal count
        fact = found.group()
        if fact.isascii() and fact.isdigit():
            new = "".join(rng.choice("123456789") for _ in fact)
        elif fact in _NUMERALS:
            new = rng.choice(_NUMERALS)
        else:
            new = rng.choice(_ABROAD if fact.isascii() else _CITIES)
        count += new != fact
        return new

    changed = _FACT.sub(other, text)
    return (changed, count) if count >= LEAST else None


def weather(rng: Random) -> str:
    """A forecast."""
    low, high = sorted(rng.sample(range(-8, 36), 2))
    month, day = rng.randint(1, 12), rng.randint(1, 28)
    sky, later = rng.sample(_SKIES, 2)
    return (
        f"{rng.choice(_CITIES)}气象局{month}月{day}日{rng.randint(5, 20)}时发布：预计今天白天"
        f"{sky}转{later}，{rng.choice(_WINDS)}{rng.randint(1, 6)}级，气温{low}℃到{high}℃；夜间"
        f"{rng.choice(_SKIES)}，{rng.choice(_WINDS)}{rng.randint(1, 5)}级。未来两天以"
        f"{rng.choice(_SKIES)}天气为主，最高气温{rng.randint(-2, 38)}℃。空气湿度"
        f"{rng.randint(15, 98)}%，能见度{rng.randint(1, 30)}公里。请市民根据天气变化适时增减衣物，"
        "出门注意交通安全。"
    )


def stock(rng: Random) -> str:
    """A market report."""

    def number(low: float, high: float) -> str:
        return f"{rng.uniform(low, high):.2f}"

    name = rng.choice(_FIRMS) + rng.choice(("科技", "股份", "集团", "能源", "药业"))
    return (
        f"{name}（{rng.randint(600000, 603999)}）{rng.randint(1, 12)}月{rng.randint(1, 28)}日"
        f"开盘价{number(3, 90)}元，截至收盘报{number(3, 90)}元，"
        f"{rng.choice('涨跌')}幅{number(0, 10)}%，成交额{number(0.3, 40)}亿元，"
        f"换手率{number(0.2, 15)}%。融资方面，当日融资买入{number(100, 9000)}万元，"
        f"融资偿还{number(100, 9000)}万元，融资余额{number(1, 60)}亿元。"
        f"公司前三季度实现营业收入{number(2, 300)}亿元，"
        f"同比{rng.choice(('增长', '下降'))}{number(0, 60)}%；净利润{number(0.1, 40)}亿元，"
        f"每股收益{number(0.01, 3)}元。以上信息不构成投资建议。"
    )


def sport(rng: Random) -> str:
    """A match report."""
    home, guest = rng.sample(_TEAMS, 2)
    names = [rng.choice(_SURNAMES) + rng.choice(_GIVEN) for _ in range(4)]
    points = [rng.randint(6, 40) for _ in names]
    return (
        f"{rng.randint(1, 12)}月{rng.randint(1, 28)}日，联赛第{rng.randint(2, 38)}轮，"
        f"{home}队坐镇主场迎战{guest}队，最终比分{rng.randint(70, 130)}比{rng.randint(70, 130)}。"
        f"首节双方战成{rng.randint(15, 35)}比{rng.randint(15, 35)}，"
        f"半场结束时分差为{rng.randint(1, 20)}分。{home}队{names[0]}拿下{points[0]}分"
        f"{rng.randint(1, 15)}个篮板，{names[1]}贡献{points[1]}分{rng.randint(1, 12)}次助攻；"
        f"{guest}队{names[2]}砍下全队最高的{points[2]}分，{names[3]}得到{points[3]}分。"
        f"赛后主教练表示球员们执行了既定战术。下一轮{home}队将客场挑战{rng.choice(_TEAMS)}队。"
    )


TEMPLATES: Final[dict[str, Callable[[Random], str]]] = {
    "hardneg_template_weather": weather,
    "hardneg_template_stock": stock,
    "hardneg_template_sport": sport,
}
