"""One pass over a corpus: fingerprints, and what is needed of the texts afterwards.

Texts that are equal in letters and digits are one node, so exact copies cost nothing further. Of a
node the keys are held, in arrays, and the text waits in a file.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from dupdex.corpus.key_files import KeyFiles
from dupdex.corpus.spill import Spill, Spilled
from dupdex.groups.canonical import value_of
from indexer.fingerprints.key_rows import KeyRows, Sketched, key_rows
from indexer.fingerprints.quick_sentences import quick_rows
from indexer.grouping import Grouping
from indexer.model import Document, Outcome
from indexer.pipeline import BATCH_CHARACTERS, checked_batches, texts_of
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from indexer.workers import WHILE_WRITING, made_in_processes
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import Plan
from query.key_join import MOST_DOCUMENTS, packed, renumbered

JOINED: Final = 4
"""Times the bytes of the keys: what a join in memory takes at its peak."""

QUICK_CHARACTERS: Final = 320_000
"""Of a batch of which nothing but sentences is looked at: few passes, each with its overhead."""

Refused = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is made of a corpus. `fields`: whose keys bring candidates. `shared`: so many keys in
    common make near duplicates, and no text is looked at again; None for a look at the texts of
    each pair. `kept`: documents are kept, to be written again. `memory`: bytes that keys may take
    in memory, and their join as well; past that both are on disk.
    """

    plan: Plan
    fields: frozenset[Field]
    grouping: Grouping
    shared: int | None = None
    kept: bool = False
    memory: int | None = None

    @property
    def verified(self) -> bool:
        """Whether pairs are judged from their texts."""
        return self.shared is None

    @property
    def is_quick(self) -> bool:
        """Whether sentences are all that is looked at."""
        return not self.verified and self.fields == {Field.SENTENCES}


@dataclass(frozen=True, slots=True)
class Nodes:
    """The different texts of a corpus, by number, in the order of the least ids that have them.

    `sizes`: how many documents have each. `entries`: the keys of each field, see `packed`; where
    they are too many, `files` has all of them, under numbers that `number` turns into these.
    """

    sizes: Positions
    lengths: Positions
    simhashes: Hashes
    sketched: Sketched
    entries: dict[Field, Hashes]
    texts: Spilled | None
    files: KeyFiles | None
    number: Positions

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, slots=True)
class Gathered:
    """A corpus: for each document, in the order of the input, its id, its node, the bytes of its
    text, and the value of the field that the policy reads; the documents themselves where they will
    be written again.
    """

    ids: list[str]
    node_of: Positions
    sizes: Positions
    values: list[Any]
    nodes: Nodes
    documents: Spilled | None


def gather(
    documents: Iterable[Document], wanted: Wanted, folder: Path, workers: int, refused: Refused
) -> Gathered:
    """Read all documents; `refused` is given the outcome of those that cannot be compared."""
    small = wanted.memory is not None  # a corpus past memory: the disk is slower than zlib
    with Spill(folder / "texts", small) as texts, Spill(folder / "documents", small) as bodies:
        taking = _Taking(wanted, texts, bodies, KeyFiles(folder))
        size = QUICK_CHARACTERS if wanted.is_quick else BATCH_CHARACTERS
        batches = checked_batches(documents, wanted.plan, characters=size)
        if wanted.is_quick:
            workers = 1  # to send a text takes as long as to choose its sentences
        made = made_in_processes(batches, texts_of, _rows, wanted, workers, WHILE_WRITING)
        for batch, rows in made:
            fit = [item for item in batch if isinstance(item, Document)]
            if len(fit) < len(batch):
                for item in batch:
                    if isinstance(item, Outcome):
                        refused(item)
            taking.take(fit, rows)
        return taking.gathered()


def _rows(texts: list[str], wanted: Wanted) -> KeyRows:
    if wanted.is_quick:
        return quick_rows(texts, wanted.plan)
    return key_rows(texts, wanted.plan, wanted.fields, wanted.verified)


