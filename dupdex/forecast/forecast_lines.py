"""A forecast as lines of text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final

from dupdex.forecast.layouts import number
from dupdex.forecast.recommend import WINDOW
from mappings.schemes import LETTERS, STORED
from query.answers import FREQUENT_ONLY

COLUMNS: Final = 100

_NAMES: Final = {
    "simhash_keys": "simhash",
    "minhash_keys": "characters",
    "syllable_keys": "syllables",
}

Facts = Mapping[str, Any]


def lines(facts: Facts) -> Iterator[str]:
    """The whole forecast."""
    yield f"plan {facts['plan']}, {facts['documents']:,} documents"
    yield (
        f"bytes per document: about {facts['index_bytes_per_document']} in the index, "
        f"{facts['source_bytes_per_document']} in _source; "
        f"{facts['total_gigabytes']:,.1f} GB in all"
    )
    yield ""
    if "sample" in facts:
        yield " " * 48 + "candidates of a lookup by chance"
    yield from _schemes(facts)
    yield ""
    yield from _layouts(facts)
    for field in facts["bands"]:
        yield ""
        yield from _bands(facts, field)
    yield ""
    yield "recommended"
    for field, advice in facts["recommended"].items():
        line = f"  {_NAMES[field]:<12}{advice['layout']:<13}{advice['reason']}"
        yield from wrap(line, COLUMNS, subsequent_indent=" " * 27)
    yield ""
    for text in _notes(facts):
        yield from wrap(text, COLUMNS, subsequent_indent="  ")


def _schemes(facts: Facts) -> Iterator[str]:
    yield _head("keys of a document", ("", "", ""), facts)
    for name, count in facts["keys_per_document"].items():
        row = facts["candidates_per_lookup"].get(name)
        size = facts["index_bytes_per_key_field"][name]
        yield _line(f"  {name}", ("", "", ""), count, size, row)
    size = sum(facts["index_bytes_per_key_field"].values())
    every = facts["candidates_per_lookup"]["all"]
    yield _line("  all", ("", "", ""), facts["keys"], size, every)


def _layouts(facts: Facts) -> Iterator[str]:
    yield _head("simhash", ("always", "d=4", "d=5"), facts)
    for row in facts["layouts"]:
        name = _mark(row, facts["recommended"]["simhash_keys"]) + row["layout"]
        recalls = (f"{row['recall_at_4']:.3f}", f"{row['recall_at_5']:.3f}")
        cells = (f"d<={row['guaranteed_distance']}", *recalls)
        yield _line(name, cells, row["keys"], row["index_bytes"], row)


def _bands(facts: Facts, field: str) -> Iterator[str]:
    at = ("0.3", "0.5", "0.7")
    yield _head(f"{_NAMES[field]} (bands x rows)", tuple(f"J={j[1:]}" for j in at), facts)
    for row in facts["bands"][field]:
        name = _mark(row, facts["recommended"][field]) + row["layout"]
        cells = tuple(f"{row['recall'][j]:.3f}" for j in at)
        yield _line(name, cells, row["keys"], row["index_bytes"], row)


def _head(name: str, cells: Sequence[str], facts: Facts) -> str:
    out = _left(name, cells, "keys", "bytes") + f"{'uniform keys':>13}"
    return f"{out}{'sampled texts':>18}{'frequent':>10}" if "sample" in facts else out


def _line(name: str, cells: Sequence[str], keys: int, size: int, row: Facts | None) -> str:
    """Keys and bytes; candidates by arithmetic; candidates and frequent keys in the sample."""
    out = _left(name, cells, str(keys), str(size))
    if row is None:
        return out
    out += f"{number(row['uniform']['sharing_a_key']):>13}"
    sampled = row["sampled"]
    if sampled is None:
        return out
    if not sampled["clear"]:
        return f"{out}{'too few texts':>18}{'-':>10}"
    shown = f"{number(sampled['candidates'])} ± {number(sampled['error'])}"
    if sampled["pairs"] == 0:
        shown = f"under {number(sampled['unseen'])}"
    return f"{out}{shown:>18}{number(sampled['frequent_keys']):>10}"


def _left(name: str, cells: Sequence[str], keys: str, size: str) -> str:
    first, second, third = cells
    out = f"{name:<26}{first:>6}{second:>7}{third:>7}" if any(cells) else f"{name:<46}"
    return f"{out}{keys:>6}{size:>7}"


def _mark(row: Facts, advice: Facts) -> str:
    """`*` marks the plan's own layout, `>` the recommended one when it is another."""
    if row["current"]:
        return "* "
    return "> " if row["layout"] == advice["layout"] else "  "


def _notes(facts: Facts) -> Iterator[str]:
    more = "." if "sample" in facts else "; measure yours with --sample FILE."
    yield (
        "* the plan's own layout, > the recommended one. d: simhash bits that differ, found always "
        "or with this probability. J: Jaccard similarity of shingles, and the probability that a "
        "band is shared."
    )
    yield (
        "uniform keys: unrelated documents that share a key with a text, at the least, as real "
        f"texts have common keys{more}"
    )
    counted = [
        r.field for r in STORED.values() if r.by_length and r.field in facts["keys_per_document"]
    ]
    if counted:
        texts = "the sampled texts" if "sample" in facts else f"a text of {LETTERS:,} letters"
        yield f"{', '.join(counted)}: as many as the text makes, counted are those of {texts}."
    every = facts["candidates_per_lookup"]["all"]["sampled"]
    bring = number(every["frequent_only_at_most"] if every and every["clear"] else FREQUENT_ONLY)
    yield (
        f"frequent keys are in over {facts['max_df']:,} documents (thresholds.hot); they have no "
        f"vote when all candidates are asked for, and then bring at most {bring} documents more."
    )
    if not facts["fits"]:
        yield (
            f"The plan's simhash layout brings more candidates than the {WINDOW:,} hits that a "
            "server returns."
        )
    if "sample" in facts:
        yield from _sample_notes(facts["sample"])


def _sample_notes(sample: Facts) -> Iterator[str]:
    refused = f" and {sample['refused']:,} refused" if sample["refused"] else ""
    yield (
        f"sampled texts: the same as {sample['texts']:,} texts of yours have it, by keys that have "
        f"a vote, ± the standard error ({sample['copies_left_out']:,} documents left out as copies "
        f"of an earlier one{refused})."
    )
    yield (
        f"{sample['text_pairs']:,} pairs of texts cannot show fewer than about "
        f"{number(sample['unseen_candidates'])} candidates; a larger --sample can. A sample from "
        "one part of a collection says little of the others."
    )
    if not sample["frequent_keys_seen"]:
        yield (
            "At this size a key of two sampled texts may be frequent and is counted as if it were "
            "not: candidates are at most so many, and frequent keys at least."
        )
