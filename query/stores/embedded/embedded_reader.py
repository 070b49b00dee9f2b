"""The read side of the embedded store; any number of readers beside the one writer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any, Final, Self

import orjson
from msgspec import structs

from indexer.closing import Closing
from indexer.meta import IndexMeta, check_plan
from indexer.meta_watch import MetaWatch
from indexer.model import Keys, Standing, is_text
from indexer.stores.embedded import schema
from indexer.stores.embedded.fulltext import match_expression
from indexer.stores.embedded.rows import COLUMNS, Unreadable, body_of, damaged, id_of, row_of
from indexer.weight import HELD_BYTES
from mappings.contract import Field
from mappings.errors import InputRefused, NotFound
from mappings.plan import Plan
from query.answers import (
    CandidatePage,
    Filter,
    GroupHits,
    Hit,
    Hits,
    Ref,
    Request,
    Stored,
)
from query.stores.embedded import embedded_tally, postings
from query.stores.embedded.collapsed_search import collapsed
from query.stores.embedded.term_filter import acceptor
from query.tally import Tally, TallyRow

_STORED: Final = f"SELECT {COLUMNS} FROM documents"
_OF_NUMBERS: Final = (
    f"SELECT {', '.join(f'd.{name}' for name in COLUMNS.split(', '))} FROM json_each(?1) q"
    " CROSS JOIN documents d ON d.num = q.value"
)
_HITS: Final = "SELECT rowid, rank FROM fulltext WHERE fulltext MATCH ? ORDER BY rank, rowid"
_SPREAD, _RANGE = 2_654_435_761, 1 << 20  # by the golden ratio: numbers in a row lie far apart
_CACHE_KIBIBYTES: Final = 32_768
_ALONG_BYTES: Final = 1 << 18
"""The bodies that come along with the candidates of one request; what is left is read later."""

_STANDINGS_AT_ONCE: Final = 5_000
_LARGEST: Final = (1 << 63) - 1  # what SQLite counts to


class EmbeddedReader(Closing):
    """Satisfies `query.stores.StoreReader`. Threads may share one: they take turns."""

    at_once: Final = 0

    def __init__(
        self,
        path: Path,
        index: str,
        db: sqlite3.Connection,
        meta: IndexMeta,
        watch: MetaWatch | None = None,
    ) -> None:
        self._path, self._index, self._db = path, index, db
        self._turn = RLock()
        self._file = schema.identity(path)
        self.watch = watch or MetaWatch(meta, self._read_meta, f"the index at {path}")
        self.watch.read_with(self._read_meta)  # a writer may be closed before its reader

    @classmethod
    def open(
        cls,
        folder: Path,
        index: str,
        wanted_plan: Plan | None,
        rebuilding: bool = False,
        watch: MetaWatch | None = None,
    ) -> Self:
        """Open an index for reading; `rebuilding` opens it whatever its plan, `watch` is that of
        its writer.

        Raises NotFound when there is none, PlanMismatch for another plan than `wanted_plan`.
        """
        path = schema.path_of(folder, index)
        if schema.identity(path) is None:
            raise NotFound(f"there is no index at {path}; make one with 'dupdex index'")
        with schema.translated(path):
            db = schema.connect_to_read(path)
            try:
                if schema.is_blank(db):
                    raise NotFound(f"the index at {path} is empty; fill it with 'dupdex index'")
                meta = schema.read_meta(db, path)
                if not rebuilding:
                    check_plan(meta, wanted_plan)
                db.execute(f"PRAGMA cache_size=-{_CACHE_KIBIBYTES}")
            except BaseException:
                db.close()
                raise
        return cls(path, index, db, meta, watch)

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as `watch` saw them last."""
        return self.watch.meta

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request, all from one state of the index, with the documents that will be
        read: by number in one statement, where `each` finds them one by one by id.
        """
        along: dict[int, Stored] = {}
        with self._snapshot():
            return [self._page(request, along) for request in requests]

    def _page(self, request: Request, along: dict[int, Stored]) -> CandidatePage:
        """`along`: documents of other pages of the same state; those of this one are added."""
        page, found = postings.page(self._db, self._index, request)
        worth = (num for num, one in found if not request.met_by_chance(one))
        wanted = list(islice(worth, request.texts or 0))  # of all there may be too many
        missing = [num for num in wanted if num not in along]
        held = 0
        if missing:
            for row in self._db.execute(_OF_NUMBERS, (orjson.dumps(missing).decode(),)):
                along[row[0]] = self._stored(row)
                held += len(row[-1])
                if held > _ALONG_BYTES:
                    break
        documents = {along[num].ref: along[num] for num in wanted if num in along}
        return structs.replace(page, documents=documents)

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        """See `query.answers.CandidateReader`."""
        stored = self.by_ids([ref.id for ref in refs if ref.index == self._index])
        return {document.ref: document for (document,) in stored.values()}

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        """See `query.answers.CandidateReader`."""
        names = [ref.id for ref in dict.fromkeys(refs) if ref.index == self._index]
        names = [name for name in names if is_text(name)]  # no other is an id of ours
        while names:
            rows: list[tuple[Any, ...]] = []
            held = 0
            with self._snapshot():
                while names and held < HELD_BYTES:
                    row = self._db.execute(f"{_STORED} WHERE id=?", (names.pop(),)).fetchone()
                    if row is not None:
                        rows.append(row)
                        held += len(row[-1]) if isinstance(row[-1], bytes) else 0
            while rows:  # each is let go of as soon as it is taken
                yield self._stored(rows.pop())

    def stored_ids(self, ids: Sequence[str]) -> set[str]:
        """See `query.answers.CandidateReader`."""
        query = "SELECT 1 FROM documents WHERE id=?"
        with self._snapshot():
            names = filter(is_text, ids)  # no other is an id of ours
            return {name for name in names if self._db.execute(query, (name,)).fetchone()}

    def by_ids(self, ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
        """See `query.answers.DocumentReader`; one of each id at most."""
        out: dict[str, tuple[Stored, ...]] = {}
        with self._snapshot():
            for name in filter(is_text, ids):  # no other is an id of ours
                row = self._db.execute(f"{_STORED} WHERE id=?", (name,)).fetchone()
                if row is not None:
                    out[name] = (self._stored(row),)
        return out

    def standings(self, refs: Sequence[Ref]) -> dict[Ref, Standing]:
        """See `query.stores.StoreReader`."""
        query = (
            "SELECT standing.grp, standing.indexed FROM documents"
            " LEFT JOIN standing USING (num) WHERE id=?"
        )
        out: dict[Ref, Standing] = {}
        with self._snapshot():
            if not self._has_standing():
                query = "SELECT NULL, 0 FROM documents WHERE id=?"
            for ref in refs:
                if ref.index not in ("", self._index) or not is_text(ref.id):
                    continue
                row = self._db.execute(query, (ref.id,)).fetchone()
                if row is not None:
                    out[ref] = Standing(row[0] or ref.id, row[1] or 0)
        return out

    def refs_of(self, ids: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """See `query.stores.StoreReader`."""
        return {name: (Ref(self._index, name),) for name in self.stored_ids(ids)}

    def all_standings(self) -> Iterator[tuple[Ref, Standing]]:
        """See `query.stores.StoreReader`; some at a time, so that a writer's log can be emptied."""
        query = (
            "SELECT num, id, grp, indexed FROM documents LEFT JOIN standing USING (num)"
            f" WHERE num > ? ORDER BY num LIMIT {_STANDINGS_AT_ONCE}"
        )
        num = 0
        while True:
            with self._snapshot():
                if not self._has_standing():
                    query = query.replace("grp, indexed", "NULL, 0").replace(
                        " LEFT JOIN standing USING (num)", ""
                    )
                rows = self._db.execute(query, (num,)).fetchall()
            for _, name, group, indexed in rows:
                yield Ref(self._index, name), Standing(group or name, indexed or 0)
            if not rows:
                return
            num = rows[-1][0]

    def members(self, groups: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """See `query.stores.StoreReader`."""
        query = (
            "SELECT id FROM standing JOIN documents USING (num) WHERE grp = ?1 UNION"
            " SELECT id FROM documents LEFT JOIN standing USING (num)"
            " WHERE id = ?1 AND grp IS NULL ORDER BY id"
        )
        with self._snapshot():
            if not self._has_standing():
                query = "SELECT id FROM documents WHERE id = ?1"
            return {
                group: tuple(
                    Ref(self._index, name) for (name,) in self._db.execute(query, (group,))
                )
                for group in filter(is_text, groups)
            }

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """Full text by BM25; with filters every hit's fields are read to count them."""
        passes = acceptor(filters)
        expression = match_expression(text)
        size, offset = min(max(0, size), _LARGEST), min(max(0, offset), _LARGEST)
        if not expression:
            return Hits((), 0)
        with self._snapshot():
            if passes is None:
                counted = "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?"
                (total,) = self._db.execute(counted, (expression,)).fetchone()
                rows = self._db.execute(f"{_HITS} LIMIT ? OFFSET ?", (expression, size, offset))
                return Hits(tuple(self._hit(num, rank) for num, rank in rows), total)
            total, hits = 0, []
            for num, rank in self._db.execute(_HITS, (expression,)):
                if postings.passing(self._db, num, passes):
                    if offset <= total < offset + size:
                        hits.append(self._hit(num, rank))
                    total += 1
            return Hits(tuple(hits), total)

    def search_groups(
        self, text: str, size: int = 10, after: Any = None, filters: Sequence[Filter] = ()
    ) -> GroupHits:
        """See `query.stores.StoreReader`; all hits are gone through for every page."""
        passes, expression = acceptor(filters), match_expression(text)
        if not expression:
            return GroupHits((), 0, 0)
        group = "coalesce(standing.grp, documents.id)" if self._has_standing() else "documents.id"
        joined = " LEFT JOIN standing USING (num)" if self._has_standing() else ""
        query = (
            f"SELECT num, found.rank, {group} FROM ({_HITS}) AS found"
            f" JOIN documents ON num = found.rowid{joined} ORDER BY found.rank, num"
        )
        with self._snapshot():
            found = (
                row
                for row in self._db.execute(query, (expression,))
                if passes is None or postings.passing(self._db, row[0], passes)
            )
            return collapsed(found, size, after, self._hit)

    def scan(
        self, without_plan: str | None = None, share: float = 1.0, since: int | None = None
    ) -> Iterator[Stored]:
        """Every document that was there at the start, one read transaction each: a writer may
        rewrite documents meanwhile, and its log does not grow for the scan's sake."""
        with self._snapshot():
            (last,) = self._db.execute("SELECT coalesce(max(num), 0) FROM documents").fetchone()
            if since is not None and not self._has_standing():
                return
        other = "" if without_plan is None else " AND plan <> ?3"
        if share < 1.0:
            other += f" AND num * {_SPREAD} % {_RANGE} < {int(share * _RANGE)}"
        if since is not None:
            written = f"standing.num = documents.num AND indexed >= {int(since)}"
            other += f" AND EXISTS (SELECT 1 FROM standing WHERE {written})"
        query = f"{_STORED} WHERE num > ?1 AND num <= ?2{other} ORDER BY num LIMIT 1"
        num = 0
        while True:
            given = (num, last) if without_plan is None else (num, last, without_plan)
            with self._snapshot():
                row = self._db.execute(query, given).fetchone()
            if row is None:
                return
            num = row[0]
            yield self._stored(row)

    def find(self, filters: Sequence[Filter] = (), text: str = "") -> Iterator[Stored]:
        """See `query.stores.StoreReader`; the bodies of all that `text` finds are read."""
        passes, expression = acceptor(filters), match_expression(text)
        nums = self._nums(expression) if expression else []
        found = self._each_of(nums) if text else self.scan()
        for document in found:
            if passes is None or passes(orjson.dumps(document.body)):
                yield document

    def indices(self) -> tuple[str, ...]:
        """See `query.stores.StoreReader`."""
        return (self._index,)

    def _nums(self, expression: str) -> list[int]:
        query = "SELECT rowid FROM fulltext WHERE fulltext MATCH ? ORDER BY rowid"
        with self._snapshot():
            return [num for (num,) in self._db.execute(query, (expression,))]

    def _each_of(self, nums: Sequence[int]) -> Iterator[Stored]:
        for num in nums:
            with self._snapshot():
                row = self._db.execute(f"{_STORED} WHERE num=?", (num,)).fetchone()
            if row is not None:
                yield self._stored(row)

    def frequencies(self, keys: Keys) -> dict[tuple[Field, str], int]:
        """See `query.stores.StoreReader`."""
        with self._snapshot():
            return postings.frequencies(self._db, keys)

    def tally(self, tally: Tally) -> list[TallyRow]:
        """See `query.stores.StoreReader`."""
        with self._snapshot():
            return embedded_tally.count(self._db, self._index, tally, self._has_standing())

    def count(self, without_plan: str | None = None) -> int:
        """See `query.stores.StoreReader`."""
        some = "" if without_plan is None else " WHERE plan <> ?1"
        given = () if without_plan is None else (without_plan,)
        with self._snapshot():
            counted = self._db.execute(f"SELECT count(*) FROM documents{some}", given)
            total: int = counted.fetchone()[0]
        return total

    def describe(self) -> dict[str, object]:
        """Facts for `dupdex info`; `bytes` includes what is not merged into the file yet."""
        log = self._path.with_name(f"{self._path.name}-wal")
        parts = [path for path in (self._path, log) if path.exists()]
        return {
            "store": "embedded",
            "path": str(self._path),
            "documents": self.count(),
            "bytes": sum(path.stat().st_size for path in parts),
            "sqlite": sqlite3.sqlite_version,
        }

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        with self._turn, schema.transaction(self._db, self._path, "BEGIN"):
            yield

    def _has_standing(self) -> bool:
        """Whether the store has a place for groups: a writer gives it to older ones."""
        query = "SELECT 1 FROM sqlite_master WHERE name='standing'"
        return self._db.execute(query).fetchone() is not None

    def _read_meta(self) -> IndexMeta | None:
        """As stored now; None when the file is gone, or is another one by now."""
        if schema.identity(self._path) != self._file:
            return None
        with self._snapshot():
            return schema.read_meta(self._db, self._path)

    def _hit(self, num: int, rank: float) -> Hit:
        row = self._db.execute("SELECT id, body FROM documents WHERE num=?", (num,)).fetchone()
        if row is None:
            raise damaged(self._db, num, "it has words and no row")
        name, packed = row
        try:
            return Hit(id_of(name), self._index, -rank, body_of(packed))
        except Unreadable as error:
            raise damaged(self._db, name, error) from error

    def _stored(self, columns: tuple[Any, ...]) -> Stored:
        try:
            row = row_of(columns)
        except Unreadable as error:
            raise damaged(self._db, columns[1], error) from error
        try:
            text = self.meta.text_of(row.body)
        except InputRefused:  # stored by a program that fingerprints a text of its own making
            text = ""
        return Stored(row.id, self._index, row.body, text, row.plan_id, row.fingerprint)
