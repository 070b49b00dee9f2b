"""Make a corpus of filled forms: columns, notices, forecasts, match reports, obituaries.

    python -m scripts.templates OUT_DIR [--seed N] [--each N]

OUT_DIR gets corpus.jsonl (id, text, `form`, and `part`) and truth.tsv, for `dupdex evaluate`: each
filled form is listed with the next one, label 0. The facts guard was developed on the forms of
`scripts/forms/tuning.txt` and, for names, `names.txt`; those of `held_out.txt` and `unseen.txt` are
kept aside.
`python -m scripts.template_facts OUT_DIR` says what lookups make of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

import orjson

from mappings.errors import DupdexError, InputRefused
from scripts.forms.fill import read_forms
from scripts.forms.name_words import NameWords
from scripts.mutate import HEADER
from scripts.mutations.hard import sport, stock, weather
from scripts.mutations.mutation import Link, Row

Form = Callable[[NameWords], str]

PARTS: Final[Mapping[str, Mapping[str, Form]]] = {
    "tuning": read_forms("tuning")
    | {
        "weather": lambda words: weather(words.rng("number")),
        "stock": lambda words: stock(words.rng("number")),
    },
    "names": read_forms("names"),
    "held_out": read_forms("held_out") | {"sport": lambda words: sport(words.rng("number"))},
    "unseen": read_forms("unseen"),
}

DEVELOPED_ON: Final = ("tuning", "names")
"""The parts that the facts guard was developed on; the others are kept aside."""


def filled(seed: int, each: int) -> dict[tuple[str, str], list[Row]]:
    """By part and form, the form filled in `each` times; the same seed makes the same."""
    return {
        (part, name): [
            Row(
                f"{name}-{number}",
                form(NameWords(f"{seed}/{name}/{number}")),
                "template",
                name,
                part,
            )
            for number in range(each)
        ]
        for part, forms in PARTS.items()
        for name, form in forms.items()
    }


def write(forms: dict[tuple[str, str], list[Row]], folder: Path) -> None:
    """corpus.jsonl and truth.tsv. Raises InputRefused."""
    documents = [
        orjson.dumps({"id": row.id, "text": row.text, "form": row.kind, "part": row.strength})
        for rows in forms.values()
        for row in rows
    ]
    links = [
        Link(left, right, 0, f"hardneg_form_{left.kind}", left.strength).to_line().encode()
        for rows in forms.values()
        for left, right in pairwise(rows)
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "corpus.jsonl").write_bytes(b"\n".join((*documents, b"")))
        (folder / "truth.tsv").write_bytes(b"\n".join((HEADER.encode(), *links, b"")))
    except OSError as error:
        raise InputRefused(f"{folder} cannot be written: {error.strerror}") from error


def main(arguments: list[str] | None = None) -> int:
    """Fill in the forms and write them; counts are told on standard error."""
    parser = argparse.ArgumentParser(prog="templates", description="Make a corpus of forms.")
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="folder to write to")
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    parser.add_argument("--each", type=int, default=100, help="documents of a form [100]")
    options = parser.parse_args(arguments)
    forms = filled(options.seed, options.each)
    try:
        write(forms, options.out)
    except DupdexError as error:
        print(f"templates: {error}", file=sys.stderr)
        return 2
    total = sum(map(len, forms.values()))
    print(f"{len(forms)} forms, {total:,} documents in {options.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
