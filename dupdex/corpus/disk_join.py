"""Candidate pairs of a corpus whose keys do not fit into memory: DuckDB joins them on disk.

    key files -> keys of several nodes -> pairs, for some first nodes at a time -> the same screen

Nodes in which a key is alone bring no pair, so they leave first. Extra `corpus`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dupdex.corpus.candidate_join import Screened, Spread
from dupdex.corpus.key_files import KeyFiles
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from mappings.contract import Field
from mappings.errors import InputRefused, StoreFull
from query.key_join import DOCUMENT_BITS, FIRST, MOST_DOCUMENTS, Candidates, Mask, Near, Numbers
from query.near_screen import NearScreen

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LEAST_MEMORY: Final = 64 << 20
"""Bytes that a join needs whatever its size."""

_BYTES_OF_A_PAIR: Final = 256
"""Of memory that a join takes for a pair, once for every key that it shares."""

_MISSING: Final = (
    "keys past the memory allowed are joined by DuckDB; install it with: pip install "
    "'dupdex[corpus]', or leave --memory out"
)
_NODE: Final = f"(entry & {MOST_DOCUMENTS - 1})::UINTEGER"
_SHARED: Final = f"""
    CREATE TABLE shared AS
    WITH keys AS (
        SELECT DISTINCT field, entry >> {DOCUMENT_BITS} AS key, {_NODE} AS node FROM entries)
    SELECT field, key, node, size FROM keys JOIN (
        SELECT field, key, count(*)::UINTEGER AS size FROM keys GROUP BY ALL HAVING count(*) > 1)
    USING (field, key)"""
_FIRSTS: Final = f"""
    CREATE TABLE firsts AS SELECT field, key, node FROM (
        SELECT field, key, node, row_number() OVER (PARTITION BY field, key ORDER BY node) AS place
        FROM shared WHERE size > {{hot}}) WHERE place <= {FIRST}"""
_KEYS_OF: Final = f"""
    SELECT node, count(*) AS count FROM (SELECT DISTINCT field, entry, {_NODE} AS node FROM entries)
    GROUP BY node"""
_FREQUENT: Final = "SELECT count(*) AS count FROM (SELECT DISTINCT field, key FROM firsts)"
_TOTAL: Final = f"""
    SELECT coalesce(sum(
        CASE WHEN size > {{hot}} THEN {FIRST} * size ELSE size * (size - 1) / 2 END), 0) AS count
    FROM (SELECT DISTINCT field, key, size::DOUBLE AS size FROM shared)"""
_PAIRS: Final = """
    SELECT first, second, count(*) AS shared, count(*) FILTER (field = {simhash}) AS simhash,
        count(*) FILTER (field = {loose}) AS loose
    FROM (
        SELECT a.field, a.node AS first, b.node AS second FROM shared a JOIN shared b
        ON a.field = b.field AND a.key = b.key AND a.node < b.node
        WHERE a.size <= {hot} AND a.node >= {low} AND a.node < {high}
        UNION ALL
        SELECT a.field, a.node AS first, b.node AS second FROM firsts a JOIN shared b
        ON a.field = b.field AND a.key = b.key AND a.node < b.node
        WHERE a.node >= {low} AND a.node < {high})
    GROUP BY first, second ORDER BY first, second"""
_SPREAD: Final = "SELECT DISTINCT key, size FROM shared WHERE field = {field} ORDER BY key"
_OFTEN: Final = "SELECT DISTINCT node FROM shared WHERE field = {field} AND size >= {least}"
_NO_FIELD: Final = 255


@dataclass(frozen=True, slots=True)
class StoredSpread:
    """A `Spread` that was read from the database. `keys`: those of several nodes, ascending, and in
    how many each is; `often`: the nodes with a key of `least` nodes or more."""

    keys: Hashes
    counts: Numbers
    least: int
    often: Numbers

    def frequencies(self, keys: Hashes) -> Numbers:
        return self.counts[self.keys.searchsorted(keys)]

    def with_key_in(self, least: int, documents: int) -> Mask:
        if least != self.least:
            raise ValueError(f"counted for {self.least} nodes, not {least}")
        out = np.zeros(documents, np.bool_)
        out[self.often] = True
        return out


class DiskJoin:
    """A `CandidateJoin` on disk, within so many bytes of memory. Raises StoreFull when the disk is
    full, InputRefused where DuckDB is not installed. `close` it before processes are started.
    """

    def __init__(
        self, keys: KeyFiles, number: Positions, hot: int, folder: Path, memory: int, threads: int
    ) -> None:
        self._nodes, self._hot, self._memory = len(number), hot, max(memory, LEAST_MEMORY)
        self._place = folder / "keys.duckdb"
        self._fields: list[Field] = []
        self._db = _connected(self._place, self._memory, threads)
        try:
            self._read(keys, number)
            self._ask(_SHARED)
            self._ask(_FIRSTS, hot=hot)
            self.frequent = int(self._ask(_FREQUENT)["count"][0])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database, whose file goes with its folder."""
        self._db.close()

    def keys_of(self) -> Numbers:
        found = self._ask(_KEYS_OF)
        out = np.zeros(self._nodes, np.int64)
        out[found["node"]] = found["count"]
        return out

    def pairs(self) -> Iterator[Candidates]:
        return self._blocks(None)

    def screened(self, screen: NearScreen, workers: int) -> Iterator[Screened]:
        del workers  # the database has threads of its own
        for found in self._blocks(screen.simhashes_are_near):
            kept = found.kept(screen.could_be_near(found))
            yield kept.first, kept.second, len(found)

    def spread(self, fields: tuple[Field, ...], least: int) -> Mapping[Field, Spread]:
        out: dict[Field, Spread] = {}
        for field in fields:
            if field not in self._fields:
                continue
            at = self._fields.index(field)
            found = self._ask(_SPREAD, field=at)
            often = self._ask(_OFTEN, field=at, least=least)["node"]
            keys, counts = found["key"].astype(np.uint64), found["size"].astype(np.int64)
            out[field] = StoredSpread(keys, counts, least, often.astype(np.int64))
        return out

    def _read(self, keys: KeyFiles, number: Positions) -> None:
        self._ask("CREATE TABLE entries (field UTINYINT, entry UBIGINT)")
        for field, entries in keys.parts(number):
            if field not in self._fields:
                self._fields.append(field)
            self._db.register("part", {"entry": entries})
            at = self._fields.index(field)
            self._ask("INSERT INTO entries SELECT {field}, entry FROM part", field=at)
            self._db.unregister("part")

    def _blocks(self, near: Near | None) -> Iterator[Candidates]:
        """The pairs of some first nodes at a time, so that they fit into the memory allowed."""
        total = float(self._ask(_TOTAL, hot=self._hot)["count"][0])
        count = max(1, round(total * _BYTES_OF_A_PAIR / self._memory))
        edges = np.linspace(0, self._nodes, count + 1).astype(int).tolist()
        fields = {"simhash": Field.SIMHASH_KEYS, "loose": Field.LOOSE_KEYS}
        numbers = {
            name: self._fields.index(field) if field in self._fields else _NO_FIELD
            for name, field in fields.items()
        }
        for low, high in pairwise(edges):
            found = self._ask(_PAIRS, hot=self._hot, low=low, high=high, **numbers)
            names = ("first", "second", "shared", "simhash", "loose")
            first, second, shared, simhash, loose = (found[name].astype(np.int64) for name in names)
            if near is not None:
                asked = np.flatnonzero(simhash)
                far = asked[~near(first[asked], second[asked])]
                shared[far] -= simhash[far]
            pairs = Candidates(first, second, shared, loose)
            yield pairs.kept(shared > 0)

    def _ask(self, statement: str, **numbers: int) -> dict[str, Any]:
        """The columns of what a statement finds."""
        from duckdb import IOException, OutOfMemoryException

        try:
            found: dict[str, Any] = self._db.execute(statement.format(**numbers)).fetchnumpy()
            return found
        except IOException as error:
            raise StoreFull(
                f"{self._place.parent}: the keys cannot be joined there ({error}); set TMPDIR to a "
                "folder on a disk with more room"
            ) from error
        except OutOfMemoryException as error:
            raise InputRefused(
                f"the keys cannot be joined within --memory ({error}); allow more"
            ) from error


def check_installed() -> None:
    """Raise InputRefused where there is no DuckDB."""
    if find_spec("duckdb") is None:
        raise InputRefused(_MISSING)


def _connected(place: Path, memory: int, threads: int) -> DuckDBPyConnection:
    check_installed()
    import duckdb  # only used here

    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory >> 20}MiB",
        "temp_directory": str(place.parent / "keys.spilled"),
        "threads": threads,
        "preserve_insertion_order": False,
    }
    database = duckdb.connect(str(place), config=settings)
    database.execute("SET enable_progress_bar = false")
    return database