@dataclass(slots=True)
class _Taking:
    """What is gathered so far; nodes are numbered as they come."""

    wanted: Wanted
    texts: Spill
    bodies: Spill
    files: KeyFiles
    ids: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    _sizes: array[int] = field(default_factory=lambda: array("q"))
    _node_of: array[int] = field(default_factory=lambda: array("q"))
    _nodes: dict[str | bytes, int] = field(default_factory=dict)
    _rows: list[KeyRows] = field(default_factory=list)
    _entries: dict[Field, list[Hashes]] = field(default_factory=dict)
    _bytes: int = 0
    _on_disk: bool = False

    def take(self, documents: list[Document], rows: KeyRows) -> None:
        """Documents with their fingerprints, a row each."""
        nodes, new = self._nodes, []
        append = self._node_of.append
        for row, value in enumerate(rows.hashes):
            count = len(nodes)
            node = nodes.setdefault(value, count)
            if node == count:
                new.append(row)
            append(node)
        if len(nodes) > MOST_DOCUMENTS:
            raise InputRefused(
                f"there are more than {MOST_DOCUMENTS:,} different texts; group them in parts"
            )
        self.ids += [document.id for document in documents]
        if self.wanted.grouping.field:
            self.values += [value_of(each.body, self.wanted.grouping) for each in documents]
        if self.wanted.kept:
            for document in documents:
                self.bodies.append(orjson.dumps(document.body, option=orjson.OPT_APPEND_NEWLINE))
        self._sizes.extend(rows.sizes or self._keep(documents, new))
        self._add(rows, np.array(new, np.int64))

    def _keep(self, documents: list[Document], new: list[int]) -> list[int]:
        """The texts of new nodes go to the file; the bytes of all."""
        texts = [document.text.encode("utf-8", "surrogatepass") for document in documents]
        if self.wanted.verified:
            for row in new:
                self.texts.append(texts[row])
        return list(map(len, texts))

    def _add(self, rows: KeyRows, new: Positions) -> None:
        """The keys of the new texts of a batch."""
        number = np.full(len(rows.hashes), -1, np.int64)
        number[new] = len(self._nodes) - len(new) + np.arange(len(new))
        for name, (keys, owners) in rows.keys.items():
            nodes = number[owners]
            is_new = nodes >= 0
            entries = packed(keys[is_new], nodes[is_new])
            self._entries.setdefault(name, []).append(entries)
            self._bytes += entries.nbytes
        if self.wanted.memory is not None and self._bytes * JOINED > self.wanted.memory:
            self._to_disk()
        sketched = rows.sketched.select(new)
        self._rows.append(KeyRows([], rows.lengths[new], rows.simhashes[new], {}, sketched))

    def _to_disk(self) -> None:
        self._on_disk = True
        for name, parts in self._entries.items():
            for entries in parts:
                self.files.append(name, entries)
        self._entries.clear()
        self._bytes = 0

    def gathered(self) -> Gathered:
        """Everything, with the nodes numbered anew."""
        if self._on_disk:
            self._to_disk()
        node_of = np.array(self._node_of, np.int64)
        order = _by_least_id(self.ids, node_of, len(self._nodes))
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        node_of = number[node_of]
        entries = {name: renumbered(self._entries.pop(name), number) for name in [*self._entries]}
        spilled = self.texts.spilled().at(order) if self.wanted.verified else None
        nodes = Nodes(
            np.bincount(node_of, minlength=len(order)),
            *self._columns(order),
            entries,
            spilled,
            self.files if self._on_disk else None,
            number,
        )
        documents = self.bodies.spilled() if self.wanted.kept else None
        sizes = np.array(self._sizes, np.int64)
        return Gathered(self.ids, node_of, sizes, self.values, nodes, documents)

    def _columns(self, order: Positions) -> tuple[Positions, Hashes, Sketched]:
        if not self._rows:
            self._rows.append(_rows([], self.wanted))
        return (
            np.concatenate([rows.lengths for rows in self._rows])[order],
            np.concatenate([rows.simhashes for rows in self._rows])[order],
            Sketched.joined([rows.sketched for rows in self._rows]).select(order),
        )


def _by_least_id(ids: list[str], node_of: Positions, count: int) -> Positions:
    """The nodes in the order of the least ids that have them; of equal ids the first read counts.

    So nothing that is made of the nodes depends on the order of the input.
    """
    documents = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)
    place = np.full(count, len(ids), np.int64)
    np.minimum.at(place, node_of[documents], np.arange(len(ids)))
    return np.argsort(place)
