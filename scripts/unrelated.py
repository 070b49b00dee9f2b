"""Do false positives grow with the corpus? Unrelated documents and light copies, looked up.

    python -m scripts.unrelated DIR... [--documents 100000] [--seed 1] [--queries 2000] [--free]
        [--store URL|DIR] [--markdown FILE]

Each DIR holds a corpus.jsonl; sentences of its originals are put together at random
(scripts/unrelated_texts.py says how), indexed, and boilerplate is learned, as `dupdex index` does.
No two documents are copies, so whatever a lookup of one finds is a false positive. Light copies,
3 and 5 % of the characters edited, must still be found.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document, Status
from mappings.errors import DupdexError, InputRefused
from query.questions import Options
from scripts.benchmark.server import open_server
from scripts.unrelated_lookups import Tally, judged, name_of, questions, tallies
from scripts.unrelated_texts import COMMON, Pool, Recombined

HEAD: Final = (
    "| lookups | number | candidates, mean | p50 | p99 | texts verified, mean | pairs flagged "
    "| recall | ms, mean |\n|---|---|---|---|---|---|---|---|---|"
)

_LIMITS: Final = (
    f"Default options take {Options().candidates} candidates and compare {Options().verify} texts "
    "at most; without limits every text that shares a key is compared."
)


def main(arguments: list[str] | None = None) -> int:
    """Make, index, look up, print. The exit status is 1 when a pair was flagged."""
    options = _parser().parse_args(arguments)
    try:
        with ExitStack() as leaving:
            title, location = _place(options.store, leaving)
            lines, flagged = _run(options, location)
            heading = f"## Unrelated documents{', drawn freely' if options.free else ''}: {title}"
            if options.markdown:
                _keep(options.markdown, heading, lines)
    except (DupdexError, OSError) as error:
        print(f"unrelated: {error}", file=sys.stderr)
        return 2
    print("\n".join([heading, "", *lines]))
    return int(flagged)


def _place(store: str | None, leaving: ExitStack) -> tuple[str, Location]:
    """The name of the store, and an index of ours in it; one on a server is removed at the end."""
    if store is not None and store.lower().startswith(("http://", "https://")):
        server = leaving.enter_context(open_server(store))
        return f"Elasticsearch {server.version}", server.new_location("unrelated")
    folder = store or leaving.enter_context(tempfile.TemporaryDirectory(prefix="dupdex-unrelated-"))
    return "embedded store", Location.from_environment(store=folder)


def _run(options: argparse.Namespace, location: Location) -> tuple[list[str], bool]:
    pools = [Pool.read(folder) for folder in options.corpora]
    made = Recombined(pools, options.documents, options.seed, options.free)
    with Index.create(location) as index:
        if index.count():
            raise InputRefused(f"{location} holds documents already; name an empty folder")
        _progress("documents are made")
        texts = list(made.texts())
        _progress("indexing")
        began = time.perf_counter()
        _store(index, texts)
        seconds = time.perf_counter() - began
        learned = index.describe()["boilerplate"]
        _progress("looking up")
        found = tallies(index, *questions(texts, options.queries, options.seed))
        shown = [line for tally in found.values() for line in judged(index, tally)]
    told = (
        f"{_made_of(options, texts, made)}. {learned} sentences were learned as boilerplate; "
        f"indexed in {seconds:.0f} s. {_LIMITS}"
    )
    flagged = any(tally.flagged for tally in found.values())
    return [told, "", *_table(found), *_listed(shown)], flagged


def _made_of(options: argparse.Namespace, texts: Sequence[str], made: Recombined) -> str:
    frequency, shared = made.sharing()
    bound = f"two have at most {COMMON:.0%} of the letters of either in common"
    if options.free:
        bound = "sentences are drawn freely, so some have a long one or several in common"
    return (
        f"`python -m scripts.unrelated {' '.join(folder.name for folder in options.corpora)} "
        f"--documents {options.documents} --seed {options.seed} --queries {options.queries}"
        f"{' --free' if options.free else ''}`: {len(texts):,} documents of "
        f"{sum(map(len, texts)) / len(texts):,.0f} characters on average. A sentence is in "
        f"{frequency:.0f} documents, so a document shares a sentence with {shared:,.0f} others "
        f"(means); {bound}"
    )


def _store(index: Index, texts: Sequence[str]) -> None:
    documents = (Document(name_of(at), text, {"text": text}) for at, text in enumerate(texts))
    for outcome in index.add_iter(documents):
        if outcome.status is Status.REJECTED:
            raise InputRefused(f"{outcome.document.id} was not stored: {outcome.reason}")
    index.refresh()
    index.learn_if_grown()


def _table(found: dict[str, Tally]) -> Iterator[str]:
    yield HEAD
    for name, tally in found.items():
        yield f"| {' | '.join((name, *tally.row()))} |"


def _listed(shown: Sequence[str]) -> Iterator[str]:
    if shown:
        yield from ("", "Flagged, with the longest passages in common:", "", "```", *shown, "```")


def _keep(path: Path, heading: str, lines: Sequence[str]) -> None:
    """Put the section in the place of the one with this heading, or at the end of the page."""
    page = path.read_text("utf-8") if path.exists() else ""
    section = "\n".join([heading, "", *lines, ""])
    old = re.compile(rf"^{re.escape(heading)}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    if old.search(page):
        page = old.sub(lambda _: section + "\n", page)
    else:
        page = f"{page.rstrip()}\n\n{section}"
    path.write_text(page.strip() + "\n", "utf-8")


def _progress(text: str) -> None:
    print(f"unrelated: {text}", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="unrelated", description="Looks up unrelated documents, of which none may be found."
    )
    parser.add_argument("corpora", type=Path, nargs="+", metavar="DIR", help="with a corpus.jsonl")
    parser.add_argument("--documents", type=_positive, default=100_000, help="stored [100000]")
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    parser.add_argument("--queries", type=_positive, default=2_000, help="looked up [2000]")
    parser.add_argument("--free", action="store_true", help="whatever documents have in common")
    parser.add_argument("--store", metavar="URL|DIR", help="[a folder that is removed at the end]")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the page to put it in")
    return parser


def _positive(value: str) -> int:
    if not value.isdigit() or int(value) == 0:
        raise argparse.ArgumentTypeError(f"{value!r} is not a number above 0")
    return int(value)


if __name__ == "__main__":
    sys.exit(main())
