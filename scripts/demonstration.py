"""What `scripts/demo` shows: the sample indexed into a folder, and its copies with the reasons."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections import defaultdict
from importlib.resources import as_file, files
from pathlib import Path

from dupdex import Index, Location, Match, Status, Stored
from dupdex.wire.output import headline, reasons, title_of
from indexer.sources import BadLine, ReadOptions, read
from scripts.demo_console import serve

STORE = Path("dupdex-demo")
NEW_TEXT = (
    "雲溪市北岸的白鹭大桥昨天上午正试通车！大橋全长一千八百米，双向六车道。"
    "過去，北岸居民去老城区要绕行近二十公里。"
)


def main(arguments: list[str] | None = None) -> int:
    """Show copies in the terminal, or with --serve the console."""
    parser = argparse.ArgumentParser(
        "scripts/demo", description="Shows dupdex at work on a sample."
    )
    parser.add_argument("--serve", action="store_true", help="open the console on the sample")
    parser.add_argument("--port", type=int, help="of the console; without it 9280, or a free one")
    chosen = parser.parse_args(arguments)
    return serve(STORE, chosen.port) if chosen.serve else show()


def show() -> int:
    """Index the sample, print every copy found, then look up a text that is not indexed."""
    began = time.perf_counter()
    shutil.rmtree(STORE, ignore_errors=True)
    with Index.create(Location(store=str(STORE))) as index:
        with as_file(files("dupdex.data") / "sample.jsonl") as path:
            documents = [d for d in read(str(path), ReadOptions()) if not isinstance(d, BadLine)]
        stored = sum(outcome.status is Status.CREATED for outcome in index.add_iter(documents))
        print(f"{stored} texts indexed into the folder {STORE}/\n")
        pairs = _print_copies(index)
        print(f"{pairs} pairs in {time.perf_counter() - began:.1f} s, fingerprints and all\n")
        _print_lookup(index)
    print(
        "\nNext:  dupdex index your.jsonl     dupdex check --file new.jsonl     dupdex --help"
        f"\n(the program is .venv/bin/dupdex; this store is --store {STORE})"
    )
    return 0 if pairs else 1


def _print_copies(index: Index) -> int:
    """Every pair once, under the text that comes first."""
    copies: dict[str, list[Match]] = defaultdict(list)
    for pair in index.sweep():
        copies[pair.first.id].append(pair.match)
    texts = index.get(list(copies))
    for name, matches in copies.items():
        print(f"{name}  {_title(index, texts[name])}")
        for match in matches:
            note = match.document.get("note")
            made = f"   [made as: {note}]" if note else ""
            print(f"    {headline(match):<30}{match.id}{made}")
            print(f"        {reasons(match)}")
    return sum(map(len, copies.values()))


def _print_lookup(index: Index) -> None:
    print(f"A text that is not indexed (other script, a wrong character):\n    {NEW_TEXT}")
    for match in index.lookup(NEW_TEXT).matches:
        print(f"    {headline(match):<30}{match.id}  {_short(match.document.get('title'))}")
        print(f"        {reasons(match)}")


def _short(title: object) -> str:
    return title if isinstance(title, str) else ""


def _title(index: Index, stored: Stored) -> str:
    return title_of(stored.body, index.meta, 60)


if __name__ == "__main__":
    sys.exit(main())
