"""What happens to a text as a whole: sentences moved, parts cut off, page furniture, two texts
made one.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from scripts.mutations.noise import spaces_and_marks

_SENTENCE: Final = re.compile(r".+?(?:[。！？；!?;\n]+[”」』’\"]*|\.(?=\s|$)|$)", re.DOTALL)

_SITES: Final = ("北方在线", "江海新闻网", "城市晚报", "东湖论坛", "云上资讯", "百川网")
_HEADS: Final = (
    "当前位置：首页 > 资讯 > 详情\n{site}  {date}  作者：佚名  阅读({count})  评论(0)\n",
    "[转帖] 来自{site}\n发表于 {date} | 只看该作者 | 倒序浏览 | 查看: {count}\n",
    "{site}讯 {date} 字号：大 中 小 打印 收藏\n",
)
_FEET: Final = (
    "\n（责任编辑：小方）\n版权声明：本文来自{site}，仅代表作者个人观点，如有侵权请联系我们删除。\n"
    "上一篇：没有了  下一篇：更多精彩内容\n",
    "\n来源：{site}\n转载请注明出处。分享到：微博 微信 空间\n"
    "网友评论文明上网理性发言，共{count}条评论\n",
    "\n本文由{site}整理发布，未经许可不得转载。\n猜你喜欢：今日热榜 | 本周最火 | 编辑推荐\n",
)
_ADS: Final = (
    "\n[推广] 下载{site}客户端，新用户注册即送大礼包，今日剩余{count}份！\n",
    "\n——广告——\n{site}商城年中大促，满三百减五十，点击进入会场\n",
    "\n>>>{site}读者群开放加入，每天抽取幸运读者<<<\n",
)


def sentences_of(text: str) -> list[str]:
    """A text cut after every full stop, question and exclamation mark, semicolon and line."""
    parts: list[str] = _SENTENCE.findall(text)
    return parts


def reordered(text: str, rng: Random, share: float) -> str | None:
    """Sentences in another order: about `share` of them, two at least, change places."""
    parts = sentences_of(text)
    if len(parts) < 3:
        return None
    moved = sorted(rng.sample(range(len(parts)), max(2, round(share * len(parts)))))
    others = rng.sample(moved, len(moved)) if share == 1 else moved[1:] + moved[:1]
    out = list(parts)
    for place, other in zip(moved, others, strict=True):
        out[place] = parts[other]
    return None if out == parts else "".join(out)


def without_tail(text: str, _rng: Random, keep: float) -> str:
    """The first `keep` of a text."""
    return text[: round(len(text) * keep)]


def without_head(text: str, _rng: Random, keep: float) -> str:
    """The last `keep` of a text."""
    return text[len(text) - round(len(text) * keep) :]


def furnished(text: str, rng: Random, where: str) -> str:
    """A page around the text: its head, its foot, both, or advertisements (ads) inside."""
    if where == "ads":
        parts = sentences_of(text)
        for place in sorted(rng.sample(range(1, len(parts) + 1), min(2, len(parts))), reverse=True):
            parts.insert(place, _filled(rng.choice(_ADS), rng))
        return "".join(parts)
    head = _filled(rng.choice(_HEADS), rng) if where in ("head", "both") else ""
    foot = _filled(rng.choice(_FEET), rng) if where in ("foot", "both") else ""
    return head + text + foot


def _filled(form: str, rng: Random) -> str:
    date = f"{rng.randint(2008, 2024)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    return form.format(site=rng.choice(_SITES), date=date, count=rng.randint(1, 99_999))


def reposted(text: str, rng: Random) -> str:
    """What a repost does: furniture all around, other marks, the last sixth cut off."""
    return furnished(spaces_and_marks(without_tail(text, rng, 5 / 6), rng, 0.3), rng, "both")


def joined(base: str, donor: str, rng: Random, share: float) -> tuple[str, float] | None:
    """About `share` of the result from one text, the rest from another, in blocks of whole
    sentences; and the share that came of it.
    """
    size = min(len(base) / share, len(donor) / (1 - share)) * 0.95
    mine = _blocks(base, round(size * share), rng)
    theirs = _blocks(donor, round(size * (1 - share)), rng)
    first, second = sum(map(len, mine)), sum(map(len, theirs))
    if not first or not second:
        return None
    blocks = [block for pair in zip(mine, theirs, strict=False) for block in pair]
    blocks += mine[len(theirs) :] + theirs[len(mine) :]
    return "".join(blocks), first / (first + second)


def _blocks(text: str, size: int, rng: Random) -> list[str]:
    """`size` characters of a text, from a random sentence on, in one or two pieces."""
    starts = [0]
    for part in sentences_of(text):
        starts.append(starts[-1] + len(part))
    start = rng.choice([at for at in starts if at <= len(text) - size] or [0])
    piece = text[start : start + size]
    inside = [at - start for at in starts if start < at < start + size]
    if not inside:
        return [piece] if piece else []
    cut = rng.choice(inside)
    return [piece[:cut], piece[cut:]]
