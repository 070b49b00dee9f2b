"""A corpus grouped without a store: rates and memory, beside other ways to group it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import mmh3
import orjson

from dupdex.corpus.corpus_groups import Work, fields_of, group_corpus
from dupdex.corpus.gathering import Wanted
from dupdex.scratch import scratch_folder
from indexer.grouping import Grouping
from indexer.model import Document
from mappings.plan import STANDARD
from scripts.benchmark.machine import installed
from scripts.benchmark.made_texts import random_numbers, sentences
from scripts.benchmark.measure import interleaved, timed
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Corpus, edited

_PAGES: Final = 17_400
_SHORT: Final = 300
_COPY: Final = 10
"""One text in so many is a light copy of the one before it."""

_SECONDS: Final = Target(most=8)
_RATIO: Final = Target(least=1)
_MINUTES: Final = Target(most=10)
_MEGABYTES: Final = Target(most=4_096)
_ENDS: Final = re.compile("[:：；？。！】\n]")
_COMMAND: Final = "from dupdex.cli import main; main()"
_ROOT: Final = Path(__file__).resolve().parent.parent.parent


def measure(setting: Setting) -> Section:
    section = Section("corpus", "A corpus grouped without a store")
    texts = [setting.corpus.text(number) for number in range(setting.size(_PAGES, 400))]
    documents = [Document(f"d{at:06}", text) for at, text in enumerate(texts)]
    # First, as in a program that does nothing else: memory that others have used is slower.
    section.lines.append(_against_longest(setting, documents, f"{len(texts):,} articles"))
    section.lines += _unlike_articles(setting, documents)
    runs: dict[str, Callable[[], object]] = {
        "all schemes, 2 processes": lambda: _group(documents, 2),
        "all schemes, 1 process": lambda: _group(documents, 1),
        _BY_KEYS: lambda: _by_sentences(documents),
        _LONGEST: lambda: _longest_sentences(texts),
    }
    if installed("datasketch"):
        runs[_DATASKETCH] = lambda: _datasketch(texts)
    else:
        section.notes.append("datasketch: not installed (pip install -e '.[bench]')")
    times = interleaved({name: timed(run) for name, run in runs.items()}, setting.size(3, 1))
    for name, each in times.items():
        more = {
            "best s": each.best,
            "docs/s": len(texts) / each.median,
            "CPU s of this process": min(each.cpu),
            "times as fast as the longest sentences": each.ratio_to(times[_LONGEST]),
        }
        target = _SECONDS if name == "all schemes, 2 processes" else None
        section.lines.append(Line(name, each.median, "s", target, more))
    section.lines += _short_texts(setting)
    section.notes.append(
        f"{len(texts):,} articles in memory; the longest sentences: five a text, hashed, whoever "
        "shares one is in one group (union-find), as nshash does; datasketch: 128 values of "
        "5-grams, LSH at .5, union-find; neither looks at the texts of a pair"
    )
    return section


_BY_KEYS: Final = "sentence keys alone"
_LONGEST: Final = "the five longest sentences and union-find"
_DATASKETCH: Final = "datasketch MinHashLSH and union-find"


def _against_longest(setting: Setting, documents: Sequence[Document], what: str) -> Line:
    """The two in turns."""
    texts = [document.text for document in documents]
    runs: dict[str, Callable[[], object]] = {
        _BY_KEYS: lambda: _by_sentences(documents),
        _LONGEST: lambda: _longest_sentences(texts),
    }
    times = interleaved({name: timed(run) for name, run in runs.items()}, setting.size(9, 1))
    name = f"{what}: {_BY_KEYS}, times as fast as the longest sentences"
    return Line(name, times[_BY_KEYS].ratio_to(times[_LONGEST]), "times", _RATIO)


def _unlike_articles(setting: Setting, documents: Sequence[Document]) -> Iterator[Line]:
    """The same of articles as they were written, where sentences were put together anew to have
    enough of them: then any sentence is in several articles, as it is in no newspaper."""
    count = setting.corpus.articles
    if count is None or count >= len(documents):
        return
    written = documents[:count]
    yield _against_longest(setting, written, f"{count:,} articles as they were written")


def _group(documents: Sequence[Document], workers: int) -> object:
    return _grouped(documents, Wanted(STANDARD, fields_of(STANDARD), Grouping()), workers)


def _by_sentences(documents: Sequence[Document]) -> object:
    fields = fields_of(STANDARD, ["sentences"])
    return _grouped(documents, Wanted(STANDARD, fields, Grouping(), shared=1), 1)


def _grouped(documents: Sequence[Document], wanted: Wanted, workers: int) -> object:
    with scratch_folder() as folder:
        return group_corpus(documents, wanted, Work(folder, workers), lambda _: None)


def _longest_sentences(texts: Sequence[str]) -> list[int]:
    first: dict[int, int] = {}
    united = _Union(len(texts))
    for at, text in enumerate(texts):
        parts = _ENDS.split(text)
        long = [part for part in parts if len(part) > 30] or parts
        long.sort(key=len, reverse=True)
        for part in long[:5]:
            united.join(at, first.setdefault(mmh3.hash64(part)[0], at))
    return united.labels()


def _datasketch(texts: Sequence[str]) -> list[int]:
    from datasketch import MinHash, MinHashLSH

    lsh, united = MinHashLSH(threshold=0.5, num_perm=128), _Union(len(texts))
    for at, text in enumerate(texts):
        signature = MinHash(num_perm=128)
        grams = {text[start : start + 5] for start in range(max(1, len(text) - 4))}
        signature.update_batch([gram.encode() for gram in grams])
        for other in lsh.query(signature):
            united.join(at, int(other))
        lsh.insert(str(at), signature)
    return united.labels()


class _Union:
    """Disjoint sets with path halving."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def find(self, node: int) -> int:
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def join(self, one: int, other: int) -> None:
        self._parent[self.find(one)] = self.find(other)

    def labels(self) -> list[int]:
        return [self.find(node) for node in range(len(self._parent))]


def _short_texts(setting: Setting) -> Iterable[Line]:
    """Time and memory of the command on a file of short texts."""
    count = setting.stored(1_000_000, 3_000)
    file = setting.folder / "short.jsonl"
    _write(setting.corpus, count, file)
    command = [sys.executable, "-c", _COMMAND, "group", str(file), "--json", "--workers", "2"]
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        report = orjson.loads(process.stdout.read())
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    seconds = time.perf_counter() - began
    more = {"docs/s": count / seconds, "copies found": report["copies"] / (count // _COPY)}
    name = f"{count:,} texts of {_SHORT} characters, 2 processes"
    target = _MINUTES if count == 1_000_000 else None
    yield Line(name, seconds / 60, "min", target, more)
    yield Line(f"{name}, largest process", used.ru_maxrss / 1_024, "MB", _MEGABYTES)
    file.unlink()


def _write(corpus: Corpus, count: int, file: Path) -> None:
    """Sentences of the corpus put together anew; one text in ten is a light copy."""
    parts = [part for at in range(5_000) for part in sentences(corpus.text(at))]
    text = ""
    with file.open("wb") as out:
        for number in range(count):
            if number % _COPY == _COPY - 1:
                text = edited(text, number)
            else:
                places = (random_numbers(number, _SHORT // 4) % len(parts)).tolist()
                text = ""
                while len(text) < _SHORT:
                    text += parts[places.pop()]
            line = {"id": f"d{number:07}", "text": text}
            out.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
