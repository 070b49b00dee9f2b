"""Ids of documents that come without one."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

from dupdex.gateway.enrich.own_ids import OWN_IDS


def test_ids_look_like_those_of_a_server() -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: OWN_IDS.new(), range(2_000)))
    assert len(set(made)) == len(made)
    assert all(re.fullmatch(r"[\w-]{20}", name) for name in made)
    assert len({name[:8] for name in made}) < 200
