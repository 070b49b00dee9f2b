"""What an index takes for fillings of one form, and which copies it takes for them by mistake.

    python -m scripts.template_marks FORMS_DIR [--corpus MUTATIONS_DIR]... [--every N]

FORMS_DIR is what `python -m scripts.templates` writes: of the near duplicates within a form nearly
all should be marked (`template`). Of a corpus of mutations none should be: texts whose ids begin
alike, up to a `~`, are copies of one text, also where facts were changed. Each is indexed alone,
in a temporary folder; `--every` takes one document of so many.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import orjson

from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document
from mappings.errors import InputRefused
from query.answers import Verdict


class Tally(NamedTuple):
    """Near duplicates of one family, and how many of them are marked as fillings of one form."""

    near: int
    marked: int

    def __str__(self) -> str:
        share = self.marked / self.near if self.near else 0.0
        return f"{self.near:,} near duplicates, {self.marked:,} marked ({share:.4f})"


def families(folder: Path, every: int) -> Iterator[tuple[Document, str]]:
    """Documents, each with its form, or the text that it was made of."""
    path = folder / "corpus.jsonl"
    if not path.is_file():
        raise InputRefused(f"{path} is no file; give a folder that scripts.templates has written")
    with path.open("rb") as lines:
        for row in map(orjson.loads, islice(lines, 0, None, every)):
            name = str(row["id"])
            yield Document(name, row["text"]), row.get("form") or name.partition("~")[0]


def tally(rows: Sequence[tuple[Document, str]]) -> Tally:
    """The pairs within families of an index of these documents."""
    family = {document.id: name for document, name in rows}
    found: Counter[bool] = Counter()
    with TemporaryDirectory() as folder, Index.create(Location(f"{folder}/index")) as index:
        index.add([document for document, _ in rows])
        for pair in index.sweep():
            same = family[pair.first.id] == family[pair.second.id]
            if same and pair.match.verdict is Verdict.NEAR:
                found[pair.match.template] += 1
    return Tally(found.total(), found[True])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for the forms and for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", type=Path)
    parser.add_argument("--corpus", type=Path, action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args(arguments)
    try:
        for folder in (given.forms, *given.corpus):
            every = 1 if folder == given.forms else given.every
            print(f"{folder.name}: {tally(list(families(folder, every)))}", flush=True)
    except InputRefused as error:
        print(f"template_marks: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
