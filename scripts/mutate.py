"""Make labelled copies of the texts of any corpus, for `dupdex evaluate` and `dupdex tune`.

    python -m scripts.mutate CORPUS.jsonl OUT_DIR [--seed N] [--kinds a,b] [--per-kind N]

CORPUS.jsonl holds one object with `id` and `text` per line. OUT_DIR gets corpus.jsonl and
truth.tsv; label 1 is a duplicate, 2 a partial copy (strength: its share), 0 neither.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from mappings.errors import DupdexError, InputRefused, NotFound
from scripts.mutations.generate import Made, generate
from scripts.mutations.kinds import KINDS
from scripts.mutations.mutation import Source

HEADER: Final = "id_a\tid_b\tlabel\tkind\tstrength\tjac5"


def main(arguments: list[str] | None = None) -> int:
    """Read, mutate, write; what was made is told on standard error."""
    options = _parser().parse_args(arguments)
    try:
        chosen = _chosen(options.kinds)
        made = generate(list(read(options.corpus)), options.seed, chosen, options.per_kind)
        write(made, options.out)
    except DupdexError as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 2
    counts = Counter((link.label, link.kind) for link in made.links)
    for (label, kind), count in sorted(counts.items(), key=lambda each: (-each[0][0], each[0][1])):
        print(f"label {label}  {kind:<26}{count:>7,} pairs", file=sys.stderr)
    print(
        f"{len(made.rows):,} documents in {options.out}; {made.passed_over:,} times a text had "
        "nothing to mutate",
        file=sys.stderr,
    )
    return 0


def read(path: Path) -> Iterator[Source]:
    """The texts of a file. Raises NotFound, or InputRefused naming the line."""
    seen: set[str] = set()
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputRefused(f"{path}:{number}: not valid JSON: {error}") from error
        name, text = (value.get(key) if isinstance(value, dict) else None for key in ("id", "text"))
        if not isinstance(name, str) or not isinstance(text, str) or not _is_plain(name):
            raise InputRefused(
                f"{path}:{number}: write an object with an id (no tab or line break) and a text"
            )
        if name in seen:
            raise InputRefused(f"{path}:{number}: id {name!r} was there before")
        seen.add(name)
        yield Source(name, text)


def write(made: Made, folder: Path) -> None:
    """corpus.jsonl and truth.tsv, in the order they were made. Raises InputRefused."""
    documents = (orjson.dumps(row.to_json()) for row in made.rows)
    links = (link.to_line().encode() for link in made.links)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "corpus.jsonl").open("wb") as stream:
            stream.writelines(line + b"\n" for line in documents)
        with (folder / "truth.tsv").open("wb") as stream:
            stream.writelines(line + b"\n" for line in (HEADER.encode(), *links))
    except OSError as error:
        raise InputRefused(f"{folder} cannot be written: {error.strerror}") from error


def _is_plain(name: str) -> bool:
    return bool(name) and not {*"\t\r\n"} & {*name}


def _chosen(names: str | None) -> tuple[str, ...]:
    """The kinds to make, in the order of the table. Raises InputRefused for an unknown one."""
    asked = KINDS if names is None else tuple(names.split(","))
    unknown = [name for name in asked if name not in KINDS]
    if unknown:
        raise InputRefused(f"--kinds: no kind {unknown[0]!r}; there are {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutate", description="Make labelled copies of texts.")
    parser.add_argument("corpus", type=Path, metavar="CORPUS.jsonl", help="texts with their ids")
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="folder to write to")
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    parser.add_argument("--kinds", metavar="a,b", help=f"of {', '.join(KINDS)} [all]")
    parser.add_argument("--per-kind", type=int, default=100, help="texts mutated, at most [100]")
    return parser


if __name__ == "__main__":
    sys.exit(main())
