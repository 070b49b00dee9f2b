"""The programs in examples/ run as they stand, on both stores where they take one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from elasticsearch import NotFoundError

from indexer.stores.elastic.client import Server, connect
from mappings.index_body import template_name
from scripts.sample_site import SampleSite, Traps, documents

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def started(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", str(EXAMPLES / f"{name}.py"), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def run(name: str, *store: str) -> list[str]:
    done = started(name, *store)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.fixture(params=["embedded", "elasticsearch"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A store for indices of the names that the examples choose."""
    if request.param == "embedded":
        yield str(tmp_path)
        return
    url = request.getfixturevalue("es_url")
    names = ("posts", "news", "comments")
    with closing(connect(Server(url))) as client:
        if any(client.indices.exists(index=name) for name in names):
            pytest.fail(f"the server holds an index of one of the names {', '.join(names)}")
        yield url
        for name in names:
            client.indices.delete(index=name, ignore_unavailable=True)
            with suppress(NotFoundError):
                client.indices.delete_index_template(name=template_name(name))


def test_every_example_is_run_here() -> None:
    source = Path(__file__).read_text("utf-8")
    for path in EXAMPLES.glob("*.py"):
        assert f'run("{path.stem}"' in source


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_without_an_argument_the_usage_is_told(path: Path) -> None:
    """The line of the module's own description."""
    done = started(path.stem)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert line.removeprefix("usage: ") in path.read_text("utf-8").partition("import ")[0]


def test_scrapy_spider(tmp_path: Path) -> None:
    """A small site; what the pipeline does is tested in test_scrapy_pipeline.py."""
    with SampleSite(traps=Traps(crawl_delay=0)) as site:
        lines = run("scrapy_spider", f"{site.home('press')}/", str(tmp_path / "store"))
    counts = dict(line.split(": ") for line in lines)
    unrelated = [
        page for page in documents(site.truth()) if page.url.startswith(site.home("press"))
    ]
    assert int(counts["stored"]) == len(unrelated)


def test_index_and_look_up(tmp_path: Path) -> None:
    for _ in range(2):
        (line,) = run("index_and_look_up", str(tmp_path / "store"))
        assert line.startswith("bridge: ")


def test_stream_with_threads(place: str) -> None:
    lines = run("stream_with_threads", place)
    first, second = lines[:6], lines[6:]
    assert len(second) == 6
    assert all(line.endswith(": created") for line in first)
    assert all(": a copy of " in line for line in second)


def test_several_indices(place: str) -> None:
    lines = run("several_indices", place)
    assert lines[0] == "news/n1: near"
    assert "comments/c1: exact" in lines
    assert any("differs" in line and "两" in line for line in lines)
