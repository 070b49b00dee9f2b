"""The scores of Elasticsearch: the sums that a cut rests on."""

from __future__ import annotations

import math

import pytest

from mappings.contract import Field
from query.stores.elastic.scores import (
    Cut,
    Scale,
    boosts_in,
    is_simhash_only,
    simhash_weight,
    sizes_body,
    smallest_in,
    statistics_body,
)


def test_the_cut_is_the_rarity_of_a_term_at_the_limit() -> None:
    boosts = {Field.SENTENCES: 0.7}
    cut = Scale(100_000, boosts).cut(300)
    assert cut is not None
    assert cut.least == pytest.approx(math.log(1 + 99_700.5 / 300.5), rel=1e-4)
    assert cut.least < math.log(1 + 99_700.5 / 300.5)
    assert cut.least > math.log(1 + 99_699.5 / 301.5)  # one document more is too many
    assert cut.boosts == boosts


@pytest.mark.parametrize(
    ("documents", "max_df", "cuts"), [(3_000, 300, True), (2_999, 300, False), (9, 0, False)]
)
def test_small_indices_cut_nothing(documents: int, max_df: int, cuts: bool) -> None:
    assert (Scale(documents).cut(max_df) is not None) is cuts


def test_a_simhash_key_weighs_as_much_as_a_term_at_the_limit() -> None:
    assert simhash_weight(None) == 1.0
    assert simhash_weight(Cut(2.5, {})) == 2.5


@pytest.mark.parametrize(
    ("score", "alone"),
    [(2.64, True), (5.28, True), (10.560002, True), (2.66, False), (2.0, False), (0.00001, False)],
)
def test_scores_tell_what_shares_simhash_keys_only(score: float, alone: bool) -> None:
    assert is_simhash_only(score, 2.64) is alone


def test_the_smallest_index_behind_a_name() -> None:
    assert sizes_body()["aggs"]["sizes"]["terms"]["field"] == "_index"
    buckets = [{"key": "a", "doc_count": 7}, {"key": "b", "doc_count": 3}]
    assert smallest_in({"aggregations": {"sizes": {"buckets": buckets}}}) == ("b", 3)
    assert smallest_in({"aggregations": {"sizes": {"buckets": []}}}) == ("", 0)


def test_boosts_undo_what_many_terms_a_document_add() -> None:
    assert statistics_body([Field.SENTENCES])["doc"] == {"dupdex": {"sentences": "any"}}
    in_stream = statistics_body([Field.SENTENCES], in_stream=True)["doc"]
    assert in_stream == {"@timestamp": 0, "dupdex": {"sentences": "any"}}
    answer = {
        "term_vectors": {
            "dupdex.passage_keys": {"field_statistics": {"doc_count": 10, "sum_ttf": 160}},
            "dupdex.text_hash": {"field_statistics": {"doc_count": 10, "sum_ttf": 10}},
            "dupdex.sentences": {"field_statistics": {"doc_count": 0, "sum_ttf": 0}},
        }
    }
    fields = (Field.PASSAGE_KEYS, Field.TEXT_HASH, Field.SENTENCES, Field.DNA_KEYS)
    boosts = boosts_in(answer, fields)
    # BM25: (k1 + 1) / (1 + k1 * (1 - b + b / average length)), seen on a server
    assert boosts.pop(Field.PASSAGE_KEYS) == pytest.approx(1 / (2.2 * 0.7373272), rel=1e-5)
    assert boosts == {Field.TEXT_HASH: 1.0, Field.SENTENCES: 1.0, Field.DNA_KEYS: 1.0}
