"""Make the shipped corpus statistics: run once per version.

    python -m scripts.make_statistics --version 1

The words and their counts are those of jieba's dict.txt (MIT licence), about sixty million words
of Chinese news and prose. It says how often a word comes, not in how many documents, so that is
expected by a Poisson model: a document of 700 words holds a word of frequency f with probability
1 - exp(-700 f). The initials are those of the words, by count, under the code-point table.
The result, `indexer/text/data/statistics-<version>.json`, is committed.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import jieba
import numpy as np

from indexer.text import prepare_all
from indexer.text.corpus_statistics import file_name, from_bytes, to_bytes
from indexer.text.initials import SILENT, initial_rows
from indexer.text.segment import DICTIONARIES
from indexer.text.table import OTHER
from mappings.plan import STANDARD, TABLE_STEPS

HERE = Path(__file__).resolve().parent.parent / "indexer" / "text" / "data"

LITERAL = replace(STANDARD, steps=TABLE_STEPS)
"""Statistics count words as they are: making skeletons would take half of the time."""

WORDS_PER_DOCUMENT = 700
MOST_WORDS = 60_000


def counts() -> Counter[str]:
    """How often each word comes, in the form words have in prepared text."""
    content = (Path(jieba.__file__).parent / "dict.txt").read_bytes()
    if hashlib.sha256(content).hexdigest() != DICTIONARIES[STANDARD.dictionary]:
        raise SystemExit(f"another dictionary than {STANDARD.dictionary} is installed")
    rows = [line.split(" ") for line in content.decode("utf-8").splitlines()]
    prepared = prepare_all([row[0] for row in rows], LITERAL)
    out: Counter[str] = Counter()
    for row, (_, count, *_) in enumerate(rows):
        word = prepared.text(row).strip()
        if word and prepared.table.kind[ord(word[0])] != OTHER:
            out[word] += int(count)
    return out


def document_frequencies(words: Mapping[str, int]) -> tuple[int, dict[str, int]]:
    """The documents these counts would come from, and how many of them hold each word."""
    total = sum(words.values())
    documents = total // WORDS_PER_DOCUMENT
    ranked = sorted(words.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST_WORDS]
    expected = {
        word: round(documents * -math.expm1(-WORDS_PER_DOCUMENT * count / total))
        for word, count in ranked
    }
    return documents, expected


def initials(words: Mapping[str, int]) -> list[int]:
    """How often each initial comes, the silent ones last."""
    rows = initial_rows(prepare_all(list(words), LITERAL))
    weights = np.repeat(np.array(list(words.values()), np.int64), rows.lengths)
    return [int(weights[rows.values == letter].sum()) for letter in range(SILENT + 1)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--version", required=True, help="named in every plan that uses it")
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    words = counts()
    content = to_bytes(*document_frequencies(words), initials(words))
    path = options.out / file_name(options.version)
    path.write_bytes(content)
    made = from_bytes(content)
    print(f"{path}: {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}")
    print(f"{len(made.frequencies)} words of {made.documents} documents")
    return 0


if __name__ == "__main__":
    sys.exit(main())
