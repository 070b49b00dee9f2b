"""What a near duplicate is disguised by whose grams tell it anyhow: edits strewn all over it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from rapidfuzz.distance import OSA, Levenshtein

from indexer.meant.meant import Disguise
from indexer.text.stop_words import load_stop_words
from query.grams import Features
from query.verify.as_given import signs
from query.verify.scrambled import MOSTLY_ONE, swaps_outside_numbers

_LONGEST: Final = 1_000
"""Letters of the longest texts that are looked at."""

_FEWEST: Final = 3
_LEAST_PART: Final = 0.04
"""So many edits, and such a part of all letters, are more than slips of the pen."""

_QUARTERS: Final = 4
"""Parts of a text; edits that are all over it stand in all of them but one."""

_MOSTLY: Final = 2 / 3
"""The part of all edits that are of one kind."""

_APART: Final = 0.6
"""Letters are missing here and there when for each of them there are so many gaps."""

_FEW: Final = 2
"""The same of letters swapped, masked by a sign, or in the place of others that look alike, which
are no slips."""

_ALIKE_PART: Final = 0.01
"""The least part of the latter."""

_MASKED: Final = 0.8
"""So many signs more for each letter that is missing stand in their places."""

_GROUPS: Final = (
    "未末耒朱 己已巳 日曰目且自白 土士 人入八乂 天夭夫矢失 无元旡 "
    "干千于 大太犬丈 木本术 刀力刁 王玉主壬 由田甲申电 免兔 鸟乌岛 侯候 "
    "折拆析 今令 兵乒乓 治冶 贷货 准淮谁 晴睛情请清精倩 拔拨 师帅 "
    "历厉 间问闻闲简 住往注佳 微徽 戊戌戍 孔扎 牛午 见贝页 风凤 又叉友反 "
    "话活 此比仳 吏更史 法怯 表衷 的旳菂灼 有冇洧 是昰 你伱妳 "
    "我莪 他彵 好恏 年姩 地哋 个箇 这込 时吋旹 都嘟 得嘚 万方 儿几九丸 "
    "厂广 各名 处外 石右古 因困囚固 合舍含 叶吐 书韦 车东 乐牙 "
    "左在 业亚 北比 开井 正止 丁下 上丄 杨扬场 坐座 帐账 沐休体 狠狼很 "
    "喝渴歇 跑泡炮 抱饱 蓝篮 练炼 像象 校较 辩辨辫瓣 低底抵 挂桂 "
    "何河 柜拒 借惜 侍待持特 换唤 爪瓜 博搏 抓扒 冷泠 灸炙 荼茶 毫亳 "
    "竟竞 崇祟 刺剌 暑署 栗粟票 卷券 盲肓育 壁璧 赢嬴 幸辛 复夏 "
    "使便 伐代 读续 说悦 观现 规视 记纪 设没股 征证 线钱浅残 经径 网冈 "
    "能熊 构沟 核该 格恪 模摸 码妈 技枝 机饥 查杳 检捡 测侧 理埋 "
    "租祖组阻 看着 输愉 选洗 通涌 部陪 采釆 项顶须 预领频额 默黑 步涉 "
    "回囬 国囯 完宗 容客 小少尐 带滞 形彤 性姓 快块 打扑 把吧 旧归 "
    "明朋 易昜 会曾 期斯 果杲 水永 仅汉 江汀 源缘 点占 然燃 版饭 浊独 "
    "救球 坏环 班斑 端瑞 甜甛 和知 妍研 社杜 神祌 钟种 秒妙 "
    "程逞 策荣 纯钝 维堆 考老 织职 早旱 洁结 除徐 报服 林材 远运 "
)
"""Han characters that look alike to a hasty reader, group by group."""


def strewn(asked: Features, stored: Features) -> Disguise | None:
    """What a near duplicate is disguised by that is one by its grams as well: letters swapped all
    over it, others that sound the same, or some missing in many places."""
    left, right = sorted((asked.letters, stored.letters))  # the same from either side
    longer = max(len(left), len(right))
    if longer > _LONGEST or not left or not right:
        return None
    if _look_alike(left, right):
        return Disguise.LOOK_ALIKES
    few, least = (max(fewest, _LEAST_PART * longer) for fewest in (_FEW, _FEWEST))
    edits = Levenshtein.distance(left, right)
    if edits < few:
        return None
    swaps = min(edits - OSA.distance(left, right), swaps_outside_numbers(asked, stored))
    if swaps >= few and 2 * edits <= 5 * swaps:
        return Disguise.SWAPPED
    if _are_missing(asked, stored, edits, few, masked=True):
        return Disguise.MISSING
    if edits < least or not _are_all_over(left, right):
        return None
    if asked.sounds is not None and stored.sounds is not None:
        heard = Levenshtein.distance(asked.sounds, stored.sounds)
        if edits - heard >= max(least, _MOSTLY * edits):
            return Disguise.HOMOPHONES
    return Disguise.MISSING if _are_missing(asked, stored, edits, least) else None


def _look_alike(left: str, right: str) -> bool:
    """Whether most of what differs are Han characters in the place of others that look alike."""
    if len(left) != len(right):
        return False
    others = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    if len(others) < max(_FEW, _ALIKE_PART * len(left)):
        return False
    groups, none = _groups(), frozenset[int]()
    alike = [pair for pair in others if groups.get(pair[0], none) & groups.get(pair[1], none)]
    # one word all over a text is a word, as 他 for 她
    return len(alike) >= _MOSTLY * len(others) and len({*alike}) > 1


@cache
def _groups() -> dict[str, frozenset[int]]:
    """The groups that a character is in."""
    groups = _GROUPS.split()
    return {
        each: frozenset(number for number, group in enumerate(groups) if each in group)
        for each in {*_GROUPS} - {" "}
    }


def _are_all_over(left: str, right: str) -> bool:
    """Whether edits stand in most quarters of a text."""
    places = [step.src_start for step in Levenshtein.opcodes(left, right) if step.tag != "equal"]
    return len({place * _QUARTERS // (len(left) + 1) for place in places}) >= _QUARTERS - 1


def _are_missing(
    asked: Features, stored: Features, edits: int, least: float, masked: bool = False
) -> bool:
    """Whether most edits are letters that one text lacks, here and there: `masked`, with signs for
    them; else neither digits nor small words nor mostly the same ones, as in another spelling.
    """
    fewer, more = sorted((asked, stored), key=lambda text: len(text.letters))
    missing = len(more.letters) - len(fewer.letters)
    if missing < least or _MOSTLY * edits > missing:
        return False
    steps = Levenshtein.opcodes(fewer.letters, more.letters)
    gaps = [more.letters[s.dest_start : s.dest_end] for s in steps if s.tag == "insert"]
    if len(gaps) < _APART * missing:
        return False
    if masked:
        return signs(fewer) - signs(more) >= _MASKED * missing
    counts, small = Counter("".join(gaps)), load_stop_words("1")
    left_out = sum(count for each, count in counts.items() if each in small or each.isdigit())
    return max(left_out, *counts.values()) < MOSTLY_ONE * missing
