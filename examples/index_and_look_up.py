"""Index a few texts in a folder, then ask which of them a new text copies.

    python examples/index_and_look_up.py FOLDER

The folder is made when it is absent and holds the whole index. Run it twice: documents of the same
id are overwritten, not doubled.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dupdex import Document, Index, Location, Status

NEWS = {
    "bridge": "云溪市北岸的白鹭大桥昨天上午正式通车。全长一千二百米的大桥连接老城区和高新区，"
    "市民过江的时间由四十分钟缩短到十分钟。",
    "weather": "气象台今天发布暴雨蓝色预警，预计今天下午到夜间大部分地区将出现强降雨，"
    "请市民减少外出，注意防范城市内涝。",
}
COPY = (
    "白鹭大桥正式通车了！全长一千二百米的大桥连接老城区和高新区，市民过江的时间由四十分钟"
    "缩短到十分钟。"
)


def main(folder: Path) -> None:
    """Store NEWS, then print what COPY is to each of them."""
    with Index.create(Location(folder)) as index:
        for outcome in index.add(Document(name, text) for name, text in NEWS.items()):
            if outcome.status is Status.REJECTED:
                print(f"{outcome.document.id} was not stored: {outcome.reason}")
        index.refresh()  # new documents show in lookups from here on
        answer = index.lookup(COPY)
        for match in answer.matches:
            print(f"{match.id}: {match.verdict}, {match.similarity:.2f}")
        if not answer.matches:
            print("no duplicate")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: python examples/index_and_look_up.py FOLDER", file=sys.stderr)
        sys.exit(2)
    main(Path(sys.argv[1]))
