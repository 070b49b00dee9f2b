"""The plain Elasticsearch query for what shares a key with a text."""

from __future__ import annotations

from typing import Any

from dupdex.index import Index
from indexer.fingerprints.compute import check_text
from query.answers import Filter
from query.pair import PairJudge
from query.questions import Options, Question, requests_of
from query.stores.elastic.bodies import candidate_body


def candidate_query(
    index: Index, question: Question, filters: tuple[Filter, ...] = ()
) -> dict[str, Any]:
    """What a lookup asks for first: rarer shared keys weigh more. What it finds is not verified.

    Raises InputRefused for a text that cannot be fingerprinted.
    """
    meta = index.meta
    check_text(question.text, meta.plan)
    judge = PairJudge(meta.plan, meta.boilerplate)
    ((_, request),) = requests_of([question], judge, Options(filters=filters))
    query: dict[str, Any] = candidate_body(request, 0)["query"]
    return query
