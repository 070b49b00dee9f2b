"""The HTML page: well formed, standalone, safe, linked, in two languages."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given
from jinja2 import UndefinedError
from msgspec import structs

from dupdex.wire.page import explanation_page, templates
from mappings.plan import STANDARD
from query.answers import Verdict
from query.explain.explanation import Explanation, Subject, explain
from tests.texts import (
    LAW,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    ORCHARD,
    RUNS_PAGE,
    RUNS_SOURCE,
    TEA,
    chinese,
    visible,
)

VOID = {"meta", "br", "link", "img", "input"}
HOSTILE = (
    "</div><script>alert('1')</script>&lt;b&gt; {{title}} <img src=x onerror=alert(1)> \" ' "
    "\x00\x1b[31m\ud800\u202e"
)


@dataclass
class Page(HTMLParser):
    """A page, read strictly: every element is closed where it must be."""

    source: str
    open: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        """Text by the id of each element around it."""
        for _, attributes in self.open:
            name = attributes.get("id")
            if name:
                self.text[name] = self.text.get(name, "") + data

    def all(self, name: str) -> list[str]:
        """The values of one attribute."""
        return [str(each[name]) for _, each in self.elements if each.get(name)]


def explained(left: str, right: str) -> Explanation:
    return explain(Subject(left, "left-1"), Subject(right), STANDARD)


def page_of(left: str, right: str) -> Page:
    return Page(explanation_page(explained(left, right)))


PAIRS = [
    (METRO + TEA, TEA + METRO_HOMOPHONES),
    (LIBRARY, LIBRARY[100:] + ORCHARD),
    (METRO, METRO),
    (METRO, TEA),
    (HOSTILE + METRO, METRO + HOSTILE),
    ("！", "？"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_a_page_is_well_formed_and_linked(left: str, right: str) -> None:
    page = page_of(left, right)
    assert page.source.startswith("<!DOCTYPE html>")
    assert "{{" not in page.source.replace("{{title}}", "")
    ids = page.all("id")
    assert len(set(ids)) == len(ids)
    for name in ("aria-labelledby", "aria-describedby"):
        assert set(page.all(name)) <= set(ids)
    targets = page.all("href")
    assert {target[1:] for target in targets} <= set(ids)
    passages = explained(left, right).passages.passages
    for number in range(1, len(passages) + 1):
        assert {f"a{number}", f"b{number}"} <= set(ids)


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_it_needs_nothing_else(left: str, right: str) -> None:
    page = page_of(left, right)
    assert page.all("src") == []
    assert all(target.startswith("#") for target in page.all("href"))
    assert not re.search(r"@import|url\(|https?:", page.source)
    (policy,) = page.all("http-equiv")
    assert policy == "Content-Security-Policy"
    assert "default-src 'none'" in page.source


def test_the_policy_allows_this_style_and_this_script_only() -> None:
    source = explanation_page(explained(HOSTILE + METRO, METRO))
    (policy,) = re.findall('http-equiv="Content-Security-Policy" content="(.*?)"', source)
    allowed = dict(each.split(" ", 1) for each in policy.split("; "))
    for name, tag in (("style-src", "style"), ("script-src", "script")):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", source, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert allowed.pop(name) == f"'sha256-{digest}'"
    assert set(allowed.values()) == {"'none'"}


def test_hostile_texts_stay_texts() -> None:
    page = page_of(HOSTILE + METRO, METRO + HOSTILE)
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "img" not in {tag for tag, _ in page.elements}
    assert not [name for _, each in page.elements for name in each if name.startswith("on")]
    shown = page.text["text-a"]
    assert shown == re.sub("[\x00\x1b\ud800]", "\ufffd", HOSTILE + METRO)
    page.source.encode("utf-8")


def test_hostile_ids_and_keys_stay_texts() -> None:
    """Wherever a value from outside stands: headings, the title, tables, facts."""
    other = METRO.replace("十五日", "十六日")
    found = explain(Subject(METRO, HOSTILE), Subject(other, HOSTILE), STANDARD)
    plain = Page(explanation_page(explain(Subject(METRO, "a"), Subject(other, "b"), STANDARD)))
    fact = structs.replace((found.facts_differ or ())[0], asked=HOSTILE, stored=HOSTILE)
    hit = replace(found.keys[0].hits[0], term=HOSTILE)
    page = Page(
        explanation_page(
            replace(
                found,
                facts_differ=(fact,),
                facts_total=1,
                keys=(replace(found.keys[0], hits=(hit, *found.keys[0].hits[1:])), *found.keys[1:]),
                scores=(replace(found.scores[0], name=HOSTILE), *found.scores[1:]),
            )
        )
    )
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert [set(each) for _, each in page.elements] == [set(each) for _, each in plain.elements]
    shown = re.sub("[\x00\x1b\ud800]", "\ufffd", HOSTILE)
    for side in "ab":
        assert page.text[f"name-{side}"] == f"文档 {shown}document {shown}"
    assert page.source.count("&lt;img src=x onerror=alert(1)&gt;") == 2 + 2 * 2 + 2 + 1 + 1
    page.source.encode("utf-8")


def test_no_template_lets_a_value_through_unescaped() -> None:
    sources = [file.read_text("utf-8") for file in (files("dupdex.wire") / "templates").iterdir()]
    assert len(sources) == len(templates().list_templates()) > 8
    for source in sources:
        assert not re.search(r"\|\s*safe|autoescape|Markup", source)
    assert templates().from_string("{{ text }}").render(text="<&") == "&lt;&amp;"


def test_a_misspelt_name_is_an_error_and_not_a_gap() -> None:
    with pytest.raises(UndefinedError):
        templates().from_string("{{ titel }}").render(title="x")


@LAW
@given(visible, visible)
def test_any_text_is_shown_as_it_is(left: str, right: str) -> None:
    page = page_of(left, right)
    page.source.encode("utf-8")
    for name, text in (("text-a", left), ("text-b", right)):
        whole = re.sub("\r\n?", "\n", text)
        unsound = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
        assert page.text[name] == re.sub(unsound, "\ufffd", whole)


def test_each_passage_carries_its_number_on_both_sides() -> None:
    left, right = METRO + TEA, TEA + METRO_HOMOPHONES
    found = explained(left, right).passages.passages
    page = page_of(left, right)
    for number, each in enumerate(found, 1):
        assert page.text[f"a{number}"] == left[each.left.start : each.left.stop]
        assert page.text[f"b{number}"] == right[each.right.start : each.right.stop]
        (link,) = [a for tag, a in page.elements if tag == "a" and a.get("id") == f"a{number}"]
        assert link["href"] == f"#b{number}"
        assert link["data-n"] == str(number)
        assert ("sounds" in str(link["class"])) is bool(each.swapped)


def test_every_word_of_the_page_is_there_in_both_languages() -> None:
    page = page_of(METRO + TEA, TEA + METRO_HOMOPHONES)
    classes = [str(each.get("class")) for tag, each in page.elements if tag == "span"]
    assert classes.count("zh") == classes.count("en") > 20
    assert "近似重复" in page.source
    assert "similarity = max(characters" in page.source
    assert "相似度 = max(字" in page.source


@pytest.mark.parametrize(
    ("left", "right"),
    [*PAIRS, ("今天天气很好", "今天天汽很好"), ("a", "b"), (RUNS_PAGE, RUNS_SOURCE)],
)
def test_no_english_is_left_in_the_chinese_formula(left: str, right: str) -> None:
    source = explanation_page(explained(left, right))
    (formula,) = re.findall(r'<ol class="formula">(.*?)</ol>', source, re.DOTALL)
    rules = re.findall(r'<li[^>]*><span class="zh" [^>]*>(.*?)</span>', formula)
    assert len(rules) == formula.count("<li") > 0
    assert set(re.findall("[A-Za-z]+", "".join(rules))) <= {"max", "gt", "lt"}


@pytest.mark.parametrize(
    ("found", "number"), [(Verdict.PARTIAL, "0.70"), (Verdict.NEAR, "0.50"), (None, "0.50")]
)
def test_a_partial_copy_counts_by_its_share(found: Verdict | None, number: str) -> None:
    made = explained(METRO, TEA)
    judgement = replace(made.judgement, verdict=found, similarity=0.5, share=0.7, stored_share=0.6)
    page = explanation_page(replace(made, judgement=judgement))
    assert f"{number}</span></span>\n<button" in page


@pytest.mark.parametrize(
    ("left", "right", "chinese_way", "english_way"),
    [
        (METRO + chinese(900, 3), METRO, "，前者包含后者", ", the first contains the second"),
        (
            METRO,
            METRO + chinese(900, 3),
            "，前者包含于后者",
            ", the first is contained in the second",
        ),
        (
            METRO[:80] + TEA,
            METRO[:80] + LIBRARY,
            "，两者互有重叠",
            ", each has a part of the other",
        ),
    ],
)
def test_it_says_which_way_round(left: str, right: str, chinese_way: str, english_way: str) -> None:
    page = explanation_page(explained(left, right))
    assert f"{chinese_way}</span>" in page
    assert f"{english_way}</span>" in page


def test_the_legend_speaks_of_what_is_there() -> None:
    alike, homophones, unlike = (
        explanation_page(explained(METRO, other)) for other in (METRO, METRO_HOMOPHONES, TEA)
    )
    assert "The same colour" in alike
    assert "Dotted" not in alike
    assert "Dotted underline" in homophones
    assert "The same colour" not in unlike


def test_boilerplate_is_told_of_either_side() -> None:
    made = explained(METRO, TEA)
    assert "boilerplate" not in explanation_page(made)
    page = explanation_page(replace(made, boilerplate=(1_234, 0)))
    assert "boilerplate: 1,234 letters of the first, 0 of the second not counted" in page
    assert "套话不计：前者 1,234 字，后者 0 字。" in page


def test_frequencies_are_shown() -> None:
    made = explained(METRO, METRO)
    hits = replace(made.keys[0], hits=(replace(made.keys[0].hits[0], documents=1_234),))
    page = explanation_page(replace(made, keys=(hits,), documents=50_000))
    assert "1,234" in page
    assert "The index holds 50,000 documents." in page
    assert "No index was asked" in explanation_page(made)


def test_what_is_not_listed_is_said() -> None:
    made = explained(METRO, METRO)
    page = explanation_page(
        replace(made, passages=replace(made.passages, found=5_000, complete=False))
    )
    assert "5,000 in all, the longest 1 are listed." in page
    assert "There are more" in page
