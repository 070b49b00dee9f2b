"""Closed classes: words of which one stands in for another of the same class only where something
else is said. 英文 and 法文, 上午 and 下午, 上册 and 下册.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from query.answers import FactKind

_LANGUAGES: Final = (
    "英 法 德 俄 日 韩 中 汉 藏 蒙 维 泰 越 越南 西班牙 西 葡萄牙 葡 意大利 意 阿拉伯 波斯 土耳其 希腊 拉丁 波兰 捷克 瑞典 挪威 "
    "丹麦 芬兰 荷兰 匈牙利 罗马尼亚 保加利亚 乌克兰 塞尔维亚 希伯来 印地 印尼 马来 缅甸 柬埔寨 老挝 蒙古 哈萨克 维吾尔 朝鲜 "
    "世界 梵 满 彝 壮 粤 闽南 乌尔都 孟加拉 僧伽罗 斯瓦希里 豪萨 普什图 格鲁吉亚 亚美尼亚 阿尔巴尼亚 克罗地亚"
).split()
_SAME_LANGUAGE: Final = {
    "西": "西班牙", "葡": "葡萄牙", "意": "意大利", "汉": "中", "越": "越南", "世界": "世界",
}  # fmt: skip
_LANGUAGE: Final = re.compile(rf"({'|'.join(sorted(_LANGUAGES, key=len, reverse=True))})[语文]")

_CLASSES: Final[tuple[tuple[FactKind, str], ...]] = (
    (FactKind.DATE, "上午 下午 中午 凌晨 清晨 早晨 傍晚 晚上 夜间 深夜 今晨 今晚"),
    (FactKind.DATE, "春季 夏季 秋季 冬季 春天 夏天 秋天 冬天 春节 元旦 清明 端午 中秋 国庆 重阳 元宵 除夕"),
    (FactKind.DATE, "立春 雨水 惊蛰 春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒"),
    (FactKind.DATE, "上半年 下半年 全年 上旬 中旬 下旬 月初 月底 年初 年底"),
    (FactKind.DATE, "鼠年 牛年 虎年 兔年 龙年 蛇年 马年 羊年 猴年 鸡年 狗年 猪年"),
    (FactKind.NUMBER, "上册 中册 下册 上卷 中卷 下卷 上集 中集 下集 上篇 中篇 下篇"),
    (FactKind.NUMBER, "甲等 乙等 丙等 甲级 乙级 丙级 初级 中级 高级 一等 二等 三等 特等"),
    (FactKind.NUMBER, "冠军 亚军 季军 金牌 银牌 铜牌 金奖 银奖 铜奖"),
    (FactKind.NUMBER, "蓝色 黄色 橙色 红色"),
    (FactKind.NAME, "东部 南部 西部 北部 中部 东南部 西南部 东北部 西北部 东风 南风 西风 北风 东北风 东南风 西北风 西南风 偏东风 偏南风 偏西风 偏北风"),
    (FactKind.NAME, "城东 城西 城南 城北 东城 西城 南城 北城 东区 西区 南区 北区 东侧 西侧 南侧 北侧 东门 西门 南门 北门 东郊 西郊 南郊 北郊"),
    (FactKind.NAME, "暴雨 大风 台风 高温 雷电 大雾 寒潮 霜冻 冰雹 道路结冰 雷暴 沙尘暴 干旱"),
    (FactKind.NAME, "晴 多云 阴 小雨 中雨 大雨 阵雨 雷阵雨 小雪 中雪 大雪 阵雪 雾 霾 雨夹雪"),
    (FactKind.NAME, "白羊座 金牛座 双子座 巨蟹座 狮子座 处女座 天秤座 天蝎座 射手座 摩羯座 水瓶座 双鱼座"),
    (FactKind.NAME, "男子 女子 男单 女单 男双 女双 混双"),
    (FactKind.NAME, "小学 初中 高中 大学"),
    (FactKind.NAME, "语文 数学 物理 化学 生物 历史 地理 政治"),
    (FactKind.NAME, "足球 篮球 排球 乒乓球 羽毛球 网球 游泳 田径 体操 跳水 举重 射击 击剑 滑雪 滑冰 冰球 棒球 垒球 手球 马拉松 围棋 象棋"),
)  # fmt: skip


@cache
def _of() -> dict[str, list[tuple[int, FactKind]]]:
    """For each word its classes."""
    out: dict[str, list[tuple[int, FactKind]]] = {}
    for number, (kind, words) in enumerate(_CLASSES):
        for word in words.split():
            out.setdefault(word, []).append((number, kind))
    return out


def of_one_class(asked: str, stored: str) -> FactKind | None:
    """The kind of fact that two different words of one class are."""
    classes = _of()
    others = dict(classes.get(stored, ()))
    for number, kind in classes.get(asked, ()):
        if number in others:
            return kind
    languages = [_LANGUAGE.fullmatch(word) for word in (asked, stored)]
    named = {_SAME_LANGUAGE.get(found[1], found[1]) for found in languages if found}
    return FactKind.NAME if all(languages) and len(named) > 1 else None
