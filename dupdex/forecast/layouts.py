"""Compares the listed key layouts at an index size and chooses among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, Final, Generic, TypeVar

from dupdex.forecast.chance import COMFORTABLE, Chance, KeyRows, measured, uniform
from dupdex.forecast.sampling import Sample
from mappings.plan import MinhashPlan, Plan, SimhashPlan
from mappings.schemes import HASHED_BITS
from query.guarantee import minhash_recall, simhash_recall

LAYOUTS: Final = ((4, 1), (5, 2), (6, 2), (6, 3), (7, 3))
"""Simhash blocks and how many make a key, the fewest keys first."""

BANDS: Final = ((11, 2), (16, 2), (3, 3), (8, 3), (16, 3), (24, 3), (32, 4), (20, 5))
"""MinHash bands and rows: more rows meet fewer unrelated texts, more bands find more copies."""

Part = TypeVar("Part", SimhashPlan, MinhashPlan)


@dataclass(frozen=True, slots=True)
class Choice(Generic[Part]):
    """One layout of a scheme at one size, with its chances: `uniform` by arithmetic, `sampled` in
    the sample, if there is one.
    """

    part: Part
    name: str
    keys: int
    current: bool
    uniform: Chance
    sampled: Chance | None

    @property
    def comfortable(self) -> bool:
        """By arithmetic, and in the sample where that is large enough to tell."""
        sampled = self.sampled
        return self.uniform.comfortable and (
            sampled is None or not sampled.clear or sampled.comfortable
        )

    @property
    def sharing(self) -> float:
        """Documents that share a key, frequent or not."""
        if self.sampled is None or not self.sampled.clear:
            return self.uniform.sharing
        return max(self.sampled.sharing, self.uniform.sharing)


@dataclass(frozen=True, slots=True)
class Advice(Generic[Part]):
    """The recommended layout, with the reason in one line."""

    choice: Choice[Part]
    reason: str


def layout_name(part: SimhashPlan | MinhashPlan) -> str:
    """`4 x 16` (blocks and bits), `5 choose 2`, `16 x 2` (bands and rows)."""
    if isinstance(part, MinhashPlan):
        return f"{part.bands} x {part.rows}"
    if part.choose == 1:
        return f"{part.blocks} x {part.bits // part.blocks}"
    return f"{part.blocks} choose {part.choose}"


def distance(part: SimhashPlan) -> int:
    """The largest number of differing bits at which two simhashes always share a key."""
    return part.blocks - part.choose


def simhash_choices(plan: Plan, documents: int, sample: Sample | None) -> list[Choice[SimhashPlan]]:
    """The listed layouts and the plan's own."""
    current = plan.simhash
    parts = [replace(current, blocks=blocks, choose=choose) for blocks, choose in LAYOUTS]
    parts += [current] if current not in parts else []
    out = []
    for part in sorted(parts, key=lambda p: comb(p.blocks, p.choose)):
        keys = comb(part.blocks, part.choose)
        max_df = plan.thresholds.hot
        bits = part.bits * part.choose / part.blocks
        by_bits = uniform(keys, bits, documents, max_df)
        rows = None if sample is None else sample.simhash_keys(part)
        sampled = _sampled(rows, bits, documents, max_df)
        out.append(Choice(part, layout_name(part), keys, part == current, by_bits, sampled))
    return out


def band_choices(
    plan: Plan, documents: int, sample: Sample | None
) -> tuple[list[Choice[MinhashPlan]], list[Choice[MinhashPlan]]]:
    """The listed bands and the plan's own: over characters, and over syllables."""
    names = [*BANDS]
    for current in (plan.minhash, plan.syllable_minhash):
        layout = current.bands, current.rows
        names += [layout] if layout not in names else []
    out: tuple[list[Choice[MinhashPlan]], list[Choice[MinhashPlan]]] = ([], [])
    for bands, rows in names:
        parts = tuple(
            replace(current, bands=bands, rows=rows)
            for current in (plan.minhash, plan.syllable_minhash)
        )
        sampled_keys = (None, None) if sample is None else sample.band_keys(*parts)
        for choices, part, current, keys in zip(
            out, parts, (plan.minhash, plan.syllable_minhash), sampled_keys, strict=True
        ):
            if (bands, rows) in BANDS or part == current:
                by_bits = uniform(bands, HASHED_BITS, documents, plan.thresholds.hot)
                sampled = _sampled(keys, HASHED_BITS, documents, plan.thresholds.hot)
                name = layout_name(part)
                choices.append(Choice(part, name, bands, part == current, by_bits, sampled))
    return out


def _sampled(rows: KeyRows | None, bits: float, documents: int, max_df: int) -> Chance | None:
    return None if rows is None else measured([rows], [bits], documents, max_df)[0]


