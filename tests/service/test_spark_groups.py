"""The Spark job on a local Spark: the same groups as without it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from dupdex.corpus.corpus_groups import Work, fields_of, group_corpus
from dupdex.corpus.gathering import Wanted
from dupdex.groups.partition import component
from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from dupdex.spark.components import components
from dupdex.spark.corpus_lines import FileCorpus
from dupdex.spark.corpus_rows import PLACE, Reading, corpus_rows
from dupdex.spark.index_lines import (
    ID,
    check_writable,
    lines_of_index,
    write_groups,
)
from dupdex.spark.spark_job import SparkGroups, group_lines
from dupdex.spark.spark_session import Stages, spark_session
from dupdex.spark.star_groups import groups_in
from dupdex.wire.forms import DIGITS
from indexer.grouping import Grouping, Policy
from indexer.meta import IndexMeta
from indexer.model import Document, Ref
from indexer.sources import read
from indexer.sources.options import ReadOptions
from indexer.stores.elastic.client import ElasticSettings
from mappings.errors import InputRefused, NotFound
from query.stores.elastic.slices import moment_of
from tests.command import run, write_lines
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, ORCHARD, TEA

pytestmark = pytest.mark.filterwarnings("default")  # those of Spark and of its Python side


OPTIONS = ReadOptions(format="jsonl")
LONGEST = Grouping(Policy.LONGEST)
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # as for the other compiler
FEW = {
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",  # compiling takes longer than what it is for
    "spark.driver.extraJavaOptions": JAVA,
}


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with spark_session("local[2]", "1g", FEW) as session:
        session.sparkContext.setLogLevel("ERROR")
        yield session


def changed(text: str, chance: random.Random) -> str:
    """The text with a tenth of its characters swapped for others of it, or a part cut off."""
    if chance.random() < 0.3:
        return text[: int(len(text) * chance.uniform(0.6, 0.95))]
    letters = list(text)
    for _ in range(len(text) // 25):
        letters[chance.randrange(len(text))] = chance.choice(text)
    return "".join(letters)


def documents() -> list[dict[str, str]]:
    """Copies of a few texts, exact and near; fillings of one form; texts that stand alone; and a
    sentence in more texts than a key may be in."""
    chance = random.Random(7)
    originals = (METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA, LIBRARY, ORCHARD)
    texts = [text for text in originals for _ in range(2)]
    texts += [changed(chance.choice(originals), chance) for _ in range(40)]
    texts += [
        f"今日天气预报：{city}，多云，气温{low}到{low + 9}度，东北风{low % 5}级，"
        f"湿度百分之{40 + low}，空气质量良好，请市民注意添减衣物，出行安全，明天{city}继续多云。"
        for low, city in enumerate(
            [
                "云溪",
                "南湖",
                "北岭",
                "东港",
                "西山",
                "长宁",
                "海州",
                "平川",
                "安远",
                "永丰",
                "和田",
                "宁海",
            ]
        )
    ]
    texts += [
        "丨".join(TEA),
        "".join(f"&#{ord(each)};" for each in ORCHARD),
        f"\u202e{METRO[::-1]}",
    ]
    shared = "本网站所有内容均来自合作媒体的公开报道，转载请注明出处并保留原文链接。"
    words = [chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(2_000)]
    texts += ["".join(chance.choices(words, k=40)) + shared for _ in range(320)]
    chance.shuffle(texts)
    return [
        {"id": f"d{chance.randrange(10**6)}-{at}", "text": text} for at, text in enumerate(texts)
    ]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    path.write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in documents()))
    return path


def reading(grouping: Grouping) -> Reading:
    return Reading(OPTIONS, fields_of(OPTIONS.meta.plan), grouping)


def as_dicts(found: SparkGroups) -> dict[str, tuple[str, frozenset[tuple[str, float, str]]]]:
    rows = (row.asDict(recursive=True) for row in found.groups.collect())
    return {
        row["group"]: (
            row["canonical"],
            frozenset((m["id"], m["similarity"], m["verdict"]) for m in row["members"]),
        )
        for row in rows
    }


def without_spark(path: Path, folder: Path, grouping: Grouping) -> tuple[Any, list[str]]:
    wanted = Wanted(OPTIONS.meta.plan, fields_of(OPTIONS.meta.plan), grouping)
    found = group_corpus(read(str(path), OPTIONS), wanted, Work(folder), lambda _: None)  # type: ignore[arg-type]
    groups = {
        each.group: (
            each.canonical,
            frozenset((m.id, round(m.similarity, DIGITS), m.verdict.value) for m in each.members),
        )
        for each in found.groups
    }
    return groups, [found.corpus.ids[at] for at in found.kept.tolist()]


def test_the_groups_are_those_without_spark(session: Any, corpus: Path, tmp_path: Path) -> None:
    files = FileCorpus(session, [str(corpus)])
    stages = Stages(session, str(tmp_path / "stages"))
    found = group_lines(files.lines(reading(Grouping())), reading(Grouping()), stages)
    groups, kept = without_spark(corpus, tmp_path, Grouping())
    assert as_dicts(found) == groups
    assert found.report.groups == len(groups) >= 4
    assert found.report.frequent_keys > 0
    assert 0 < found.report.bytes_saved < found.report.bytes
    assert found.refused == 0
    files.write(found.kept(), found.lines, str(tmp_path / "kept"))
    lines = b"".join(path.read_bytes() for path in sorted((tmp_path / "kept").glob("part-*")))
    assert [orjson.loads(line)["id"] for line in lines.splitlines()] == kept
    found.write(str(tmp_path / "groups"), "json")
    with pytest.raises(InputRefused, match="is there already"):
        found.write(str(tmp_path / "groups"), "json")


def test_parquet(session: Any, corpus: Path, tmp_path: Path) -> None:
    """The same documents as from lines, and the same columns again for those that are kept."""
    table = str(tmp_path / "corpus.parquet")
    session.read.json(str(corpus)).coalesce(1).write.parquet(table)
    files = FileCorpus(session, [table])
    lines = files.lines(reading(LONGEST))
    rows = {row["id"]: row for row in corpus_rows(lines, reading(LONGEST)).collect()}
    assert {name: row["text"] for name, row in rows.items()} == {
        each["id"]: each["text"] for each in documents()
    }
    kept = sorted(rows)[::3]
    places = session.createDataFrame([(rows[name]["place"],) for name in kept], f"place {PLACE}")
    files.write(places, lines, str(tmp_path / "kept"))
    written = session.read.parquet(str(tmp_path / "kept")).collect()
    assert sorted(row["id"] for row in written) == kept


def test_another_policy() -> None:
    """Which document stands for a group is decided where stars are made, in Python."""
    place = {"part": "a", "start": 0, "at": 0}
    texts = ((1, "b", 40, 0), (2, "c", 90, 1), (2, "a", 90, 2))
    rows = [
        {"node": node, "size": 1 + (node == 2), "id": name, "length": length, "value": None,
         "place": {**place, "at": at}}
        for node, name, length, at in texts
    ]  # fmt: skip
    pairs = [{"first": 1, "second": 2, "similarity": 0.9}]
    (group,) = groups_in(rows, pairs, LONGEST)
    assert (group["canonical"], group["size"]) == ("c", 3)
    (group,) = groups_in(rows, pairs, Grouping())
    assert group["canonical"] == "b"


@pytest.mark.parametrize("empty", [False, True])
def test_components(session: Any, tmp_path: Path, empty: bool) -> None:
    chance = random.Random(3)
    pairs = [(at, at + 1) for at in range(30)]
    pairs += [(100, at) for at in range(101, 140)]
    pairs += [(200 + chance.randrange(80), 280 + chance.randrange(80)) for _ in range(70)]
    pairs = [] if empty else pairs
    neighbours: dict[int, set[int]] = {}
    for one, other in pairs:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    frame = session.createDataFrame(pairs, "first bigint, second bigint")
    wanted = {node: min(component([node], neighbours)) for node in neighbours}
    for few in (0, 1_000):
        rows = components(frame, Stages(session, str(tmp_path)), few).collect()
        assert {row["node"]: row["component"] for row in rows} == wanted
        assert len(rows) == len(wanted)


def test_what_is_not_there_is_said(session: Any, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file"):
        FileCorpus(session, [str(tmp_path / "absent.jsonl")])


def test_an_index(session: Any, settings: ElasticSettings, tmp_path: Path) -> None:
    where = Location(settings.url, settings.index)
    texts = {
        "b": METRO,
        "a": METRO,
        "c": METRO_HOMOPHONES,
        "d": TEA,
        "e": TEA + "完。",
        "f": ORCHARD,
    }
    with Index.create(where) as index:
        index.add([Document(name, text) for name, text in texts.items()])
    check_writable(where)
    of_index = replace(reading(Grouping()), options=ReadOptions("jsonl", id_field=ID))
    with moment_of(where.elastic) as moment:
        lines = lines_of_index(session, where, moment, 2)
        found = group_lines(lines, of_index, Stages(session, str(tmp_path)))
    assert found.report.documents == len(texts)
    assert write_groups(found, where) == 3  # the others are in groups of their own ids
    with Session(where) as opened:
        standings = opened.reader().standings([Ref("", name) for name in texts])
    groups = {ref.id: standing.group for ref, standing in standings.items()}
    assert groups == {"a": "a", "b": "a", "c": "a", "d": "d", "e": "d", "f": "f"}


def test_an_index_that_keeps_groups_is_left_to_it(settings: ElasticSettings) -> None:
    where = Location(settings.url, settings.index)
    with Session(where) as opened:
        opened.writer(meta=IndexMeta(grouping=Grouping())).close()
    with pytest.raises(InputRefused, match="keeps groups of its own"):
        check_writable(where)


def test_the_command(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"id": str(at), "text": text} for at, text in enumerate((METRO, TEA, METRO))
    ]
    write_lines(tmp_path / "news.jsonl", [*lines, {"id": "empty", "text": ""}])
    done = run(
        "spark-group", "news.jsonl", "--write", "groups", "--json", "--master", "local[2]",
        folder=tmp_path, JDK_JAVA_OPTIONS=JAVA,
    )  # fmt: skip
    assert done.status == 1, done
    report = orjson.loads(done.out.splitlines()[-1])
    assert (report["documents"], report["groups"], report["refused"]) == (3, 1, 1)
    assert "empty: not read: " in done.err
    groups = b"".join(path.read_bytes() for path in (tmp_path / "groups").glob("part-*"))
    assert orjson.loads(groups)["canonical"] == "0"
