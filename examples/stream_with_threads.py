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
    (f"post-{number}", f"第{number}号帖子：{subject}的价格本月上涨了百分之{number}，请大家注意。")
    for number, subject in enumerate(("大米", "汽油", "机票", "房租", "鸡蛋", "煤气"), start=2)
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
            for said in pool.map(lambda post: take(index, part + post[0], post[1]), STREAM):
                print(said)
            index.refresh()


if __name__ == "__main__":
    main(sys.argv[1])
