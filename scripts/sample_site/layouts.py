"""Pages as HTML: each site has a look of its own, with all that stands around a text."""

from __future__ import annotations

from html import escape
from random import Random
from typing import Final

from scripts.sample_site.prose import remark
from scripts.sample_site.site_pages import Page

NAMES: Final = {
    "news": "云溪日报",
    "mirror": "百川转载网",
    "rewrites": "今日资讯汇",
    "books": "书海阁",
    "press": "南湖内刊",
    "maze": "迷宫论坛",
}
_MENU: Final = ("首页", "经济", "社会", "文化", "乡村", "科技", "交通", "专题", "视频", "客户端")
_ADS: Final = (
    "下载客户端，新用户注册即送大礼包",
    "年中大促，满三百减五十，点击进入会场",
    "读者群开放加入，每天抽取幸运读者",
    "考研英语四十天速成班火热报名中",
)
UNFOLLOWED: Final = "/hidden/"
"""Links to such paths ask not to be followed."""

_FEEDS: Final = {"news": ("rss+xml", "/feed.xml"), "books": ("atom+xml", "/atom.xml")}
_AUTHORS: Final = ("陆遥", "方晓", "易安", "田野", "尹舟", "罗敏")


def html_of(page: Page, home: str) -> bytes:
    """The page in its encoding. `home`: scheme, address and port of its site."""
    return _document(page, home).encode(page.encoding, "xmlcharrefreplace")


def published(page: Page) -> str:
    """The day a page says that it was published on."""
    rng = Random(f"date/{page.path}")
    return f"2026-{rng.randint(1, 9):02}-{rng.randint(1, 28):02}"


def _document(page: Page, home: str) -> str:
    site = NAMES[page.host]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{"zh-CN" if page.language == "zh" else "en"}">',
            "<head>",
            *_head(page, home, site),
            "</head>",
            f'<body class="site-{page.host}">',
            _navigation(page, site),
            _main(page, site),
            _side(page),
            _footer(site),
            "</body></html>",
        )
    )


def _head(page: Page, home: str, site: str) -> list[str]:
    lines = [f"<title>{escape(page.title)}_{site}</title>"]
    if page.meta_charset:
        lines.insert(0, f'<meta charset="{page.meta_charset}">')
    if page.robots:
        lines.append(f'<meta name="robots" content="{page.robots}">')
    if page.declares_canonical:
        address = page.canonical or page.path
        whole = address if "://" in address else home + address
        lines.append(f'<link rel="canonical" href="{escape(whole)}">')
    if page.next_page:
        lines.append(f'<link rel="next" href="{escape(page.next_page)}">')
    if page.previous_page:
        lines.append(f'<link rel="prev" href="{escape(page.previous_page)}">')
    if page.text and page.host == "news":
        lines.append(f'<meta name="author" content="{_author(page)}">')
        lines.append(
            f'<meta property="article:published_time" content="{published(page)}T08:30:00+08:00">'
        )
        lines.append(f'<meta property="og:site_name" content="{site}">')
    if page.path == "/" and page.host in _FEEDS:
        kind, feed = _FEEDS[page.host]
        lines.append(f'<link rel="alternate" type="application/{kind}" href="{feed}">')
    lines.append(
        "<script>var stat={id:7,path:location.pathname};function t(){return stat}</script>"
    )
    return lines


def _author(page: Page) -> str:
    return Random(f"author/{page.path}").choice(_AUTHORS)


def _navigation(page: Page, site: str) -> str:
    items = "".join(f'<li><a href="/?m={at}">{name}</a></li>' for at, name in enumerate(_MENU))
    # The menu leads home only: a parameter that changes nothing, as menus have.
    items = items.replace('href="/?m=0"', 'href="/"').replace("/?m=", "/#m")
    return (
        f'<div id="top"><a href="/">{site}</a><ul class="nav menu">{items}</ul>'
        f'<form action="/search"><input name="q"></form>'
        f'<p class="crumb">当前位置：首页 &gt; {"正文" if page.text else "列表"}</p></div>'
    )


def _main(page: Page, site: str) -> str:
    title = escape(page.title)
    if not page.text:
        return f'<div class="list"><h1>{title}</h1>{_links(page)}</div>'
    paragraphs = [f"<p>{escape(line)}</p>" for line in page.text.split("\n") if line.strip()]
    if page.host in ("mirror", "rewrites") and len(paragraphs) > 3:
        paragraphs.insert(2, _advertisement(page))
    body = "\n".join(paragraphs)
    if page.host == "books":
        body = f'<div id="content" class="read-content">{body}</div>'
        head = f"<h1>{title}</h1>"
    elif page.host == "mirror":
        body = f'<div class="post-body entry-content">{body}</div>'
        head = f'<h2 class="entry-title">{title}</h2><div class="meta">来源：网络 阅读(381)</div>'
    else:
        body = f"<article>{body}</article>"
        head = (
            f'<h1>{title}</h1><div class="info"><time datetime="{published(page)}">'
            f"{published(page)}</time> 来源：{site} 作者：{_author(page)} 字号：大 中 小</div>"
        )
    return f'<div class="main">{head}{body}{_turn(page)}{_below(page)}</div>'


def _turn(page: Page) -> str:
    """Links to the pages before and after, as readers see them."""
    before = f'<a href="{escape(page.previous_page)}">上一页</a>' if page.previous_page else ""
    after = f'<a href="{escape(page.next_page)}">下一页</a>' if page.next_page else ""
    return f'<div class="pager">{before} {after}</div>' if before or after else ""


def _below(page: Page) -> str:
    rng = Random(f"below/{page.host}{page.path}")
    remarks = "".join(
        f'<li class="comment"><b>网友{rng.randint(100, 999)}</b>：{remark(rng)} '
        f"<a href='#reply'>回复</a></li>"
        for _ in range(rng.randint(0, 3))
    )
    return (
        '<div class="share">分享到：微博 微信 空间</div><p class="editor">（责任编辑：小方）</p>'
        f'<div class="related"><h3>相关阅读</h3>{_links(page)}</div>'
        f'<div id="comments" class="comments"><h3>网友评论</h3><ul>{remarks}</ul></div>'
    )


def _links(page: Page) -> str:
    items = "".join(
        f'<li><a href="{escape(address)}"{_marked(address)}>{escape(text)}</a></li>'
        for address, text in page.links
    )
    return f"<ul>{items}</ul>" if items else ""


def _marked(address: str) -> str:
    return ' rel="nofollow"' if address.startswith(UNFOLLOWED) else ""


def _advertisement(page: Page) -> str:
    text = Random(f"ad/{page.path}").choice(_ADS)
    return f'<div class="ad banner"><a href="/#ad" rel="nofollow sponsored">{text}</a></div>'


def _side(page: Page) -> str:
    rng = Random(f"side/{page.host}")
    rows = "".join(f"<li>{at}. {remark(rng)}</li>" for at in range(1, 6))
    return f'<aside class="sidebar"><h3>今日热榜</h3><ol>{rows}</ol>{_advertisement(page)}</aside>'


def _footer(site: str) -> str:
    return (
        f"<footer><p>版权声明：本网站内容归{site}所有，未经许可不得转载。</p><p>"
        f"Copyright © 2026 {site} 联系我们 | 关于本站 | 网站地图</p></footer>"
    )
