"""Joining keys on disk takes less memory than joining them in memory, and finds the same."""

from __future__ import annotations

import subprocess
import sys

from tests.source_tree import ROOT

JOIN = """
import sys
from contextlib import closing
import numpy as np
from dupdex.corpus.candidate_join import MemoryJoin
from dupdex.corpus.disk_join import DiskJoin
from dupdex.corpus.key_files import KeyFiles
from dupdex.scratch import scratch_folder
from mappings.contract import Field
from query.key_join import packed, renumbered

NODES, PARTS, ENTRIES = 150_000, 12, 500_000
number = np.arange(NODES)

def parts():
    draw = np.random.default_rng(3)
    for _ in range(PARTS):
        keys = draw.integers(0, PARTS * ENTRIES, ENTRIES).astype(np.uint64)
        yield packed(keys, draw.integers(0, NODES, ENTRIES))

def told(join):
    found = [(len(each), int(each.first.sum()), int(each.second.sum())) for each in join.pairs()]
    print(*(sum(column) for column in zip(*found)))

with scratch_folder() as folder:
    if sys.argv[1] == "memory":
        entries = renumbered(list(parts()), number)
        told(MemoryJoin({Field.SENTENCES: entries}, NODES, 300))
    else:
        files = KeyFiles(folder)
        for entries in parts():
            files.append(Field.SENTENCES, entries)
        with closing(DiskJoin(files, number, 300, folder, 1, 1)) as join:
            told(join)
"""


def joined(where: str) -> tuple[str, int]:
    """What the join found, and the megabytes that it took at its peak."""
    command = [sys.executable, "tests/peak.py", sys.executable, "-c", JOIN, where]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, int(done.stderr.split()[-1])


def test_memory_is_bounded() -> None:
    """Six million keys, 48 megabytes as numbers, within the least that a join is allowed."""
    in_memory, most = joined("memory")
    on_disk, peak = joined("disk")
    assert on_disk == in_memory
    assert peak < 0.6 * most, f"{peak} MB on disk, {most} MB in memory"
