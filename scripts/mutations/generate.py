"""Sources in, documents and labelled pairs out. The same seed makes the same on any machine: each
mutant has random numbers of its own, whatever else is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Final

from mappings.errors import InputRefused
from scripts.mutations import kinds
from scripts.mutations.hard import TEMPLATES, swapped_facts
from scripts.mutations.layout import joined, sentences_of
from scripts.mutations.mutation import Link, Row, Source, letters_of
from scripts.mutations.revisions import own_words

LEAST: Final = 100
"""Letters and digits a text must have to be mutated."""

SHORT: Final = (20, 300)
"""The fewest and the most letters and digits of a short text."""

NEGATIVES: Final = 50
"""Other short texts that each is listed with."""


@dataclass
class Made:
    """What was made, and how often a text gave a mutation nothing to work on."""

    rows: list[Row] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    passed_over: int = 0

    def copy(self, base: Row, row: Row, label: int) -> None:
        """Add a mutant with its label."""
        self.rows.append(row)
        self.links.append(Link(base, row, label, row.kind, row.strength))


def generate(sources: Sequence[Source], seed: int, chosen: Collection[str], count: int) -> Made:
    """Mutants of up to `count` texts in all `chosen` kinds.

    Texts that are not mutated are kept as distractors, but for those that short texts are cut
    from: a sentence and the text it is from would be a pair that nobody lists. Raises InputRefused
    when no text is long enough.
    """
    order = list(sources)
    Random(f"{seed}").shuffle(order)
    able = [each for each in order if len(letters_of(each.text)) >= LEAST]
    if len(able) < 2:
        raise InputRefused(f"fewer than two texts have {LEAST} letters and digits; add longer ones")
    whole = [kind for kind in chosen if kind not in (kinds.SHORT, *TEMPLATES)]
    if not whole:
        bases, cut = [], able[:count] if kinds.SHORT in chosen else []
    else:
        bases = able[: min(count, len(able) // 2) if kinds.SHORT in chosen else count]
        cut = able[len(bases) :][:count] if kinds.SHORT in chosen else []
    used = {each.id for each in (*bases, *cut)}
    made = Made()
    made.rows += [Row(each.id, each.text, "base") for each in bases]
    made.rows += [Row(each.id, each.text, "distractor") for each in order if each.id not in used]
    for number in range(len(bases)):
        _mutants(made, made.rows[number], seed, whole)
        if kinds.PARTIAL in whole and len(bases) > 1:
            _partial(made, made.rows[number], number, len(bases), seed)
    for kind in chosen:
        if kind in TEMPLATES:
            _templates(made, kind, seed, 2 * count)
    _short_texts(made, cut, seed)
    return made


def _mutants(made: Made, base: Row, seed: int, chosen: Collection[str]) -> None:
    for kind, strengths in (kinds.MUTATIONS | kinds.REVISIONS).items():
        for strength, mutate in strengths.items() if kind in chosen else ():
            name = f"{base.id}~{kind}~{strength}"
            text = mutate(base.text, Random(f"{seed}/{name}"))
            if text is None:
                made.passed_over += 1
            else:
                row = Row(name, text, "mutant", kind, strength, base.id)
                made.copy(base, row, 2 if kind in kinds.REVISIONS else 1)
    if kinds.OWN_WORDS in chosen:
        name = f"{base.id}~{kinds.OWN_WORDS}"
        written = own_words(base.text, Random(f"{seed}/{name}"))
        if written is None:
            made.passed_over += 1
        else:
            made.copy(base, Row(name, written, "hardneg", kinds.OWN_WORDS, "", base.id), 0)
    if kinds.FACTS in chosen:
        name = f"{base.id}~{kinds.FACTS}"
        swapped = swapped_facts(base.text, Random(f"{seed}/{name}"))
        if swapped is None:
            made.passed_over += 1
        else:
            row = Row(name, swapped[0], "hardneg", kinds.FACTS, f"{swapped[1]}", base.id)
            made.copy(base, row, 0)


def _partial(made: Made, base: Row, number: int, bases: int, seed: int) -> None:
    """Texts made of a base and another; both pairs are listed, with the share of either."""
    for share in kinds.SHARES:
        name = f"{base.id}~{kinds.PARTIAL}~{share}"
        rng = Random(f"{seed}/{name}")
        donor = made.rows[(number + rng.randrange(1, bases)) % bases]
        both = joined(base.text, donor.text, rng, share)
        if both is None:
            made.passed_over += 1
            continue
        row = Row(name, both[0], "mutant", kinds.PARTIAL, f"{share}", base.id, donor.id)
        made.rows.append(row)
        for role, side, part in (("base", base, both[1]), ("donor", donor, 1 - both[1])):
            made.links.append(Link(side, row, 2, f"{kinds.PARTIAL}_{role}", f"{part:.2f}"))


def _templates(made: Made, kind: str, seed: int, count: int) -> None:
    """A form filled in `count` times; each is listed with the next."""
    rows = [
        Row(f"{kind}-{n:04}", TEMPLATES[kind](Random(f"{seed}/{kind}/{n}")), "hardneg", kind)
        for n in range(count)
    ]
    made.rows += rows
    made.links += [Link(left, right, 0, kind, "sample") for left, right in pairwise(rows)]


def _short_texts(made: Made, sources: Sequence[Source], seed: int) -> None:
    """Sentences cut out of texts, edited; the others are listed as no copies of each."""
    rows: list[Row] = []
    for source in sources:
        text = _cut(source.text, Random(f"{seed}/{source.id}/short"))
        if text is None:
            made.passed_over += 1
        else:
            rows.append(Row(f"{source.id}~short", text, "short"))
    made.rows += rows
    for base in rows:
        for strength, mutate in kinds.SHORT_EDITS.items():
            name = f"{base.id}~{strength}"
            edited = mutate(base.text, Random(f"{seed}/{name}"))
            if edited is None:
                made.passed_over += 1
            else:
                made.copy(base, Row(name, edited, "mutant", kinds.SHORT, strength, base.id), 1)
        made.links += _negatives(base, rows, seed)


def _negatives(base: Row, rows: Sequence[Row], seed: int) -> Iterator[Link]:
    others = [row for row in rows if row.id != base.id]
    rng = Random(f"{seed}/{base.id}/negatives")
    for row in rng.sample(others, min(NEGATIVES, len(others))):
        yield Link(base, row, 0, kinds.SHORT_NEGATIVES, "sample")


def _cut(text: str, rng: Random) -> str | None:
    """Sentences in a row, as many as a random length takes; None when one alone is too long."""
    parts = sentences_of(text)
    wanted = rng.randint(*SHORT)
    for start in rng.sample(range(len(parts)), len(parts)):
        end = start + 1
        while end < len(parts) and len(letters_of("".join(parts[start:end]))) < wanted:
            end += 1
        for stop in (end, end - 1):
            cut = "".join(parts[start:stop]).strip()
            if SHORT[0] <= len(letters_of(cut)) <= SHORT[1]:
                return cut
    return None
