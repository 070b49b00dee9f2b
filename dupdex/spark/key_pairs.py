"""Candidate pairs: texts that share a key, and what is told of the pairs without reading texts.

Keys of very many texts have no vote of their own (as in `query.key_join`): they bring together
their texts with the first ones only. So no task ever has one such key to itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from dupdex.spark.corpus_rows import field_number
from indexer.fingerprints.key_rows import KEY_BITS, Sketched
from mappings.contract import Field
from mappings.plan import Plan
from query.key_join import FIRST, Candidates
from query.near_screen import NearScreen

SALTS: Final = 16
"""Parts of the texts of a frequent key that are joined apart from each other."""

PAIRS: Final = "first bigint, second bigint"


@dataclass(frozen=True, slots=True)
class Keys:
    """`entries`: a row (key, node, simhash) for every key of a text; `counts`: in how many texts
    the keys of several texts are.
    """

    entries: DataFrame
    counts: DataFrame

    @classmethod
    def of(cls, nodes: DataFrame) -> Keys:
        """The keys of all texts."""
        entries = nodes.select("node", "simhash", F.explode("keys").alias("key"))
        counts = entries.groupBy("key").agg(F.count("*").alias("texts")).where("texts > 1")
        return cls(entries, counts)


def key_pairs(keys: Keys, plan: Plan) -> DataFrame:
    """Each pair of texts that share a key once: `first` < `second`, with the number of keys that
    they share, and how many of these are loose windows.
    """
    thresholds = plan.thresholds
    frequent = keys.counts.where(F.col("texts") > thresholds.hot).select("key")
    pairs = _rare_pairs(keys.entries.join(frequent, "key", "left_anti")).union(
        _frequent_pairs(keys.entries.join(frequent, "key", "left_semi"))
    )
    bits = F.bit_count(F.col("one.simhash").bitwiseXOR(F.col("other.simhash")))
    is_near = (~_is_of("key", Field.SIMHASH_KEYS)) | (bits <= thresholds.simhash_only)
    return (
        pairs.where(is_near)
        .groupBy(F.col("one.node").alias("first"), F.col("other.node").alias("second"))
        .agg(
            F.count("*").alias("shared"),
            F.count_if(_is_of("key", Field.LOOSE_KEYS)).alias("loose"),
        )
    )


def _rare_pairs(entries: DataFrame) -> DataFrame:
    texts = F.sort_array(F.collect_list(F.struct("node", "simhash"))).alias("texts")
    several = entries.groupBy("key").agg(texts).where(F.size("texts") > 1)
    each = several.select("key", "texts", F.posexplode("texts").alias("at", "one"))
    later = F.slice("texts", F.col("at") + 2, F.size("texts"))
    return each.select("key", "one", F.explode(later).alias("other"))


def _frequent_pairs(entries: DataFrame) -> DataFrame:
    """The texts of a key with its first ones, in parts: a key may be in nearly all texts."""
    place = F.row_number().over(Window.partitionBy("key").orderBy("node"))
    ahead = (
        entries.withColumn("place", place)
        .where(F.col("place") <= FIRST)
        .select("key", F.struct("node", "simhash").alias("one"))
        .withColumn("salt", F.explode(F.array(*(F.lit(salt) for salt in range(SALTS)))))
    )
    salted = entries.select(
        "key",
        F.struct("node", "simhash").alias("other"),
        (F.pmod(F.xxhash64("node"), F.lit(SALTS))).cast("int").alias("salt"),
    )
    both = ahead.join(salted, ["key", "salt"])
    return both.where("one.node < other.node").select("key", "one", "other")


def _is_of(key: str, *fields: Field) -> Column:
    numbers = [field_number(field) for field in fields]
    return F.shiftright(key, KEY_BITS).isin(numbers)


def keys_of_fields(frame: DataFrame, *fields: Field) -> DataFrame:
    """The rows whose `key` is of one of the fields."""
    return frame.where(_is_of("key", *fields))


def screened(pairs: DataFrame, nodes: DataFrame, plan: Plan) -> DataFrame:
    """The pairs that can be near duplicates, as far as sketches tell."""
    sketch = F.struct("length", "simhash", "spaced", "units", "grams", "letters")
    sketches = nodes.select("node", sketch.alias("sketch"))
    ones = sketches.withColumnsRenamed({"node": "first", "sketch": "one"})
    others = sketches.withColumnsRenamed({"node": "second", "sketch": "other"})

    def worth(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch.filter(pa.array(_could_be_near(batch, plan))).select(["first", "second"])

    columns = ("first", "second", "shared", "loose", "one", "other")
    both = pairs.join(ones, "first").join(others, "second").select(*columns)
    return both.mapInArrow(worth, PAIRS)


def _could_be_near(batch: pa.RecordBatch, plan: Plan) -> np.ndarray:
    count = batch.num_rows
    both = pa.concat_arrays([batch.column("one"), batch.column("other")])
    sketched = Sketched(
        np.array(both.field("spaced").to_pylist(), np.bool_),
        both.field("units").to_numpy(zero_copy_only=False).astype(np.int32),
        _bytes(both.field("grams")),
        _bytes(both.field("letters")),
    )
    simhashes = both.field("simhash").to_numpy(zero_copy_only=False).view(np.uint64)
    lengths = both.field("length").to_numpy(zero_copy_only=False)
    screen = NearScreen(plan, sketched, simhashes, lengths)
    first = np.arange(count)
    shared, loose = (batch.column(name).to_numpy() for name in ("shared", "loose"))
    return screen.could_be_near(Candidates(first, first + count, shared, loose))


def _bytes(column: pa.Array) -> np.ndarray:
    """A row of bytes for each value."""
    values = b"".join(column.to_pylist())
    return np.frombuffer(values, np.uint8).reshape(len(column), -1)
