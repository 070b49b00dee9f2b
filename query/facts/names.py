"""Names: where two texts that are otherwise the same name another place, person or thing.

No model of language is asked, only lists, and both sides have to pass: two places of the list, two
persons by surname next to a word that goes with persons, two words with a capital letter inside a
sentence. What sounds the same is a typing mistake and never comes here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from query.facts.values import numbers_of

_VERSION: Final = 1
LONGEST: Final = 10
"""Characters of the longest Chinese name looked for."""

_WIDEST: Final = 4
"""Characters that two different names may share at either end: 南京 and 北京."""

_SHAPES: Final = sorted(product(range(_WIDEST + 1), repeat=2), key=sum)

_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙朱胡郭何罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢"
    "姜崔钟谭陆汪范廖贾夏韦付邹孟熊秦邱尹薛闫段侯龚邵钱严覃戴莫孔汤康樊葛邢乔伍庞倪庄聂章翟詹欧耿焦俞"
    "柳祝舒阮柯梅童凌毕裴霍涂苗盛翁冉骆靳柴蒙鲍喻祁滕屈饶牟艾尤缪麦褚娄窦戚岑费卜席柏宗瞿桂佟臧闵邬卞"
) | {"欧阳", "上官", "司马", "诸葛", "司徒", "夏侯", "慕容", "皇甫", "令狐", "尉迟", "端木"}
"""Without those that are everyday words as well: 高, 白, 马, 时, 成, 边, 管, 关, 连."""

_MORE_SURNAMES: Final = frozenset(
    "林高于萧白马时成边管关连温安石龙万史常武雷路江方文华顾游单盖古应向申辛鲁左解米甄储宫全房舍车农"
)
"""Those that are: taken for a surname in a whole name that stands for another one."""

_FIRST: Final = frozenset(name[0] for name in _SURNAMES)
_NEVER_GIVEN: Final = re.compile(
    "[的是在有和这那为而及与也就都被把让从于对向将已又还等到了着过则却即后前中上下里内外今昨日时年月说称表]"
)
_BEFORE: Final = (
    "记者|通讯员|作者|导演|主演|演员|歌手|总统|总理|主席|部长|省长|市长|县长|书记|局长|院长|校长|"
    "处长|厅长|科长|镇长|乡长|村长|馆长|站长|会长|理事长|秘书长|参谋长|班长|组长|店长|工程师|调研员|成员|委员|代表|"
    "书记员|审判员|审判长|法官|检察官|民警|警官|护士|专家|学者|作家|诗人|画家|书法家|汉学家|译者|主编|馆员|主讲人|主持人|球员|"
    "后卫|前锋|中锋|门将|原告|被告|申请人|被申请人|任命|免去|同意|"
    "教授|博士|医生|律师|董事长|总经理|总裁|创始人|教练|队长|选手|发言人|先生|女士|姑娘|"
    "皇帝|将军|司令|主任|编辑|摄影|嫌疑人|被告人|受害人|居民|村民|市民|妻子|丈夫|儿子|女儿|名叫|叫做"
)
_AFTER: Final = (
    "先生|女士|小姐|教授|博士|同志|老师|医生|律师|记者|导演|总统|总理|主席|部长|省长|市长|书记|局长|"
    "院长|校长|董事长|总经理|总裁|教练|队长|说|表示|称|指出|认为|介绍|告诉|透露|强调|坦言|"
    "去世|逝世|获得|当选|担任|执导|饰演|主演|等人"
)
_ENDS_PERSON: Final = re.compile(rf"(?:{_BEFORE})$")
_STARTS_PERSON: Final = re.compile(rf"(?:{_AFTER})")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_HAN_END: Final = re.compile(r"[\u4e00-\u9fff]+$")
_SENTENCE: Final = re.compile(r"(?:^|[.!?:。\n]|[.!?]['\")]+)[\s\"'(]*$")
_UNITS: Final = {
    unit: (dimension, factor)
    for dimension, units in {
        "length": "毫米 1 厘米 10 公分 10 米 1000 公尺 1000 公里 1000000 英里 1609344 海里 1852000",
        "mass": "毫克 1 克 1000 公克 1000 斤 500000 公斤 1000000 磅 453592 吨 1000000000",
        "money": "元 1 块 1 块钱 1 人民币 1",
        "dollar": "美元 1 美金 1",
        "euro": "欧元 1",
        "yen": "日元 1 日圆 1",
        "pound": "英镑 1",
        "hkd": "港元 1 港币 1",
        "time": "秒 1 秒钟 1 分钟 60 小时 3600 钟头 3600 天 86400 星期 604800 周 604800",
    }.items()
    for unit, factor in zip(units.split()[::2], map(int, units.split()[1::2]), strict=True)
}


class Side(NamedTuple):
    """A prepared text with a stretch [start, stop) of it, where the other text has another."""

    text: str
    start: int
    stop: int

    def widened(self, left: int, right: int) -> Side:
        """The stretch with some of what stands around it."""
        return Side(self.text, self.start - left, self.stop + right)

    @property
    def inside(self) -> str:
        return self.text[self.start : self.stop]

    @property
    def begins_clause(self) -> bool:
        return not self.start or not self.text[self.start - 1].isalnum()

    @property
    def ends_clause(self) -> bool:
        return self.stop >= len(self.text) or not self.text[self.stop].isalnum()


Sides = tuple[Side, Side]


@cache
def _places() -> tuple[frozenset[str], dict[str, str]]:
    """Names of places, and for the other names of a place the one that stands for it."""
    source = files("query.facts") / "data" / f"places-{_VERSION}.json"
    value = json.loads(source.read_text("utf-8"))
    return frozenset(value["places"].split()), value["other_names"]


def han_names(asked: Side, stored: Side) -> Sides | None:
    """Two different places or persons that the gap belongs to, the shortest such."""
    if not in_han(asked, stored):
        return None
    places, other_names = _places()
    for sides in wider(asked, stored):
        left, right = (other_names.get(side.inside, side.inside) for side in sides)
        if left in places and right in places and left not in right and right not in left:
            return sides
        if left[0] in _FIRST and right[0] in _FIRST and _are_persons(*sides):
            return _whole_names(*sides) if sides[0].stop > asked.stop else sides
    return None


def in_han(asked: Side, stored: Side) -> bool:
    """Whether both are a few Chinese characters."""
    gaps = asked.inside, stored.inside
    return max(map(len, gaps)) <= LONGEST and all(map(_HAN.fullmatch, gaps))


def _whole_names(asked: Side, stored: Side) -> Sides:
    """Given names that both have, whole: most have two characters, so 王建国 and not 王建."""
    longer = asked.widened(0, 1), stored.widened(0, 1)
    ends = longer[0].inside[-1] != longer[1].inside[-1] or _STARTS_PERSON.match(
        asked.text, asked.stop
    )
    return (asked, stored) if ends or not _are_persons(*longer) else longer


def quantities(asked: Side, stored: Side, values: tuple[str, str]) -> Sides | None:
    """Two units of measure that with the numbers before them come to different quantities."""
    for sides in wider(asked, stored):
        if sides[0].inside in _UNITS and sides[1].inside in _UNITS:
            left, right = map(_quantity, (side.inside for side in sides), values)
            return None if left is None or right is None or left == right else sides
    return None


def _quantity(unit: str, value: str) -> tuple[str, Decimal] | None:
    dimension, factor = _UNITS[unit]
    try:
        return dimension, Decimal(numbers_of(value)[-1]) * factor
    except InvalidOperation:  # a number that is no single value, as in 三五十
        return None


def word_names(asked: Side, stored: Side, written: tuple[str, str]) -> bool:
    """Whether two runs of whole words, `written` so originally, are two names.

    One word at the beginning of a sentence has a capital letter for that alone.
    """
    for side, words in zip((asked, stored), map(str.split, written), strict=True):
        if not words or not all(word[0].isupper() and len(word) > 1 for word in words):
            return False
        if len(words) < 2 and begins_sentence(side):
            return False
    left, right = asked.inside, stored.inside
    if left in right or right in left or _initials(left) == right or _initials(right) == left:
        return False
    return Levenshtein.distance(left, right) > min(2, (max(len(left), len(right)) - 3) // 3)


def begins_sentence(side: Side) -> bool:
    """Whether a stretch is the first of a sentence, as far as marks tell."""
    return _SENTENCE.search(side.text[max(0, side.start - 8) : side.start]) is not None


def wider(asked: Side, stored: Side) -> Iterator[Sides]:
    """The gap, and the gap with the Chinese characters around it in both, fewest first."""
    left = min(map(_han_before, (asked, stored)))
    right = min(map(_han_after, (asked, stored)))
    for more_left, more_right in _SHAPES:
        if more_left <= left and more_right <= right:
            yield asked.widened(more_left, more_right), stored.widened(more_left, more_right)


def _han_before(side: Side) -> int:
    near = side.text[max(0, side.start - _WIDEST) : side.start]
    match = _HAN_END.search(near)
    return len(match[0]) if match else 0


def _han_after(side: Side) -> int:
    match = _HAN.match(side.text, side.stop, side.stop + _WIDEST)
    return len(match[0]) if match else 0


def _are_persons(asked: Side, stored: Side) -> bool:
    """Surname and one or two characters on both sides, with a word for persons before them, or
    after them where the clause begins with them.
    """
    if not all(is_person(side.inside) for side in (asked, stored)):
        return False
    return any(
        after_title(side) or (side.begins_clause and _STARTS_PERSON.match(side.text, side.stop))
        for side in (asked, stored)
    )


def after_title(name: Side) -> bool:
    """Whether a word that goes with persons stands before a name."""
    return _ENDS_PERSON.search(name.text[max(0, name.start - 4) : name.start]) is not None


def is_person(name: str, any_surname: bool = False) -> bool:
    """Whether a word has the shape of a Chinese name; `any_surname`: also of one that is a word."""
    given = len(name) - (2 if name[:2] in _SURNAMES else 1)
    if not 1 <= given <= 2 or _NEVER_GIVEN.search(name[1:]):
        return False
    if any_surname and name[0] in _MORE_SURNAMES:
        return True
    return (name[0] in _SURNAMES or name[:2] in _SURNAMES) and not _NEVER_GIVEN.match(name)


def _initials(words: str) -> str:
    return "".join(word[0] for word in words.split())
