"""A service that takes texts from many threads and stores those that are new.

    python examples/stream_with_threads.py STORE

STORE is a folder or the URL of an Elasticsearch server. The threads share one Index. Two copies
that arrive at the same moment may both be stored: a document shows in lookups after a refresh.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from dupdex import Document, Index, InputRefused, Location, Verdict

STREAM = [
    ("bridge", "白鹭大桥昨天上午正式通车，老城区的居民过江只要十分钟。"),
    ("rain", "气象台发布暴雨蓝色预警，请市民减少外出，注意防范内涝。"),
    ("metro", "地铁三号线早高峰因信号故障停运，公司已安排公交车接驳。"),
    ("library", "新图书馆下周开放，读者凭身份证就可以免费办理借书卡。"),
    ("market", "农贸市场的鸡蛋每斤便宜了五毛钱，摊主说是因为天气转凉。"),
    ("school", "第二小学的学生在操场上种了三十棵银杏，每班照看两棵。"),
]


def take(index: Index, name: str, text: str) -> str:
    """Store a text unless it is a copy; returns what was done with it."""
    try:
        copies = [m.id for m in index.lookup(text).matches if m.verdict is not Verdict.PARTIAL]
    except InputRefused as error:  # an empty text, say: no fault of the store
        return f"{name}: refused, {error}"
    if copies:
        return f"{name}: a copy of {copies[0]}"
    (outcome,) = index.add([Document(name, text)])
    return f"{name}: {outcome.status}"


def main(store: str) -> None:
    """Send STREAM twice; the second time everything is a copy."""
    with Index.create(Location(store, "posts")) as index, ThreadPoolExecutor(4) as pool:
        for part in ("", "again-"):
            posts = [(part + name, text) for name, text in STREAM]
            for said in pool.map(lambda post: take(index, *post), posts):
                print(said)
            index.refresh()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: python examples/stream_with_threads.py STORE", file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1])
