"""The searches in docs/gateway.md, as they stand there."""

from __future__ import annotations

import re

import orjson
import pytest

from indexer.grouping import Grouping
from tests.service.gateway.near_data import Corpus, corpus
from tests.service.gateway.running import Running
from tests.source_tree import ROOT

EXAMPLES = re.findall(
    r"```json\nPOST /articles/_search\n(.*?)```",
    (ROOT / "docs" / "gateway.md").read_text("utf-8"),
    re.DOTALL,
)


def test_the_examples_are_seen() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("text", [text for text in EXAMPLES if "dedup" not in text])
def test_an_example_is_answered(stored: Corpus, text: str) -> None:
    body = orjson.loads(text.replace("articles", stored.first))
    assert stored.search(stored.first, body)["_dupdex"]["clauses"]


def test_one_hit_a_group(gateway: Running, es_url: str) -> None:
    (text,) = [text for text in EXAMPLES if '"dedup"' in text]
    with corpus(gateway, es_url, grouping=Grouping()) as grouped:
        answer = grouped.search(grouped.first, orjson.loads(text))
    assert answer["_dupdex"]["groups"]["total"] >= len(answer["hits"]["hits"]) == 5
