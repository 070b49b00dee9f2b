"""Which addresses say of themselves that they are versions to be printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.pages.addresses import normalised
from dupdex.pages.print_versions import print_originals

HOME = "https://a.org/"


@pytest.mark.parametrize(
    ("url", "original"),
    [
        ("news/1.html?print=1", "news/1.html"),
        ("news/1.html?id=7&print=1&p=2", "news/1.html?id=7&p=2"),
        ("news?id=7&view=print", "news?id=7"),
        ("news?id=7&format=printable", "news?id=7"),
        ("news?id=7&printer_friendly=true", "news?id=7"),
        ("news?id=7&print", "news?id=7"),
        ("print/news/1.html", "news/1.html"),
        ("news/print/1.html", "news/1.html"),
        ("news/1/print", "news/1"),
        ("news/1/print/", "news/1/"),
        ("news/1_print.html", "news/1.html"),
        ("news/print-1.html", "news/1.html"),
    ],
)
def test_the_address_without_the_mark(url: str, original: str) -> None:
    assert print_originals(HOME + url)[0] == HOME + original


def test_a_folder_has_two_spellings() -> None:
    assert print_originals(f"{HOME}a/1/print") == (f"{HOME}a/1", f"{HOME}a/1/")
    assert print_originals(f"{HOME}a/1/print/") == (f"{HOME}a/1/", f"{HOME}a/1")


@pytest.mark.parametrize(
    "url",
    [
        "news/1.html",
        "news?id=7",
        "news?print=0",
        "news?print=7",
        "news?section=print",
        "printing/1.html",
        "blueprint/1.html",
        "3d-printers.html",
        "fingerprint-1.html",
        "",
    ],
)
def test_no_mark(url: str) -> None:
    assert print_originals(HOME + url) == ()


@given(st.text(max_size=60))
def test_it_is_another_address_of_the_same_host(text: str) -> None:
    url = HOME + text
    for other in print_originals(url):
        assert other.startswith(HOME)
        assert other != normalised(url)
        assert normalised(other) == other


@given(st.text(max_size=20), st.sampled_from(["print=1", "view=print"]))
def test_a_mark_that_is_put_on_is_found(path: str, mark: str) -> None:
    url = normalised(f"{HOME}{path.replace('?', '').replace('#', '')}")
    if not print_originals(url):
        assert print_originals(f"{url}?{mark}")[0] == url
