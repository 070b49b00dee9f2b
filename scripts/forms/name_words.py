"""More to fill forms in with: persons and organisations of the kinds that notices, filings and
reports name. All of it is made up of lists of our own.
"""

from __future__ import annotations

from typing import Final

from scripts.forms.words import Words, listed

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾"
    "丁魏薛叶阎余"
    "潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔"
    "贺赖龚文"
)
_COMPOUND: Final = listed("欧阳 上官 司马 诸葛 司徒 慕容 皇甫")
_GIVEN: Final = (
    "安邦彬斌炳博昌畅朝晨诚川达丹德迪栋恩凡芳菲峰凤福刚光贵国海涵翰豪浩和恒红宏洪厚花怀欢辉惠慧"
    "吉佳嘉健洁金瑾"
    "锦晶景静娟凯康可坤兰岚蕾丽良琳玲龙璐茂美萌敏铭慕楠宁培佩鹏萍奇琪谦倩青晴庆秋泉仁荣容蓉如瑞"
    "森珊尚生胜诗"
    "世书淑舒双思松涛婷伟文雯武希熙贤祥晓欣新鑫兴雄秀旭雅岩彦燕阳怡艺亦益毅颖永勇宇雨玉元远悦云"
    "泽哲贞珍振正志"
)
_ABROAD: Final = listed(
    "安德烈 保罗 查尔斯 大卫 埃里克 弗朗茨 乔治 汉斯 伊万 雅克 卡洛斯 路易 马里奥 尼古拉 奥托 "
    "皮埃尔 理查德 斯蒂芬 托马斯 维克多 "
    "威廉 安娜 贝娅特丽丝 克拉拉 艾玛 玛格丽特 索菲亚 伊莎贝拉"
)
_HOUSES_ABROAD: Final = listed(
    "贝克尔 卡瓦略 杜邦 埃利奥特 费尔南德斯 加西亚 霍夫曼 伊万诺夫 约翰逊 科瓦尔斯基 拉莫斯 "
    "米勒 诺瓦克 奥尔森 彼得罗夫 罗西 桑托斯 "
    "施耐德 托雷斯 瓦格纳 威尔逊 齐默尔曼 安德松 布莱克 德容"
)
_FIRMS: Final = listed(
    "中泰 中孚 华安 国信 大成 上海电气 天合 东方雨虹 三和 一心 北辰 合力 长源 金牛 同力 和顺 "
    "新大陆 永辉 百川 万润 联创 科达 安琪 "
    "博汇 江南 西部 南天 正邦 开元 民和"
)
_TRADES: Final = listed(
    "化工 材料 医药 生物 电子 软件 重工 建设 矿业 纺织 食品 汽车零部件 环保 农业 信息技术 "
    "精密机械 文化传播 供应链"
)
_FORMS: Final = listed("有限公司 股份有限公司 集团有限公司 有限责任公司 集团 公司")
_AGENCIES: Final = listed(
    "会计师事务所 律师事务所 资产评估所 招标代理公司 建筑设计院 工程咨询中心 证券 信托 期货"
)
_SCHOOLS: Final = listed(
    "师范大学 理工大学 医科大学 农业大学 外国语学院 职业技术学院 第一中学 实验小学 大学 "
    "交通大学 工业大学 音乐学院"
)
_PLACES: Final = listed(
    "江城 滨海 东山 西岭 南湖 北川 云州 安阳 河间 海东 兴城 宁远 龙岩 金城 松江 永州 华亭 泰安 "
    "吉水 东阳"
)
_HOSPITALS: Final = listed("人民医院 中医院 妇幼保健院 第一医院 附属医院 肿瘤医院 儿童医院")
_ASSOCIATIONS: Final = listed(
    "作家协会 书法家协会 红十字会 慈善总会 足球协会 消费者协会 志愿者联合会 商会 残疾人联合会 "
    "科学技术协会"
)
_ABBREVIATIONS: Final = listed("FIFA UEFA NATO WTO UNESCO OPEC ASEAN NASA WHO IMF")

