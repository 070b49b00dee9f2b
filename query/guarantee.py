"""What a key layout promises, in numbers and in words (arithmetic of uniform keys)."""

from __future__ import annotations

from math import ceil, comb

from indexer.fingerprints.simhash import blocks_of
from mappings.plan import LoosePlan, MinhashPlan, PassagePlan, Plan, SimhashPlan


def simhash_recall(plan: SimhashPlan, distance: int) -> float:
    """Probability that two values `distance` bits apart share a block key.

    Exact for equal blocks: a key survives when no differing bit falls into its blocks; counted
    over how many blocks the differing bits touch.
    """
    blocks, choose = plan.blocks, plan.choose
    if distance <= blocks - choose:
        return 1.0
    touched = _blocks_touched(plan, distance)
    return sum(p for count, p in enumerate(touched) if blocks - count >= choose)


def _blocks_touched(plan: SimhashPlan, distance: int) -> list[float]:
    """P(exactly i blocks hold a differing bit), bits drawn without replacement."""
    sizes = [width for _, width in blocks_of(plan.bits, plan.blocks)]
    ways = {(0, 0): 1}  # (blocks touched, bits placed) -> number of ways
    for size in sizes:
        step: dict[tuple[int, int], int] = {}
        for (count, placed), number in ways.items():
            for bits in range(min(size, distance - placed) + 1):
                key = (count + (bits > 0), placed + bits)
                step[key] = step.get(key, 0) + number * comb(size, bits)
        ways = step
    total = comb(plan.bits, distance)
    return [ways.get((count, distance), 0) / total for count in range(plan.blocks + 1)]


def chance_candidates(keys: int, bits: float, documents: int) -> float:
    """Unrelated documents that share one of so many keys of so many random bits with a text."""
    return keys * (documents / 2**bits)


def minhash_recall(plan: MinhashPlan, jaccard: float) -> float:
    """Probability that two sets of this Jaccard similarity share a band: 1 - (1 - J^r)^b."""
    return float(1 - (1 - jaccard**plan.rows) ** plan.bands)


def one_edit(plan: LoosePlan) -> int:
    """The greatest length of texts that surely share a key when one of their letters is changed.

    All windows of such a text are kept, and one letter is in no more than `short_window` of them.
    """
    return min(plan.short, plan.full, plan.spaced_full, plan.most + plan.short_window - 1)


def least_edited(short_near: float) -> int:
    """The fewest letters of which `short_near` is left when one of them is changed."""
    return ceil(round(1 / (1 - short_near), 9)) if short_near < 1 else 0


def unbroken(plan: PassagePlan, spaced: bool) -> int:
    """The syllables, or words, in a row with which two texts surely share a passage key.

    Winnowing keeps the smallest of all shingles in a window of either text.
    """
    if spaced:
        return plan.spaced_winnow + plan.spaced_shingle - 1
    return plan.winnow + plan.shingle - 1


def in_words(plan: Plan) -> str:
    """The promise of a plan's layout, one line for every answer."""
    distance = plan.simhash.blocks - plan.simhash.choose
    promise = f"every document within {distance} simhash bits shares a key"
    if "syllables" in plan.schemes:
        recall = f"{minhash_recall(plan.syllable_minhash, 0.5):.1%}"
        promise += f"; of documents with half their syllable shingles in common {recall} share one"
    part = plan.passages
    if "passages" in plan.schemes and min(part.winnow, part.spaced_winnow) > 0:
        units, words = unbroken(part, spaced=False), unbroken(part, spaced=True)
        stretch = f"{units} syllables or {words} words in a row"
        promise += f"; of texts read alike with {stretch} in common all do"
    shortest = max(2 * plan.loose.short_window, least_edited(plan.thresholds.short_near))
    longest = one_edit(plan.loose)
    if "loose" in plan.schemes and shortest <= longest:
        promise += (
            f"; of texts of {shortest} to {longest} letters, Chinese or of one alphabet, with one "
            "changed all share one"
        )
    return f"{promise} (arithmetic of the layout)"
