"""Two indices of one store through one session, with a text field and a plan of their own, and the
reasons for a verdict.

    python examples/several_indices.py STORE

STORE is a folder or the URL of an Elasticsearch server.
"""

from __future__ import annotations

import sys

from dupdex import (
    PLANS,
    Document,
    Index,
    IndexMeta,
    Location,
    Session,
    Subject,
    formula_lines,
)

FIRST = "本市地铁三号线今天早上因信号故障停运一个小时，地铁公司向乘客表示歉意，并安排公交接驳。"
SECOND = "本市地铁三号线今天早上因信号故障停运两个小时，地铁公司向乘客表示歉意，并安排公交接驳。"


def main(store: str) -> None:
    """Store one text in each index, look the other one up in both, and explain."""
    news = IndexMeta(text_fields=("content",), title_field="headline")
    with Session(Location(store)) as session:
        with Index.create(session, news, index="news") as index:
            index.add([Document("n1", body={"headline": "地铁停运", "content": FIRST})])
            index.refresh()
        with Index.create(session, plan=PLANS["characters"], index="comments") as index:
            index.add([Document("c1", SECOND)])
            index.refresh()
        for name in ("news", "comments"):
            index = Index.open(session, index=name)
            for match in index.lookup(SECOND).matches:
                print(f"{name}/{match.id}: {match.verdict}")
                for fact in match.facts_differ or ():
                    print(f"  differs: {fact}")
        with Index.open(session, index="news") as index:
            explained = index.explain(Subject(FIRST, "n1"), Subject(SECOND))
            print("; ".join(formula_lines(explained.formula)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: python examples/several_indices.py STORE", file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1])
