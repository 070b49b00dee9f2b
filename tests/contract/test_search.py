"""Full text: words and phrases, Chinese and not, and any string that a user may type."""

from __future__ import annotations

import pytest

from tests.contract.stores import Store, made

TEXTS = {
    "weather": "今天的天气很好，我们去公园散步。",
    "market": "市场今天开放，天下大事很多。",
    "english": "The quick brown fox don't jump over Node.js in 2024.",
    "mixed": "我们用 Python 写程序，Quick sort 很快。",
}


@pytest.fixture
def filled(store: Store) -> Store:
    store.write(
        *(made(name, name, text=text, site=name[0]) for name, text in TEXTS.items()),
        made("titled", "t", text="没有别的内容", title="关于公园的报告"),
    )
    return store


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("天气", {"weather"}),
        ("气天", set()),
        ("今天", {"weather", "market"}),
        ("今天 公园", {"weather"}),
        ("公园", {"weather", "titled"}),
        ("报告", {"titled"}),
        ("天气很好，我们去", {"weather"}),
        ("quick", {"english", "mixed"}),
        ("QUICK Fox", {"english"}),
        ("fox quick", {"english"}),
        ('"quick brown"', {"english"}),
        ('"brown quick"', set()),
        ('"quick brown" jump', {"english"}),
        ("2024", {"english"}),
        ("用 python", {"mixed"}),
        ("absent", set()),
        ("公园 absent", set()),
    ],
)
def test_finding(filled: Store, query: str, ids: set[str]) -> None:
    assert filled.found(query) == ids


@pytest.mark.parametrize(
    "query",
    ["", " ", '"', '""', '" "', "AND", "a OR", "NOT", "don-t", "*", "NEAR(", "title:", "(", "。",
     "\\", "{}[]^~:/", "-", "😀", "\x00", "half \ud83d", "\ud83d", '天气 "', "a" * 5_000,
     "字 " * 2_000],
)  # fmt: skip
def test_any_string_may_be_asked(filled: Store, query: str) -> None:
    hits = filled.reader.search(query)
    assert hits.total == len(hits.hits) <= 1


def test_nothing_is_found_by_no_words(filled: Store) -> None:
    for query in ("", "  ", '"', "——"):
        assert filled.reader.search(query).total == 0


def test_hits_carry_fields_and_scores(filled: Store) -> None:
    hits = filled.reader.search("公园").hits
    assert {hit.id: hit.body["text"] for hit in hits} == {
        "weather": TEXTS["weather"],
        "titled": "没有别的内容",
    }
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all("dupdex" not in hit.body for hit in hits)


def test_pages_and_total(store: Store) -> None:
    store.put(made(f"d{n:02d}", "t", text=f"公告 {'公告 ' * (n % 5)}第{n}条") for n in range(25))
    seen: list[str] = []
    for offset in (0, 10, 20, 30):
        hits = store.reader.search("公告", size=10, offset=offset)
        assert hits.total == 25
        seen += [hit.id for hit in hits.hits]
    assert sorted(seen) == [f"d{n:02d}" for n in range(25)]
    assert store.reader.search("公告", size=0).total == 25
    assert store.reader.search("公告", size=0).hits == ()


def test_searching_under_filters(filled: Store) -> None:
    assert filled.found("今天", [{"term": {"site": "m"}}]) == {"market"}
    assert filled.found("今天", [{"term": {"site": "m"}}, {"term": {"site": "w"}}]) == set()
    hits = filled.reader.search("很", size=1, offset=1, filters=[{"term": {"site": "m"}}])
    assert hits.total == 2
    assert len(hits.hits) == 1
