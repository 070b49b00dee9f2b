"""Make the list of place names that the facts guard reads, and of words that Taiwan has others for:
run once per version of it.

    python -m scripts.make_places --version 1

Chinese places are the words that jieba's dictionary tags as places and that end like an
administrative one, with and without that end; the tag alone is given to too much else. Foreign
places are listed here. The other names of a place are those that OpenCC gives it in Taiwan.
The result, `query/facts/data/places-<version>.json`, is committed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent.parent / "query" / "facts" / "data"

_ADMINISTRATIVE: Final = re.compile(r"([\u4e00-\u9fff]{2,})(?:省|市|县)|[\u4e00-\u9fff]{2,}[州区]")
_WORD: Final = re.compile(r"[\u4e00-\u9fff]{2,4}")
_GENERAL: Final = re.compile(
    r"(?:[大中小新旧古老各省]|海滨|沿海|中小|大中)?[城都]市|"
    r".*(?:[区省县]市|[大小中新旧古老各本全市]县|自治[州县区]|[各全本外]省|"
    r"[地山特景林矿社牧郊湖辖战灾新边市城县沙库营园学住商产小片]区|(?:开发|解放|风景|保护|行政)区)"
)
_CHINA: Final = """
北京 天津 上海 重庆 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东
海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 香港 澳门 台北 高雄 台中 台南
新北 新竹 基隆 九龙 新界 浦东 乌鲁木齐 呼和浩特 石家庄 哈尔滨 齐齐哈尔 牡丹江 佳木斯 拉萨 日喀则
合肥 福州 南昌 济南 郑州 武汉 长沙 广州 南宁 海口 成都 贵阳 昆明 西安 兰州 西宁 银川 太原 沈阳
长春 南京 杭州 深圳 珠海 汕头 佛山 韶关 湛江 茂名 肇庆 惠州 梅州 汕尾 河源 阳江 清远 东莞 中山
潮州 揭阳 云浮 厦门 莆田 三明 泉州 漳州 南平 龙岩 宁德 宁波 温州 嘉兴 湖州 绍兴 金华 衢州 舟山
台州 丽水 无锡 徐州 常州 苏州 南通 连云港 淮安 盐城 扬州 镇江 泰州 宿迁 芜湖 蚌埠 淮南 马鞍山 淮北
铜陵 安庆 黄山 滁州 阜阳 宿州 六安 亳州 池州 宣城 青岛 淄博 枣庄 东营 烟台 潍坊 济宁 泰安 威海
日照 临沂 德州 聊城 滨州 菏泽 开封 洛阳 平顶山 安阳 鹤壁 新乡 焦作 濮阳 许昌 漯河 三门峡 南阳 商丘
信阳 周口 驻马店 黄石 十堰 宜昌 襄阳 鄂州 荆门 孝感 荆州 黄冈 咸宁 随州 株洲 湘潭 衡阳 邵阳 岳阳
常德 张家界 益阳 郴州 永州 怀化 娄底 柳州 桂林 梧州 北海 钦州 贵港 玉林 百色 贺州 河池 来宾 崇左
三亚 自贡 攀枝花 泸州 德阳 绵阳 广元 遂宁 内江 乐山 南充 眉山 宜宾 广安 达州 雅安 巴中 资阳 遵义
安顺 毕节 铜仁 曲靖 玉溪 保山 昭通 丽江 普洱 临沧 大理 铜川 宝鸡 咸阳 渭南 延安 汉中 榆林 安康
商洛 嘉峪关 金昌 白银 天水 武威 张掖 平凉 酒泉 庆阳 定西 陇南 唐山 秦皇岛 邯郸 邢台 保定 张家口
承德 沧州 廊坊 衡水 大同 阳泉 长治 晋城 朔州 晋中 运城 忻州 临汾 吕梁 包头 乌海 赤峰 通辽 鄂尔多斯
呼伦贝尔 大连 鞍山 抚顺 本溪 丹东 锦州 营口 阜新 辽阳 盘锦 铁岭 朝阳 葫芦岛 四平 辽源 通化 白山
松原 白城 延边 鸡西 鹤岗 双鸭山 大庆 伊春 七台河 黑河 绥化 景德镇 萍乡 九江 新余 鹰潭 赣州 吉安
宜春 抚州 上饶
"""
_COUNTRIES: Final = """
中国 美国 英国 法国 德国 日本 韩国 朝鲜 俄罗斯 苏联 意大利 西班牙 葡萄牙 荷兰 比利时 卢森堡 瑞士
奥地利 瑞典 挪威 芬兰 丹麦 冰岛 爱尔兰 波兰 捷克 斯洛伐克 匈牙利 罗马尼亚 保加利亚 希腊 土耳其
塞尔维亚 克罗地亚 斯洛文尼亚 阿尔巴尼亚 马其顿 波黑 黑山 乌克兰 白俄罗斯 摩尔多瓦 爱沙尼亚
拉脱维亚 立陶宛 格鲁吉亚 亚美尼亚 阿塞拜疆 哈萨克斯坦 乌兹别克斯坦 土库曼斯坦 吉尔吉斯斯坦
塔吉克斯坦 蒙古 印度 巴基斯坦 孟加拉国 尼泊尔 不丹 斯里兰卡 马尔代夫 阿富汗 伊朗 伊拉克 叙利亚
黎巴嫩 约旦 以色列 巴勒斯坦 沙特阿拉伯 也门 阿曼 阿联酋 卡塔尔 巴林 科威特 泰国 越南 老挝 柬埔寨
缅甸 马来西亚 新加坡 印度尼西亚 菲律宾 文莱 东帝汶 澳大利亚 新西兰 斐济 加拿大 墨西哥 古巴 海地
牙买加 危地马拉 洪都拉斯 尼加拉瓜 哥斯达黎加 巴拿马 哥伦比亚 委内瑞拉 厄瓜多尔 秘鲁 玻利维亚 巴西
智利 阿根廷 乌拉圭 巴拉圭 埃及 利比亚 突尼斯 阿尔及利亚 摩洛哥 苏丹 埃塞俄比亚 索马里 肯尼亚
乌干达 坦桑尼亚 卢旺达 刚果 安哥拉 赞比亚 津巴布韦 莫桑比克 马达加斯加 纳米比亚 博茨瓦纳 南非
尼日利亚 加纳 科特迪瓦 塞内加尔 马里 尼日尔 乍得 喀麦隆 加蓬 几内亚 利比里亚 塞拉利昂 毛里塔尼亚
毛里求斯 塞浦路斯 马耳他 英格兰 苏格兰 威尔士 北爱尔兰 普鲁士 巴伐利亚 西西里
"""
_CITIES: Final = """
东京 大阪 京都 名古屋 横滨 神户 福冈 札幌 广岛 长崎 首尔 釜山 平壤 曼谷 河内 西贡 金边 万象 仰光
吉隆坡 雅加达 马尼拉 新德里 孟买 加尔各答 卡拉奇 伊斯兰堡 达卡 加德满都 科伦坡 喀布尔 德黑兰
巴格达 大马士革 贝鲁特 安曼 耶路撒冷 特拉维夫 利雅得 麦加 迪拜 多哈 安卡拉 伊斯坦布尔 开罗
亚历山大 的黎波里 阿尔及尔 内罗毕 开普敦 约翰内斯堡 拉各斯 莫斯科 圣彼得堡 列宁格勒 基辅 明斯克
华沙 布拉格 布达佩斯 布加勒斯特 索非亚 贝尔格莱德 雅典 罗马 米兰 威尼斯 佛罗伦萨 那不勒斯 都灵
马德里 巴塞罗那 里斯本 巴黎 里昂 马赛 伦敦 曼彻斯特 利物浦 伯明翰 爱丁堡 格拉斯哥 牛津 剑桥 都柏林
阿姆斯特丹 鹿特丹 海牙 布鲁塞尔 柏林 慕尼黑 汉堡 法兰克福 科隆 莱比锡 德累斯顿 维也纳 萨尔茨堡
苏黎世 日内瓦 伯尔尼 斯德哥尔摩 奥斯陆 哥本哈根 赫尔辛基 悉尼 墨尔本 布里斯班 堪培拉 奥克兰 惠灵顿
纽约 华盛顿 洛杉矶 芝加哥 旧金山 波士顿 费城 休斯敦 达拉斯 迈阿密 亚特兰大 西雅图 底特律
拉斯维加斯 圣迭戈 丹佛 新奥尔良 夏威夷 加利福尼亚 得克萨斯 佛罗里达 宾夕法尼亚 伊利诺伊 俄亥俄
密歇根 弗吉尼亚 新泽西 多伦多 温哥华 蒙特利尔 渥太华 魁北克 墨西哥城 哈瓦那 里约热内卢 圣保罗
巴西利亚 布宜诺斯艾利斯 圣地亚哥 利马
"""
_MORE_WORDS: Final = {"福斯": "大众", "编程": "程序设计"}
"""Words for one thing that are not in OpenCC; 程式设计 is."""

_MORE: Final = {"印尼": "印度尼西亚", "沙特": "沙特阿拉伯", "孟加拉": "孟加拉国", "汉城": "首尔"}


def places() -> list[str]:
    """All names, each once."""
    listed = " ".join((_CHINA, _COUNTRIES, _CITIES)).split()
    return sorted({*listed, *_administrative()})


def other_names(names: list[str]) -> dict[str, str]:
    """What a place is called in Taiwan, in simplified characters, where it has another name."""
    from opencc import OpenCC

    there, back = OpenCC("s2twp"), OpenCC("t2s")
    out = dict(_MORE)
    for name in names:
        other = back.convert(there.convert(name))
        if other != name:
            out.setdefault(other, name)
    return out


def other_words() -> dict[str, str]:
    """The same of other words of jieba's dictionary: 资讯 and 信息."""
    from opencc import OpenCC

    there, spelt, back = OpenCC("s2twp"), OpenCC("s2tw"), OpenCC("t2s")
    out = dict(_MORE_WORDS)
    for word in filter(_WORD.fullmatch, _tags()):
        other = back.convert(there.convert(word))
        if other not in (word, back.convert(spelt.convert(word))):
            out.setdefault(other, word)
    return out


def _administrative() -> Iterator[str]:
    """顺德区; 武汉市 and 武汉."""
    tags = _tags()
    for word, tag in tags.items():
        found = _ADMINISTRATIVE.fullmatch(word)
        if tag != "ns" or found is None or _GENERAL.fullmatch(word):
            continue
        yield word
        if found[1] and tags.get(found[1]) == "ns":
            yield found[1]


def _tags() -> dict[str, str]:
    """The words of jieba's dictionary, and what they are tagged as."""
    lines = (files("jieba") / "dict.txt").read_text("utf-8").splitlines()
    return {word: tag for word, _, tag in map(str.split, lines)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--version", required=True, help="version of the list")
    options = parser.parse_args()
    names, words = places(), other_words()
    value = {
        "sources": [
            f"jieba {version('jieba')} (MIT), words tagged ns",
            f"OpenCC {version('OpenCC')} (Apache-2.0), s2twp",
        ],
        "places": " ".join(names),
        "other_names": other_names(names),
        "other_words": " ".join(map("/".join, words.items())),
    }
    path = HERE / f"places-{options.version}.json"
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
    others = len(value["other_names"])
    print(f"{path}: {len(names)} places, {others} other names, {len(words)} other words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
