"""Corpus statistics: the df of each word, and how often each initial occurs.

The plan names its table: "1" is shipped (`scripts/make_statistics.py` names its sources), and
"sha256-<16 hex>" is computed from a user's corpus and found by its digest in the data folder.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from functools import cached_property, lru_cache
from operator import add
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from indexer.home import home_folder
from indexer.text import data_files
from indexer.text.initials import SILENT, initial_rows
from indexer.text.preparation import prepare_all
from indexer.text.ragged import Ragged
from indexer.text.streams import Streams, spaced_rows
from indexer.text.table import OTHER, Codes
from mappings.errors import InputRefused, PlanMismatch
from mappings.plan import Plan

MAX_WORDS: Final = 200_000
"""A table keeps this many words, those with the highest df; any other counts as unknown."""

MOST_COUNTED: Final = 4_000_000

_LOGARITHM: Final = Context(prec=17)
_COMPUTE_IT: Final = "run 'dupdex statistics' over your corpus again, or use a plan with another"


@dataclass(frozen=True, eq=False)
class Statistics:
    """`frequencies`: the df of each word in a corpus of `documents`. Each table is read once and
    equals itself only.

    `initials`: for each of the 20 consonant initials its share of all positions in the texts.
    """

    documents: int
    frequencies: Mapping[str, int]
    initials: tuple[float, ...]
    _logarithms: dict[int, float] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def in_order(self) -> list[tuple[str, int]]:
        """The words, sorted, each with its df."""
        return sorted(self.frequencies.items())

    def share(self, word: str) -> float:
        """The share of documents that contain the word; 0.0 for a word not in the table."""
        return self.frequencies.get(word, 0) / self.documents

    def idf(self, word: str) -> float:
        """ln((N + 1) / (df + 1)) + 1 (smoothed); bit-identical on every machine."""
        df = self.frequencies.get(word, 0)
        value = self._logarithms.get(df)
        if value is None:
            # decimal rounds logarithms correctly, which the C library does not guarantee
            ratio = _LOGARITHM.divide(Decimal(self.documents + 1), Decimal(df + 1))
            value = self._logarithms[df] = float(_LOGARITHM.ln(ratio)) + 1.0
        return value


def load_statistics(plan: Plan) -> Statistics:
    """The statistics of a plan, read once. Raises PlanMismatch when they are not available."""
    return _load(plan.statistics, data_folder(os.environ))


def data_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_DATA_HOME/dupdex`, else `~/.local/share/dupdex`; a relative one counts as unset."""
    named = Path(environment.get("XDG_DATA_HOME", ""))
    if named.is_absolute():
        return named / "dupdex"
    return home_folder(environment) / ".local" / "share" / "dupdex"


def file_name(version: str) -> str:
    """The file name of a version."""
    return f"statistics-{version}.json"


def to_bytes(documents: int, frequencies: Mapping[str, int], initials: Iterable[int]) -> bytes:
    """The content of a table's file: the same bytes for the same counts in any order.

    `initials`: the count of each of INITIALS, then of all other positions. Raises InputRefused
    when nothing was counted.
    """
    counts = list(initials)
    if not documents or not frequencies:
        raise InputRefused("no text to count; name a source that has some, or --text-field")
    ranked = sorted(frequencies.items(), key=lambda entry: (-entry[1], entry[0]))
    value = {"documents": documents, "initials": counts, "words": dict(ranked[:MAX_WORDS])}
    return orjson.dumps(value) + b"\n"


def from_bytes(content: bytes) -> Statistics:
    """The table in a file. Raises InputRefused when the content is not a table."""
    try:
        value: dict[str, Any] = orjson.loads(content)
        documents, counts, words = value["documents"], value["initials"], value["words"]
        # add one to each count, so that no initial is impossible
        total = sum(counts) + len(counts)
        shares = tuple((count + 1) / total for count in counts[:SILENT])
        sound = len(counts) == SILENT + 1 and 0 < max(words.values()) <= documents
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError, ValueError):
        sound = False
    if not sound:
        raise InputRefused("not a table of statistics; make one with 'dupdex statistics'")
    return Statistics(documents, words, shares)


