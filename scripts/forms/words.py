"""What forms are filled in with: persons, places, organisations, titles, ordinals, dates. All of it
is made up of lists of our own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final


def listed(words: str, separator: str = " ") -> tuple[str, ...]:
    return tuple(words.split(separator))


_SURNAMES: Final = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
_GIVEN: Final = (
    "伟敏静丽强磊洋艳勇军杰娟涛明超霞平刚桂英华玉兰建国文志海云鹏飞雪梅晓红春松柏清泉思远"
)
_FOREIGN: Final = (
    "阿埃艾安奥巴贝比博布查达丹德迪杜恩尔法菲弗格古哈海赫霍加杰卡科克拉莱兰雷里利林罗洛马"
)
_TAIL: Final = "斯尔特森曼克顿兹德拉姆纳里亚娜夫洛"
_CITIES: Final = listed(
    "北京 上海 广州 深圳 天津 重庆 成都 武汉 南京 杭州 西安 苏州 郑州 长沙 青岛 沈阳 大连 "
    "厦门 昆明 兰州 贵阳 南宁 合肥 福州 石家庄 哈尔滨 乌鲁木齐 呼和浩特"
)
_COUNTIES: Final = listed(
    "云溪 青原 石桥 临江 白河 东陵 长乐 安平 永丰 龙泉 清水 金沙 玉山 平湖 双流 新津 高陵 "
    "望城 江浦 海门"
)
_COUNTRIES: Final = listed(
    "法国 德国 西班牙 意大利 俄罗斯 日本 韩国 越南 泰国 埃及 巴西 阿根廷 波兰 匈牙利 土耳其 "
    "伊朗 印度 墨西哥 希腊 芬兰"
)
_LANGUAGES: Final = listed(
    "英 法 德 俄 日 韩 西班牙 阿拉伯 葡萄牙 意大利 泰 越南 波斯 土耳其 希腊 波兰"
)
_FIRMS: Final = listed(
    "华星 东岳 金泰 远航 恒信 天瑞 新安 中昊 宏图 瑞丰 康源 博雅 鼎新 嘉禾 启明 汇川"
)
_TRADES: Final = listed("科技 股份 集团 能源 药业 置业 物流 电器 食品 传媒")
_OFFICES: Final = listed(
    "水利局 教育局 财政局 公安局 卫生健康委员会 住房和城乡建设局 交通运输局 自然资源局 "
    "文化和旅游局 审计局 市场监督管理局 农业农村局"
)
_POSTS: Final = listed("局长 副局长 书记 副书记 主任 副主任 党组成员 调研员 总工程师 处长")
_FIRST: Final = listed(
    "春江 北岸 流年 山河 归途 远方 故园 长夜 星辰 灯火 秋水 云端 麦田 雪国 渡口 青石 海上 "
    "南墙 风中 月下 无名 旧城"
)
_LAST: Final = listed(
    "花月夜 往事 的歌者 手记 十二章 之恋 与少年 问答录 漫谈 的秘密 纪事 来信 回响 的守望者 "
    "小史 札记 启示录 考 新语 传奇 里的人 笔谈"
)
_HAN: Final = "零一二三四五六七八九十"
_ROADS: Final = listed(
    "人民 解放 中山 建设 和平 新华 文化 胜利 长江 黄河 滨河 迎宾 学院 工业 光明 朝阳 环城 江滨"
)
_MUSEUMS: Final = listed("博物馆 美术馆 图书馆 文化馆 艺术中心 展览馆 大剧院 音乐厅")
_TEAMS: Final = listed("海豚 猎豹 飞马 雪狼 火箭手 骑兵 巨人 水手 金雕 灰熊 蓝鲸 铁锤")
_FIELDS: Final = listed(
    "经济学 中医养生 古典诗词 天文观测 家庭教育 人工智能 心理健康 书法鉴赏 地方戏曲 环境保护 "
    "法律常识 摄影技巧"
)

_NAMES: Final = listed(
    "James Mary Robert Linda Helen George Peter Alice Walter Irene Oscar Clara Hugo Nora "
    "Victor Ruth Felix Edith Simon Grace"
)
_FAMILIES: Final = listed(
    "Harlow Bennett Carver Whitfield Osborne Draper Lindqvist Moreno Castell Novak Petrov "
    "Haddad Okafor Brandt Fairley Kessler Mundy Rowntree Sato Tierney"
)
_TOWNS: Final = listed(
    "Ashford Brookhaven Calder Dunmore Eastleigh Fairview Granby Hartwell Ironbridge Kingsley "
    "Lowell Milton Norwood Oakdale Preston Redfield Selby Thornton"
)
_ENGLISH_CITIES: Final = listed(
    "London Paris Berlin Madrid Vienna Boston Chicago Denver Lisbon Prague Dublin Toronto"
)
_CLUBS: Final = listed(
    "Rovers United Wanderers Athletic Rangers Albion Hawks Mariners Giants Comets"
)
_ENGLISH_TITLES: Final = listed(
    "The Silent Harbour|A Winter in Stone|Letters to Nobody|The Glass Orchard|"
    "Beneath the Pines|Seven Small Rivers|The Clockmaker's Debt|An Island of Bells|"
    "What the Tide Left|Night Trains|The Last Ferry|Salt and Cinders|A House of Paper|"
    "The Cartographer's Wife|Bread for Strangers|Northern Lines",
    "|",
)
_ORDINALS: Final = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_MONTHS: Final = listed(
    "January February March April May June July August September October November December"
)


def han(number: int) -> str:
    """A number from 0 to 99 in Chinese numerals."""
    tens, rest = divmod(number, 10)
    if not tens:
        return _HAN[number]
    return (_HAN[tens] if tens > 1 else "") + "十" + (_HAN[rest] if rest else "")


@dataclass
class Words:
    """Chooses the words of one filled form. Each sort of word has random numbers of its own, so
    that one sort can be `changed` and all others stay.
    """

    seed: str
    changed: str = ""
    _made: dict[str, Random] = field(default_factory=dict)

    def rng(self, sort: str) -> Random:
        """The random numbers of a sort of words."""
        if sort not in self._made:
            more = "/changed" if sort == self.changed else ""
            self._made[sort] = Random(f"{self.seed}/{sort}{more}")
        return self._made[sort]

    def of(self, *choices: str) -> str:
        return self.rng("other").choice(choices)

    def number(self, low: int, high: int) -> int:
        return self.rng("number").randint(low, high)

    def amount(self, low: float, high: float) -> str:
        return f"{self.rng('number').uniform(low, high):.2f}"

    def person(self) -> str:
        given = self.rng("person").sample(_GIVEN, self.rng("person").choice((1, 2, 2)))
        return self.rng("person").choice(_SURNAMES) + "".join(given)

    def foreigner(self) -> str:
        def part() -> str:
            inner = "".join(self.rng("person").sample(_FOREIGN, self.rng("person").randint(1, 2)))
            return inner + self.rng("person").choice(_TAIL)

        return f"{part()}·{part()}"

    def city(self) -> str:
        return self.rng("place").choice(_CITIES)

    def county(self) -> str:
        return self.rng("place").choice(_COUNTIES)

    def country(self) -> str:
        return self.rng("country").choice(_COUNTRIES)

    def language(self) -> str:
        return self.rng("language").choice(_LANGUAGES)

    def firm(self) -> str:
        return self.rng("organisation").choice(_FIRMS) + self.rng("organisation").choice(_TRADES)

    def office(self) -> str:
        return self.rng("organisation").choice(_OFFICES)

    def post(self) -> str:
        return self.rng("post").choice(_POSTS)

    def title(self) -> str:
        return self.rng("title").choice(_FIRST) + self.rng("title").choice(_LAST)

    def ordinal(self) -> str:
        number = self.rng("ordinal").randint(1, 20)
        return "首届" if number == 1 else f"第{han(number)}届"

    def road(self) -> str:
        return self.rng("place").choice(_ROADS) + self.rng("place").choice(("路", "街", "大道"))

    def museum(self) -> str:
        return self.rng("place").choice((*_CITIES, *_COUNTIES)) + self.rng("place").choice(_MUSEUMS)

    def field(self) -> str:
        return self.rng("field").choice(_FIELDS)

    def team(self) -> str:
        return self.rng("team").choice(_TEAMS)

    def day(self) -> str:
        return f"{self.rng('date').randint(1, 12)}月{self.rng('date').randint(1, 28)}日"

    def date(self) -> str:
        return f"{self.rng('date').randint(2005, 2024)}年{self.day()}"

    def name(self) -> str:
        return f"{self.rng('person').choice(_NAMES)} {self.rng('person').choice(_FAMILIES)}"

    def family(self) -> str:
        return self.rng("person").choice(_FAMILIES)

    def town(self) -> str:
        return self.rng("place").choice(_TOWNS)

    def big_town(self) -> str:
        return self.rng("place").choice(_ENGLISH_CITIES)

    def club(self) -> str:
        return f"{self.rng('team').choice(_TOWNS)} {self.rng('team').choice(_CLUBS)}"

    def book(self) -> str:
        return self.rng("title").choice(_ENGLISH_TITLES)

    def nth(self) -> str:
        return self.rng("ordinal").choice(_ORDINALS)

    def month_day(self) -> str:
        return f"{self.rng('date').choice(_MONTHS)} {self.rng('date').randint(1, 28)}"
