"""The forms that are kept aside: nothing in the facts guard was chosen on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scripts.forms.words import Words
from scripts.mutations.hard import sport


def lecture(w: Words) -> str:
    """A weekly lecture; title and speaker change."""
    return (
        f"市图书馆“周末讲堂”本周六下午两点半继续开讲，主题为“{w.title()}”，主讲人{w.person()}，"
        "地点在市图书馆一楼报告厅。讲座免费向市民开放，座位有限，先到先得。想要参加的读者可以提"
        "前半小时"
        "凭身份证或读者证入场，也可以在图书馆的视频号上收看直播。讲座结束之后设有提问环节，"
        "现场还将抽取幸运读者赠送图书。咨询电话请见图书馆网站首页，往期讲座的录像也可以在网站上"
        "观看。"
    )


def personnel(w: Words) -> str:
    """Officials are appointed and leave."""
    city = w.city()
    return (
        f"{city}市人民政府关于{w.person()}等同志职务任免的通知。各县、区人民政府，市政府各部门、"
        "各直属机构："
        f"经市政府研究决定，任命{w.person()}同志为{city}市{w.office()}{w.post()}（试用期一年）；"
        f"任命{w.person()}"
        f"同志为{city}市{w.office()}{w.post()}；免去{w.person()}同志的{city}市{w.office()}"
        f"{w.post()}职务。"
        "以上同志的任职时间自市政府研究决定之日起计算，职务工资按照有关规定执行。特此通知。"
    )


def court(w: Words) -> str:
    """A court serves a document by announcement."""
    defendant, firm = w.person(), w.firm()
    return (
        f"{defendant}：本院受理原告{firm}有限公司与被告{defendant}买卖合同纠纷一案，因你下落不明"
        "，依照"
        "《中华人民共和国民事诉讼法》的规定，向你公告送达起诉状副本、应诉通知书、举证通知书、合"
        "议庭组成人员"
        "通知书及开庭传票。自本公告发出之日起经过三十日即视为送达。提出答辩状和举证的期限分别为"
        "公告期满后"
        f"的十五日和三十日内。本案定于举证期满后第三日上午九时在{w.county()}县人民法院"
        f"{w.of('城关', '东郊', '河口', '南山')}"
        "法庭公开开庭审理，逾期将依法缺席裁判。"
    )


def mourning(w: Words) -> str:
    """A Chinese obituary."""
    name = w.person()
    return (
        f"中国共产党优秀党员，{w.city()}大学教授、博士生导师{name}同志，因病医治无效，于"
        f"{w.date()}在{w.city()}逝世，"
        f"享年{w.number(60, 98)}岁。{name}同志{w.city()}人，长期从事{w.field()}的教学与研究工作"
        "，治学严谨，为人谦和，"
        "培养了一大批优秀人才，深受师生的敬重和爱戴。"
        f"遵照家属意愿，丧事从简。{name}同志遗体告别仪式定于{w.day()}上午在殡仪馆举行。"
        f"{name}同志的逝世是我校的重大损失，我们对他的逝世表示沉痛哀悼，并向家属致以亲切慰问。"
    )


def film(w: Words) -> str:
    """A film is announced."""
    title = w.title()
    return (
        f"电影《{title}》今日发布定档预告和海报，宣布将于{w.day()}全国上映。影片由{w.person()}执"
        f"导，{w.person()}、"
        f"{w.person()}领衔主演，{w.person()}特别出演。预告片中，主人公在一场意外之后踏上了寻找真"
        "相的旅程，"
        "紧张的节奏和细腻的情感引发了网友的热烈讨论。导演在接受采访时说，希望观众能够在影片里看"
        "到普通人的勇气。"
        f"据悉，《{title}》的预售已经开启，多个城市还将举行主创见面会。"
    )


def outage(w: Words) -> str:
    """The power is cut off for repairs."""
    return (
        f"停电通知：尊敬的用户，因线路检修需要，供电公司计划于{w.day()}{w.number(5, 9)}时至"
        f"{w.number(14, 19)}时对"
        f"{w.of('城东', '城西', '城南', '城北')}{w.number(1, 40)}号线路停电，停电范围包括"
        f"{w.road()}、{w.road()}以及"
        f"{w.county()}小区一带的居民和商户。请有关用户提前做好准备，妥善安排生产和生活。检修工作"
        "如果提前结束，"
        "将提前恢复供电，请勿在停电线路上作业，以免发生危险。给您带来不便，敬请谅解。"
    )


def conference(w: Words) -> str:
    """A yearly meeting in English."""
    nth, town = w.nth(), w.big_town()
    return (
        f"Registration is now open for the {nth} annual meeting of the society, which will take "
        f"place in {town} from "
        f"{w.month_day()} onwards. The {nth} meeting will bring together researchers, teachers "
        "and students from all "
        f"over the world. The opening lecture will be given by {w.name()}, and {w.name()} will "
        "chair the panel on the "
        "last day. Papers may be submitted through the website until the end of the month, and "
        "all of them will be read "
        "by two reviewers. Travel grants are available for students; please write to the "
        f"office in {w.big_town()} for "
        "details."
    )


def release_en(w: Words) -> str:
    """A book in English."""
    return (
        f"Out this week from {w.family()} Press: “{w.book()}”, the new novel by {w.name()}. The "
        "book is available in "
        "paperback and as an electronic edition from all good shops. Early readers have called "
        "it the most moving story "
        "of the year, and the first printing is already sold out. The author will read from "
        "the book and sign copies in "
        f"our shop in {w.town()} next Friday at seven in the evening; admission is free, but "
        "places are few, so please "
        "book yours in time."
    )


def release_de(w: Words) -> str:
    """The same in German."""
    return (
        f"Diese Woche neu im Handel: „{w.book()}“, der neue Roman von {w.name()}. Das Buch ist "
        "als Taschenbuch und als "
        "elektronische Ausgabe in allen guten Buchhandlungen erhältlich. Erste Leser nennen es "
        "die bewegendste "
        "Geschichte des Jahres, und die erste Auflage ist bereits vergriffen. Am nächsten "
        "Freitag um sieben Uhr abends "
        f"liest der Autor in unserer Buchhandlung in {w.town()} aus dem Buch und signiert "
        "Exemplare; der Eintritt ist "
        "frei, aber die Plätze sind knapp, also melden Sie sich bitte rechtzeitig an."
    )


def release_ja(w: Words) -> str:
    """The same in Japanese."""
    return (
        f"{w.person()}さんの新しい長編小説『{w.title()}』が{w.day()}に全国の書店で発売されます。"
        "発売を記念して、"
        "当店では著者によるサイン会を開催いたします。参加をご希望の方は、店頭で本をお買い上げの"
        "上、整理券を"
        f"お受け取りください。会場は{w.of('札幌', '仙台', '横浜', '名古屋', '神戸', '福岡')}駅前"
        "の本店です。整理券が"
        "なくなり次第、受付を終了させていただきますので、あらかじめご了承ください。"
    )


HELD_OUT: Final[dict[str, Callable[[Words], str]]] = {
    "lecture": lecture,
    "personnel": personnel,
    "court": court,
    "sport": lambda w: sport(w.rng("number")),
    "mourning": mourning,
    "film": film,
    "outage": outage,
    "conference_en": conference,
    "release_en": release_en,
    "release_de": release_de,
    "release_ja": release_ja,
}
