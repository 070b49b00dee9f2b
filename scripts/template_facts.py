"""What lookups would say of filled forms, and of copies that are damaged or changed.

    python -m scripts.template_facts FORMS_DIR [--corpus MUTATIONS_DIR]... [--pairs N] [--misses]

FORMS_DIR is what `python -m scripts.templates` writes. For each form: of pairs of its documents
the shares that are near without a fact named, near with facts, partial, and none. Then forms are
filled in twice with one sort of words changed, in all slots and in one of them: the share of near
duplicates in which that is named.
For each kind of copy in a corpus of mutations: of its near duplicates the share in which facts are
said to differ; that is a false alarm in all kinds but `hardneg_facts`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

import orjson

from dupdex.evaluation.corpus import Corpus
from mappings.errors import DupdexError
from mappings.plan import STANDARD
from query.answers import Verdict
from query.pair import PairJudge
from scripts.forms.fill import TextForm
from scripts.forms.name_words import NameWords
from scripts.templates import DEVELOPED_ON, PARTS, Form

NAMELESS, NAMED, PARTIAL, OTHER, EXACT = "near, no fact", "near, facts", "partial", "none", "exact"
COLUMNS: Final = (NAMELESS, NAMED, PARTIAL, OTHER, EXACT)

_TOGETHER: Final = 100
SORTS: Final = (
    "number", "date", "ordinal", "person", "place", "title", "organisation", "language", "country",
    "team", "field",
)  # fmt: skip

_JUDGE: Final = PairJudge(STANDARD)

Texts = Mapping[str, str]
Pair = tuple[str, str]


def outcomes(pairs: Iterable[Pair], texts: Texts) -> Iterator[tuple[Pair, str]]:
    """What each pair is, one of COLUMNS."""
    rows = list(pairs)
    for start in range(0, len(rows), _TOGETHER):
        chunk = rows[start : start + _TOGETHER]
        names = sorted({name for pair in chunk for name in pair})
        read = dict(zip(names, _JUDGE.read([texts[name] for name in names]), strict=True))
        for pair in chunk:
            judged = _JUDGE.comparison(*(read[name] for name in pair))
            if judged.verdict is Verdict.NEAR:
                yield pair, NAMED if judged.facts_total else NAMELESS
            else:
                yield pair, str(judged.verdict or OTHER)


def form_lines(folder: Path, count: int, misses: bool) -> Iterator[str]:
    """The table of the forms. Raises what reading a corpus raises."""
    rows = [orjson.loads(line) for line in (folder / "corpus.jsonl").read_bytes().splitlines()]
    texts = {row["id"]: row["text"] for row in rows}
    forms: dict[Pair, list[str]] = defaultdict(list)
    for row in rows:
        forms[row["part"], row["form"]].append(row["id"])
    yield f"{'form':<24}{'pairs':>7}" + "".join(f"{name:>15}" for name in COLUMNS)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for (part, form), names in forms.items():
        rng = Random(form)
        pairs = {(first, second) for first, second in (rng.sample(names, 2) for _ in range(count))}
        found = list(outcomes(sorted(pairs), texts))
        counts = Counter(outcome for _, outcome in found)
        totals[part] += counts
        yield _line(form, counts)
        if misses and part in DEVELOPED_ON:
            yield from (f"    {pair}" for pair, outcome in found[:50] if outcome is NAMELESS)
    yield from (_line(f"all, {part}", counts) for part, counts in totals.items())


def change_lines(count: int) -> Iterator[str]:
    """The share of changes of one sort of words that are named, over `count` texts of each form."""
    yield f"{'one sort of words changed':<26}{'near':>8}{'named':>9}{'one slot':>11}{'named':>9}"
    for part, forms in PARTS.items():
        for sort in SORTS:
            everywhere, once = map(_counts, _changed(forms, sort, count))
            if near := _near(everywhere):
                shares = f"{near:>8}{everywhere[NAMED] / near:>9.3f}"
                if near := _near(once):
                    shares += f"{near:>11}{once[NAMED] / near:>9.3f}"
                yield f"{part + ', ' + sort:<26}{shares}"


def _changed(forms: Mapping[str, Form], sort: str, count: int) -> list[list[Pair]]:
    """Pairs of texts, in which all words of a sort are other ones, and in which one of them is."""
    everywhere: list[Pair] = []
    once: list[Pair] = []
    for name, form in forms.items():
        for number in range(count):
            seed = f"change/{name}/{number}"
            words, others = NameWords(seed), NameWords(seed, sort)
            everywhere.append((form(words), form(others)))
            if isinstance(form, TextForm):
                words, others = NameWords(seed), NameWords(seed, sort)
                changed = form.changed_once(words, others, Random(seed))
                once.append((everywhere[-1][0], changed))
    return [[(one, other) for one, other in pairs if one != other] for pairs in (everywhere, once)]


def _counts(pairs: list[Pair]) -> Counter[str]:
    texts = {text: text for pair in pairs for text in pair}
    return Counter(outcome for _, outcome in outcomes(pairs, texts))


def _near(counts: Counter[str]) -> int:
    return counts[NAMED] + counts[NAMELESS]


def copy_lines(folder: Path) -> Iterator[str]:
    """The table of a corpus of mutations. Raises what reading a corpus raises."""
    corpus = Corpus.read(folder)
    texts = {document.id: document.text for document in corpus.documents()}
    kinds: dict[Pair, list[Pair]] = defaultdict(list)
    for row in corpus.truth.listed:
        kinds[row.kind, "" if row.kind.startswith("hardneg") else row.strength].append(row.pair)
    yield f"{folder.name}: near duplicates in which facts differ"
    for (kind, strength), pairs in sorted(kinds.items()):
        counts = Counter(outcome for _, outcome in outcomes(pairs, texts))
        if near := _near(counts):
            yield f"{kind:<28}{strength:<8}{near:>6}{counts[NAMED] / near:>9.3f}"


def _line(name: str, counts: Counter[str]) -> str:
    total = sum(counts.values())
    shares = "".join(f"{counts[column] / total:>15.3f}" for column in COLUMNS)
    return f"{name:<24}{total:>7}{shares}"


def main(arguments: list[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="template_facts", description="Measure the facts guard.")
    parser.add_argument("forms", type=Path, metavar="FORMS_DIR")
    parser.add_argument("--corpus", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--pairs", type=int, default=300, help="of each form, at most [300]")
    parser.add_argument("--changes", type=int, default=20, help="texts of each form [20]")
    parser.add_argument(
        "--misses", action="store_true", help="list pairs of forms that were developed on"
    )
    options = parser.parse_args(arguments)
    try:
        for line in form_lines(options.forms, options.pairs, options.misses):
            print(line)
        print("", *change_lines(options.changes), sep="\n")
        for folder in options.corpus:
            print("", *copy_lines(folder), sep="\n")
    except (DupdexError, OSError) as error:
        print(f"template_facts: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