_FIRST: Final = listed(
    "Aaron Beatrice Caroline Daniel Eleanor Frederick Gloria Harold Isabel Jonathan Katherine "
    "Lawrence Margaret Nathaniel Olivia Patrick Rosalind Samuel Theresa Ursula Vincent Winifred "
    "Ahmed Chen Diego Fatima Haruki Ingrid Jean-Paul Lars Mei Olga Priya Rafael Sven Yusuf"
)
_LAST: Final = listed(
    "Abbott|Blackwood|Chamberlain|Delacroix|Everett|Fitzgerald|Gallagher|Hutchinson|Ibrahim|"
    "Jankowski|Kowalski|Livingstone|Montgomery|Nakamura|O'Brien|Papadopoulos|Quinn|Ramirez|"
    "Santos|Tanaka|Underwood|Valdez|Whitaker|Yamamoto|Zimmerman|McAllister|van der Berg|"
    "de la Cruz|von Stein|Li|Ng|Park|Smith-Jones|MacLeod|Singh|Kim",
    "|",
)
_COMPANIES: Final = listed(
    "Acorn Beacon Cascade Delphi Evergreen Falcon Granite Horizon Ironwood Juniper Keystone "
    "Lakeshore Meridian Northstar Orchard Pinnacle Quarry Redwood Summit Trident Unity Vertex "
    "Westfield Zenith"
)
_BRANCHES: Final = listed(
    "Holdings|Energy|Foods|Pharmaceuticals|Motors|Capital Partners|Systems|Airlines|Media Group|"
    "Bank|Insurance|Textiles",
    "|",
)
_LEGAL: Final = listed("Inc.|Ltd|Corp.|plc|LLC|Group|& Co.|", "|")
_BODIES: Final = listed(
    "University of|College of|Chamber of Commerce of|Philharmonic Orchestra of|Museum of|"
    "Hospital of|Supreme Court of|Bank of",
    "|",
)
_LANDS: Final = listed(
    "Ohio Kent Oregon Devon Alberta Tasmania Bavaria Silesia Galicia Norfolk Vermont Nevada"
)
_SPANISH: Final = listed(
    "Alejandro Carmen Fernando Guadalupe Ignacio Javier Lourdes Mercedes Pablo Rocío Sofía Tomás"
)
_APELLIDOS: Final = listed(
    "Aguirre|Benítez|Castro|Domínguez|Echeverría|Fuentes|Gutiérrez|Herrera|Ibáñez|Lozano|Medina|"
    "Navarro|Ortega|Peña|Quiroga|Rojas|de la Vega|del Río",
    "|",
)


class NameWords(Words):
    """Words of more sorts."""

    def citizen(self) -> str:
        """A person with a usual or a rarer surname, of which some are words as well."""
        rng = self.rng("person")
        surname = rng.choice(_COMPOUND) if rng.random() < 0.04 else rng.choice(_SURNAMES)
        return surname + "".join(rng.sample(_GIVEN, rng.choice((1, 2, 2, 2))))

    def abroad(self) -> str:
        """A transliterated name: mostly in two parts, sometimes the last alone."""
        rng = self.rng("person")
        last = rng.choice(_HOUSES_ABROAD)
        return f"{rng.choice(_ABROAD)}·{last}" if rng.random() < 0.7 else last

    def company(self) -> str:
        return self._organisation(_PLACES, _FIRMS, _TRADES, _FORMS)

    def short_company(self) -> str:
        return self._organisation(_FIRMS, _TRADES)

    def agency(self) -> str:
        return self._organisation(_FIRMS, _AGENCIES)

    def school(self) -> str:
        return self._organisation(_PLACES, _SCHOOLS)

    def hospital(self) -> str:
        return self._organisation(_PLACES, _HOSPITALS)

    def association(self) -> str:
        return self._organisation(_PLACES, _ASSOCIATIONS)

    def abbreviation(self) -> str:
        return self._organisation(_ABBREVIATIONS)

    def person_en(self) -> str:
        """With a middle initial sometimes."""
        rng = self.rng("person")
        middle = f" {rng.choice('ABCDEFGHJKLMNPRST')}." if rng.random() < 0.2 else ""
        return f"{rng.choice(_FIRST)}{middle} {rng.choice(_LAST)}"

    def last_en(self) -> str:
        return self.rng("person").choice(_LAST)

    def person_es(self) -> str:
        rng = self.rng("person")
        return f"{rng.choice(_SPANISH)} {rng.choice(_APELLIDOS)}"

    def corporation(self) -> str:
        return self._organisation(_COMPANIES, _BRANCHES, _LEGAL, between=" ").strip()

    def body(self) -> str:
        return self._organisation(_BODIES, _LANDS, between=" ")

    def _organisation(self, *parts: tuple[str, ...], between: str = "") -> str:
        return between.join(self.rng("organisation").choice(part) for part in parts)
