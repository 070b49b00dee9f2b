"""An open store: one client of a server, or one folder, for all that is done with its indices.

Location -> Session -> reader and writer of an index, which share the client and one MetaWatch
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from dupdex.location import Location
from indexer.closing import Closing
from indexer.meta import IndexMeta, check_plan, check_servable
from indexer.stores import StoreWriter
from mappings.errors import InputRefused, NotFound, PlanMismatch, StoreRefused
from mappings.plan import STANDARD, Plan
from query.stores import StoreReader

if TYPE_CHECKING:
    from indexer.stores.collection_store import CollectionStore
    from indexer.stores.elastic.client import Client, ElasticSettings
    from mappings.collections import Collection

_NO_MAPPING: Final = "a mapping is for Elasticsearch; the embedded store keeps any field"


class Session(Closing):
    """What several `Index` objects of one server or folder have in common; threads may share it.

    with Session(Location("http://localhost:9200")) as session:
        news, mail = Index.open(session, index="news"), Index.open(session, index="mail")

    Nothing is asked of the store before an index is opened. `location` names the index that is
    meant when no other one is named.
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self._client: Client | None = None
        self._readers: dict[str, StoreReader] = {}
        self._opened: list[StoreReader | CollectionStore] = []
        self._collections: dict[tuple[str, str], CollectionStore] = {}
        self._turn = RLock()
        self.closed = False

    def reader(self, index: str | None = None, plan: Plan | None = None) -> StoreReader:
        """The read side of an index: the same one for all that ask. The session closes it.

        Raises NotFound when there is no such index, PlanMismatch when it has another plan than
        `plan` or a rebuild was not finished.
        """
        name = index or self.location.index
        with self._turn:
            self._at(name)
            reader = self._readers.get(name)
            if reader is None or not _is_current(reader):
                reader = self._keep(name, self._new_reader(name, plan))
        check_plan(reader.meta, plan)
        return reader

    def stored_meta(self, plan: Plan | None = None) -> IndexMeta | None:
        """The meta of the index of `location`; None when there is no such index."""
        try:
            return self.reader(plan=plan).meta
        except NotFound:
            return None

    def writer(
        self,
        index: str | None = None,
        meta: IndexMeta | None = None,
        plan: Plan | None = None,
        mappings: Mapping[str, Any] | None = None,
    ) -> StoreWriter:
        """A write side, which the caller closes; an absent index is made as `meta` says.

        Raises StoreRefused for an index that dupdex did not make or that has another writer,
        PlanMismatch when this machine lacks what a new index's plan reads texts with.
        """
        name = index or self.location.index
        wanted = meta or IndexMeta(plan=plan or STANDARD)
        with self._turn:
            try:
                reader = self.reader(name, plan)
            except NotFound:
                check_servable(wanted.plan)  # an index under another could never be filled
                writer = self._new_writer(name, wanted, plan, mappings)
                try:
                    self._keep(name, self._new_reader(name, plan, writer))
                except BaseException:
                    writer.close()
                    raise
                return writer
            return self._new_writer(name, wanted, plan, mappings, reader)

    def for_rebuild(self, index: str | None = None) -> tuple[StoreReader, StoreWriter]:
        """A reader and a writer whatever the index's plan; the caller closes both.

        Raises StoreRefused for an attached index: its documents are not ours to store anew.
        """
        name = index or self.location.index
        with closing(self._new_reader(name, rebuilding=True)) as reader:
            meta = reader.meta
        if meta.attached is not None:
            raise StoreRefused(
                f"index {name!r} is attached, and this would store whole documents; 'dupdex "
                "attach' changes nothing of them but its own part, also with --plan"
            )
        # The writer first: to get its lock it may have to wait for another rebuild.
        writer = self._new_writer(name, meta, rebuilding=True)
        try:
            return self._new_reader(name, writer=writer, rebuilding=True), writer
        except BaseException:
            writer.close()
            raise

    def collection(self, collection: Collection, index: str | None = None) -> CollectionStore:
        """The small collection of an index; its table or index is made when it is absent. The
        session closes it.

        Raises NotFound when there is no such index, StoreRefused when the stored description is
        newer.
        """
        name = index or self.location.index
        with self._turn:
            store = self._new_collection(self._at(name), collection)
            self._opened.append(store)
            return store

    def connection(self, index: str | None = None) -> tuple[Client, ElasticSettings]:
        """The session's client and the settings of an index, for what only a server can do.

        Raises InputRefused for an embedded store.
        """
        where = self._at(index or self.location.index)
        if not where.is_server:
            raise InputRefused(
                f"{where.place} is a folder, whose indices dupdex makes itself; name the server of "
                "your index with --store"
            )
        return self._connected(), where.elastic

    def indices(self) -> list[str]:
        """The names of all indices of the server or folder that dupdex answers from."""
        if not self._at(self.location.index).is_server:
            from indexer.stores.embedded.our_files import our_files

            return our_files(self.location.folder)
        from indexer.stores.elastic.our_names import our_names

        return our_names(*self.connection())

    def stored_collection(
        self, collection: Collection, index: str | None = None
    ) -> CollectionStore | None:
        """The same collection, only to read, when it is there; None makes nothing.

        Raises AccessRefused for a role that may not look for it.
        """
        name = index or self.location.index
        with self._turn:
            key = (name, collection.name)
            if key not in self._collections:
                try:
                    store = self._new_collection(self._at(name), collection, make=False)
                except NotFound:
                    return None
                self._opened.append(store)
                self._collections[key] = store
            return self._collections[key]

    def purge(self, index: str | None = None) -> int:
        """Let the files of an index, and of the collections beside it, hold nothing of what was
        removed; how many removed documents a server may still hold. It takes as long as a copy.

        Raises NotFound, AccessRefused, and StoreUnavailable when others use the files meanwhile.
        """
        where = self._at(index or self.location.index)
        if where.is_server:
            from indexer.stores.elastic import purging

            return purging.purge(self._connected(), where.elastic)
        from indexer.stores.embedded import schema, vacuum

        vacuum.purge(schema.path_of(where.folder, where.index))
        return 0

    def close(self) -> None:
        """Close every reader and collection, and the client."""
        with self._turn:
            self.closed = True
            for store in self._opened:
                store.close()
            if self._client is not None:
                self._client.close()

    def _connected(self) -> Client:
        from indexer.stores.elastic.client import connect  # heavy; folders do without

        with self._turn:
            if self._client is None:
                self._client = connect(self.location.server)
            return self._client

    def _at(self, name: str) -> Location:
        """Raises InputRefused once the session is closed."""
        if self.closed:
            raise InputRefused("the session is closed; open a new one")
        return replace(self.location, index=name)

    def _keep(self, name: str, reader: StoreReader) -> StoreReader:
        # One that it replaces is closed with the session only: an Index may hold it.
        self._readers[name] = reader
        self._opened.append(reader)
        return reader

    def _new_collection(
        self, where: Location, collection: Collection, make: bool = True
    ) -> CollectionStore:
        if where.is_server:
            from indexer.stores.elastic.elastic_collection import ElasticCollection

            return ElasticCollection.open(where.elastic, collection, self._connected(), make)
        from indexer.stores.embedded.embedded_collection import EmbeddedCollection

        open_it = EmbeddedCollection.open if make else EmbeddedCollection.open_stored
        return open_it(where.folder, where.index, collection)

    def _new_reader(
        self,
        name: str,
        plan: Plan | None = None,
        writer: StoreWriter | None = None,
        rebuilding: bool = False,
    ) -> StoreReader:
        # A store is imported when it is used: the client of a server takes longer than a lookup.
        where = self._at(name)
        if where.is_server:
            from query.stores.elastic import opening

            client = self._connected()
            if writer is not None:  # it has read the meta a moment ago
                return opening.reader_with(client, where.elastic, writer.meta, writer.watch)
            return opening.reader_of(client, where.elastic, plan, rebuilding)
        from query.stores.embedded.embedded_reader import EmbeddedReader

        watch = writer.watch if writer is not None else None
        return EmbeddedReader.open(where.folder, name, plan, rebuilding, watch)

    def _new_writer(
        self,
        name: str,
        meta: IndexMeta,
        plan: Plan | None = None,
        mappings: Mapping[str, Any] | None = None,
        reader: StoreReader | None = None,
        rebuilding: bool = False,
    ) -> StoreWriter:
        where = self._at(name)
        if where.is_server:
            from indexer.stores.elastic.elastic_writer import ElasticWriter
            from indexer.stores.elastic.sidecar_writer import writer_with

            client, at = self._connected(), where.elastic
            if reader is not None:  # it has read the meta
                return writer_with(client, at, reader.meta, reader.watch)
            return ElasticWriter.open(
                at, meta, plan, mappings, client=client, rebuilding=rebuilding
            )
        if mappings:
            raise InputRefused(_NO_MAPPING)
        from indexer.stores.embedded.embedded_writer import EmbeddedWriter

        watch = reader.watch if reader is not None else None
        return EmbeddedWriter.open(
            where.folder, name, meta, plan, rebuilding=rebuilding, watch=watch
        )


def _is_current(reader: StoreReader) -> bool:
    """Whether an open reader may go on; else the index is opened anew, which says why not."""
    try:
        reader.watch.look()
    except (NotFound, PlanMismatch):
        return False
    return True
