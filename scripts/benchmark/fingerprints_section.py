"""Text to keys: each scheme alone, all together, on one core and on two, warm and cold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar
from unittest.mock import patch

from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.registry import REGISTRY
from indexer.model import Document
from indexer.pipeline import BATCH_CHARACTERS, BATCH_DOCUMENTS, to_records
from indexer.text import Prepared, Streams, prepare_all, segment
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.schemes import SCHEME_FIELDS
from scripts.benchmark.cold_section import cold_figures
from scripts.benchmark.measure import Times, interleaved, timed
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import comments

WITH_WORDS: Final = Target(least=1_500)
WITH_EVERY: Final = Target(least=1_200)
WITHOUT_WORDS: Final = Target(least=5_000)
EVERY_SCHEME: Final = replace(STANDARD, name="every", schemes=tuple(SCHEME_FIELDS))
_NEARLY_TWICE: Final = Target(least=1.7)

Scheme = Callable[[Prepared], object]
Work = Callable[[], object]
Item = TypeVar("Item")


class Texts:
    """Texts in the batches that the pipeline makes of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.batches = list(_batches(texts))
        self.count = len(texts)
        self.bytes = sum(len(text.encode("utf-8")) for text in texts)

    def line(self, name: str, times: Times, target: Target | None = None) -> Line:
        """Documents a second, by the median of the rounds."""
        more = {
            "MB/s": self.bytes / times.median / 1e6,
            "us/doc": times.median / self.count * 1e6,
            "best docs/s": self.count / times.best,
            "docs per CPU second": self.count / max(1e-9, sorted(times.cpu)[len(times.cpu) // 2]),
        }
        return Line(name, self.count / times.median, "docs/s", target, more)


def measure(setting: Setting) -> Section:
    section = Section("fingerprints", "Fingerprints: text to keys")
    texts = [setting.corpus.text(n) for n in range(setting.size(2_000, 500))]
    rounds = setting.size(7, 3)
    with on_one_core():
        _warm(texts)
        _alone(section, Texts(texts), rounds)
        _together(section, Texts(texts), rounds)
        _reference(section, Texts(texts[: setting.size(300, 60)]))
        _short(section, Texts(comments(setting.corpus, setting.size(20_000, 4_000))), rounds)
    _cold(section, texts[:1_000], setting)
    _processes(section, setting)
    section.notes += [
        f"{len(texts):,} articles in batches of about {BATCH_CHARACTERS:,} characters, as "
        "the pipeline makes them; one core: the process is bound to one where the system can",
        "warm: every word has been seen before; a scheme alone starts from prepared text, "
        "so add the preparation; those of words include the segmentation",
    ]
    return section


def _warm(texts: Sequence[str]) -> None:
    for plan in (STANDARD, CHARACTERS):
        for batch in _batches(texts):
            fingerprints_of(batch, plan)


def _alone(section: Section, texts: Texts, rounds: int) -> None:
    prepared = [_prepared(batch) for batch in texts.batches]
    cut = segment.segmenter(STANDARD)
    works: dict[str, Scheme] = {
        f"segmentation alone ({segment.backend(STANDARD.dictionary)})": lambda p: [
            cut(p.text(row)) for row in range(len(p))
        ],
        **_schemes(),
    }
    runs = {name: timed(_each(prepared, work)) for name, work in works.items()}
    runs = {"preparation alone": timed(_each(texts.batches, _prepared)), **runs}
    for name, times in interleaved(runs, rounds).items():
        section.lines.append(texts.line(name, times))


def _schemes() -> dict[str, Scheme]:
    """Prepared texts to the keys of one scheme, or to its values when it has none."""
    works = {name: _scheme(name, EVERY_SCHEME) for name in REGISTRY}
    works["simhash"], works["simhash, shingles"] = (
        _scheme("simhash", EVERY_SCHEME),
        _scheme("simhash", CHARACTERS),
    )
    return works


def _scheme(name: str, plan: Plan) -> Scheme:
    scheme = REGISTRY[name].make(plan)

    def work(prepared: Prepared) -> object:
        return scheme.terms(scheme.values(Streams(prepared, plan, False)))

    return work


def _together(section: Section, texts: Texts, rounds: int) -> None:
    runs = {
        "words": timed(_all(texts, STANDARD)),
        "no words": timed(_all(texts, CHARACTERS)),
        "every scheme": timed(_all(texts, EVERY_SCHEME)),
    }
    _all(texts, EVERY_SCHEME)()
    times = interleaved(runs, rounds)
    section.lines += [
        texts.line("all schemes with words, 1 core warm", times["words"], WITH_WORDS),
        texts.line("all schemes without words, 1 core warm", times["no words"], WITHOUT_WORDS),
        texts.line("every scheme with keys, 1 core warm", times["every scheme"], WITH_EVERY),
    ]


def _reference(section: Section, texts: Texts) -> None:
    """The same with jieba itself, which is much slower."""
    with patch.object(segment, "backend", lambda _: "jieba"):
        _all(texts, STANDARD)()
        cut = segment.segmenter(STANDARD)
        prepared = [_prepared(batch) for batch in texts.batches]
        alone = timed(_each(prepared, lambda p: [cut(p.text(row)) for row in range(len(p))]))
        times = interleaved({"alone": alone, "all": timed(_all(texts, STANDARD))}, 3)
    section.lines += [
        texts.line("segmentation alone (jieba)", times["alone"]),
        texts.line("all schemes with words (jieba), 1 core warm", times["all"]),
    ]


def _short(section: Section, texts: Texts, rounds: int) -> None:
    _all(texts, STANDARD)()
    runs = {
        "10-character comments with words, 1 core warm": timed(_all(texts, STANDARD)),
        "10-character comments without words, 1 core warm": timed(_all(texts, CHARACTERS)),
    }
    for name, times in interleaved(runs, rounds).items():
        section.lines.append(texts.line(name, times))


def _cold(section: Section, texts: Sequence[str], setting: Setting) -> None:
    size = Texts(texts)
    for plan, words in ((STANDARD, "with words"), (CHARACTERS, "without words")):
        seconds = cold_figures(texts, plan, setting.size(3, 1))
        begun, loaded = Times(seconds["loading"]), Times(seconds["documents"])
        both = [a + b for a, b in zip(begun.seconds, loaded.seconds, strict=True)]
        more = {
            "docs/s with loading": len(texts) / Times(both).median,
            "s importing": Times(seconds["importing"]).median,
            "s loading tables": begun.median,
            "MB/s": size.bytes / loaded.median / 1e6,
        }
        name = f"all schemes {words}, 1 core cold, first {len(texts):,} documents"
        section.lines.append(Line(name, len(texts) / loaded.median, "docs/s", None, more))


def _processes(section: Section, setting: Setting) -> None:
    """Through the pipeline, on one process and on two."""
    amount = setting.size(18_000, 1_000)
    for plan, name in ((STANDARD, "with words"), (CHARACTERS, "without words")):
        texts = [setting.corpus.text(n) for n in range(amount * (1 if plan is STANDARD else 2))]
        documents = [Document(f"{at}", text) for at, text in enumerate(texts)]
        size = Texts(texts)
        runs = {f"{workers}": timed(_consumed(documents, plan, workers)) for workers in (1, 2)}
        times = interleaved(runs, setting.size(4, 2))
        section.lines += [
            size.line(f"pipeline {name}, 1 process", times["1"]),
            size.line(f"pipeline {name}, 2 processes", times["2"]),
            Line(
                f"pipeline {name}, 2 processes against 1",
                times["2"].ratio_to(times["1"]),
                "times",
                _NEARLY_TWICE,
                {"best": times["2"].best_ratio_to(times["1"])},
            ),
        ]


def _consumed(documents: Sequence[Document], plan: Plan, workers: int) -> Work:
    return lambda: sum(1 for _ in to_records(documents, plan, workers))


def _all(texts: Texts, plan: Plan) -> Work:
    return lambda: [fingerprints_of(batch, plan) for batch in texts.batches]


def _each(items: Sequence[Item], work: Callable[[Item], object]) -> Work:
    return lambda: [work(item) for item in items]


def _prepared(batch: Sequence[str]) -> Prepared:
    """Prepared texts, with the views of them that every scheme reads."""
    prepared = prepare_all(batch, STANDARD)
    _ = prepared.kinds, prepared.places, prepared.folded.lengths
    return prepared


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (size + len(text) > BATCH_CHARACTERS or len(batch) >= BATCH_DOCUMENTS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep every thread of the process on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    _bind({max(allowed)})
    try:
        yield
    finally:
        _bind(allowed)


def _bind(cores: set[int]) -> None:
    """Also the threads that a linear algebra library has started by now."""
    tasks = Path("/proc/self/task")
    for thread in [int(path.name) for path in tasks.iterdir()] if tasks.exists() else [0]:
        with suppress(ProcessLookupError):
            os.sched_setaffinity(thread, cores)
