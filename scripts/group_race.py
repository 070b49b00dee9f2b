"""Posts one text and near copies of it from several processes at the same moment, and looks at the
group that comes of it; prints what grouping costs.

    python -m scripts.group_race --store http://localhost:9200 --rounds 200
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from dupdex.groups.group_store import GroupStore
from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document
from mappings.collections import collection_index
from mappings.index_body import template_name
from mappings.records import GROUPS, RECORDS

PROCESSES = 4
SENTENCES = (
    "市图书馆从下个月起延长开放时间，每天早上八点开门，晚上十点关门，周末也不例外。",
    "馆长说，去年读者提出的意见里，有三成希望晚上能多看一会儿书。",
    "为此馆里新招了十二名员工，并且把三楼的自习室重新装修了一遍。",
    "新的自习室有二百四十个座位，每个座位都有台灯和插座，可以提前一天在网上预订。",
    "儿童阅览区仍然在下午六点关闭，家长可以带着孩子到一楼的咖啡厅等候。",
)


@dataclass(frozen=True, slots=True)
class Round:
    """What came of one race. `groups`: how many groups the copies are in; `records`: of groups with
    a canonical member; `seconds`: all posts took."""

    groups: int
    records: int
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether there is one group, of all copies, with one canonical member."""
        return (self.groups, self.records) == (1, 1)


def texts(seed: int, copies: int) -> list[str]:
    """One text, and near copies of it: a sentence of each second one has another word order."""
    choose = random.Random(seed)
    name = f"第{seed}次公告。"
    out = []
    for number in range(copies):
        sentences = list(SENTENCES)
        if number % 2:
            at = choose.randrange(len(sentences))
            head, _, tail = sentences[at].partition("，")
            sentences[at] = f"{tail.rstrip('。')}，{head}。"
        out.append(name + "".join(sentences))
    choose.shuffle(out)
    return out


@contextmanager
def new_index(location: Location, grouping: Grouping | None) -> Iterator[Session]:
    """An index of its own, which is removed at the end."""
    with Session(location) as session:
        Index.create(session, grouping=grouping).close()
        try:
            yield session
        finally:
            if location.is_server:
                names = [collection_index(location.index, each) for each in RECORDS]
                indices = session._connected().indices
                indices.delete(index=[location.index, *names], ignore_unavailable=True)
                indices.delete_index_template(name=template_name(location.index))


def race(
    location: Location, seed: int, copies: int, grouping: Grouping | None, threads: int = 1
) -> Round:
    """Post all copies at once, each by itself, from so many threads of each process."""
    posts = texts(seed, copies)
    context = get_context("spawn")
    barrier = context.Barrier(PROCESSES + 1)
    with new_index(location, grouping) as session:
        workers = [
            context.Process(
                target=_post, args=(location, at, posts[at::PROCESSES], barrier, threads)
            )
            for at in range(PROCESSES)
        ]
        for worker in workers:
            worker.start()
        barrier.wait()
        begun = time.perf_counter()
        for worker in workers:
            worker.join()
        seconds = time.perf_counter() - begun
        if any(worker.exitcode for worker in workers):
            raise RuntimeError("a process that posted has failed")
        reader = session.reader()
        with Index.create(session) as index:
            index.refresh()
        groups = {standing.group for _, standing in reader.all_standings()}
        stored = session.stored_collection(GROUPS)
        records = GroupStore(stored).everything().values() if stored else ()
        large = [record for record in records if record.size == copies and record.canonical]
        return Round(len(groups), len(large), seconds)


def _post(
    location: Location, number: int, posts: Sequence[str], barrier: Any, threads: int
) -> None:
    documents = [Document(f"{number}-{at}", text) for at, text in enumerate(posts)]
    with Session(location) as session, ThreadPoolExecutor(threads) as pool:
        indices = [Index.create(session) for _ in range(threads)]
        barrier.wait()
        list(pool.map(_post_each, indices, (documents[at::threads] for at in range(threads))))


def _post_each(index: Index, documents: Sequence[Document]) -> None:
    with index:
        for document in documents:
            index.add([document])


def main(arguments: Sequence[str] | None = None) -> int:
    """Race, and print the figures; 1 when a race had a wrong result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1, help="of each process")
    given = parser.parse_args(arguments)
    wrong, times, plain = 0, [], []
    for seed in range(given.rounds):
        location = Location(given.store, f"race-{uuid.uuid4().hex[:8]}")
        done = race(location, seed, given.copies, Grouping(live=True), given.threads)
        times.append(done.seconds)
        if not done.is_right:
            wrong += 1
            print(f"round {seed}: {done.groups} groups, {done.records} records")
        if (seed + 1) % 20 == 0:  # two hundred take half an hour
            print(f"{seed + 1} of {given.rounds} races, {wrong} wrong", file=sys.stderr, flush=True)
        if seed < 5:
            plain.append(race(location, seed, given.copies, None, given.threads).seconds)
    grouped, without = (1_000 * statistics.median(each) / given.copies for each in (times, plain))
    print(
        f"{given.rounds} races of {given.copies} posts by {PROCESSES} processes of "
        f"{given.threads} threads: {wrong} wrong; "
        f"{grouped:.0f} ms a post, {without:.0f} ms without "
        f"groups ({grouped / without:.1f} times as long)"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
