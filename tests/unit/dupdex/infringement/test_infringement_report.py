"""What the report on infringements looks like: lines, CSV, the page, and notices."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from dupdex.infringement.infringement_page import infringement_page, linked
from dupdex.infringement.infringement_tables import CSV_COLUMNS, charts, csv_file, lines, tables
from dupdex.infringement.notices import notice
from mappings.errors import InputRefused, NotFound
from tests.unit.dupdex.infringement.samples import COPIES, EMPTY, HOSTILE, REPORT

COLUMNS = [
    *("work", "chapter", "number", "chapter_title", "chapter_url", "site", "url", "title"),
    *("document", "index", "verdict", "similarity", "share", "page_share", "state", "appeared"),
    *("first_seen", "last_seen", "gone", "published", "fetched"),
    *("passages", "chapter_ranges", "page_ranges"),
]


def test_lines() -> None:
    shown = list(lines(REPORT))
    assert shown[0] == "pages: 4 copies of works; compared with works 2026-03-31 00:00"
    for title in ("Works", "By site", "Over time", "Chapters copied", "Copies"):
        assert title in shown
    assert any("夜渡" in line and "12.5%" in line for line in shown)
    assert any("(no site)" in line for line in shown)
    assert list(lines(EMPTY)) == ["pages: 0 copies of works; not swept yet"]


def test_a_long_list_is_cut_and_says_so() -> None:
    shown = list(lines(replace(REPORT, copies=COPIES * 20)))
    assert "  (the first 30 of 80; files have all)" in shown


def test_the_columns_of_the_file_stay_as_they_are() -> None:
    """Programs read them: new ones come last."""
    assert list(CSV_COLUMNS) == COLUMNS
    content = csv_file(REPORT)
    assert content.startswith(b"\xef\xbb\xbf")
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    assert head == COLUMNS
    first = dict(zip(head, rows[0], strict=True))
    assert (first["url"], first["verdict"], first["share"]) == (
        "https://a.example/1",
        "near",
        "0.8123",
    )
    assert (first["passages"], first["chapter_ranges"], first["page_ranges"]) == (
        "2",
        "0-1200 1500-1900",
        "30-1230 1300-1700",
    )
    assert (first["gone"], first["state"]) == ("", "standing")
    assert [dict(zip(head, row, strict=True))["passages"] for row in rows] == ["2", "2", "25", "25"]


def test_no_cell_is_a_formula() -> None:
    bad = replace(COPIES[0], title="=HYPERLINK(1)", site="+1", chapter_title="@x")
    rows = list(
        csv.reader(io.StringIO(csv_file(replace(REPORT, copies=(bad,))).decode("utf-8-sig")))
    )
    assert not [cell for cell in rows[1] if cell.startswith(("=", "+", "@", "-"))]
    bad = replace(COPIES[0], title="＝1+1", site="\n=1")
    cells = csv_file(replace(REPORT, copies=(bad,))).decode("utf-8-sig")
    assert "'＝1+1" in cells
    assert "'\n=1" in cells


def test_charts_and_tables() -> None:
    assert [table.key for table in tables(REPORT)] == [
        "works",
        "sites",
        "over_time",
        "chapters",
        "copies",
    ]
    by_time, by_site = charts(REPORT)
    assert (by_time.labels, by_time.series[0].values) == (["2026-01", "2026-02"], [3, 1])
    assert by_site.labels[0] == "a.example"
    assert (tables(EMPTY), charts(EMPTY)) == ([], [])


def test_the_page_escapes_and_links_to_the_web_alone() -> None:
    page = infringement_page(REPORT)
    assert HOSTILE not in page
    assert "<script>document.title" not in page
    assert page.count("href=") == 2 + 4  # two pages, and the chapter of each copy
    assert 'href="javascript' not in page
    assert "b=&lt;x&gt;" in page
    assert infringement_page(EMPTY, "zh").count("<section") == 0


@pytest.mark.parametrize(
    ("url", "is_linked"),
    [
        ("https://a.example/", True),
        ("HTTP://a.example/", True),
        ("javascript:x", False),
        ("data:text/html,x", False),
        (" javascript:x", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_links(url: str, is_linked: bool) -> None:
    assert bool(linked(url)) is is_linked


@pytest.mark.parametrize(
    ("language", "said"), [("en", "81% of the chapter"), ("zh", "占原章节 81%")]
)
def test_a_notice_lists_what_stands(language: str, said: str) -> None:
    letter = notice(REPORT, "a.example", language)
    assert said in letter
    assert "https://a.example/1" in letter
    assert "b.example" not in letter
    assert HOSTILE in letter  # a text file escapes nothing
    assert letter.count("2026-01-02") == 3  # one date that a page gives, two first seen


@pytest.mark.parametrize(
    ("language", "page", "places"),
    [("en", "1 page on", "in 2 places"), ("zh", "1 个页面", "共 2 处")],
)
def test_a_notice_counts_the_places_that_it_lists(language: str, page: str, places: str) -> None:
    """One page may have several chapters, each of which is listed."""
    one = next(copy for copy in COPIES if copy.site == "a.example" and copy.gone is None)
    alone = notice(replace(REPORT, copies=(one,)), "a.example", language)
    assert page in alone
    assert places not in alone
    both = notice(replace(REPORT, copies=(one, replace(one, chapter="c2"))), "a.example", language)
    assert page in both
    assert places in both
    assert "\n2. " in both


def test_a_notice_needs_a_copy_that_stands() -> None:
    for site in ("b.example", "none.example"):
        with pytest.raises(NotFound, match=f"no copies stand on '{site}'"):
            notice(REPORT, site)


def test_a_template_of_ones_own() -> None:
    template = "{{ site }} {{ date }}{% for c in copies %} {{ c.url }}{% endfor %}"
    letter = notice(REPORT, "a.example", template="\ufeff" + template)  # as editors save it
    assert letter == f"a.example 2026-03-31 {COPIES[0].url} {COPIES[1].url}"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ nothing }}", "cannot be filled: 'nothing' is undefined"),
        ("a\n{% for", "line 2 of the template cannot be filled"),
        ("{{ site.__class__.__mro__ }}", "unsafe"),
        ("{{ 1 / 0 }}", "cannot be filled"),
        ("{% include 'none.txt' %}", "line 1 .* there is no template 'none.txt'; correct it"),
        ("a\nb\n{{ site.copy }}", "line 3 of the template"),
        ("{{ site.encode('none') }}", "unknown encoding"),
        ("{{ works.pop(9) }}", "line 1 of the template"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion"),
    ],
)
def test_a_bad_template_is_told(template: str, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        notice(REPORT, "a.example", template=template)
