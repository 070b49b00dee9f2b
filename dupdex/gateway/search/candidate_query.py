"""The plain Elasticsearch query for what shares a key with a text."""

from __future__ import annotations

from typing import Any

from dupdex.index import Index
from indexer.fingerprints.compute import check_text
from query.answers import Filter, Request
from query.lookup import Question
from query.pair import PairJudge
from query.stores.elastic.bodies import candidate_body
from query.telling_keys import without_boilerplate


def candidate_query(
    index: Index, question: Question, filters: tuple[Filter, ...] = ()
) -> dict[str, Any]:
    """What a lookup asks for first: rarer shared keys weigh more. What it finds is not verified.

    Raises InputRefused for a text that cannot be fingerprinted.
    """
    plan = index.plan
    check_text(question.text, plan)
    judge = PairJudge(plan, index.meta.boilerplate)
    (asked,) = judge.read([question.text], [None])
    keys = without_boilerplate(asked.fingerprint.keys, asked.features)
    request = Request(keys, filters=filters, exclude=question.exclude)
    query: dict[str, Any] = candidate_body(request, 0)["query"]
    return query