def version_of(content: bytes) -> str:
    """The version under which plans name a table with this content."""
    return f"sha256-{hashlib.sha256(content).hexdigest()[:16]}"


def content(version: str) -> bytes:
    """The file of a version: shipped, handed to this process, or in the data folder.

    Raises PlanMismatch when it is missing or was changed.
    """
    return _content(version, data_folder(os.environ))


@lru_cache(maxsize=4)
def _load(version: str, folder: Path) -> Statistics:
    return from_bytes(_content(version, folder))


def _content(version: str, folder: Path) -> bytes:
    data = data_files.content_of(file_name(version))
    if not version.startswith("sha256-"):
        if data is None or not version.isalnum():
            raise PlanMismatch(
                f"the plan asks for statistics {version!r}, which this dupdex does not ship; "
                "upgrade dupdex, or run 'dupdex rebuild' with another plan"
            )
        return data
    path = folder / file_name(version)
    try:
        data = path.read_bytes() if data is None else data
    except OSError as error:
        raise PlanMismatch(
            f"the plan needs statistics {version}, and {path} cannot be read: "
            f"{error.strerror}; copy the file there, or {_COMPUTE_IT}"
        ) from error
    if version_of(data) != version:
        raise PlanMismatch(f"{path} was changed since it was made; {_COMPUTE_IT}")
    return data


class Census:
    """Counts the words and initials of a corpus, batch by batch.

    Beyond MOST_COUNTED words, those found in one document only are dropped: in such a corpus,
    and no other, the order of documents may change a count.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.documents = 0
        self._frequencies: Counter[str] = Counter()
        self._initials = np.zeros(SILENT + 1, np.int64)

    def add(self, texts: Sequence[str]) -> None:
        """Count a batch of texts; a text without letters and digits is no document."""
        prepared = prepare_all(texts, self._plan).literal
        kind = prepared.table.kind
        filled = prepared.folded.lengths > 0
        is_spaced = spaced_rows(prepared)
        for spaced in (False, True):
            rows = np.flatnonzero((is_spaced == spaced) & filled)
            if len(rows):
                for terms in term_sets(Streams(prepared.select(rows), self._plan, spaced)):
                    self._frequencies.update(
                        [term for term in terms if kind[ord(term[0])] != OTHER]
                    )
        self.documents += int(filled.sum())
        self._initials += np.bincount(initial_rows(prepared).values, minlength=SILENT + 1)
        if len(self._frequencies) > MOST_COUNTED:
            often = {word: count for word, count in self._frequencies.items() if count > 1}
            self._frequencies = Counter(often)

    def to_bytes(self) -> bytes:
        """The table so far. Raises InputRefused when nothing was counted."""
        return to_bytes(self.documents, self._frequencies, self._initials.tolist())


def install(content: bytes, folder: Path) -> Path:
    """Write a table to where `load_statistics` finds it. Raises InputRefused on failure."""
    path = folder / file_name(version_of(content))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise InputRefused(
            f"{path} cannot be written: {error.strerror}; set XDG_DATA_HOME to another folder"
        ) from error
    return path


def term_sets(streams: Streams) -> list[Collection[str]]:
    """The distinct terms of each text, as statistics count them.

    Tokens of the plan's segmenter, including punctuation, which no table contains; in a plan
    without words, pairs of adjacent characters, or runs between spaces in scripts with spaces.
    """
    prepared = streams.prepared.literal
    if streams.plan.words != "none":
        return [counts.keys() for counts in streams.word_counts]
    if streams.spaced:
        codes = np.where(prepared.kinds == OTHER, np.uint32(ord(" ")), prepared.codes)
        rows = Ragged(codes, prepared.rows.bounds)
        return [{*filter(None, _string(rows[row]).split(" "))} for row in range(len(rows))]
    texts = [_string(prepared.folded[row]) for row in range(len(prepared))]
    return [{*map(add, text, text[1:])} for text in texts]


def _string(codes: Codes) -> str:
    return codes.tobytes().decode("utf-32-le")