def advise_simhash(choices: Sequence[Choice[SimhashPlan]]) -> Advice[SimhashPlan]:
    """The fewest keys that keep lookups fast and the promise of the plan's own layout."""
    (current,) = [choice for choice in choices if choice.current]
    promised = distance(current.part)
    able = [choice for choice in choices if distance(choice.part) >= promised]
    good = [choice for choice in able if choice.comfortable]
    if not good:
        best = min(able, key=lambda choice: (choice.sharing, choice.keys))
        return Advice(best, f"{_burden(best)}; of the listed with d <= {promised} none is better")
    best = good[0]
    if best is current:
        return Advice(current, f"{_burden(current)}, which is comfortable{_doubt(current)}")
    if current.comfortable:
        return Advice(best, f"{_burden(best)}, with {best.keys} keys instead of {current.keys}")
    return Advice(
        best, f"{_burden(best)}; with {current.name} {_trouble(current)}{_doubt(current)}"
    )


def advise_bands(choices: Sequence[Choice[MinhashPlan]]) -> Advice[MinhashPlan]:
    """The plan's own bands while lookups stay fast, otherwise more rows with the best recall."""
    (current,) = [choice for choice in choices if choice.current]
    if current.comfortable:
        return Advice(current, f"{_burden(current)}, which is comfortable{_doubt(current)}")
    good = [
        choice for choice in choices if choice.comfortable and choice.part.rows > current.part.rows
    ]
    if not good:
        return Advice(current, f"{_trouble(current)}; none of the listed is comfortable, so kept")
    best = max(good, key=lambda choice: (recall_at_half(choice), -choice.keys))
    return Advice(
        best,
        f"more rows: with {current.name} {_trouble(current)}; finds {recall_at_half(best):.3f} at "
        f"J=.5, {current.name} {recall_at_half(current):.3f}",
    )


def recall_at_half(choice: Choice[MinhashPlan]) -> float:
    """The recall of bands for texts that have half their shingles in common."""
    return minhash_recall(choice.part, 0.5)


def row_of(choice: Choice[Part], bytes_: float) -> dict[str, Any]:
    """A choice for the table and for JSON."""
    part, by_bits = choice.part, choice.uniform
    row: dict[str, Any] = {
        "layout": choice.name,
        "current": choice.current,
        "keys": choice.keys,
        "index_bytes": round(bytes_),
        "comfortable": choice.comfortable,
    }
    if isinstance(part, SimhashPlan):
        row |= {
            "key_bits": round(part.bits * part.choose / part.blocks, 1),
            "guaranteed_distance": distance(part),
            "recall_at_4": round(simhash_recall(part, 4), 3),
            "recall_at_5": round(simhash_recall(part, 5), 3),
        }
    else:
        row["recall"] = {
            f"{j:.1f}": round(minhash_recall(part, j), 4) for j in (0.3, 0.4, 0.5, 0.7, 0.9)
        }
    return row | {"uniform": chance_row(by_bits), "sampled": chance_row(choice.sampled)}


def chance_row(chance: Chance | None) -> dict[str, Any] | None:
    """A chance for the table and for JSON."""
    if chance is None:
        return None
    row: dict[str, Any] = {
        "sharing_a_key": chance.sharing,
        "candidates": chance.candidates,
        "frequent_keys": chance.frequent_keys,
        "frequent_only_at_most": chance.frequent_only,
    }
    if chance.pairs is not None:
        row |= {
            "clear": chance.clear,
            "error": chance.error,
            "pairs": chance.pairs,
            "unseen": chance.unseen,
        }
    return row


def _worse(choice: Choice[Part]) -> Chance:
    """The decisive chance: that of the sample where it is clear and worse."""
    sampled = choice.sampled
    if sampled is None or not sampled.clear or not choice.uniform.comfortable:
        return choice.uniform
    return sampled


def _burden(choice: Choice[Part]) -> str:
    return f"{number(_worse(choice).candidates)} chance candidates a lookup"


def _trouble(choice: Choice[Part]) -> str:
    """Why lookups with a layout would be slow."""
    chance = _worse(choice)
    if chance.candidates > COMFORTABLE:
        return f"it would be {number(chance.candidates)}"
    return f"{number(chance.frequent_keys)} of its {choice.keys} keys are frequent"


def _doubt(choice: Choice[Part]) -> str:
    sampled = choice.sampled
    return "" if sampled is None or sampled.clear else " (too few texts to tell)"


def number(value: float) -> str:
    """`61.0 M`, `6,104`, `20.5`, `4`, `0.02`."""
    if value >= 1e6:
        return f"{value / 1e6:,.1f} M"
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 1 or value < 0.005:
        return f"{value:.1f}".removesuffix(".0")
    return f"{value:.2f}"
