"""Words: the accelerator gives jieba's own tokens; nothing leaks in or out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jieba
import pytest

from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.text import segment
from indexer.text.preparation import prepare
from indexer.text.segment import Segmenter, segmenter
from mappings.errors import PlanMismatch
from mappings.plan import Plan
from tests.texts import LIBRARY, METRO, MIXED, ORCHARD, TEA, chinese
from tests.texts import PLAIN as STANDARD

DICTIONARY = "jieba-0.42.1"
USER_WORDS = (
    "近似指纹",
    "银杏路",
    "向量库",
    "node.js",
    "c++",
    "dupdex",
    "x1000",
    "3d打印",
    "λ演算",
)

RUNS = (
    *(
        "Node.js",
        "C++",
        "c#",
        "3.14%",
        "a_b-c",
        "user@mail.example.com",
        "v2.0.1",
        "AT&T",
        "x86-64",
    ),
    *(
        "50%",
        "1,000.5",
        "100%纯棉",
        "GPT-4",
        "utf-8",
        "--help",
        "a+b=c",
        "#标签#",
        "10.0.0.1",
        "._.",
    ),
    *(
        "node.js是",
        "用c++写",
        "2024-05-17",
        "12:30",
        "http://a.example.org/x_y?z=1&w=2",
        "t.co",
        "%d",
        "++",
    ),
    *(
        "1.5.2",
        "a.b.c",
        "3.x",
        ".net",
        "e.g.",
        "i.e.,",
        "&amp;",
        "-1",
        "+86-10",
        "_init_",
        "A.",
        "1.",
        "%%",
    ),
    *(
        "😀",
        "👩\u200d👧",
        "❤\ufe0f",
        "①",
        "㌔",
        "日本語テスト",
        "한국어",
        "Привет",
        "naïve",
        "ß",
        "ﬁ",
    ),
    *(
        "  ",
        "\n",
        "\t",
        "。",
        "！",
        "，",
        "（",
        "）",
        "“",
        "…",
        "——",
        "𠀀𠀁",
        "㐀a㐁",
        "鿿",
        "龘",
        "\x00",
    ),
    *USER_WORDS,
)


@pytest.fixture(scope="module")
def plain(with_words: tuple[Segmenter, Segmenter]) -> tuple[Segmenter, Segmenter]:
    """jieba's and rjieba's, made after those with words, which must not get in; plans get the
    same two here."""
    assert with_words
    segment._segmenter.cache_clear()
    jiebas, rjiebas = (segment._segmenter(DICTIONARY, (), name) for name in ("jieba", "rjieba"))
    return jiebas, rjiebas


@pytest.fixture(scope="module")
def with_words() -> tuple[Segmenter, Segmenter]:
    """The same, both with the words of a user."""
    return segment._reference(DICTIONARY, USER_WORDS), segment._fast(DICTIONARY, USER_WORDS)


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """A dictionary takes up to a hundred megabytes; no other module needs any of these."""
    yield
    segment._segmenter.cache_clear()
    jieba.dt.FREQ, jieba.dt.initialized = {}, False


@pytest.fixture(params=["plain", "with_words"], ids=["plain", "user words"])
def pair(request: pytest.FixtureRequest) -> tuple[Segmenter, Segmenter]:
    made: tuple[Segmenter, Segmenter] = request.getfixturevalue(request.param)
    return made


def samples(number: int) -> list[str]:
    """Chinese cut anywhere, mixed with runs that segmenters like to disagree about."""
    choose = random.Random(20)
    sources = [METRO, TEA, MIXED, LIBRARY, ORCHARD, *(chinese(300, seed) for seed in range(20))]
    out = []
    for _ in range(number):
        parts = []
        for _ in range(choose.randint(1, 8)):
            if choose.random() < 0.5:
                source = choose.choice(sources)
                start = choose.randrange(len(source))
                parts.append(source[start : start + choose.randint(1, 40)])
            else:
                parts += choose.choices(RUNS, k=choose.randint(1, 3))
        out.append(choose.choice(["", "", " "]).join(parts))
    return out


def test_rjieba_gives_jiebas_tokens(pair: tuple[Segmenter, Segmenter]) -> None:
    reference, fast = pair
    for text in [*samples(100), *RUNS, METRO, TEA, LIBRARY, ORCHARD, MIXED, ""]:
        for form in (text, prepare(text, STANDARD).text()):
            assert fast(form) == list(reference(form)), form
            assert "".join(fast(form)) == form


def test_rjieba_gives_jiebas_tokens_on_ascii_soup(pair: tuple[Segmenter, Segmenter]) -> None:
    reference, fast = pair
    choose = random.Random(21)
    for _ in range(1_000):
        text = "".join(choose.choices("ab1Z9.+-_%#& 中用", k=choose.randint(1, 12)))
        assert fast(text) == list(reference(text)), text


COMMON = (
    "爱牛会台版破离旗书球心意商击灯的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年"
)


def repetitive(number: int, seed: int = 22) -> list[str]:
    """Texts in which characters come again and again."""
    choose = random.Random(seed)
    characters = COMMON + chinese(300, seed)
    out = []
    for _ in range(number):
        kind = choose.randrange(4)
        few = choose.choices(characters, k=choose.randint(1, 4))
        ends = ["".join(choose.choices(characters, k=choose.randint(0, 3))) for _ in range(2)]
        if kind == 0:
            out.append("".join(choose.choices(few, k=choose.randint(2, 14))))
        elif kind == 1:
            out.append(ends[0] + few[0] * choose.randint(2, 8) + ends[1])
        elif kind == 2:
            out.append(ends[0] + "".join(few) * choose.randint(2, 4) + ends[1])
        else:
            runs = [choose.choice(characters) * choose.randint(1, 5) for _ in range(4)]
            runs += choose.choices(RUNS, k=2) + ends
            choose.shuffle(runs)
            out.append("".join(runs))
    return out


def test_repeated_characters_are_cut_as_jieba_cuts_them(pair: tuple[Segmenter, Segmenter]) -> None:
    """Several readings are equally likely there, and rjieba by itself takes another."""
    reference, fast = pair
    for text in ("总委会会会会会样无", "也末置多吨也末置多吨", *repetitive(800)):
        assert fast(text) == list(reference(text)), text


def test_repeated_characters_have_one_simhash(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text in ("总委会会会会会样无", *repetitive(400, 23)) if text.strip()]
    made = {}
    for name in ("jieba", "rjieba"):
        monkeypatch.setattr(segment, "backend", lambda _, name=name: name)
        made[name] = [each.simhash for each in fingerprints_of(texts, STANDARD)]
    assert made["jieba"] == made["rjieba"]


def test_the_accelerator_is_used_here(plain: tuple[Segmenter, Segmenter]) -> None:
    """The tests above compare two programs, not one with itself."""
    assert segment.backend(DICTIONARY) == "rjieba"
    assert segment.backend("jieba-0.1") == "jieba"
    reference, fast = plain
    assert reference.__module__ == "jieba"
    assert fast.__module__ == segment.__name__


@pytest.mark.parametrize(("at", "make"), [(0, segment._reference), (1, segment._fast)])
def test_words_of_the_host_change_nothing(
    at: int, make: object, plain: tuple[Segmenter, Segmenter], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(make)
    text = "你见过什么样的茶山和向量库"
    own = plain[at]
    before = own(text)
    assert "什么样的茶山" not in before
    jieba.initialize()
    monkeypatch.setattr(jieba.dt, "FREQ", dict(jieba.dt.FREQ))
    monkeypatch.setattr(jieba.dt, "total", jieba.dt.total)
    jieba.add_word("什么样的茶山", freq=10_000)
    assert "什么样的茶山" in jieba.lcut(text)  # the host sees it
    assert own(text) == before
    assert make(DICTIONARY, ())(text) == before


def test_user_words_do_not_leak(
    plain: tuple[Segmenter, Segmenter], with_words: tuple[Segmenter, Segmenter]
) -> None:
    text = "我们的向量库很快"
    for cut in with_words:
        assert "向量库" in cut(text)
    for cut in plain:
        assert "向量库" not in cut(text)
    assert "向量库" not in jieba.lcut(text)


def test_another_dictionary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlanMismatch, match=r"install jieba==0\.42\.1"):
        segmenter(Plan(dictionary="jieba-0.39"))
    monkeypatch.setitem(segment.DICTIONARIES, DICTIONARY, "0" * 64)
    with pytest.raises(PlanMismatch, match="dupdex rebuild"):
        segment._reference(DICTIONARY, ())


def test_the_installed_dictionary_is_the_recorded_one() -> None:
    assert segment._dictionary_digest() == segment.DICTIONARIES[DICTIONARY]


PLAN = replace(STANDARD, user_words=("Node.js", "資料探勘引擎", "Ｃ++", "向量库", "银杏路"))
"""One for all tests: each dictionary takes a second to read."""


def test_user_words_are_prepared_like_the_texts() -> None:
    words = segmenter(PLAN)(prepare("用NODE.JS和C++寫資料探勘引擎", PLAN).text())
    assert words == ["用", "node.js", "和", "c++", "写", "资料探勘引擎"]


def test_user_words_change_the_plan_and_the_simhash() -> None:
    text = "我们把向量库搬到了银杏路，向量库从此更快。"
    assert PLAN.id != STANDARD.id
    assert PLAN.id != replace(PLAN, user_words=PLAN.user_words[::-1]).id
    with_words, without = fingerprint_of(text, PLAN), fingerprint_of(text, STANDARD)
    assert with_words.simhash != without.simhash
    assert with_words.text_hash == without.text_hash


def test_both_backends_give_one_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "backend", lambda _: "jieba")
    reference = [fingerprint_of(text, STANDARD) for text in (METRO, TEA, MIXED, LIBRARY)]
    monkeypatch.setattr(segment, "backend", lambda _: "rjieba")
    assert [fingerprint_of(text, STANDARD) for text in (METRO, TEA, MIXED, LIBRARY)] == reference


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Services often run without one; the shared temporary folder is no place to trust."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    with segment._cache_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "jieba.cache").write_text("x")
    assert not folder.exists()
    monkeypatch.setenv("HOME", str(tmp_path))
    with segment._cache_folder() as folder:
        assert folder == tmp_path / ".cache" / "dupdex"
    assert folder.exists()
