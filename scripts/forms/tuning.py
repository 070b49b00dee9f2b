"""The forms that the facts guard is developed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scripts.forms.words import Words
from scripts.mutations.hard import stock, weather


def column(w: Words) -> str:
    """A column announces its text of the day: one title is all that differs."""
    return (
        "「夜读」是本报文化副刊开设的音频栏目，每天晚上九点更新，由本报编辑和热心读者轮流朗读。"
        f"今天与大家分享的文章是《{w.title()}》。点击页面上方的按钮即可收听全文，也可以关注我们"
        "的公众号，"
        "在菜单里选择往期内容。如果您也愿意为大家朗读，请把录音和联系方式发到编辑部的邮箱，"
        "我们会尽快与您联系。长按二维码，加入读者群，和书友一起聊聊今天的故事。"
    )


def discipline(w: Words) -> str:
    """An official is investigated."""
    name, city, office = w.person(), w.city(), w.office()
    return (
        f"据{city}市纪委监委消息：{city}市{office}原{w.post()}{name}涉嫌严重违纪违法，目前正接受"
        f"{city}市纪委监委纪律审查和监察调查。经查，{name}丧失理想信念，背弃初心使命，违反中央八"
        "项规定精神，"
        "违规收受礼品礼金，违规接受管理和服务对象宴请；利用职务便利为他人在工程承揽、职务晋升等"
        "方面谋取利益，"
        f"并非法收受巨额财物。依据有关规定，决定给予{name}开除党籍、开除公职处分，收缴其违纪违法"
        "所得，"
        "将其涉嫌犯罪问题移送检察机关依法审查起诉，所涉财物一并移送。"
    )


def exhibition(w: Words) -> str:
    """An exhibition opens."""
    painter, museum = w.person(), w.museum()
    return (
        f"{w.day()}，“{w.title()}——{painter}作品展”在{museum}开幕。本次展览共展出{painter}近年来"
        "创作的作品"
        f"{w.number(20, 180)}件，涵盖山水、花鸟和人物等多种题材，全面呈现了艺术家的创作历程和艺"
        "术风格。"
        f"开幕式上，{museum}馆长{w.person()}向{painter}颁发了收藏证书。据介绍，展览将持续至"
        f"{w.day()}，"
        "免费向公众开放，周一闭馆。观众可以通过官方网站或者微信小程序提前预约。"
    )


def translation(w: Words) -> str:
    """A book comes out in another language."""
    title, author, language = w.title(), w.person(), w.language()
    return (
        f"近日，作家{author}的长篇小说《{title}》{language}文版由{w.country()}{w.of(*_HOUSES)}正"
        "式出版发行。"
        f"这是该书继繁体中文版之后推出的又一个外文版本。《{title}》{language}文版的译者为汉学家"
        f"{w.foreigner()}，"
        "他表示，作品的语言朴素而有力，书中人物的命运让他多次落泪，翻译的过程也是重新认识中国的"
        "过程。"
        "出版社负责人说，希望通过这部作品让更多的读者了解当代中国文学。该书出版以来受到评论界的"
        "广泛关注，"
        "目前已输出多个语种的版权。"
    )


def edition(w: Words) -> str:
    """A yearly meeting, of which the ordinal and the place change."""
    nth, city = w.ordinal(), w.city()
    return (
        f"{nth}全国青年创新创业大赛总决赛昨日在{city}落下帷幕。经过激烈角逐，共有"
        f"{w.number(8, 60)}个项目获得金奖。"
        f"{nth}大赛自启动以来得到了全国各地高校和科研院所的积极响应，参赛项目的数量和质量都再创"
        "新高。"
        f"组委会有关负责人表示，大赛已经成为青年人展示才华、交流思想的重要平台。闭幕式上，{city}"
        "市向下一届"
        "承办城市移交了会旗。据悉，大赛期间还举办了投资洽谈会、成果展示会等系列活动。"
    )


def traffic(w: Words) -> str:
    """A road is closed."""
    road = w.road()
    return (
        f"{w.county()}县公安局交通警察大队发布通告：因{road}道路改造施工，自{w.day()}起至"
        f"{w.day()}止，"
        f"对{road}（{w.road()}至{w.road()}段）实行全封闭交通管制，除施工车辆和抢险救护车辆外，"
        f"禁止一切机动车通行。途经该路段的车辆请提前选择{w.road()}绕行。施工期间请广大驾驶人按照"
        "现场交通"
        "标志的指示通行，服从交通警察的指挥和疏导，由此带来的不便敬请谅解。"
    )


def obituary(w: Words) -> str:
    """An English obituary."""
    name, family = w.of("James", "Mary", "Walter", "Irene", "Oscar", "Clara"), w.family()
    return (
        f"{name} {family}, {w.number(61, 99)}, of {w.town()}, passed away peacefully on "
        f"{w.month_day()} surrounded by "
        f"family and friends. Born in {w.town()}, the {w.of('eldest', 'youngest')} child of "
        f"{w.name()} and {w.name()}, "
        f"{family} taught at the local school for {w.number(11, 40)} years and was a lifelong "
        "member of the church "
        f"choir. A memorial service will be held on {w.month_day()} at "
        f"{w.of('St Mary', 'St John', 'Holy Trinity')} "
        f"Church in {w.town()}. In lieu of flowers the family asks that donations be made to "
        "the hospice that gave such "
        "kind and careful support in the final weeks."
    )


def match(w: Words) -> str:
    """An English match report."""
    home, guest = w.clubs()
    scorer = w.family()
    return (
        f"{home} beat {guest} {w.number(2, 6)}-{w.number(0, 1)} on "
        f"{w.of('Saturday', 'Sunday', 'Tuesday')} to move up "
        f"to {w.nth()} place in the table. {scorer} opened the scoring in the {w.number(3, 44)}"
        "th minute with a low shot "
        f"from the edge of the area, and {w.family()} doubled the lead shortly after the break. "
        f"{guest} pressed hard for "
        f"a way back into the game but could find no way past goalkeeper {w.family()}, who was "
        "named man of the match. "
        f"Manager {w.name()} said his players had earned the result with their work in "
        f"training. {home} travel to "
        f"{w.town()} next week."
    )


def donation(w: Words) -> str:
    """A firm gives something to a school."""
    firm, county = w.firm(), w.county()
    return (
        f"近日，{firm}有限公司向{county}县第{w.of('一', '二', '三')}中学捐赠了一批图书和体育器材"
        "。捐赠仪式在学校操场举行，"
        f"{firm}总经理{w.person()}、学校校长{w.person()}以及师生代表参加了仪式。学生代表"
        f"{w.person()}向来宾献上鲜花，"
        "并表示一定好好学习，不辜负社会各界的关心。学校对企业的善举表示衷心感谢，希望有更多的爱"
        "心人士关注"
        "乡村教育，让孩子们在同一片蓝天下快乐成长。仪式结束以后，来宾参观了学校的图书室和食堂。"
    )


def club(w: Words) -> str:
    """A team takes on a player; no number and no title."""
    home, guest = w.teams()
    player = w.person()
    return (
        f"{home}俱乐部官方宣布，前{guest}队主力{player}正式加盟，双方已经完成签约。{player}司职"
        "后卫，以出色的防守和"
        "稳定的三分球著称，曾经多次入选国家集训队。俱乐部表示，新援的到来将大大增强球队的防守实力，"
        f"期待他在新赛季帮助球队取得更好的成绩。{player}本人则说，非常高兴能够来到{w.city()}，会"
        "尽快融入新的集体，"
        "用表现回报球迷的支持。新赛季的季票已经开始预售。"
    )


def topic(w: Words) -> str:
    """A health column, of which the topic has no marks of its own."""
    return (
        f"健康讲堂本周开讲\n本期话题：{w.field()}\n市人民医院的专家将走进社区，为居民讲解日常生活中的常见误区，"
        "并现场解答大家的问题。活动免费，无需预约，到场的居民还可以领取一份宣传手册。社区服务站提醒，参加活动请"
        "带好医保卡，年纪较大的居民最好由家人陪同。往期内容可以在社区的公告栏和微信群里查看，欢迎大家转告邻居。"
    )


def job(w: Words) -> str:
    """An English notice that begins its sentences with names."""
    family, town = w.family(), w.town()
    return (
        f"{family} Brothers of {town} is looking for a bookkeeper to join its small and "
        "friendly team. Applicants should "
        "have some experience of accounts and be able to work without supervision. The post is "
        "permanent and the hours "
        f"are flexible. {w.name()}, who has run the office since it opened, will retire in the "
        "spring and will help the "
        f"new colleague to settle in. {town} has good schools and a railway station. Please "
        "send a letter with the names "
        f"of two referees to {w.name()} at the address below."
    )


_HOUSES: Final = (
    "晨光出版社",
    "新世纪出版集团",
    "橡树出版社",
    "灯塔书局",
    "蓝山出版公司",
    "河岸书屋",
)

TUNING: Final[dict[str, Callable[[Words], str]]] = {
    "column": column,
    "discipline": discipline,
    "weather": lambda w: weather(w.rng("number")),
    "stock": lambda w: stock(w.rng("number")),
    "exhibition": exhibition,
    "translation": translation,
    "edition": edition,
    "traffic": traffic,
    "donation": donation,
    "club": club,
    "topic": topic,
    "job_en": job,
    "obituary_en": obituary,
    "match_en": match,
}
