"""Corpus statistics: in how many documents a word comes, and how often each initial does.

The plan names its table: "1" is shipped (`scripts/make_statistics.py` says from what), and
"sha256-<16 hex>" is one computed from a user's corpus, found by its digest in the data folder.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from functools import lru_cache
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
"""A table keeps so many words, those of most documents; beyond them a word counts as unknown."""

MOST_COUNTED: Final = 4_000_000

_LOGARITHM: Final = Context(prec=17)
_COMPUTE_IT: Final = "run 'dupdex statistics' over your corpus again, or use a plan with another"


@dataclass(frozen=True)
class Statistics:
    """`frequencies`: by word the documents that hold it, of `documents`.

    `initials`: for each of the 20 consonant initials its share of all places in a text.
    """

    documents: int
    frequencies: Mapping[str, int]
    initials: tuple[float, ...]
    _logarithms: dict[int, float] = field(default_factory=dict, repr=False, compare=False)

    def share(self, word: str) -> float:
        """The share of documents that hold the word, 0.0 for one the table does not know."""
        return self.frequencies.get(word, 0) / self.documents

    def idf(self, word: str) -> float:
        """ln((N + 1) / (df + 1)) + 1 (smoothed); the same bits on every machine."""
        known = self.frequencies.get(word, 0)
        value = self._logarithms.get(known)
        if value is None:
            # decimal rounds logarithms correctly, which the C library does not promise
            ratio = _LOGARITHM.divide(Decimal(self.documents + 1), Decimal(known + 1))
            value = self._logarithms[known] = float(_LOGARITHM.ln(ratio)) + 1.0
        return value


def load_statistics(plan: Plan) -> Statistics:
    """The statistics a plan names, read once. Raises PlanMismatch when they are not here."""
    return _load(plan.statistics, data_folder(os.environ))


def data_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_DATA_HOME/dupdex`, else `~/.local/share/dupdex`; a relative one counts as unset."""
    named = Path(environment.get("XDG_DATA_HOME", ""))
    if named.is_absolute():
        return named / "dupdex"
    return home_folder(environment) / ".local" / "share" / "dupdex"


def file_name(version: str) -> str:
    """The name of the file that holds a version."""
    return f"statistics-{version}.json"


def to_bytes(documents: int, frequencies: Mapping[str, int], initials: Iterable[int]) -> bytes:
    """A table as a file: the same bytes for the same numbers, whatever their order.

    `initials`: how often each of INITIALS comes, then the other places of a text. Raises
    InputRefused when nothing was counted.
    """
    counts = list(initials)
    if not documents or not frequencies:
        raise InputRefused("no text to count; name a source that has some, or --text-field")
    ranked = sorted(frequencies.items(), key=lambda entry: (-entry[1], entry[0]))
    value = {"documents": documents, "initials": counts, "words": dict(ranked[:MAX_WORDS])}
    return orjson.dumps(value) + b"\n"


def from_bytes(content: bytes) -> Statistics:
    """The table of a file. Raises InputRefused for what is none."""
    try:
        value: dict[str, Any] = orjson.loads(content)
        documents, counts, words = value["documents"], value["initials"], value["words"]
        # one more of each, so that no initial is impossible
        total = sum(counts) + len(counts)
        shares = tuple((count + 1) / total for count in counts[:SILENT])
        sound = len(counts) == SILENT + 1 and 0 < max(words.values()) <= documents
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError, ValueError):
        sound = False
    if not sound:
        raise InputRefused("not a table of statistics; make one with 'dupdex statistics'")
    return Statistics(documents, words, shares)


def version_of(content: bytes) -> str:
    """What a plan calls a table of this content."""
    return f"sha256-{hashlib.sha256(content).hexdigest()[:16]}"


def content(version: str) -> bytes:
    """The file of a version: shipped, given to this process, or in the data folder.

    Raises PlanMismatch when it is not here, or was changed.
    """
    return _content(version, data_folder(os.environ))


@lru_cache(maxsize=4)
def _load(version: str, folder: Path) -> Statistics:
    return from_bytes(_content(version, folder))


def _content(version: str, folder: Path) -> bytes:
    found = data_files.content_of(file_name(version))
    if not version.startswith("sha256-"):
        if found is None or not version.isalnum():
            raise PlanMismatch(
                f"the plan asks for statistics {version!r}, which this dupdex does not ship; "
                "upgrade dupdex, or run 'dupdex rebuild' with another plan"
            )
        return found
    path = folder / file_name(version)
    try:
        found = path.read_bytes() if found is None else found
    except OSError as error:
        raise PlanMismatch(
            f"the plan needs statistics {version}, and {path} cannot be read: "
            f"{error.strerror}; copy the file there, or {_COMPUTE_IT}"
        ) from error
    if version_of(found) != version:
        raise PlanMismatch(f"{path} was changed since it was made; {_COMPUTE_IT}")
    return found


class Census:
    """Counts the documents of a corpus, batch by batch.

    When more than MOST_COUNTED words are known, those of one document are forgotten: only in
    such a corpus may the order of documents change a count.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.documents = 0
        self._frequencies: Counter[str] = Counter()
        self._initials = np.zeros(SILENT + 1, np.int64)

    def add(self, texts: Sequence[str]) -> None:
        """Count some texts; one without a letter or digit is no document."""
        prepared = prepare_all(texts, self._plan)
        kind = prepared.table.kind
        filled = prepared.folded.lengths > 0
        is_spaced = spaced_rows(prepared)
        for spaced in (False, True):
            rows = np.flatnonzero((is_spaced == spaced) & filled)
            if len(rows):
                for found in term_sets(Streams(prepared.select(rows), self._plan, spaced)):
                    self._frequencies.update([w for w in found if kind[ord(w[0])] != OTHER])
        self.documents += int(filled.sum())
        self._initials += np.bincount(initial_rows(prepared).values, minlength=SILENT + 1)
        if len(self._frequencies) > MOST_COUNTED:
            often = {word: count for word, count in self._frequencies.items() if count > 1}
            self._frequencies = Counter(often)

    def to_bytes(self) -> bytes:
        """The table so far. Raises InputRefused when nothing was counted."""
        return to_bytes(self.documents, self._frequencies, self._initials.tolist())


def install(content: bytes, folder: Path) -> Path:
    """Put a table where `load_statistics` finds it. Raises InputRefused when that fails."""
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
    """The distinct terms of each text that statistics are about.

    Tokens of the plan's segmenter, punctuation included, which no table knows; in a plan without
    words pairs of adjacent characters, and in scripts with spaces what stands between spaces.
    """
    prepared = streams.prepared
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
