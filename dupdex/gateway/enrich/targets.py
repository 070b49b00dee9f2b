"""What the names in writes stand for: an index of ours, where its documents go, and what its
pipelines do to them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dupdex.gateway.enrich.pipelines import what_rewrites
from dupdex.gateway.our_indices import OurIndices
from dupdex.index import Index
from indexer.attachment import BeingDetached
from indexer.sidecar import MadeAnew
from indexer.stores.elastic.behind import behind
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.errors import AccessRefused, DupdexError, StoreRefused

if TYPE_CHECKING:
    from indexer.stores.elastic.client import Client

SECONDS: Final = 1.0
"""After which aliases, settings and pipelines are read again."""

_MOST: Final = 10_000
_NONE: Final = "_none"
_PIPELINES: Final = ("index.default_pipeline", "index.final_pipeline")

T = TypeVar("T")


class Targets:
    """Threads share one. What is read of a cluster is kept for a second."""

    def __init__(self, indices: OurIndices) -> None:
        self._indices = indices
        self._known: dict[tuple[str, str], tuple[float, Any]] = {}
        self._turn = threading.Lock()

    def plain(self, name: str) -> str:
        """A name with the date in it worked out by the server (`<news-{now/d}>`)."""
        if not name.startswith("<"):
            return name

        def read() -> str:
            client, settings = self._indices.session.connection()
            with translated("read what is behind the name", settings):
                found = client.options(ignore_status=404).indices.resolve_index(name=name)
            rows = [row for kind in found.body.values() for row in _rows(kind)]
            return str(rows[0]["name"]) if rows else name

        return self.kept("date", name, read)

    def ours(self, name: str) -> Index | None:
        """The index that a name stands for; None for one that is not ours, or about to be not, and
        for one with a sidecar, whose documents are nobody's but the client's.

        Raises PlanMismatch for one that can take no documents now, and StoreRefused for an alias or
        data stream of ours and others that writes to one of ours.
        """
        plain = self.plain(name)
        found = self._index(plain)
        if found is None and (written := self._written_behind(plain)):
            raise StoreRefused(
                f"{name!r} stands for indices with and without fingerprints, and writes to "
                f"{written!r}, which has them; write to that name, or attach the others"
            )
        return found

    def _index(self, plain: str) -> Index | None:
        try:
            found = self._indices.get(plain)
        except (BeingDetached, MadeAnew):
            return None
        return None if found is not None and found.meta.sidecar_of is not None else found

    def _written_behind(self, name: str) -> str:
        """The index of ours that takes the documents of a name of several; "" for none, and for
        what the cluster does not tell us: then the name is not ours to look into."""
        try:
            written = self.write_index(name) if name else name
        except DupdexError:
            return ""
        return written if written != name and self._index(written) is not None else ""

    def for_writing(self, name: str) -> Index:
        return self._indices.for_writing(self.plain(name))

    def home(self, name: str) -> str:
        """The name that the records of an index are kept beside."""
        return self._indices.home(self.plain(name))

    def connection(self, name: str) -> tuple[Client, ElasticSettings]:
        """A client, and the settings of the index that a name stands for."""
        return self._indices.session.connection(self.plain(name))

    def write_index(self, name: str) -> str:
        """The concrete index that takes the documents of a name; the name itself where none does,
        for the server to say so."""

        def read() -> str:
            return behind(*self.connection(name)).writes_to or name

        return self.kept("behind", name, read)

    def what_rewrites(self, name: str, asked: str | None) -> str:
        """What may change texts on their way into an index, in words; "" for nothing. `asked`: the
        pipeline that a request names."""
        index = self.ours(name)
        if index is None:
            return ""
        default, final = self.kept("pipelines", name, lambda: self._pipelines(name))
        for pipeline in (asked or default, final):
            if pipeline and pipeline != _NONE:
                found = what_rewrites(
                    pipeline,
                    index.meta.text_fields,
                    lambda each: self.kept("pipeline", each, lambda: self._definition(name, each)),
                )
                if found:
                    return found
        return ""

    def expanded(self, names: str) -> list[str]:
        """The indices, aliases and streams of ours that a list of names and patterns leads to."""
        client, settings = self.connection(self._indices.session.location.index)
        with translated("read what is behind the name", settings):
            found = client.options(ignore_status=404).indices.resolve_index(
                name=names or "_all", expand_wildcards="all"
            )
        listed = [each["name"] for kind in found.body.values() for each in _rows(kind)]
        behind_streams = {
            name for stream in found.body.get("data_streams", ()) for name in _backing(stream)
        }
        return [
            name for name in listed if name not in behind_streams and self._index(name) is not None
        ]

    def _pipelines(self, name: str) -> tuple[str, str]:
        client, settings = self.connection(name)
        with translated("read the settings of the index", settings):
            answer = client.indices.get_settings(
                index=self.write_index(name), flat_settings=True, name=",".join(_PIPELINES)
            ).body
        values: Mapping[str, Any] = next((each["settings"] for each in answer.values()), {})
        default, final = (str(values.get(each, _NONE)) for each in _PIPELINES)
        return default, final

    def _definition(self, name: str, pipeline: str) -> Mapping[str, Any] | None:
        client, settings = self.connection(name)
        try:
            with translated("read a pipeline", settings):
                answer = client.options(ignore_status=404).ingest.get_pipeline(id=pipeline).body
        except AccessRefused:
            # What it does is not known, and what is not known is taken to rewrite texts.
            return {"processors": [{"unreadable": {}}]}
        value = answer.get(pipeline)
        return value if isinstance(value, Mapping) else None

    def kept(self, kind: str, name: str, read: Callable[[], T]) -> T:
        """What `read` gives, as of a second ago at most."""
        with self._turn:
            until, value = self._known.get((kind, name), (0.0, None))
        if until > time.monotonic():
            kept: T = value
            return kept
        made = read()
        with self._turn:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[kind, name] = time.monotonic() + SECONDS, made
        return made


def _rows(kind: object) -> list[Mapping[str, Any]]:
    return [row for row in kind if isinstance(row, Mapping)] if isinstance(kind, list) else []


def _backing(stream: Mapping[str, Any]) -> list[str]:
    names = stream.get("backing_indices", [])
    return [names] if isinstance(names, str) else list(names)
