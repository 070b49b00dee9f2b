"""Connected components of a graph in a few rounds, by large-star and small-star.

Kiveris et al., Connected Components in MapReduce and Beyond (2014): each round moves the neighbours
of a node to the least of them, until every component is one star. No task ever holds a component.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from dupdex.corpus.judged_pairs import connected
from dupdex.spark.spark_session import Stages

FEW: Final = 1_000_000
"""Edges of which the driver finds the components by itself, in less time than one round takes."""


def components(pairs: DataFrame, stages: Stages, few: int = FEW) -> DataFrame:
    """For each node (`node`) of pairs (`first`, `second`) the least node that it is connected with
    (`component`). `few`: up to so many pairs are looked at on the driver.
    """
    pairs = pairs.select("first", "second")
    if pairs.count() <= few:
        return _of_few(pairs)
    high, low = F.greatest("first", "second"), F.least("first", "second")
    edges = pairs.select(high.alias("high"), low.alias("low")).where("high > low").distinct()
    state, before, round_number = _State.of(edges), None, 0
    while state != before:
        before = state
        stage = f"components-{round_number % 2}"  # a stage is read while the next one is written
        edges = stages.kept(_small_star(_large_star(edges)), stage)
        state, round_number = _State.of(edges), round_number + 1
    roots = edges.select(F.col("low").alias("node"), F.col("low").alias("component"))
    leaves = edges.select(F.col("high").alias("node"), F.col("low").alias("component"))
    return leaves.union(roots).distinct()


def _of_few(pairs: DataFrame) -> DataFrame:
    table = pairs.toArrow()
    first, second = (table.column(name).to_numpy() for name in ("first", "second"))
    nodes, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    labels = connected(places[: len(first)], places[len(first) :], len(nodes))
    found = pa.table({"node": nodes, "component": nodes[labels]})
    return pairs.sparkSession.createDataFrame(found)


@dataclass(frozen=True, slots=True)
class _State:
    """What tells one set of edges from another."""

    edges: int
    digest: int

    @classmethod
    def of(cls, edges: DataFrame) -> _State:
        digest = F.bit_xor(F.xxhash64("high", "low"))
        row = edges.agg(F.count("*").alias("edges"), digest.alias("digest")).first()
        return cls(row["edges"], row["digest"] or 0)


def _large_star(edges: DataFrame) -> DataFrame:
    """Each node's larger neighbours go to the least of its neighbours and itself."""
    both = edges.select(F.col("high").alias("node"), F.col("low").alias("other")).union(
        edges.select(F.col("low").alias("node"), F.col("high").alias("other"))
    )
    least = both.groupBy("node").agg(F.min("other").alias("least"))
    least = least.select("node", F.least("node", "least").alias("least"))
    moved = both.where("other > node").join(least, "node")
    return moved.select(F.col("other").alias("high"), F.col("least").alias("low")).distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """Each node and its smaller neighbours go to the least of them."""
    least = edges.groupBy("high").agg(F.min("low").alias("least"))
    moved = edges.join(least, "high").where("low > least")
    moved = moved.select(F.col("low").alias("high"), F.col("least").alias("low"))
    return least.select("high", F.col("least").alias("low")).union(moved).distinct()
