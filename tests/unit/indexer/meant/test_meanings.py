"""What a text may mean: each kind undone, plain texts without a sign, places in the given text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.meant.meanings import LONGEST, meanings
from indexer.meant.meant import Disguise
from tests.texts import LIBRARY, METRO, TEA

AS_THEY_STAND = {Disguise.BACKWARDS, Disguise.VERTICAL, Disguise.BETWEEN, Disguise.PINYIN}
RIGHT, END = "\u202e", "\u202c"
MORNING = "采茶的人早"
PICKERS = "采茶的人在清明前后满山是绿"
GRID = "。落手他\n山一地清\n路叶一明\n　好，前\n　，走后"

LETTERS = {
    "Gre@t pr!ce on th!s $ale, d0n't m!ss it!": "Great price on this sale, d0n't miss it!",
    "th€ b€st t!m€ of the ¥ear, wi££ you?": "the best time of the year, will you?",
    "th!s le++er h@s fr€sh (oal, $5 (or 5€)": "this letter has fresh coal, $5 (or 5€)",
    "th!s le++er h@s fr€sh (oal": "this letter has fresh coal",
    "M@K3 TH!S Y0URS, C@LL N0W!": "MaK3 THiS Y0URS, CaLL N0W!",
    "h|dden and bu|ld w|th th|s": "hidden and build with this",
    "Wr!te to me@shop.example, gre@t th!ngs": "Write to me@shop.example, great things",
}
LOOKS = {
    "ΤΗΕ CΟΝFΕRΕΝCΕ WΑS ΗΕLD ΝΕΑR ΥΟRΚ": "THE CONFERENCE WAS HELD NEAR YORK",
    "ΤΉΣ LΛΔY ΗΣLΔ ΣVΣRΥ ΔΟLL": "THe LAdY HeLd eVeRY dOLL",
    "тнє qυιcк вяσωη fσχ נυмρѕ ονєя": "the quick brown fox jumps over",
    "Ѕеагсh fог тhе гооm пехt аt поoп": "Search for the room next at noon",
    "Аl Јаzеега, тне ѕателлite": "Al Jazeera, the satennite",
}


@pytest.mark.parametrize("text", LETTERS)
def test_signs_in_words_are_letters(text: str) -> None:
    (found,) = meanings(text)
    assert found.text == LETTERS[text]
    assert found.places == range(len(text))
    assert found.disguises == (Disguise.SIGNS,)


@pytest.mark.parametrize("text", LOOKS)
def test_letters_of_other_scripts_are_what_they_look_like(text: str) -> None:
    (found,) = meanings(text)
    assert found.text == LOOKS[text]
    assert found.disguises == (Disguise.LOOK_ALIKES,)


def test_a_letter_that_is_written_for_two_is_the_one_that_is_nowhere_else() -> None:
    assert meanings("ип тнe яooмѕ оf тнe wипtег")[0].text == "in the rooms of the winter"
    assert meanings("oи тнe яooмѕ оf тнe wiиteг")[0].text == "on the rooms of the winter"


@pytest.mark.parametrize("stroke", ["丨", "丶", "〇", "某", "x", "ㅣ", "1", "ア"])
@pytest.mark.parametrize("text", [METRO[:120], TEA[:60], LIBRARY[:200]])
def test_what_stands_between_all_letters_is_left_out(stroke: str, text: str) -> None:
    plain = text.replace(stroke, "")
    (found,) = meanings("".join(each + stroke if each.isalnum() else each for each in plain))
    assert (found.text, found.disguises) == (plain, (Disguise.BETWEEN,))
    (found,) = meanings(stroke.join(plain.replace(" ", "")))
    assert found.text == plain.replace(" ", "")


def test_strokes_between_chinese_with_a_gap_now_and_then() -> None:
    text = "丨".join(TEA[:80]).replace("丨山", "山").replace("丨，丨", "，")
    (found,) = meanings(text)
    assert found.text == TEA[:80]


def test_an_override_is_read_as_it_is_shown() -> None:
    text = f"看：{RIGHT}{TEA[:20][::-1]}{END}，{RIGHT}cba\n好"
    (found,) = meanings(text)
    assert found.text == f"看：{TEA[:20]}，abc\n好"
    assert found.disguises == (Disguise.BACKWARDS,)
    assert found.span(2, 22) == (3, 23)
    assert meanings(RIGHT) == meanings(f"{RIGHT}{END}") == []


def test_an_override_and_signs_are_undone_together() -> None:
    text = "gre@t pr!ces in th!s shop"
    (found,) = meanings(RIGHT + text[::-1])
    assert found.text == "great prices in this shop"
    assert found.disguises == (Disguise.BACKWARDS, Disguise.SIGNS)


def test_columns_are_read_from_either_side() -> None:
    right, left = meanings(GRID)
    assert right.text == "他清明前后手地一，走落一叶好，。山路"
    assert left.text == "。山路落一叶好，手地一，走他清明前后"
    assert right.disguises == left.disguises == (Disguise.VERTICAL,)
    assert [GRID[place] for place in right.places] == list(right.text)


@pytest.mark.parametrize(
    ("written", "meant", "kind"),
    [
        ("".join(f"{each}1\ufe0f\u20e3" for each in TEA[:40]), TEA[:40], Disguise.BETWEEN),
        ("".join(f"{each}🇩🇪" for each in "a garden of tea"), "a garden of tea", Disguise.BETWEEN),
        ("开yuan2的mu4标是bao3护yong4户", "开yuan的mu标是bao护yong户", Disguise.PINYIN),
        ("采x的人x在清x前x山", "采*的人*在清*前*山", Disguise.MISSING),
        ("采某的人某在清某前某山", "采*的人*在清*前*山", Disguise.MISSING),
        (
            "thx gardxn of txa xs oxen xll day xnd all thx nighx lxng",
            "th* gard*n of t*a *s o*en *ll day *nd all th* nigh* l*ng",
            Disguise.MISSING,
        ),
        ("采茶&#30340;人&#x4E00;&#65早", "采茶的人一A早", Disguise.REFERENCES),
        ("采<B>茶</B>的<h1>人</h1>早", "采茶的人早", Disguise.MARKUP),
        ("采<b>茶</b>的<span class='x'>人</span>早", "采茶的人早", Disguise.MARKUP),
        ("<html><head></head><body>采茶的人早</body></html>", "采茶的人早", Disguise.MARKUP),
        ("[b]采茶[/b]的人[url=x.example]早[/url]", "采茶的人早", Disguise.MARKUP),
        ("采<b style='display:none'>x</b>茶的<i hidden>y</i>人<b></b>早", MORNING, Disguise.MARKUP),
        ("采<p style='font-size:0'>x</p>茶的<script>y</script>人早<br>", MORNING, Disguise.MARKUP),
        ("采&zwnj;茶&zwnj;的&#173;人早", "采\u200c茶\u200c的\xad人早", Disguise.REFERENCES),
        ("采<i style=opacity:0>x</i>茶的<style>y</style>人早<br>", MORNING, Disguise.MARKUP),
        ("采<i style='color:red;visibility:hidden'>x</i>茶的<b>人</b>早", MORNING, Disguise.MARKUP),
        ("\u0489".join(PICKERS), PICKERS, Disguise.BETWEEN),
        ("\u20dd".join(PICKERS), PICKERS, Disguise.BETWEEN),
        ("采www.a.example茶的http://b.example人早<br>上", "采茶的人早上", Disguise.MARKUP),
        (
            "τηε βοατ ωας ατ τηε ηουςε ας ιt was in τηε ςαηαςα",
            "the boat was at the house as it was in the sahasa",
            Disguise.LOOK_ALIKES,
        ),
        ("тне ѕнір іѕ іп тне раѕт", "the ship is in the past", Disguise.LOOK_ALIKES),
    ],
)  # fmt: skip
def test_what_is_strewn_over_a_text(written: str, meant: str, kind: Disguise) -> None:
    (found,) = meanings(written)
    assert (found.text, found.disguises) == (meant, (kind,))


@pytest.mark.parametrize(
    "attributes",
    [
        "style='font-size:0.9em'",
        "style='opacity:0.5'",
        "style='overflow: hidden'",
        "style='fill-opacity:0'",
        "class='a hidden b'",
        "title='the hidden gems'",
        "data-x=display:none",
    ],
)
def test_what_is_seen_stays(attributes: str) -> None:
    (found,) = meanings(f"采<font {attributes}>茶</font>的<b>人</b>早")
    assert found.text == "采茶的人早"


def test_tags_are_told_from_addresses() -> None:
    (tags,) = meanings("采<b>茶</b>的<a href='http://a.example/b'>人</a>早<br>")
    (addresses,) = meanings("采茶http://a.example/1的http://a.example/2人早<br>www.a.example")
    assert (tags.in_tags, addresses.in_tags) == (True, False)


@pytest.mark.parametrize("text", ["🇼🇪 🇲🇪🇹 🇴🇳 🇸🇪🇵🇹 11", "😀🇩🇪🇫🇷 🇮🇹🇪🇸🇵🇹🇨🇭🇦🇹🇧🇪🇳🇱🇩🇰 11"])
def test_flags_that_say_it_all_are_not_between_anything(text: str) -> None:
    """Words are spelt with their letters, or little else is there."""
    assert meanings(text) == []


def test_references_make_a_text_longer() -> None:
    text = (TEA * (LONGEST // len(TEA)))[: LONGEST - 10]
    (found,) = meanings("".join(f"&#{ord(each)};" for each in text))
    assert found.text == text
    assert found.span(0, 2) == (0, len(f"&#{ord(text[0])};&#{ord(text[1])};"))
    assert meanings("&#30340;" * LONGEST + TEA) == []


@pytest.mark.parametrize("parting", ["　", " ", "│", "|"])
def test_columns_may_be_parted(parting: str) -> None:
    grid = "\n".join(parting.join(line) for line in GRID.split("\n"))
    assert [meant.text for meant in meanings(grid)] == [meant.text for meant in meanings(GRID)]


@pytest.mark.parametrize(
    "text", ["<br><br><br>", "[b][b][b]", "&#1;&#1;&#1;", "<!-- --><!-- --><!-- -->", "<", "&&&"]
)
def test_markup_alone_means_nothing(text: str) -> None:
    assert meanings(text) == []


@pytest.mark.parametrize(
    "text", ["X" * LONGEST, "a" * 4_400 + " x" * 300, "<!--" * 1_200, "&lt" * 1_600, "[b=" * 1_600]
)
def test_no_text_takes_long(text: str) -> None:
    """One such took minutes."""
    began = time.process_time()
    meanings(text)
    assert time.process_time() - began < 1


PLAIN = {
    "few emoji": "".join(f"{each}🇩🇪" for each in TEA[:12]) + TEA[12:100],
    "few masks": "x".join((TEA[:50], TEA[51:100], TEA[101:150], TEA[151:200])),
    "one small word": "Ας πάμε, ας δούμε, ας μείνουμε εδώ, ας φάμε, ας πιούμε νερό μαζί σήμερα.",
    "few tones": f"{TEA[:40]}shi4{TEA[40:200]}mu4{METRO}bao3{TEA[:200]}",
    "Russian by its looks": "Он был там, но не тот: то на горе, то у воды, а от реки ни на шаг.",
    "wrapped prose": "\n".join(METRO[at : at + 30] for at in range(0, 300, 30)),
    "a list of emoji": "1\ufe0f\u20e3今天吃火锅\n2\ufe0f\u20e3晚上看电影\n3\ufe0f\u20e3回家睡觉",
    "medals": "🇨🇳 China 40 27 24\n🇺🇸 United States 40 44 42\n🇯🇵 Japan 20 12 13",
    "masks": "戴口罩！口罩很重要，出门要戴口罩，进门口摘口罩。",
    "programs": "use xargs xterm xclip xrandr xinput xset and xdotool with x in text",
    "algebra": "已知 x + y = x * x - x，求 x，再求 2x + 3x 与 x1 + x2 的和",
    "two addresses": f"{TEA} https://a.example/b 和 https://c.example，&amp; 与 <b>。{METRO}",
    "flags of a match": "🇩🇪 Germany 2:1 🇫🇷 France, tomorrow Italy and Spain play in Rome",
    "checksums": "用 md5 和 sha1 校验和 sha1 的结果，比如 avi1、die2 与 bash3 生成的文件",
    "dimensions": "3x4, 10x20 and 5x5: a matrix x of size n x m, and f(x) = ax + bx",
    "e-mails": "Write to john@example.com, mary@mail.example.org or root@localhost; bcc@xyz.test",
    "prompts": "shs@kvm:~$ ls\ndbs@srv-2:/tmp$ pwd\nshs@kvm:~$ exit",
    "handles": "Thanks @anna @bob_b @mtv @nyt @cnn for th!s",
    "prices": "It costs $5, 5€, $5m, £3 or US$7; was $15.99, A$AP and Ke$ha sang, 3€50",
    "languages": "C++ and C# and F# and A+ and Ctrl+C, Alt+Tab, x+y+z, 18+ g++ -std=c++11",
    "wow": "Wow! Great!Thanks! Hello!World (really)! Yes!No!Hm! Ah!So (good)bye file(s) word(s)",
    "parentheses": "(see) the (parenthesised words) of f(x) and print(str) in sqrt(x) pow(x,y)",
    "shell": "echo $HOME $PATH; cat a|grep b|sort|uniq; foo || bar; ls !$ $(pwd) ${x} $str$tmp",
    "php": "$foo = $bar['x']; if (!$str && $ptr) { $this->tmp = !$x; } $html$css",
    "java": "Outer$Inner.run(); Map.Entry; @Override @Nullable foo(@NotNull Str x); i18n l10n",
    "rust": 'assert!(x); println!("{}", y); vec![1]; matches!(x, y); panic!("no")',
    "conditions": "if (x!=y||!strcmp(a,b)) { return x|y; } c = a|b|c; d = p|q|r;",
    "expressions": "\\.(?:ico|css|js|gif|jpe?g|png|ttf|woff)$ dvd|cd|mp3 foo|bar|baz yes|no|n/a",
    "tables": "| name | age | city |\n|--|--|--|\n| Tom | 31 |\nname|age|city\nid|nm|age\nTom|31",
    "smileys": ":-) :-( ;-) :o) 8-| :| =) (: xD ^_^ (*_*) ¯\\_(ツ)_/¯ <3 d(^_^)b @_@ $_$ T_T",
    "addresses": "https://a.example/@user?a=b|c http://x.example/p!q$r www.ex@mple.com/w!x$y",
    "art": " /\\_/\\\n( o.o )\n > ^ <\n|__| |\\/| |@@|\n+--+--+\n| x|y |",
    "mathematics": "Δt = t2 − t1, μm, kΩ, Δx/Δt, αx + βy, sinα cosβ, π, σ-algebra, f(λx), ∂x/∂t",
    "medicine": "TNFα, IFNγ, TGFβ, NFκB and IL1β were measured in HeLa cells, PPARγ was not",
    "Russian": "В Москве компания Apple показала новый iPhone 15 и MacBook. Он стоит 999$, "
    "IT-специалисты и PR-менеджеры хвалят; SMSки и USB-кабель, Wi-Fi и VIP-зал в Google.",
    "Russian jargon": "Мы googlим и PRим, шлём SMSки, ставим iOSовские приложения и живём дальше",
    "Greek": "Η Microsoft και η Google ανακοίνωσαν χθες στην Αθήνα τη νέα έκδοση των Windows.",
    "a quotation": "The Russian word мир means both peace and world, as in война и мир, a novel.",
    "Ukrainian": "Її сім'я їде до Києва, ґанок і під'їзд, Вікіпедія про Facebook і YouTube.",
    "a year": "二〇二四年，二〇二三年，二〇二二年，二〇二一年，二〇二〇年，二〇一九年，二〇一八年",
    "laughs": "哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈",
    "two laughs": "哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵哈呵",
    "one for all": "一个一只一头一匹一条一根一张一片一块一本",
    "numbers": "10 20 30 40 50 60 70 80 90 0.1 0.2 0.3 0.4 1,2,3,4,5,6,7,8,9,10,11,12",
    "bits": "0101101001010110101001 1010101010101010 0x00 0x01 0x02 0x03 0x04",
    "a list": "1. 大\n2. 小\n3. 多\n4. 少\n5. 上\n6. 下\n7. 左\n8. 右\n9. 来\n10. 去",
    "bananas": "Banana, banana, Havana banana! Kamakawiwoʻole sang la la la la la la la",
    "a poem": "床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。",
    "a bare poem": "床前明月光\n疑是地上霜\n举头望明月\n低头思故乡",
    "halves": "白日依山尽，黄河入海流。\n欲穷千里目，更上一层楼。\n红豆生南国，春来发几枝。",
    "a vertical text": "\n".join("床前明月光疑是地上霜"),
    "couplets": "　　春风\n　　秋雨\n　　夏云\n　　冬雪",
    "Chinese": METRO + TEA,
    "English": LIBRARY,
    "nothing": "",
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_texts_show_no_sign(name: str) -> None:
    assert meanings(PLAIN[name]) == []
    for line in PLAIN[name].split("\n"):
        assert meanings(line) == []


def test_only_what_is_asked_for() -> None:
    text = "Gre@t pr!ces and th!s"
    assert meanings(text, as_meant=False) == []
    (turned,) = meanings(text, as_meant=False, backwards=True)
    assert (turned.text, turned.disguises) == (text[::-1], (Disguise.BACKWARDS,))
    assert turned.span(0, 4) == (len(text) - 4, len(text))
    assert [meant.disguises[0] for meant in meanings(text, backwards=True)] == [
        Disguise.SIGNS,
        Disguise.BACKWARDS,
    ]
    assert meanings(text + " " * LONGEST) == []


PIECES = [
    "&#30340;",
    "&lt;",
    "<b>",
    "[/url]",
    "的1\ufe0f\u20e3",
    "🇩🇪",
    "yuan2的",
    "x好",
    "gre@t ",
    "th!s ",
    "pr|ce ",
    "тне ",
    "ѕателлite ",
    "ΗΕLD ",
    "丨",
    "我丨",
    "山一，\n",
    "　",
]


@given(st.lists(st.sampled_from([*PIECES, RIGHT, END, "\n", "好", "a"])).map("".join), st.text())
def test_each_character_stands_in_the_given_text(text: str, more: str) -> None:
    """Every place once, in order unless parts are turned; what is undone leaves no other length."""
    for given_text in (text, text + more):
        for meant in meanings(given_text, backwards=True):
            assert len(meant.places) == len(meant.text)
            assert len({*meant.places}) == len(meant.places)
            assert all(0 <= place < len(given_text) for place in meant.places)
            assert meant.span(0, 0) == (0, 0)
            if AS_THEY_STAND.issuperset(meant.disguises):
                assert "".join(given_text[place] for place in meant.places) == meant.text
            if {Disguise.BACKWARDS, Disguise.VERTICAL}.isdisjoint(meant.disguises):
                assert list(meant.places) == sorted(meant.places)
