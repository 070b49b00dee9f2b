"""A writer that is killed while it brings an embedded store up to date."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from indexer.stores.embedded import schema
from tests.golden.layouts import restore
from tests.unit.indexer.stores.embedded.test_migrations import check_documents, layout_of

ROOT: Final = Path(__file__).resolve().parents[2]

KILLED: Final = """
import os, signal, sys
from pathlib import Path
from indexer.meta import IndexMeta
from indexer.sources.dead_letters import DeadLetters
from indexer.stores.embedded import migrations, schema
from indexer.stores.embedded.embedded_collection import EmbeddedCollection
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
migrate = migrations.migrate
def watched(db, path):
    seen = []
    def statement(sql):
        seen.append(sql)
        if len(seen) == last:
            os.kill(os.getpid(), signal.SIGKILL)
    db.set_trace_callback(statement)
    migrate(db, path)
    db.set_trace_callback(None)
migrations.migrate = watched
for line in sys.stdin:
    last = int(line)
    child = os.fork()
    if child == 0:
        EmbeddedWriter.open(Path(sys.argv[1]), "dupdex", IndexMeta(), None).close()
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Opens the index in a process of its own for each number that it reads: killed at that statement;
the modules are imported once."""


def test_kill_9_at_any_statement_leaves_the_old_layout(tmp_path: Path) -> None:
    """The n-th statement is not run any more; after the last one there is nothing to kill."""
    path = restore(1, tmp_path)
    died = 0
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as opener:
        assert opener.stdin
        assert opener.stdout
        for statement in range(1, 40):
            print(statement, file=opener.stdin, flush=True)
            status = int(opener.stdout.readline())
            if status == 0:
                break
            assert status == -signal.SIGKILL
            died += 1
            assert layout_of(path) == 1
            check_documents(tmp_path)
        opener.stdin.close()
    assert died >= 5  # begin, look, create, number, commit
    assert layout_of(path) == schema.LAYOUT
    check_documents(tmp_path)
