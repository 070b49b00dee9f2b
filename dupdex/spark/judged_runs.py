"""Which candidate pairs are near duplicates, and which of these are fillings of one form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from dupdex.spark.corpus_rows import Reading, field_number
from dupdex.spark.key_pairs import PAIRS, Keys, keys_of_fields
from dupdex.spark.text_runs import Run, read, runs, text_runs
from indexer.fingerprints.key_rows import KEY_BITS, key_numbers, terms_of
from indexer.model import Body, Fingerprint
from query.answers import Match, Ref, Term, Verdict
from query.meant_matches import Readings
from query.pair import PairJudge, Text
from query.passage_terms import FIELDS, Frequencies

JUDGED: Final = f"{PAIRS}, similarity double, partial boolean"

_JUDGED: Final = pa.schema(
    [
        ("first", pa.int64()),
        ("second", pa.int64()),
        ("similarity", pa.float64()),
        ("partial", pa.bool_()),
    ]
)
_PAIRS: Final = pa.schema([("first", pa.int64()), ("second", pa.int64())])

_SEVERAL: Final = 2
"""Fewer matches of one text show no slot that every filling fills differently."""


def judged(pairs: DataFrame, texts: DataFrame, reading: Reading) -> DataFrame:
    """Those of the pairs that are duplicates, near or partial (JUDGED)."""

    def judge_all(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in runs(batches):
            yield from _batch(_judged(part, reading), _JUDGED)

    return text_runs(pairs, texts).mapInArrow(judge_all, JUDGED)


def _batch(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    if rows:
        yield pa.RecordBatch.from_pylist(list(rows), schema=schema)


def _judged(part: Sequence[Run], reading: Reading) -> list[dict[str, Any]]:
    texts = read(part, reading.plan, reading.boilerplate)
    readings = Readings(PairJudge(reading.plan, reading.boilerplate))
    out = []
    for run in part:
        stored = [texts[other] for other, _ in run.others]
        answers = readings.judgements(texts[run.node], stored)
        for (other, _), found in zip(run.others, answers, strict=True):
            if found is not None:
                partial = found.verdict is Verdict.PARTIAL
                row = {"first": run.node, "second": other}
                out.append({**row, "similarity": found.similarity, "partial": partial})
    return out


def form_pairs(matches: DataFrame, texts: DataFrame, keys: Keys, reading: Reading) -> DataFrame:
    """Those of the matches that are fillings of one form, as seen from either side.

    Only texts that have a key of many texts and several matches are looked at.
    """
    both = matches.select("first", "second").union(matches.select("second", "first"))
    several = both.groupBy("first").count().where(F.col("count") >= _SEVERAL)
    counted = keys_of_fields(keys.entries, *FIELDS).join(keys.counts, "key")
    counted = counted.join(several.select(F.col("first").alias("node")), "node", "left_semi")
    spread = counted.groupBy("node").agg(
        F.max("texts").alias("most"), F.collect_list(F.struct("key", "texts")).alias("extra")
    )
    extra = spread.where(F.col("most") >= reading.plan.thresholds.unrelated).drop("most")
    asked = both.join(extra.select(F.col("node").alias("first")), "first", "left_semi")

    def mark_all(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in runs(batches, whole=True):
            yield from _batch(_marked(part, reading), _PAIRS)

    return text_runs(asked, texts, extra).mapInArrow(mark_all, PAIRS).distinct()


def _marked(part: Sequence[Run], reading: Reading) -> list[dict[str, Any]]:
    judge = PairJudge(reading.plan, reading.boilerplate)
    texts = _with_keys(read(part, reading.plan, reading.boilerplate), reading)
    out = []
    for run in part:
        nothing: Body = {}
        stored = [(texts[other], Ref("", str(other)), nothing) for other, _ in run.others]
        asked = texts[run.node]
        matches = [match for match in judge.matches(asked, stored) if match is not None]
        counts = _counts(run.extra, asked)
        if not _may_be_forms(matches, counts, reading):
            continue
        facts = judge.facts(asked, [(match, texts[int(match.id)]) for match in matches])
        lookup = list(zip(matches, facts, strict=True))
        (marks,) = judge.are_templates([lookup], _answering(counts))
        for match, is_template in zip(matches, marks, strict=True):
            if is_template:
                first, second = sorted((run.node, int(match.id)))
                out.append({"first": first, "second": second})
    return out


def _with_keys(texts: dict[int, Text], reading: Reading) -> dict[int, Text]:
    """Texts with the keys that are counted."""
    features = [text.features for text in texts.values()]
    if not features:
        return {}
    keys = terms_of(features[0].batch.prepared, reading.plan, frozenset(FIELDS))
    return {
        node: replace(text, fingerprint=Fingerprint("", 0, 0, own))
        for (node, text), own in zip(texts.items(), keys, strict=True)
    }


def _counts(rows: Sequence[dict[str, int]], asked: Text) -> dict[Term, int]:
    """In how many texts each key of an asked text is; 1 where no other text has it."""
    texts = {row["key"]: row["texts"] for row in rows}
    out: dict[Term, int] = {}
    for name, terms in asked.fingerprint.keys.items():
        numbers = key_numbers(terms).astype(np.int64) | (field_number(name) << KEY_BITS)
        counts = (texts.get(number, 1) for number in numbers.tolist())
        out |= zip(((name, term) for term in terms), counts, strict=True)
    return out


def _answering(counts: dict[Term, int]) -> Frequencies:
    return lambda _: counts


def _may_be_forms(matches: Sequence[Match], counts: dict[Term, int], reading: Reading) -> bool:
    """Whether what is shared with some match is in many documents."""
    least = reading.plan.thresholds.unrelated
    for match in matches:
        shared = [(name, term) for name, terms in match.evidence.keys.items() for term in terms]
        if shared and median(counts[term] for term in shared) >= least:
            return True
    return False
