"""What a run was asked for, and the server it shares between its sections."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scripts.benchmark.server import Server, open_server
from scripts.benchmark.texts_of_corpus import Corpus


@dataclass
class Setting:
    """Sizes, texts and, once a section asks for it, the server. `leaving` ends what was begun."""

    corpus: Corpus
    leaving: ExitStack
    quick: bool = False
    documents: int | None = None
    stream_megabytes: int | None = None
    store_url: str | None = None
    gateway_minutes: int | None = None
    gateway_megabytes: int | None = None

    def size(self, full: int, quick: int) -> int:
        """A size that --documents does not change."""
        return quick if self.quick else full

    def stored(self, full: int, quick: int) -> int:
        """How many documents a section stores."""
        return self.documents or self.size(full, quick)

    @cached_property
    def server(self) -> Server:
        """The Elasticsearch of this run, started when first asked for."""
        return self.leaving.enter_context(open_server(self.store_url))

    @cached_property
    def folder(self) -> Path:
        """A folder that is removed at the end."""
        return Path(self.leaving.enter_context(tempfile.TemporaryDirectory(prefix="dupdex-bench-")))
