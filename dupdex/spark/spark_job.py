"""The whole job: from lines to groups, a stage at a time.

lines -> rows with keys -> nodes -> pairs that share a key -> near duplicates -> components -> stars
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812

from dupdex.corpus.corpus_groups import CorpusReport
from dupdex.spark.components import components
from dupdex.spark.corpus_lines import written
from dupdex.spark.corpus_rows import Reading, corpus_rows
from dupdex.spark.judged_runs import form_pairs, judged
from dupdex.spark.key_pairs import Keys, key_pairs, screened
from dupdex.spark.spark_session import Stages
from dupdex.spark.star_groups import BUCKET_EDGES, star_groups

Told = Callable[[str], object]
"""Is given the name of each stage as it begins."""

_SKETCHED: Final = ("length", "simhash", "spaced", "units", "grams", "letters", "keys")
_LARGEST: Final = 10
_EXAMPLES: Final = 20


@dataclass(frozen=True, slots=True)
class SparkGroups:
    """Groups (see `star_groups.GROUPS`), the lines and rows of all documents (`corpus_rows.LINES`
    and `ROWS`), and what was done. `refused`: documents and lines that could not be read or
    compared, with `examples`: where, and why.
    """

    groups: DataFrame
    lines: DataFrame
    rows: DataFrame
    report: CorpusReport
    refused: int
    examples: list[tuple[str, str]]

    def write(self, path: str, kind: str) -> None:
        """Write the groups in their order, as a folder of "json" or "parquet". Raises InputRefused
        for a path that there is.
        """
        member = "m -> struct(m.id as id, m.similarity as similarity, m.verdict as verdict)"
        members = F.expr(f"transform(members, {member})").alias("members")
        ordered = self.groups.orderBy("place").select("group", "canonical", "size", members)
        written(ordered, kind, path)

    def kept(self) -> DataFrame:
        """The places of the documents that are left without the copies."""
        every = self.rows.where("refused is null").select("place")
        return every.join(_copies(self.groups), "place", "left_anti")


def group_lines(
    lines: DataFrame, reading: Reading, stages: Stages, told: Told = lambda _: None
) -> SparkGroups:
    """Group the documents of LINES by near duplicates, by the rules of `dupdex group`."""
    told("reading")
    lines = stages.kept(lines, "lines")
    rows = stages.kept(corpus_rows(lines, reading), "rows")
    documents = rows.where("refused is null")
    report = CorpusReport()
    nodes = stages.kept(_nodes(documents), "nodes")
    edges = _edges(documents, nodes, reading, stages, report, told)
    told("grouping")
    near = edges.count()
    by_hash = nodes.select("node", "size", "length", "text_hash")
    columns = ("node", "size", "length", "id", "place", "value")
    members = documents.select("text_hash", "id", "place", "value").join(by_hash, "text_hash")
    groups = star_groups(
        edges,
        members.select(*columns),
        components(edges, stages),
        reading.grouping,
        max(near // BUCKET_EDGES, 4 * stages.session.sparkContext.defaultParallelism),
    )
    groups = stages.kept(groups, "groups")
    report.near = near
    _count(report, groups, rows, nodes)
    bad = rows.where("refused is not null")
    listed = bad.select("place.part", "id", "refused").limit(_EXAMPLES).collect()
    examples = [(row["id"] or row["part"], row["refused"]) for row in listed]
    return SparkGroups(groups, lines, rows, report, bad.count() if listed else 0, examples)


def _copies(groups: DataFrame) -> DataFrame:
    """The places of the members beside the canonical ones."""
    members = groups.select("kept", F.explode("members").alias("member"))
    return members.where("member.place != kept").select("member.place")


def _nodes(documents: DataFrame) -> DataFrame:
    """The different texts, numbered in the order of the least ids that have them: `size`, how many
    documents have it; `head`, the place of the first of these, whose values and text it has.
    """
    nodes = documents.groupBy("text_hash").agg(
        F.count("*").alias("size"),
        F.min(F.struct("id", "place")).alias("least"),
        F.min("place").alias("head"),
        F.min_by(F.struct(*_SKETCHED), "place").alias("values"),
    )
    node = F.monotonically_increasing_id().alias("node")
    return nodes.orderBy("least").select(node, "text_hash", "size", "head", "values.*")


def _edges(
    documents: DataFrame,
    nodes: DataFrame,
    reading: Reading,
    stages: Stages,
    report: CorpusReport,
    told: Told,
) -> DataFrame:
    """The pairs of nodes that are near duplicates and no fillings of one form."""
    told("joining keys")
    keys = Keys.of(nodes)
    keys = Keys(keys.entries, stages.kept(keys.counts, "counts"))
    seen = Observation()
    pairs = key_pairs(keys, reading.plan).observe(seen, F.count("*").alias("pairs"))
    pairs = stages.kept(screened(pairs, nodes, reading.plan), "pairs")
    hot = F.col("texts") > reading.plan.thresholds.hot
    report.frequent_keys = keys.counts.where(hot).count()
    report.candidates, report.judged = seen.get["pairs"], pairs.count()
    told("comparing")
    texts = stages.kept(_texts(documents, nodes, pairs), "texts")
    matches = stages.kept(judged(pairs, texts, reading), "matches")
    told("looking for forms")
    forms = stages.kept(form_pairs(matches, texts, keys, reading), "forms")
    near = matches.where("not partial")
    edges = stages.kept(near.join(forms, ["first", "second"], "left_anti"), "edges")
    report.templates = near.join(forms, ["first", "second"], "left_semi").count()
    return edges


def _texts(documents: DataFrame, nodes: DataFrame, pairs: DataFrame) -> DataFrame:
    """The texts of the nodes of pairs."""
    needed = pairs.select(F.col("first").alias("node")).union(pairs.select("second")).distinct()
    heads = nodes.join(needed, "node", "left_semi").select("node", "text_hash", "head")
    at_head = (documents["text_hash"] == heads["text_hash"]) & (documents["place"] == heads["head"])
    return documents.join(heads, at_head).select("node", "text")


def _count(report: CorpusReport, groups: DataFrame, rows: DataFrame, nodes: DataFrame) -> None:
    total = F.count("*").alias("documents"), F.sum("bytes").alias("bytes")
    read = rows.where("refused is null").agg(*total).first()
    made = groups.agg(F.count("*").alias("groups"), F.sum("size").alias("members")).first()
    report.documents, report.bytes = read["documents"], read["bytes"] or 0
    saved = rows.join(_copies(groups), "place", "left_semi").agg(F.sum("bytes")).first()
    report.groups, report.bytes_saved = made["groups"], saved[0] or 0
    report.copies = (made["members"] or 0) - made["groups"]
    report.exact = report.documents - nodes.count()
    by_size = groups.orderBy(F.desc("size"), "group").limit(_LARGEST).collect()
    report.largest = [(row["group"], row["size"]) for row in by_size]
