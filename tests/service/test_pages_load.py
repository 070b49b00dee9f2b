"""`dupdex pages load`: archives into the page store and the index."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from scripts.made_archives import packed, response
from scripts.sample_site import SampleSite, documents
from scripts.sample_site.layouts import html_of
from tests.command import run, start


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    """Pages of the sample site, at addresses that do not depend on a port."""
    site = SampleSite(seed=1)
    pages = [page for page in documents(site.truth()) if page.role in ("article", "copy")][:150]
    return [
        response(page.url.replace(":0", ""), html_of(site.page(page.url), "http://127.0.0.1"))
        for page in pages
        if site.page(page.url).encoding == "utf-8"
    ]


def test_pages_become_documents(tmp_path: Path, records: list[bytes]) -> None:
    (tmp_path / "a.warc.gz").write_bytes(packed(records[:20]))
    done = run("pages", "load", "a.warc.gz", "--json", folder=tmp_path)
    assert done.status == 0
    assert (done.json()["pages"], done.json()["indexed"]) == (20, 20)
    again = run("pages", "load", "a.warc.gz", "--json", folder=tmp_path).json()
    assert (again["pages"], again["changed"]) == (20, 0)
    assert "20 pages" in run("pages", "sites", folder=tmp_path).out
    assert run("info", "--json", folder=tmp_path).json()["documents"] == 20


def test_an_older_archive_changes_nothing(tmp_path: Path, records: list[bytes]) -> None:
    newer, older = records[0], records[0].replace(b"2026-01-02", b"2025-01-02")
    (tmp_path / "new.warc").write_bytes(newer)
    (tmp_path / "old.warc").write_bytes(older)
    run("pages", "load", "new.warc", folder=tmp_path)
    done = run("pages", "load", "old.warc", "--json", folder=tmp_path).json()
    assert (done["pages"], done["older"]) == (0, 1)


def test_broken_records_are_told(tmp_path: Path, records: list[bytes]) -> None:
    data = packed(records[:6])
    (tmp_path / "a.warc.gz").write_bytes(data[:-30])
    done = run("pages", "load", "a.warc.gz", "--json", folder=tmp_path)
    assert done.status == 1
    assert (done.json()["pages"], done.json()["broken"]) == (5, 1)
    assert "cut off" in done.err


def test_a_killed_run_goes_on(tmp_path: Path, records: list[bytes]) -> None:
    (tmp_path / "a.warc.gz").write_bytes(packed(records))
    for wait in (1.5, 2.5):
        process = start("pages", "load", "a.warc.gz", folder=tmp_path)
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    done = run("pages", "load", "a.warc.gz", "--json", folder=tmp_path)
    assert done.status == 0
    assert run("info", "--json", folder=tmp_path).json()["documents"] == len(records)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = run("pages", "load", "no.warc.gz", folder=tmp_path)
    assert done.status == 3
    assert "no such file" in done.err
