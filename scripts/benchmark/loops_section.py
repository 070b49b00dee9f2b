"""The compiled loops beside NumPy: the same work in processes that have them and that do not.

`python -m scripts.benchmark.loops_section` reads texts as JSON and prints milliseconds as JSON.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import orjson

from dupdex.index import Index
from dupdex.location import Location
from indexer.fingerprints import fingerprint_of
from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.text.kernels import compiled
from mappings.plan import STANDARD
from query.answers import Ref
from query.pair import PairJudge
from query.questions import Question
from scripts.benchmark.measure import percentile, settled
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Recombined, edited

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_TOGETHER: Final = 20
_BATCH: Final = 50
_KINDS: Final = {"about 300": "300 characters", "articles": "1,400 characters"}

_SINGLE: Final = "fingerprint of a single text of about {}"
_JUDGED: Final = f"{_TOGETHER} texts of about {{}} judged in memory"
_LOOKUP: Final = "lookup in a folder of {}"
_TARGETS: Final = {
    _SINGLE.format("1,400 characters"): Target(most=0.8),
    _JUDGED.format("300 characters"): Target(most=1.5),
    _JUDGED.format("1,400 characters"): Target(most=4.0),
}


def measure(setting: Setting) -> Section:
    section = Section("loops", "The compiled loops, beside the same in NumPy")
    count = setting.size(2_000, 100)
    short = Recombined(setting.corpus)
    texts = {
        "about 300": [short.text(number) for number in range(count)],
        "articles": [setting.corpus.text(number) for number in range(count)],
    }
    found: dict[str, dict[str, list[float]]] = {"1": {}, "0": {}}
    for _ in range(setting.size(3, 1)):
        for native, figures in found.items():
            for name, milliseconds in _in_a_process(native, texts).items():
                figures.setdefault(name, []).append(milliseconds)
    for name, measured in found["1"].items():
        with_them, without = median(measured), median(found["0"][name])
        more = {"in NumPy ms": without, "times as fast": without / with_them}
        section.lines.append(Line(name, with_them, "ms", _TARGETS.get(name), more))
    section.notes.append(
        f"{count:,} texts of each kind; medians of processes with and without the compiled loops "
        "in turns, each of which takes the median of its own times (of batches the mean); half of "
        "the texts looked up are light copies of stored ones; judging prepares what is stored, too"
    )
    return section


def _in_a_process(native: str, texts: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Milliseconds by what was done."""
    done = subprocess.run(
        [sys.executable, "-m", "scripts.benchmark.loops_section"],
        input=orjson.dumps(texts),
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        env={**os.environ, "DUPDEX_NATIVE": native},
        check=True,
    )
    answer = orjson.loads(done.stdout)
    if answer["compiled"] != (native == "1"):
        raise RuntimeError("the compiled loops are not installed: pip install -e .")
    figures: dict[str, float] = answer["milliseconds"]
    return figures


def _main() -> dict[str, object]:
    texts: dict[str, list[str]] = orjson.loads(sys.stdin.buffer.read())
    figures: dict[str, float] = {}
    for kind, size in _KINDS.items():
        figures[_SINGLE.format(size)] = _timed(texts[kind], _fingerprint)
        groups = [texts[kind][at : at + _TOGETHER] for at in range(0, len(texts[kind]), _TOGETHER)]
        figures[_JUDGED.format(size)] = _judging(groups)
        figures |= _lookups(texts[kind], size)
    return {"compiled": compiled is not None, "milliseconds": figures}


def _fingerprint(text: str) -> object:
    return fingerprint_of(text, STANDARD)


def _timed(items: Sequence[str], work: Callable[[str], object]) -> float:
    """The median of the milliseconds that each takes, after a tenth of them."""
    seconds = []
    for item in (*items[: len(items) // 10], *items):
        began = time.perf_counter()
        work(item)
        seconds.append(time.perf_counter() - began)
    return percentile(seconds[len(items) // 10 :], 0.5) * 1e3


def _judging(groups: Sequence[Sequence[str]]) -> float:
    judge, seconds = PairJudge(STANDARD), []
    for number, stored in enumerate(groups):
        prints = [fingerprint_of(text, STANDARD) for text in stored]
        (asked,) = judge.read([edited(stored[0], number)])
        began = time.perf_counter()
        read = judge.read(stored, prints)
        judge.matches(asked, [(text, Ref("", str(at)), {}) for at, text in enumerate(read)])
        seconds.append(time.perf_counter() - began)
    return percentile(seconds, 0.5) * 1e3


def _lookups(texts: Sequence[str], size: str) -> dict[str, float]:
    """Every second text is stored, and looked up as a light copy; the others are not stored."""
    stored = [Document(str(at), text, {"text": text}) for at, text in enumerate(texts[::2])]
    asked = [edited(text, at) if at % 2 == 0 else text for at, text in enumerate(texts)]
    with (
        tempfile.TemporaryDirectory(prefix="dupdex-bench-") as folder,
        Index.create(Location(store=folder), IndexMeta(STANDARD)) as index,
        settled(),
    ):
        list(index.add(stored))
        single = _timed(asked, index.lookup)
        began = time.perf_counter()
        for at in range(0, len(asked), _BATCH):
            index.lookup_all([Question(text) for text in asked[at : at + _BATCH]])
        batch = (time.perf_counter() - began) / len(asked) * 1e3
    name = _LOOKUP.format(f"{len(stored):,} texts of about {size}")
    return {name: single, f"{name}, in batches of {_BATCH}": batch}


if __name__ == "__main__":
    sys.stdout.buffer.write(orjson.dumps(_main()))
