"""Of equal posts that several processes admit at the same moment one is the first."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from dupdex.index import Index
from indexer.grouping import Grouping
from indexer.meta import IndexMeta
from indexer.stores.elastic.client import ElasticSettings
from mappings.plan import CHARACTERS
from mappings.records import LEASES
from tests.service.elastic_data import chinese
from tests.service.foreign_data import place
from tests.source_tree import ROOT

PROCESSES, POSTS = 3, 4

POSTER = """
import json, sys
from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document
url, name, who, posts = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
with Index.create(Location(url, name)) as index:
    print("ready", flush=True)
    sys.stdin.readline()
    for at, text in enumerate(posts):
        done = index.admit(Document(f"{who}-{at}", text))
        print(json.dumps([at, done.is_first, [each.id for each in done.answer.matches]]))
"""


def test_of_equal_posts_one_is_first(settings: ElasticSettings) -> None:
    where, posts = place(settings), [chinese(at, 150) for at in range(POSTS)]
    with Index.create(where, IndexMeta(plan=CHARACTERS), grouping=Grouping()) as index:
        place_of = settings.url, settings.index
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", POSTER, *place_of, f"p{number}", json.dumps(posts)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for number in range(PROCESSES)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        said: list[list[Any]] = []
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        for number, process in enumerate(processes):
            out, _ = process.communicate(timeout=120)
            said += [[f"p{number}", *json.loads(line)] for line in out.splitlines()]
        assert len(said) == PROCESSES * POSTS
        for at in range(POSTS):
            posted = [(who, is_first, found) for who, post, is_first, found in said if post == at]
            (first,) = [f"{who}-{at}" for who, is_first, _ in posted if is_first]
            assert all((first in found) != is_first for _, is_first, found in posted)
        assert index.count() == PROCESSES * POSTS
        index._session.collection(LEASES).drop()
