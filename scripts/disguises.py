"""Are copies found that somebody disguised? Posts, articles and English texts, in every disguise.

    python -m scripts.disguises CORPUS.jsonl... [--english FILE.jsonl]... [--seed 1] [--each 100]
        [--unrelated 4000] [--kinds a,b] [--list N]

Originals are cut from the corpora (rows with a `role` of mutant or hardneg are passed over):
posts of 20-120 characters, articles of 600, English texts of 150-600. They are indexed together
with unrelated posts of the same sources in the embedded store, and every disguised text is looked
up. Then the disguised texts of one kind are indexed by themselves: the plain originals are looked
up in them, and they in each other, as unrelated texts must not become alike by a disguise (but for
those that add the same words to all). Matches that the plain texts have, too, are no false ones.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document
from mappings.errors import DupdexError, InputRefused
from query.questions import Options
from scripts.disguised_texts import Cut, Originals, originals_of
from scripts.mutations.disguise_kinds import DISGUISES, Disguise

GROUPS: Final = ("posts", "articles", "English")

OPTIONS: Final[dict[str, Options]] = {"backwards": Options(backwards=True)}
"""Options of the lookups of one disguise, where they are not the default ones."""


@dataclass(slots=True)
class Tally:
    """What the lookups of one disguise came to, by group: asked and found."""

    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0))
    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0))
    found_by_plain: int = 0
    false: int = 0
    alike: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """A line of the table."""
        cells = [
            f"{self.found[group] / self.asked[group]:.3f}" if self.asked[group] else "-"
            for group in GROUPS
        ]
        total = sum(self.asked.values())
        cells.append(f"{sum(self.found.values()) / max(1, total):.3f}")
        cells.append(f"{self.found_by_plain / max(1, total):.3f}")
        return f"| {name} | {total} | {' | '.join(cells)} | {self.false} | {self.alike} |"


HEAD: Final = (
    "| disguise | texts | posts | articles | English | all | found by the plain text | false "
    "| false among themselves |\n|--|--|--|--|--|--|--|--|--|"
)


def main(arguments: list[str] | None = None) -> int:
    """Cut, disguise, index, look up, print."""
    options = _parser().parse_args(arguments)
    try:
        chosen = _chosen(options.kinds)
        originals = originals_of(
            options.corpora, options.english, options.seed, options.each, options.unrelated
        )
        tallies = _measured(originals, chosen, options.seed)
    except (DupdexError, OSError) as error:
        print(f"disguises: {error}", file=sys.stderr)
        return 2
    print("\n".join(_table(tallies, originals)))
    for name, tally in tallies.items():
        for line in tally.lost[: options.list] + tally.wrong[: options.list]:
            print(f"{name}: {line}")
    return 0


def _table(tallies: dict[str, Tally], originals: Originals) -> Iterable[str]:
    found = sum(sum(tally.found.values()) for tally in tallies.values())
    asked = sum(sum(tally.asked.values()) for tally in tallies.values())
    by_plain = sum(tally.found_by_plain for tally in tallies.values())
    false = sum(tally.false + tally.alike for tally in tallies.values())
    yield (
        f"{len(originals.cuts)} originals among {len(originals.unrelated)} unrelated posts; "
        f"{asked:,} disguised texts: found {found / max(1, asked):.4f}, by the plain text "
        f"{by_plain / max(1, asked):.4f}, precision {found / max(1, found + false):.4f}"
    )
    yield ""
    yield HEAD
    yield from (tally.row(name) for name, tally in tallies.items())


def _measured(originals: Originals, chosen: Sequence[Disguise], seed: int) -> dict[str, Tally]:
    everything = [*originals.cuts, *originals.unrelated]
    with _indexed([(cut.id, cut.text) for cut in everything]) as index:
        known = {cut.id: _matches(index, cut.text, Options()) for cut in originals.cuts}
        tallies = {}
        for disguise in chosen:
            texts = _disguised(originals.cuts, disguise, seed)
            tallies[disguise.name] = tally = _looked_up(index, texts, disguise.name, known)
            with _indexed([(cut.id, text) for cut, text in texts]) as disguised:
                _looked_up_plain(disguised, texts, disguise.name, tally)
                if not disguise.adds:
                    _among_themselves(disguised, texts, disguise.name, known, tally)
            print(tally.row(disguise.name), file=sys.stderr, flush=True)
    return tallies


def _disguised(cuts: Sequence[Cut], disguise: Disguise, seed: int) -> list[tuple[Cut, str]]:
    out = []
    for cut in cuts:
        if cut.language in disguise.languages:
            text = disguise.make(cut.text, Random(f"{seed}/{disguise.name}/{cut.id}"))
            if text is not None and text != cut.text:
                out.append((cut, text))
    return out


def _looked_up(
    index: Index, texts: Sequence[tuple[Cut, str]], name: str, known: dict[str, set[str]]
) -> Tally:
    tally = Tally()
    for cut, text in texts:
        ids = _matches(index, text, OPTIONS.get(name, Options()))
        tally.asked[cut.group] += 1
        tally.found[cut.group] += cut.id in ids
        false = ids - known[cut.id] - {cut.id}
        tally.false += len(false)
        if cut.id not in ids:
            tally.lost.append(f"lost {cut.id}: {text[:120]!r} of {cut.text[:80]!r}")
        tally.wrong += [f"false {cut.id} {other}: {text[:120]!r}" for other in sorted(false)]
    return tally


def _looked_up_plain(
    index: Index, texts: Sequence[tuple[Cut, str]], name: str, tally: Tally
) -> None:
    for cut, text in texts:
        if cut.id in _matches(index, cut.text, OPTIONS.get(name, Options())):
            tally.found_by_plain += 1
        else:
            tally.lost.append(f"lost to the plain text {cut.id}: {text[:120]!r}")


def _among_themselves(
    index: Index,
    texts: Sequence[tuple[Cut, str]],
    name: str,
    known: dict[str, set[str]],
    tally: Tally,
) -> None:
    for cut, text in texts:
        false = _matches(index, text, OPTIONS.get(name, Options())) - known[cut.id] - {cut.id}
        tally.alike += len(false)
        tally.wrong += [f"alike {cut.id} {other}: {text[:120]!r}" for other in sorted(false)]


def _matches(index: Index, text: str, options: Options) -> set[str]:
    return {match.id for match in index.lookup(text, options).matches}


@contextmanager
def _indexed(texts: Iterable[tuple[str, str]]) -> Iterator[Index]:
    """The texts in an embedded store that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="dupdex-disguises-") as folder:
        location = Location.from_environment(store=folder)
        with Index.create(location) as index:
            index.add(Document(name, text, {"text": text}) for name, text in texts)
            index.refresh()
            yield index


def _chosen(names: str | None) -> list[Disguise]:
    if names is None:
        return list(DISGUISES)
    wanted = names.split(",")
    known = [disguise.name for disguise in DISGUISES]
    for name in wanted:
        if name not in known:
            raise InputRefused(f"--kinds: no disguise {name!r}; there are {', '.join(known)}")
    return [disguise for disguise in DISGUISES if disguise.name in wanted]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="disguises", description="Looks up disguised copies.")
    parser.add_argument("corpora", type=Path, nargs="*", metavar="CORPUS.jsonl", help="Chinese")
    parser.add_argument(
        "--english", type=Path, action="append", default=[], metavar="FILE", help="English texts"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    parser.add_argument("--each", type=int, default=100, help="originals of each group [100]")
    parser.add_argument("--unrelated", type=int, default=4_000, help="other posts [4000]")
    parser.add_argument("--kinds", metavar="a,b", help="names of the table [all]")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="show so many failures")
    return parser


if __name__ == "__main__":
    sys.exit(main())
