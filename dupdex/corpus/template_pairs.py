"""Which near duplicates of a corpus are fillings of one form, and so no copies of each other.

As in a lookup (`query.verify.templates`): of a form the common part is in many documents, and
where one filling says one thing the others say many. Only texts that have a key of many documents
are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import numpy as np

from dupdex.corpus.judged_pairs import TILE_BYTES, Judging, Pairs, in_tiles, read
from indexer.fingerprints.key_rows import key_numbers, terms_of
from indexer.model import Body, Fingerprint, Keys, Ref
from indexer.text.ragged import Positions
from indexer.workers import made_in_processes
from mappings.contract import Field
from query.answers import Match, Term
from query.key_join import KeyColumn, Mask
from query.pair import PairJudge, Text

FIELDS: Final = (Field.PASSAGE_KEYS, Field.SENTENCES)
"""The keys that tell in how many documents a common part is."""

_SEVERAL: Final = 2
"""Fewer matches of one text show no slot that every filling fills differently."""

Columns = Mapping[Field, KeyColumn]
Asked = tuple[int, Positions]
"""A node, and the nodes that match it."""


@dataclass(frozen=True, slots=True)
class _Context:
    judging: Judging
    columns: Columns


def are_templates(pairs: Pairs, judging: Judging, columns: Columns, workers: int) -> Mask:
    """Which pairs are fillings of one form, as seen from either side."""
    used = {name: columns[name] for name in FIELDS if name in columns}
    marked: set[tuple[int, int]] = set()
    asked = _asked(pairs, judging, used)
    context = _Context(judging, used)
    for _, found in made_in_processes(asked, _itself, _marked, context, workers):
        marked.update(found)
    every = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    return np.array([pair in marked for pair in every], np.bool_)


def _itself(part: list[Asked]) -> list[Asked]:
    return part


def _asked(pairs: Pairs, judging: Judging, columns: Columns) -> Iterator[list[Asked]]:
    """The nodes whose matches can be fillings of a form, with these; some at a time."""
    count = len(judging.texts)
    least = judging.plan.thresholds.unrelated
    often = np.zeros(count, np.bool_)
    for column in columns.values():
        often |= column.with_key_in(least, count)
    both = np.concatenate([pairs.first, pairs.second])
    others = np.concatenate([pairs.second, pairs.first])
    several = np.bincount(both, minlength=count) >= _SEVERAL
    chosen = (often & several)[both]
    both, others = both[chosen], others[chosen]
    place, _ = in_tiles(pairs.first, pairs.second, judging.texts.sizes)
    order = np.lexsort((others, place[both]))
    both, others = both[order], others[order]
    starts = np.flatnonzero(np.diff(both, prepend=-1))
    part: list[Asked] = []
    size = 0
    for node, matches in zip(both[starts].tolist(), np.split(others, starts[1:]), strict=False):
        part.append((node, matches))
        size += int(judging.texts.sizes[matches].sum())
        if size >= TILE_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _marked(part: list[Asked], context: _Context) -> list[tuple[int, int]]:
    """The pairs of some asked nodes that are fillings of one form."""
    judge = PairJudge(context.judging.plan)
    nodes = np.unique(np.concatenate([np.append(others, node) for node, others in part]))
    texts = _with_keys(nodes, context)
    out: list[tuple[int, int]] = []
    for node, others in part:
        asked = texts[node]
        stored: list[tuple[Text, Ref, Body]] = [
            (texts[other], Ref("", str(other)), {}) for other in others.tolist()
        ]
        matches = [match for match in judge.matches(asked, stored) if match is not None]
        if not _may_be_forms(matches, context):
            continue
        facts = judge.facts(asked, [(match, texts[int(match.id)]) for match in matches])
        lookups = [list(zip(matches, facts, strict=True))]
        (marks,) = judge.are_templates(lookups, lambda keys: _frequencies(keys, context.columns))
        for match, is_template in zip(matches, marks, strict=True):
            if is_template:
                other = int(match.id)
                out.append((min(node, other), max(node, other)))
    return out


def _with_keys(nodes: Positions, context: _Context) -> dict[int, Text]:
    """Texts ready to be judged, with the keys that can be counted."""
    texts = read(nodes, context.judging)
    features = [text.features for text in texts.values()]
    keys = terms_of(features[0].batch.prepared, context.judging.plan, frozenset(context.columns))
    return {
        node: replace(text, fingerprint=Fingerprint("", 0, 0, own))
        for (node, text), own in zip(texts.items(), keys, strict=True)
    }


def _may_be_forms(matches: Sequence[Match], context: _Context) -> bool:
    """Whether what is shared with some match is in many documents."""
    least = context.judging.plan.thresholds.unrelated
    for match in matches:
        counts = _frequencies(match.evidence.keys, context.columns)
        if counts and median(counts.values()) >= least:
            return True
    return False


def _frequencies(keys: Keys, columns: Columns) -> dict[Term, int]:
    """In how many nodes each term is."""
    out: dict[Term, int] = {}
    for name, terms in keys.items():
        counts = columns[name].frequencies(key_numbers(terms)).tolist()
        out |= zip(((name, term) for term in terms), counts, strict=True)
    return out
